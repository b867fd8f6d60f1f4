//! How the rounds of each subject are spread around their median: a histogram each, one below the other.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Colour, GRID, INK, draw, label};

/// What each round of a subject took.
pub struct Spread<'a> {
    pub colour: Colour,
    pub name: &'a str,
    pub nanoseconds: &'a [f64],
}

const ROW: i32 = 46;
const BINS: usize = 80;
/// The window around the median, as parts of it: what lies outside is counted at the edge.
const BELOW: f64 = 0.04;
const ABOVE: f64 = 0.08;

/// The figure.
pub fn distribution(spreads: &[Spread<'_>]) -> String {
    let longest = spreads.iter().map(|spread| spread.name.chars().count()).max().unwrap_or(0);
    let left = ((longest as f64 * super::CHARACTER) as i32 + 16).min(260);
    let height = spreads.len() as u32 * ROW as u32 + 46;
    draw(height, &[], |area| {
        let (width, _) = area.dim_in_pixel();
        let scale = f64::from(width as i32 - left - 90) / (BELOW + ABOVE);
        let at = |part: f64| left + ((part + BELOW) * scale) as i32;
        let bottom = spreads.len() as i32 * ROW + 8;
        for percent in [-4, -2, 0, 2, 4, 6, 8] {
            let x = at(f64::from(percent) / 100.0);
            let style = if percent == 0 { INK } else { GRID };
            area.draw(&PathElement::new([(x, 4), (x, bottom)], style.stroke_width(1)))?;
            let style = label().pos(Pos::new(HPos::Center, VPos::Top));
            let text = if percent == 0 { "median".to_owned() } else { format!("{percent:+} %") };
            area.draw(&Text::new(text, (x, bottom + 6), style))?;
        }
        for (row, spread) in spreads.iter().enumerate() {
            let base = (row as i32 + 1) * ROW;
            let median = crate::statistics::median(&mut spread.nanoseconds.to_vec());
            let mut bins = [0usize; BINS];
            for value in spread.nanoseconds {
                let part = (value / median - 1.0).clamp(-BELOW, ABOVE - 1e-9);
                bins[((part + BELOW) / (BELOW + ABOVE) * BINS as f64) as usize] += 1;
            }
            let most = bins.iter().copied().max().unwrap_or(1).max(1) as f64;
            let step = |bin: usize| at(bin as f64 / BINS as f64 * (BELOW + ABOVE) - BELOW);
            let mut outline = vec![(step(0), base)];
            for (bin, count) in bins.iter().enumerate() {
                let top = base - (*count as f64 / most * f64::from(ROW - 10)) as i32;
                outline.extend([(step(bin), top), (step(bin + 1), top)]);
            }
            outline.push((step(BINS), base));
            let colour = spread.colour.light;
            area.draw(&Polygon::new(outline.clone(), colour.mix(0.45).filled()))?;
            area.draw(&PathElement::new(outline, colour.stroke_width(1)))?;
            let style = label().pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(spread.name.to_owned(), (left - 8, base - 14), style))?;
            let style = label().pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(time(median), (at(ABOVE) + 8, base - 14), style))?;
        }
        Ok(())
    })
}

fn time(nanoseconds: f64) -> String {
    use crate::report::cell::significant;
    match nanoseconds {
        short if short < 1e3 => format!("{} ns", significant(short)),
        middle if middle < 1e6 => format!("{} µs", significant(middle / 1e3)),
        long => format!("{} ms", significant(long / 1e6)),
    }
}
