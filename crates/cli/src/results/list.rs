//! `speedwell results list`

use anyhow::Result;
use speedwell_lab::host::moment;
use speedwell_lab::store::Run;

use crate::output;
use crate::speed::table::{align_right, new_table};
use crate::stored::StoreArguments;

/// Runs the command.
pub fn run(from: &StoreArguments, json: bool) -> Result<()> {
    let runs = from.open()?.runs()?;
    if json {
        return output::print(&(serde_json::to_string_pretty(&runs)? + "\n"));
    }
    if runs.is_empty() {
        return output::print("the store has no runs yet\n");
    }
    let mut table = new_table();
    table.set_header(["run", "began (UTC)", "experiment", "processor", "subjects", "cases", ""]);
    table.add_rows(runs.iter().map(row));
    align_right(&mut table, 0..1);
    align_right(&mut table, 5..6);
    output::print(&format!("{table}\n"))
}

fn row(run: &Run) -> [String; 7] {
    let threads = if run.threads > 1 { format!(", {} threads", run.threads) } else { String::new() };
    [
        run.id.to_string(),
        moment(run.started),
        run.title.clone().unwrap_or_default() + &threads,
        run.cpu.clone(),
        run.subjects.join(" "),
        run.cells.to_string(),
        if run.complete { "" } else { "incomplete" }.to_owned(),
    ]
}
