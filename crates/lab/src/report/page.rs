//! The page: one file with its style, its script and its figures in it. It asks for nothing from a network, and says so in a
//! content security policy. Without a script everything is there, only not to be filtered.

use std::fmt::Write as _;

use super::cell::{PUBLIC_KEYS, size};
use super::charts::{self, Colour, GRID, INK, hexadecimal};
use super::html::{Table, escape, figure_of, interval, verdict_class};
use super::view::{RunView, TopicView, View};
use super::{Run, machine};
use crate::recommend::{self, Advice};
use crate::statistics::Verdict;

/// The page on these runs.
pub fn page(runs: &[Run], baseline: Option<&str>) -> String {
    let view = View::new(runs, baseline);
    let advice = recommend::recommend(runs);
    let title = title(&view);
    let sections = [
        section("advice", "What to use", true, &advice_table(&advice, &view)),
        section("speedups", "Speed-ups", true, &speedups(&view)),
        section("algorithms", "Algorithms", true, &cards(&view)),
        section("keys", "Sign and verify", true, &keys(&view)),
        section("hosts", "Hosts and builds", false, &machine::hosts(&view)),
        section("skipped", "Wrong or skipped", false, &machine::skipped(&view)),
        section("reading", "How to read this", false, READING),
    ];
    let present: Vec<&(String, String, String)> = sections.iter().filter(|(_, _, body)| !body.is_empty()).collect();
    let links: String = present.iter().map(|(id, name, _)| format!("<li><a href=\"#{id}\">{name}</a></li>")).collect();
    let bodies: String = present.iter().map(|(_, _, body)| body.as_str()).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}{colours}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#advice\">To the results</a>\n<header>\n<h1>{title}</h1>\n{summary}\
         <nav aria-label=\"Sections\"><ul>{links}</ul></nav>\n</header>\n<main>\n{controls}{bodies}</main>\n\
         <footer><p class=\"soft\">Made by Speedwell {version}.</p></footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        colours = colours(&view),
        summary = summary(&view),
        controls = controls(&view),
        version = env!("CARGO_PKG_VERSION"),
    )
}

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

fn title(view: &View<'_>) -> String {
    let named = view.runs.iter().find_map(|run| run.report.title.as_deref());
    let hosts: Vec<&str> = view.runs.iter().map(|run| run.report.host.cpu.as_str()).collect();
    let host = hosts.first().copied().unwrap_or("no host");
    let more = hosts.iter().any(|other| *other != host);
    escape(&match (named, more) {
        (Some(name), _) => format!("Speedwell: {name}"),
        (None, false) => format!("Speedwell on {host}"),
        (None, true) => format!("Speedwell on {} hosts", hosts.len()),
    })
}

/// What a style sheet exchanges in figures: ink and grid by their meaning, subjects by their dark colours.
fn colours(view: &View<'_>) -> String {
    let mut light = String::new();
    let mut dark = String::new();
    let all: Vec<Colour> = (0..view.subjects.len()).map(Colour::of).collect();
    for (name, variable) in [(hexadecimal(INK), "ink"), (hexadecimal(GRID), "line")] {
        let _ = write!(
            light,
            "svg [fill=\"{name}\"]{{fill:var(--{variable})}}svg [stroke=\"{name}\"]{{stroke:var(--{variable})}}"
        );
    }
    for colour in &all {
        let (name, place) = (colour.name(), colour.place);
        let _ = write!(
            light,
            "svg [fill=\"{name}\"]{{fill:var(--s{place})}}svg [stroke=\"{name}\"]{{stroke:var(--s{place})}}"
        );
        let _ = write!(dark, "--s{place}:{};", hexadecimal(colour.dark));
    }
    let variables: String = all.iter().map(|colour| format!("--s{}:{};", colour.place, colour.name())).collect();
    format!(
        ":root{{{variables}}}@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\
         :root[data-theme=dark]{{{dark}}}@media print{{:root,:root[data-theme=dark]{{{variables}}}}}\n{light}\n"
    )
}

fn summary(view: &View<'_>) -> String {
    let mut text = String::new();
    for run in &view.runs {
        let host = &run.report.host;
        let floor =
            run.report.noise_floor.map_or(String::new(), |floor| format!("; noise floor {:.2} %", floor * 100.0));
        let state = if run.report.complete { "" } else { "; interrupted: not all of it was measured" };
        let read_in =
            if machine::is_imported(run.report) { "; figures read in from elsewhere, without intervals" } else { "" };
        let _ = writeln!(
            text,
            "<p>{}: {}, {} subjects, {} algorithms{floor}{read_in}{state}.</p>",
            escape(short(run.name)),
            escape(&host.cpu),
            run.report.subjects.len(),
            run.topics.len()
        );
    }
    text
}

fn controls(view: &View<'_>) -> String {
    let mut groups: Vec<&str> = view.runs.iter().flat_map(RunView::groups).collect();
    groups.sort_unstable();
    groups.dedup();
    let groups: String = groups.iter().map(|name| format!("<option>{name}</option>")).collect();
    let runs = if view.runs.len() > 1 {
        let options: String = view
            .runs
            .iter()
            .enumerate()
            .map(|(place, run)| {
                format!(
                    "<option value=\"{place}\">{}, {}</option>",
                    escape(short(run.name)),
                    escape(&run.report.host.cpu)
                )
            })
            .collect();
        format!("<label>Run <select id=\"run\"><option value=\"\">all</option>{options}</select></label>")
    } else {
        String::new()
    };
    let subjects: String = view
        .subjects
        .iter()
        .map(|name| {
            let colour = view.colour(name);
            let (name, hex, place) = (escape(name), colour.name(), colour.place);
            format!(
                "<label><input type=\"checkbox\" name=\"subject\" value=\"{name}\" data-colour=\"{hex}\" checked>\
                 <span class=\"swatch\" style=\"background:var(--s{place})\"></span>{name}</label>"
            )
        })
        .collect();
    format!(
        "<div class=\"controls\" id=\"controls\" role=\"search\" aria-label=\"Filter\" hidden><div class=\"row\">\
         <label>Algorithm <input type=\"search\" id=\"search\" placeholder=\"aes cbc\" autocomplete=\"off\"></label>\
         <label>Kind <select id=\"group\"><option value=\"\">all</option>{groups}</select></label>{runs}\
         <button type=\"button\" id=\"reset\">Show all</button><button type=\"button\" id=\"theme\">Colours</button></div>\
         <details open><summary>Subjects</summary><fieldset class=\"subjects\" aria-label=\"Subjects\">{subjects}</fieldset></details>\
         <p class=\"status\" id=\"status\" role=\"status\"></p></div>\n"
    )
}

/// A section with its heading; one whose rows are filtered says when none is left.
fn section(id: &str, name: &str, counted: bool, body: &str) -> (String, String, String) {
    if body.is_empty() {
        return (id.to_owned(), name.to_owned(), String::new());
    }
    let (mark, nothing) = if counted {
        (" data-counted", "<p class=\"nothing soft\" hidden>The filter leaves nothing here.</p>")
    } else {
        ("", "")
    };
    let html = format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\"{mark}>\n<h2 id=\"{id}-title\">{name}</h2>\n{nothing}{body}</section>\n"
    );
    (id.to_owned(), name.to_owned(), html)
}

fn advice_table(advice: &[Advice], view: &View<'_>) -> String {
    if advice.is_empty() {
        return String::new();
    }
    let heads = ["Algorithm", "Sizes", "Use", "× ahead", "of", "Certainty", "Evidence", "Host"];
    // The title has the host already if there is only one.
    let columns = heads.len() - usize::from(advice.iter().all(|one| one.cpu == advice[0].cpu));
    let caption = "The fastest subject for each algorithm and size, and how far it is ahead of the next";
    let mut table = Table::new(caption, &heads[..columns]);
    for one in advice {
        let place = view.runs.iter().position(|run| run.name == one.run).unwrap_or(0);
        let topic = view.runs[place].topics.iter().find(|topic| topic.topic == one.topic);
        for tier in &one.tiers {
            let sizes = match &tier.sizes[..] {
                [first, .., last] if first != last => format!("{} to {}", size(*first), size(*last)),
                [one, ..] => size(*one),
                [] => String::new(),
            };
            let differs = if one.differs { " <span class=\"differs\">hosts differ</span>" } else { "" };
            let (ratio, next, certainty, at) = match &tier.next {
                Some(lead) => {
                    let least = if tier.sizes.len() > 1 { "≥ " } else { "" };
                    (format!("{least}{:.3}", lead.ratio), lead.subject.clone(), lead.certainty(), lead.bytes)
                }
                None => (String::new(), String::new(), "nothing to compare with".to_owned(), 0),
            };
            let sorted = tier.next.as_ref().map_or(0.0, |lead| lead.ratio);
            let evidence = tier.evidence.as_ref().map_or("the ratio".to_owned(), |row| {
                let at = if at == 0 { String::new() } else { format!(" at {}", size(at)) };
                format!("{}{at}", super::cell::rate(row))
            });
            let anchor = topic.map_or("", |topic| &topic.anchor);
            let kernel = tier.kernel.as_deref().filter(|kernel| !kernel.ends_with(&tier.winner));
            let kernel =
                kernel.map_or(String::new(), |kernel| format!("<br><span class=\"soft\">{}</span>", escape(kernel)));
            table.row(
                &format!(
                    "data-topic=\"{}\" data-group=\"{}\" data-run=\"{place}\" data-subject=\"{}\"",
                    escape(&one.topic.name()),
                    one.topic.group(),
                    escape(&tier.winner)
                ),
                &[
                    format!("<td class=\"name\">{}</td>", escape(&one.topic.name())),
                    format!("<td class=\"name\" data-sort=\"{}\">{sizes}</td>", tier.sizes.first().unwrap_or(&0)),
                    format!("<td>{}{kernel}{differs}</td>", escape(&tier.winner)),
                    format!("<td class=\"number\" data-sort=\"{sorted}\">{ratio}</td>"),
                    format!("<td>{}</td>", escape(&next)),
                    format!("<td class=\"prose\">{certainty}</td>"),
                    format!("<td class=\"name\"><a href=\"#{anchor}\">{evidence}</a></td>"),
                    format!("<td>{}</td>", escape(&one.cpu)),
                ][..columns],
            );
        }
    }
    table.finish()
}

fn speedups(view: &View<'_>) -> String {
    let mut html = String::new();
    for (place, run) in view.runs.iter().enumerate() {
        let Some(baseline) = run.baseline.filter(|_| run.topics.iter().any(|topic| !topic.speedups.is_empty())) else {
            continue;
        };
        let name = if view.runs.len() > 1 { format!("{}: ", escape(short(run.name))) } else { String::new() };
        let _ = write!(
            html,
            "<div data-run=\"{place}\"><h3>{name}times as fast as {}</h3>\n<div class=\"figures\">",
            escape(baseline)
        );
        for group in run.groups() {
            let bars = view.overview(run, group);
            if !bars.is_empty() {
                let caption = format!("{group}, at the largest size: times as fast as {baseline}");
                let attributes = format!("data-overview data-group=\"{group}\" data-run=\"{place}\"");
                html += &figure_of(&charts::overview(&bars), &caption, &attributes);
            }
        }
        html += "</div>\n";
        let heads = ["Algorithm", "Size", "Subject", "× as fast", "95 % interval", "Verdict", ""];
        let mut table = Table::new(&format!("Against {baseline}"), &heads);
        let most = run.topics.iter().flat_map(|topic| &topic.speedups).map(|row| row.ratio).fold(1.0, f64::max);
        for row in run.topics.iter().flat_map(|topic| &topic.speedups) {
            let verdict =
                if row.verdict == Verdict::Unknown { "no interval".to_owned() } else { row.verdict.to_string() };
            table.row(
                &format!(
                    "data-topic=\"{}\" data-group=\"{}\" data-run=\"{place}\" data-subject=\"{}\"",
                    escape(&row.topic.name()),
                    row.topic.group(),
                    escape(&row.subject)
                ),
                &[
                    format!("<td class=\"name\">{}</td>", escape(&row.topic.name())),
                    format!("<td class=\"number\" data-sort=\"{}\">{}</td>", row.bytes, size(row.bytes)),
                    format!("<td>{}</td>", escape(&row.subject)),
                    format!("<td class=\"number\" data-sort=\"{0}\">{0:.3}</td>", row.ratio),
                    format!("<td class=\"number\">{}</td>", interval(row.interval)),
                    format!("<td class=\"{}\">{verdict}</td>", verdict_class(row.verdict)),
                    format!(
                        "<td class=\"bar\" aria-hidden=\"true\"><span style=\"width:{:.1}%;--colour:var(--s{})\"></span></td>",
                        100.0 * row.ratio / most,
                        view.colour(&row.subject).place
                    ),
                ],
            );
        }
        html += &table.finish();
        html += "</div>\n";
    }
    html
}

fn cards(view: &View<'_>) -> String {
    let mut html = String::new();
    for (place, run) in view.runs.iter().enumerate() {
        for topic in &run.topics {
            let name = topic.topic.name();
            let host = if view.runs.len() > 1 {
                format!(" <span class=\"soft\">{}</span>", escape(short(run.name)))
            } else {
                String::new()
            };
            let _ = write!(
                html,
                "<article class=\"card\" id=\"{}\" data-topic=\"{}\" data-group=\"{}\" data-run=\"{place}\">\n<h3>{}{host}</h3>\n<div class=\"figures\">",
                topic.anchor,
                escape(&name),
                topic.topic.group(),
                escape(&name)
            );
            for (svg, caption) in figures(view, run, topic) {
                html += &figure_of(&svg, &caption, "");
            }
            html += "</div>\n";
            html += &heat_table(topic);
            html += "</article>\n";
        }
    }
    html
}

/// The figures of a topic, with what they show.
pub fn figures(view: &View<'_>, run: &RunView<'_>, topic: &TopicView<'_>) -> Vec<(String, String)> {
    let name = topic.topic.name();
    let mut found = Vec::new();
    let bars = view.bars(topic);
    if let Some(baseline) = run.baseline.filter(|_| !bars.is_empty()) {
        found.push((charts::grouped(&bars), format!("{name}: times as fast as {baseline}, by size")));
    }
    let curves = view.curves(topic);
    if !curves.is_empty() {
        let known = curves.iter().any(|curve| curve.points.iter().any(|(.., interval)| interval.is_some()));
        let bands = if known { ", with 95 % bands" } else { "" };
        found.push((charts::throughput(&curves), format!("{name}: throughput over size{bands}")));
    }
    let spreads = view.spreads(topic);
    if !spreads.is_empty() {
        let at = topic.sizes.last().copied().unwrap_or(0);
        let at = if at == 0 { String::new() } else { format!(" at {}", size(at)) };
        found.push((
            charts::distribution(&spreads),
            format!("{name}{at}: how the rounds are spread around their median"),
        ));
    }
    found
}

/// A row for each subject, a column for each size: the deeper the green, the nearer to the fastest.
fn heat_table(topic: &TopicView<'_>) -> String {
    if topic.sizes.iter().all(|bytes| topic.subjects.iter().all(|subject| topic.row(subject, *bytes).is_none())) {
        return String::new();
    }
    let sizes: Vec<String> =
        topic.sizes.iter().map(|bytes| if *bytes == 0 { "rate".to_owned() } else { size(*bytes) }).collect();
    let mut heads = vec!["Subject"];
    heads.extend(sizes.iter().map(String::as_str));
    // Of what was read in, none of this is known.
    let more = !machine::is_imported(topic.report);
    if more {
        heads.extend(["cycles per byte", "of the limit", "kernel"]);
    }
    let mut table =
        Table::heat("Each subject by size; the deeper the colour, the nearer to the fastest at that size", &heads);
    for subject in &topic.subjects {
        let mut cells = vec![format!("<th scope=\"row\">{}</th>", escape(subject))];
        for cell in topic.heat(subject) {
            cells.push(match cell {
                Some((text, part)) => {
                    let best = if part >= 1.0 { " best" } else { "" };
                    let number = text.split(' ').next().unwrap_or_default().to_owned();
                    format!(
                        "<td class=\"number{best}\" style=\"--heat:{:.2}\" data-sort=\"{number}\">{text}</td>",
                        part * part
                    )
                }
                None => "<td>–</td>".to_owned(),
            });
        }
        if !more {
            table.row(&format!("data-subject=\"{}\"", escape(subject)), &cells);
            continue;
        }
        let rows: Vec<_> = topic.sizes.iter().filter_map(|bytes| topic.row(subject, *bytes)).collect();
        let last = rows.last();
        let cycles = last.and_then(|row| row.cycles_per_byte).filter(|_| topic.sizes.last() != Some(&0));
        cells.push(format!("<td>{}</td>", cycles.map_or("–".to_owned(), |cycles| format!("{cycles:.2}"))));
        let limit = last.and_then(|row| row.limit_fraction);
        cells.push(format!("<td>{}</td>", limit.map_or("–".to_owned(), |part| format!("{:.0} %", part * 100.0))));
        let mut kernels: Vec<&str> = Vec::new();
        for kernel in rows.iter().filter_map(|row| row.kernel.as_deref()) {
            let name = kernel.split_once('/').map_or(kernel, |(_, name)| name);
            if !kernels.contains(&name) {
                kernels.push(name);
            }
        }
        cells.push(format!("<td>{}</td>", escape(&kernels.join(", "))));
        table.row(&format!("data-subject=\"{}\"", escape(subject)), &cells);
    }
    table.finish()
}

/// Operations a second of public keys, a row for each key and subject.
fn keys(view: &View<'_>) -> String {
    let mut html = String::new();
    for (place, run) in view.runs.iter().enumerate() {
        let topics: Vec<&TopicView<'_>> =
            run.topics.iter().filter(|topic| topic.topic.group() == PUBLIC_KEYS).collect();
        if topics.iter().all(|topic| topic.subjects.iter().all(|name| topic.row(name, 0).is_none())) {
            continue;
        }
        let mut operations = Vec::new();
        let mut algorithms = Vec::new();
        for topic in &topics {
            if !operations.contains(&topic.topic.operation) {
                operations.push(topic.topic.operation);
            }
            let key = (&topic.topic.algorithm, topic.topic.messages);
            if !algorithms.contains(&key) {
                algorithms.push(key);
            }
        }
        let columns: Vec<String> = operations.iter().map(|operation| format!("{operation}/s")).collect();
        let mut heads = vec!["Algorithm", "Subject"];
        heads.extend(columns.iter().map(String::as_str));
        let mut table = Table::new(&format!("{}: operations a second", run.name), &heads);
        for (algorithm, messages) in algorithms {
            for facts in &run.report.subjects {
                let cell = |operation| {
                    let of_row = |topic: &&&TopicView<'_>| {
                        topic.topic.algorithm == *algorithm
                            && topic.topic.messages == messages
                            && topic.topic.operation == operation
                    };
                    let row = topics.iter().find(of_row)?.row(&facts.name, 0)?;
                    Some((row.operations_per_second?, row.interval, row.samples))
                };
                let cells: Vec<_> = operations.iter().map(|operation| cell(*operation)).collect();
                if cells.iter().all(Option::is_none) {
                    continue;
                }
                let many = if messages > 1 { format!(", {messages} at once") } else { String::new() };
                let mut row = vec![
                    format!("<td class=\"name\">{}{many}</td>", escape(algorithm)),
                    format!("<td>{}</td>", escape(&facts.name)),
                ];
                row.extend(cells.into_iter().map(|cell| match cell {
                    Some((rate, [low, high], samples)) => {
                        let text = super::cell::significant(rate);
                        let span =
                            if samples > 0 { format!(" title=\"95 %: {low:.1} to {high:.1}\"") } else { String::new() };
                        format!("<td class=\"number\" data-sort=\"{rate}\"{span}>{text}</td>")
                    }
                    None => "<td class=\"number\">–</td>".to_owned(),
                }));
                let data = format!(
                    "data-topic=\"{}\" data-group=\"{PUBLIC_KEYS}\" data-run=\"{place}\" data-subject=\"{}\"",
                    escape(algorithm),
                    escape(&facts.name)
                );
                table.row(&data, &row);
            }
        }
        html += &table.finish();
    }
    html
}

/// A path's last part.
fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

const READING: &str = "<p>A ratio is the median of what two subjects did in the same round, with the 95 % interval of a \
bootstrap. <em>Faster</em> and <em>slower</em> are said only where the whole interval is beyond the noise floor: the difference \
that subjects show against themselves. Throughput is in 10⁶ bytes a second. Figures that were read in from elsewhere have no \
samples: they have no interval, and no verdict.</p>\n";
