//! `tephra tune`: times every possible plan of each shape, keeps all times, and condenses them to the table from which
//! the library chooses plans.

mod condense;
mod record;
mod shapes;
mod sweep;

use crate::args::TuneArgs;
use crate::ops;
use crate::output::Outcome;
use crate::result_file;
use record::Record;

/// Runs what the command line asks for.
pub fn run(args: &TuneArgs) -> Outcome {
    if !args.op.tuned {
        let known: Vec<&str> = ops::all().iter().filter(|op| op.tuned).map(|op| op.name).collect();
        return Err(format!("{} has no plans to choose from; tuned are {}", args.op.name, known.join(", ")));
    }
    args.table.as_deref().map_or(Ok(()), result_file::refuse_early)?;
    let clean = if args.condense_only { true } else { sweep::run(args)? };
    if let Some(path) = &args.table {
        let records = Record::read(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
        let text = condense::table(&records, args.op.name == "geqrf");
        result_file::replace(path, text.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        say!("{}: {} entries", path.display(), text.lines().filter(|l| !l.starts_with('#')).count() - 1);
    }
    Ok(clean)
}
