//! `tephra bench`: speed and accuracy of the installed library.

pub mod accuracy;
mod call;
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
use crate::{Outcome, plot};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a case has no result.
#[derive(Debug)]
pub enum Failure {
    /// The allowed plans decline the shape.
    NotSupported,
    /// Anything else, in words.
    Other(String),
}

impl Failure {
    pub fn other(text: String) -> Self {
        Failure::Other(text)
    }
}

impl From<tephra_testkit::Error> for Failure {
    fn from(e: tephra_testkit::Error) -> Self {
        if e.is_not_supported() { Failure::NotSupported } else { Failure::Other(e.to_string()) }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure::Other(text)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotSupported => f.write_str("no allowed plan takes this shape"),
            Failure::Other(text) => f.write_str(text),
        }
    }
}

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
    if let Some(file) = &args.trace {
        return trace::run(args, file);
    }
    if args.overhead { overhead::run(args) } else { run::run(args) }
}
