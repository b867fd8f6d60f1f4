//! Figures as SVG, drawn with plotters: colours that the page's style sheet exchanges for a dark background, a marker of its
//! own for each line, a legend below.

mod bars;
mod distribution;
mod heat;
mod throughput;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub use bars::{Bar, grouped, overview};
pub use distribution::{Spread, distribution};
pub use heat::heat;
pub use throughput::{Curve, throughput};

/// What a subject is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// On a light background, and what the style sheet knows it by.
    pub light: RGBColor,
    /// On a dark background.
    pub dark: RGBColor,
    /// The place in the list of subjects.
    pub place: usize,
}

impl Colour {
    /// That of the subject at a place: eight hues that people who see few colours tell apart, and then the same again,
    /// further from the background.
    pub fn of(place: usize) -> Colour {
        let (hue, turn) = (place % HUES.len(), place / HUES.len());
        let towards = |[red, green, blue]: [u8; 3], end: f64| {
            let part = 1.0 - 0.62f64.powi(turn as i32);
            let mix = |value: u8| (f64::from(value) + (end - f64::from(value)) * part).round() as u8;
            RGBColor(mix(red), mix(green), mix(blue))
        };
        Colour { light: towards(HUES[hue].0, 0.0), dark: towards(HUES[hue].1, 255.0), place }
    }

    /// Which of four shapes it has: another one than the same hue before.
    pub fn shape(self) -> usize {
        (self.place + self.place / HUES.len()) % 4
    }

    /// `#0B62A4`, as figures have it.
    pub fn name(self) -> String {
        hexadecimal(self.light)
    }
}

/// `#0B62A4`.
pub fn hexadecimal(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Each has a contrast of 4.5 and more against its background (WCAG 2.2, 1.4.3).
const HUES: [([u8; 3], [u8; 3]); 8] = [
    ([0x0b, 0x62, 0xa4], [0x5a, 0xb0, 0xf2]),
    ([0xb0, 0x43, 0x0e], [0xf2, 0x8e, 0x5c]),
    ([0x14, 0x73, 0x54], [0x4c, 0xc7, 0x9a]),
    ([0x85, 0x3c, 0x9b], [0xcf, 0x9c, 0xea]),
    ([0x7d, 0x5d, 0x04], [0xe0, 0xb9, 0x3b]),
    ([0xb8, 0x1a, 0x59], [0xf4, 0x84, 0xb0]),
    ([0x4d, 0x5b, 0x66], [0xa9, 0xb7, 0xc1]),
    ([0x06, 0x72, 0x7c], [0x4f, 0xd0, 0xdd]),
];

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x1c, 0x24, 0x30);
/// Lines of the grid.
pub const GRID: RGBColor = RGBColor(0xd8, 0xde, 0xe4);

/// Bytes of which plotters' errors are made when a string is drawn to: there are none.
type Drawn = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 600;

/// Draws into a string, with a legend below that is as high as it must be.
fn draw(height: u32, legend: &[(Colour, &str)], paint: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let rows = legend_rows(legend);
    let below = rows.len() as u32 * LEGEND_ROW + if rows.is_empty() { 0 } else { 8 };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height + below)).into_drawing_area();
        let (plot, under) = root.split_vertically(height);
        let drawn = paint(&plot).and_then(|()| write_legend(&under, &rows)).and_then(|()| Ok(root.present()?));
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    svg
}

/// So wide is a character of this size, about: the page's fonts are not known here.
const CHARACTER: f64 = 7.0;
const LEGEND_ROW: u32 = 20;

/// Names side by side, as many as fit.
fn legend_rows<'a>(legend: &[(Colour, &'a str)]) -> Vec<Vec<(i32, Colour, &'a str)>> {
    let mut rows: Vec<Vec<(i32, Colour, &str)>> = Vec::new();
    let mut x = 0;
    for (colour, name) in legend {
        let width = 30 + (name.chars().count() as f64 * CHARACTER) as i32;
        if rows.is_empty() || x + width > WIDTH as i32 - 60 {
            rows.push(Vec::new());
            x = 0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, *colour, name));
        }
        x += width;
    }
    rows
}

fn write_legend(area: &Area<'_>, rows: &[Vec<(i32, Colour, &str)>]) -> Drawn {
    for (index, row) in rows.iter().enumerate() {
        let y = 8 + index as i32 * LEGEND_ROW as i32;
        for (x, colour, name) in row {
            marker(area, (60 + x, y + 2), *colour)?;
            area.draw(&Text::new((*name).to_owned(), (70 + x, y - 4), label().color(&INK)))?;
        }
    }
    Ok(())
}

/// The shape of a subject: what those see by who see no colours.
fn marker(area: &Area<'_>, (x, y): (i32, i32), colour: Colour) -> Drawn {
    let fill = colour.light.filled();
    match colour.shape() {
        0 => area.draw(&Circle::new((x, y), 4, fill))?,
        1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], fill))?,
        2 => area.draw(&Polygon::new([(x, y - 5), (x + 5, y + 4), (x - 5, y + 4)], fill))?,
        _ => area.draw(&Polygon::new([(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], fill))?,
    }
    Ok(())
}

fn label() -> TextStyle<'static> {
    ("sans-serif", 13).into_font().color(&INK)
}

fn centred() -> TextStyle<'static> {
    label().pos(Pos::new(HPos::Center, VPos::Bottom))
}

/// 1, 2 and 5 times the powers of ten in a range; with few of them also those between.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let of = |factors: &[f64]| -> Vec<f64> {
        let all = powers.clone().flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let few = of(&[1.0, 2.0, 5.0]);
    if few.len() >= 3 { few } else { of(&[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast (WCAG 2.2).
    fn contrast(RGBColor(red, green, blue): RGBColor, background: [u8; 3]) -> f64 {
        let channel = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let luminance =
            |[red, green, blue]: [u8; 3]| 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
        let (one, other) = (luminance([red, green, blue]), luminance(background));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn colours_are_read_on_both_backgrounds() {
        for place in 0..24 {
            let colour = Colour::of(place);
            assert!(contrast(colour.light, [255; 3]) >= 4.5, "{}", colour.name());
            assert!(contrast(colour.dark, [0x12, 0x17, 0x1d]) >= 4.5, "{}", hexadecimal(colour.dark));
            assert!((0..place).all(|other| Colour::of(other).name() != colour.name()));
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(90.0, 2100.0), [100.0, 200.0, 500.0, 1000.0, 2000.0]);
        assert!(ticks(100.0, 140.0).len() >= 3);
        assert!(ticks(0.9, 1.1).contains(&1.0));
    }
}
