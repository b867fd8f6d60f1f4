//! Speed-ups as bars, with the 95 % interval as a whisker and a line where a subject is as fast as the baseline.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Colour, GRID, INK, centred, draw, label};

/// A subject's speed-up.
#[derive(Clone, Copy)]
pub struct Bar<'a> {
    pub colour: Colour,
    pub name: &'a str,
    pub ratio: f64,
    pub interval: Option<[f64; 2]>,
}

/// One group for each size, side by side.
pub fn grouped(groups: &[(String, Vec<Bar<'_>>)]) -> String {
    let most = most(groups) * 1.12;
    let legend = legend(groups);
    let bars: usize = groups.iter().map(|(_, bars)| bars.len()).sum();
    draw(260, &legend, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(14)
            .x_label_area_size(28)
            .y_label_area_size(62)
            .build_cartesian_2d(0.0..groups.len() as f64, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(label())
            .axis_desc_style(label())
            .y_labels(6)
            .y_desc("times as fast")
            .x_labels(0)
            .y_label_formatter(&|ratio| format!("{ratio:.1}"))
            .draw()?;
        for (group, (name, bars_here)) in groups.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
            let below = label().pos(Pos::new(HPos::Center, VPos::Top));
            area.draw(&Text::new(name.clone(), (x, y + 8), below))?;
            let width = 0.8 / bars_here.len().max(1) as f64;
            for (place, bar) in bars_here.iter().enumerate() {
                let left = group as f64 + 0.1 + place as f64 * width;
                let (right, middle) = (left + width * 0.92, left + width * 0.46);
                let colour = bar.colour.light.filled();
                chart.draw_series(std::iter::once(Rectangle::new([(left, 0.0), (right, bar.ratio)], colour)))?;
                if let Some([low, high]) = bar.interval {
                    let ends = [(middle, low.min(most)), (middle, high.min(most))];
                    chart.draw_series(std::iter::once(PathElement::new(ends, INK.stroke_width(1))))?;
                }
                if bars <= 15 {
                    let text = Text::new(format!("{:.2}", bar.ratio), (0, -4), centred());
                    chart.draw_series(std::iter::once(EmptyElement::at((middle, bar.ratio)) + text))?;
                }
            }
        }
        let line = [(0.0, 1.0), (groups.len() as f64, 1.0)];
        chart.draw_series(std::iter::once(PathElement::new(line, INK.stroke_width(1))))?;
        Ok(())
    })
}

/// One group for each algorithm, one below the other.
pub fn overview(groups: &[(String, Vec<Bar<'_>>)]) -> String {
    let most = most(groups) * 1.1;
    let legend = legend(groups);
    let height = groups.iter().map(|(_, bars)| 14 * bars.len() as u32 + 12).sum::<u32>() + 46;
    let longest = groups.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let names = (longest as f64 * super::CHARACTER) as i32 + 12;
    draw(height, &legend, |area| {
        let (width, _) = area.dim_in_pixel();
        let scale = (f64::from(width) - f64::from(names) - 56.0) / most;
        let at = |ratio: f64| names + (ratio * scale) as i32;
        let bottom = height as i32 - 30;
        let step = if most > 8.0 {
            (most / 8.0).ceil()
        } else if most > 3.0 {
            1.0
        } else {
            0.5
        };
        let mut tick = 0.0;
        while tick <= most {
            let style = if tick == 1.0 { INK } else { GRID };
            area.draw(&PathElement::new([(at(tick), 6), (at(tick), bottom)], style.stroke_width(1)))?;
            let style = label().pos(Pos::new(HPos::Center, VPos::Top));
            area.draw(&Text::new(format!("{tick}×"), (at(tick), bottom + 6), style))?;
            tick += step;
        }
        area.draw(&PathElement::new([(at(1.0), 6), (at(1.0), bottom)], INK.stroke_width(1)))?;
        let mut y = 10;
        for (name, bars) in groups {
            let middle = y + 7 * bars.len() as i32;
            let style = label().pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(name.clone(), (names - 8, middle), style))?;
            for bar in bars {
                let fill = bar.colour.light.filled();
                area.draw(&Rectangle::new([(at(0.0), y), (at(bar.ratio), y + 11)], fill))?;
                if let Some([low, high]) = bar.interval {
                    area.draw(&PathElement::new([(at(low), y + 5), (at(high.min(most)), y + 5)], INK.stroke_width(1)))?;
                }
                let style = label().pos(Pos::new(HPos::Left, VPos::Center));
                let beside = at(bar.interval.map_or(bar.ratio, |[_, high]| high.max(bar.ratio).min(most))) + 5;
                area.draw(&Text::new(format!("{:.2}", bar.ratio), (beside, y + 6), style))?;
                y += 14;
            }
            y += 12;
        }
        Ok(())
    })
}

fn most(groups: &[(String, Vec<Bar<'_>>)]) -> f64 {
    let ends = groups.iter().flat_map(|(_, bars)| bars);
    ends.map(|bar| bar.ratio).filter(|ratio| ratio.is_finite()).fold(1.0, f64::max)
}

fn legend<'a>(groups: &[(String, Vec<Bar<'a>>)]) -> Vec<(Colour, &'a str)> {
    let mut legend: Vec<(Colour, &str)> = Vec::new();
    for bar in groups.iter().flat_map(|(_, bars)| bars) {
        if !legend.iter().any(|(colour, _)| *colour == bar.colour) {
            legend.push((bar.colour, bar.name));
        }
    }
    legend.sort_by_key(|(colour, _)| colour.place);
    legend
}
