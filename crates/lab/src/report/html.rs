//! Pieces of the page.

use crate::statistics::Verdict;

/// A text as content or as an attribute's value.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}

/// A table that can be sorted, in a box that scrolls by itself.
pub struct Table(String);

impl Table {
    pub fn new(caption: &str, heads: &[&str]) -> Table {
        Table::of_class("sortable", caption, heads)
    }

    /// One whose cells are coloured.
    pub fn heat(caption: &str, heads: &[&str]) -> Table {
        Table::of_class("sortable heat", caption, heads)
    }

    fn of_class(class: &str, caption: &str, heads: &[&str]) -> Table {
        let caption = escape(caption);
        let heads: String = heads
            .iter()
            .map(|head| match *head {
                "" => "<td></td>".to_owned(),
                head => format!("<th scope=\"col\">{}</th>", escape(head)),
            })
            .collect();
        Table(format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\"><table class=\"{class}\">\
             <caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>\n"
        ))
    }

    /// A row with these attributes; the cells are elements already.
    pub fn row(&mut self, attributes: &str, cells: &[String]) {
        self.0 += &format!("<tr {attributes}>{}</tr>\n", cells.concat());
    }

    pub fn finish(self) -> String {
        self.0 + "</tbody></table></div>\n"
    }
}

/// A figure with its caption. Who does not see it has the caption, and the tables.
pub fn figure_of(svg: &str, caption: &str, attributes: &str) -> String {
    let caption = escape(caption);
    // Its size is the page's business.
    let (open, rest) = svg.split_once('>').unwrap_or((svg, ""));
    let view = open.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(view, _)| view);
    format!(
        "<figure {attributes}><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\
         <svg viewBox=\"{view}\" role=\"img\" aria-label=\"{caption}\" xmlns=\"http://www.w3.org/2000/svg\">{rest}</div>\
         <figcaption>{caption}</figcaption></figure>\n"
    )
}

/// `1.234 to 1.240`, or nothing.
pub fn interval(interval: Option<[f64; 2]>) -> String {
    interval.map_or(String::new(), |[low, high]| format!("{low:.3} to {high:.3}"))
}

/// The class by which a verdict is coloured.
pub fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Same | Verdict::Unknown => "soft",
    }
}
