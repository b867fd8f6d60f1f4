//! Throughput over size: both axes logarithmic, the 95 % interval as a band.

use plotters::prelude::*;

use super::{Colour, GRID, INK, draw, label, ticks};
use crate::report::cell::{significant, size};

/// A subject's line.
pub struct Curve<'a> {
    pub colour: Colour,
    pub name: &'a str,
    /// Bytes, megabytes a second, and the interval.
    pub points: Vec<(f64, f64, Option<[f64; 2]>)>,
}

/// The figure. Curves have points with positive figures.
pub fn throughput(curves: &[Curve<'_>]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let mut sizes: Vec<f64> = points().map(|(bytes, ..)| *bytes).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup();
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return String::new() };
    let low = points().map(|(_, rate, _)| *rate).fold(f64::INFINITY, f64::min) * 0.85;
    let high = points().map(|(_, rate, _)| *rate).fold(0.0, f64::max) * 1.18;
    let legend: Vec<(Colour, &str)> = curves.iter().map(|curve| (curve.colour, curve.name)).collect();
    draw(300, &legend, |area| {
        let x = (first / 1.3..last * 1.3).log_scale().with_key_points(sizes.clone());
        let y = (low..high).log_scale().with_key_points(ticks(low, high));
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(14)
            .x_label_area_size(40)
            .y_label_area_size(62)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style(label())
            .axis_desc_style(label())
            .x_desc("bytes of a message")
            .y_desc("10⁶ bytes a second")
            .x_label_formatter(&|bytes| size(bytes.round() as usize))
            .y_label_formatter(&|rate| significant(*rate))
            .draw()?;
        for curve in curves {
            let colour = curve.colour.light;
            let ends = |end: usize| {
                curve.points.iter().filter_map(move |(x, _, ends)| Some((*x, (*ends)?[end].clamp(low, high))))
            };
            let band: Vec<(f64, f64)> = ends(0).chain(ends(1).collect::<Vec<_>>().into_iter().rev()).collect();
            if band.len() >= 4 {
                chart.draw_series(std::iter::once(Polygon::new(band, colour.mix(0.25).filled())))?;
            }
            let line: Vec<(f64, f64)> = curve.points.iter().map(|(x, y, _)| (*x, *y)).collect();
            chart.draw_series(std::iter::once(PathElement::new(line.clone(), colour.stroke_width(2))))?;
            for point in line {
                let fill = colour.filled();
                // The shapes of `marker`, at a place in the plot.
                let shape = EmptyElement::at(point);
                match curve.colour.shape() {
                    0 => chart.draw_series(std::iter::once(shape + Circle::new((0, 0), 4, fill)))?,
                    1 => chart.draw_series(std::iter::once(shape + Rectangle::new([(-4, -4), (4, 4)], fill)))?,
                    2 => chart.draw_series(std::iter::once(shape + Polygon::new([(0, -5), (5, 4), (-5, 4)], fill)))?,
                    _ => chart
                        .draw_series(std::iter::once(shape + Polygon::new([(0, -6), (5, 0), (0, 6), (-5, 0)], fill)))?,
                };
            }
        }
        Ok(())
    })
}
