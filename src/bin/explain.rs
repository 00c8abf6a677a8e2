//! `tephra explain`: the plan of a shape.

use crate::args::ExplainArgs;
use crate::case::{Case, Options, Side, Trans};
use crate::output::Outcome;
use tephra_testkit::library::Library;

pub fn run(args: &ExplainArgs) -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    let shape = args.shape.shape();
    let mut name = format!("{}{}", args.dtype.letter(), args.op);
    for (option, value) in [("--k", args.k), ("--nrhs", args.nrhs)] {
        name += &value.map_or(String::new(), |value| format!(" {option} {value}"));
    }
    name += &args.trans.map_or(String::new(), |trans| format!(" --trans {}", letter(trans)));
    name += if args.strided { " --strided" } else { "" };
    let text = library.explain(&name, shape.m as i64, shape.n as i64, shape.batch as i64).map_err(|e| e.to_string())?;
    say!("{}", text.trim_end());
    Ok(true)
}

/// A short summary of a case's plan on one line, for a CSV field; empty if the library has no explanation.
pub fn on_one_line(library: &Library, case: &Case, strided: bool) -> String {
    let (shape, name) = (case.shape, name(case) + if strided { " --strided" } else { "" });
    let text = library.explain(&name, shape.m as i64, shape.n as i64, shape.batch as i64).unwrap_or_default();
    condense(&text)
}

/// The name of a case for `tephra_explain`, which takes the sizes and the batch count separately.
pub fn name(case: &Case) -> String {
    format!("{}{}{}", case.dtype.letter(), case.op.name, options(case))
}

/// The options that a case's plan may depend on, in the library's notation; none for operators applied from the right.
fn options(case: &Case) -> String {
    if case.op.has("side") && case.options.side == Side::Right {
        return String::new();
    }
    let Options { k, nrhs, trans, .. } = case.options;
    let known = [("k", k.to_string()), ("nrhs", nrhs.to_string()), ("trans", letter(trans))];
    let asked = |(name, _): &&(&str, String)| case.op.plan_options.split(' ').any(|word| word == *name);
    known.iter().filter(asked).map(|(name, value)| format!(" --{name} {value}")).collect()
}

fn letter(trans: Trans) -> String {
    format!("{trans:?}").to_lowercase()
}

fn condense(text: &str) -> String {
    const LONGEST: usize = 200;
    let passed_over = |line: &str| line.is_empty() || line.ends_with("not needed") || line.ends_with("not allowed");
    let line = text.lines().map(str::trim).filter(|l| !passed_over(l)).collect::<Vec<_>>().join("; ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::condense;

    #[test]
    fn the_short_form_names_what_was_taken() {
        let text = "backend: cpu\n\ncandidate blocked nb=16: taken\ncandidate unblocked: not needed\n  threads: 2\n";
        assert_eq!(condense(text), "backend: cpu; candidate blocked nb=16: taken; threads: 2");
        let long = condense(&"step\n".repeat(1000));
        assert!(long.chars().count() == 200 && long.ends_with("..."));
    }
}
