//! Subjects by sizes, as a map: the darker, the nearer to the fastest at that size.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{GRID, draw, label};

/// A text, and the part of the fastest that it stands for.
type Cell = Option<(String, f64)>;

/// Rows with a name and, for each column, a text and the part of the fastest that it reaches.
pub fn heat(columns: &[String], rows: &[(String, Vec<Cell>)]) -> String {
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let left = ((longest as f64 * super::CHARACTER) as i32 + 16).min(280);
    draw(rows.len() as u32 * 26 + 34, &[], |area| {
        let (width, _) = area.dim_in_pixel();
        let cell = (width as i32 - left - 8) / columns.len().max(1) as i32;
        let middle = |column: usize| left + column as i32 * cell + cell / 2;
        for (column, name) in columns.iter().enumerate() {
            let style = label().pos(Pos::new(HPos::Center, VPos::Center));
            area.draw(&Text::new(name.clone(), (middle(column), 14), style))?;
        }
        for (row, (name, cells)) in rows.iter().enumerate() {
            let top = 28 + row as i32 * 26;
            let style = label().pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(name.clone(), (left - 8, top + 12), style))?;
            for (column, entry) in cells.iter().enumerate() {
                let x = left + column as i32 * cell;
                let corners = [(x, top), (x + cell - 2, top + 24)];
                let Some((text, part)) = entry else {
                    area.draw(&Rectangle::new(corners, GRID.stroke_width(1)))?;
                    continue;
                };
                area.draw(&Rectangle::new(corners, RGBColor(0x14, 0x73, 0x54).mix(0.5 * part.powi(2)).filled()))?;
                let style = label().pos(Pos::new(HPos::Center, VPos::Center));
                area.draw(&Text::new(text.clone(), (middle(column), top + 12), style))?;
            }
        }
        Ok(())
    })
}
