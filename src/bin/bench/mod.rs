//! `tephra bench`: speed and accuracy of the installed library.

pub mod accuracy;
pub mod call;
pub mod contender;
pub mod input;
pub mod machine;
mod one_by_one;
pub mod operands;
mod overhead;
mod pending;
pub mod protocol;
pub mod relative;
pub mod report;
mod run;
mod trace;

use crate::args::BenchArgs;
use crate::limits::Ceilings;
use crate::output::Outcome;
use crate::plot;
use std::path::{Path, PathBuf};

/// Runs what the command line asks for.
pub fn run(args: &BenchArgs) -> Outcome {
    if !args.plot.is_empty() {
        let ceilings = args.ceilings.as_deref().map(|text| Ceilings::parse(text, None)).transpose()?;
        let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("."));
        for path in plot::run(&args.plot, Path::new(&folder), ceilings)? {
            say!("{}", path.display());
        }
        return Ok(true);
    }
    args.check_alternatives()?;
    if let Some(file) = &args.trace {
        return trace::run(args, file);
    }
    if args.overhead { overhead::run(args) } else { run::run(args) }
}
