//! `tephra explain`: the plan of a shape.

use crate::Outcome;
use crate::args::ExplainArgs;
use tephra_testkit::library::Library;

pub fn run(args: &ExplainArgs) -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    let shape = args.shape.shape();
    let name = format!("{}{}", args.dtype.letter(), args.op.lapack());
    let text = library.explain(&name, shape.m as i64, shape.n as i64, shape.batch as i64).map_err(|e| e.to_string())?;
    println!("{}", text.trim_end());
    Ok(true)
}

/// The plan of a shape on one line, for a CSV field; empty if the library does not say.
pub fn on_one_line(library: &Library, case: &crate::case::Case) -> String {
    let name = format!("{}{}", case.dtype.letter(), case.op.lapack());
    let shape = case.shape;
    let text = library.explain(&name, shape.m as i64, shape.n as i64, shape.batch as i64).unwrap_or_default();
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
