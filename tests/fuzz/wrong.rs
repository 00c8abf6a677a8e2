//! Calls with one wrong argument, and the answers that they must get.

use crate::invoke::{Answer, UNSET};
use crate::setup::Setup;
use tephra_testkit::routines::routine::{Entry, Interface, Routine, Sizes, Writes};

/// The bad values of the arguments of a call.
pub fn choices(routine: &Routine, setup: &Setup) -> Vec<(&'static str, i64)> {
    let (p, entry) = (setup.sizes, setup.entry);
    let busy = !(routine.no_work)(p);
    let unchecked = (routine.unchecked_args)(p, entry);
    // A word that occurs twice stands for two arguments.
    let once = |word: &&str| entry.arguments().filter(|w| w == word).count() == 1 && !unchecked.contains(word);
    let mut choices = (routine.invalid_args)(p, entry);
    for word in entry.arguments().filter(once) {
        choices.extend(values(setup, word, busy).into_iter().map(|value| (word, value)));
    }
    choices.retain(|(word, value)| !unchecked.contains(word) && !is_fine_without_rows(routine, setup, word, *value));
    choices
}

/// Routines that under MAGMA's names compare leading dimensions with the rows alone.
const COMPARED_WITH_ROWS: [&str; 8] = ["gemm", "gemv", "syrk", "herk", "syr2k", "her2k", "transpose", "transpose_conj"];

/// Whether MAGMA takes this value: a leading dimension of 0 without rows, or any stride of a product without elements.
fn is_fine_without_rows(routine: &Routine, setup: &Setup, word: &str, value: i64) -> bool {
    let name = routine.name.split([' ', ',']).next().unwrap_or_default();
    let rows = |name: &str| {
        let placed = setup.placed.iter().find(|placed| placed.operand.name.to_lowercase() == name);
        placed.map(|placed| placed.operand.rows)
    };
    let leading = || value == 0 && word.strip_prefix("ld").and_then(rows) == Some(0);
    let stride = || name == "gemm" && word.starts_with("stride_") && setup.sizes["m"] * setup.sizes["n"] == 0;
    let magmas = matches!(setup.entry.interface(), Interface::Magma | Interface::MagmaVoid)
        && COMPARED_WITH_ROWS.contains(&name);
    magmas && (leading() || stride())
}

fn values(setup: &Setup, word: &'static str, busy: bool) -> Vec<i64> {
    let (p, entry) = (setup.sizes, setup.entry);
    let nvidias = entry.interface().is_nvidias();
    let own = |ours: &[i64], theirs: &[i64]| if nvidias { theirs.to_vec() } else { ours.to_vec() };
    let huge = |there: bool| if there && busy && entry.is_wide() { vec![i64::MAX] } else { vec![] };
    match word {
        "side" => own(&[0, 140, 143], &[-1, 2, 141]),
        "uplo" => own(&[0, 120, 124], &[-1, 2, 121]),
        "trans" | "trans_a" | "trans_b" => own(&[0, 110, 114], &[-1, 3, 111]),
        "diag" => own(&[0, 130, 133], &[-1, 2, 131]),
        "part" => vec![-1, 3],
        _ if setup.is_of_sizes(word) => told_values(setup, word, busy),
        // Elsewhere arguments that the size makes wrong may be reported first.
        "m" | "n" | "k" | "nrhs" => [negative(entry), huge(matches!(entry.interface(), Interface::Native))].concat(),
        "nb" | "groups" | "max_m" | "max_n" | "max_k" | "max_nrhs" => negative(entry),
        "batch" => [negative(entry), huge(true)].concat(),
        "handle" | "argument_info" | "lwork" | "hwork" => vec![0],
        "alpha" | "beta" if busy => vec![0],
        "work_bytes" if setup.work_bytes > 0 => vec![setup.work_bytes as i64 - 1, 0],
        "work" => setup.find("work").map_or(vec![], |work| vec![0, work.argument() as i64 + 8]),
        _ => setup.placed.iter().find_map(|placed| operand_values(placed, word, p, busy, &huge)).unwrap_or_default(),
    }
}

/// Bad values of an array of sizes: NULL and, if the entry point checks them, a bad value of one member.
fn told_values(setup: &Setup, word: &'static str, busy: bool) -> Vec<i64> {
    let (copied, some) = (setup.is_copied(word), setup.sizes["batch"] > 0);
    let null = if busy || copied && some { vec![0] } else { vec![] };
    let sizes = if setup.entry.checks_sizes() && some { vec![-1, i64::from(i32::MIN)] } else { vec![] };
    [null, sizes].concat()
}

/// The smallest 32-bit number is negative as a 64-bit number too.
fn negative(entry: &Entry) -> Vec<i64> {
    let least = if entry.is_wide() { i64::MIN } else { i64::from(i32::MIN) };
    vec![-1, i64::from(i32::MIN), least]
}

/// Bad values of an operand, its leading dimension or its stride.
fn operand_values(
    placed: &crate::placed::Placed,
    word: &str,
    p: &Sizes,
    busy: bool,
    huge: &dyn Fn(bool) -> Vec<i64>,
) -> Option<Vec<i64>> {
    let operand = &placed.operand;
    let (name, least, there) = (operand.name.to_lowercase(), operand.rows.max(1) as i64, !operand.is_empty());
    if word == operand.name || word.strip_prefix("host_").is_some_and(|rest| rest == name) {
        // Codes are optional.
        return Some(if busy && there && !CODES.contains(&word) { vec![0] } else { vec![] });
    }
    if word.strip_prefix("ld").is_some_and(|rest| rest == name) {
        return Some([vec![least - 1, 0, -1], huge(there)].concat());
    }
    if word.strip_prefix("inc").is_some_and(|rest| rest == name) {
        return Some([vec![0], huge(there)].concat());
    }
    if word.strip_prefix("stride_").is_some_and(|rest| rest == name) {
        // One member needs no stride, and members that are only read may overlap.
        return Some(match (p["batch"] > 1, operand.writes == Writes::Nothing || !there) {
            (false, _) => vec![],
            (true, true) => [vec![-1], huge(there)].concat(),
            (true, false) => [vec![least - 1, -1], huge(true)].concat(),
        });
    }
    None
}

/// The number of an argument in an interface's errors; 0 means that the combination is not supported.
fn number(entry: &Entry, word: &str) -> i32 {
    if let Some((_, number)) = entry.numbers.iter().find(|(name, _)| *name == word) {
        return *number;
    }
    let place = entry.arguments().position(|w| w == word).expect("a word of the entry point") as i32;
    // NVIDIA does not count the handle.
    if entry.interface().is_nvidias() { place } else { place + 1 }
}

/// Checks that the answer is the documented one for this bad argument.
pub fn check(entry: &Entry, word: &'static str, answer: &Answer) -> Result<(), String> {
    let number = number(entry, word);
    let said = |parameter: i32| answer.message.contains(&format!("parameter {parameter} had an illegal value"));
    let expected = match entry.interface() {
        Interface::Native => (if number == 0 { 1 } else { -number }, UNSET),
        Interface::Cublas => {
            let info = if entry.has("argument_info") { -number } else { UNSET };
            match word {
                "handle" => (1, UNSET),
                "argument_info" => (7, UNSET),
                _ => (if number == 0 { 15 } else { 7 }, info),
            }
        }
        Interface::Cusolver => match word {
            "handle" => (1, UNSET),
            _ => (if number == 0 { 9 } else { 3 }, UNSET),
        },
        Interface::Magma => {
            let code = if number == 0 { -103 } else { -number };
            (code, if entry.has("argument_info") { code } else { UNSET })
        }
        Interface::MagmaVoid => (0, UNSET),
    };
    let reported = !matches!(entry.interface(), Interface::Magma | Interface::MagmaVoid) || number == 0 || said(number);
    if (answer.code, answer.argument_info) == expected && reported {
        return Ok(());
    }
    Err(format!("expected {expected:?} for argument {number}, the answer is {answer:?}"))
}

/// Checks that nothing was written except, by cuSOLVER, the argument's number.
pub fn check_memory(setup: &Setup, word: &'static str) -> Result<(), String> {
    let (entry, codes) = (setup.entry, setup.codes());
    let expected = match number(entry, word) {
        _ if entry.interface() != Interface::Cusolver || word == "handle" => None,
        // The type is unsupported; and without matrices there are no codes.
        0 => None,
        _ if word == "batch" && entry.has("info") => None,
        number if entry.symbol().ends_with("Batched") => Some(number),
        number => Some(-number),
    };
    let (Some(expected), Some(mut codes)) = (expected, codes) else { return setup.untouched() };
    setup.untouched_but_codes()?;
    let first = codes.remove(0);
    if first == expected && codes.iter().all(|&code| code == 0) {
        return Ok(());
    }
    Err(format!("the codes are {first}, {codes:?}, expected {expected} first"))
}

/// The words of codes on the device.
pub const CODES: [&str; 2] = ["info", "code"];

/// Checks that the workspace query rejects the same argument under the query's own argument number.
pub fn check_query(setup: &Setup, word: &'static str, value: i64) -> Result<(), String> {
    let Some(arguments) = setup.entry.prototype.query() else { return Ok(()) };
    let Some(place) = arguments.iter().position(|w| *w == word) else { return Ok(()) };
    let (answer, expected) = (setup.query(arguments, Some((word, value)))?, (-(place as i32) - 1, usize::MAX));
    if answer == expected { Ok(()) } else { Err(format!("the query gives {answer:?}, expected {expected:?}")) }
}

/// Whether the library reports that no plan accepts the shape.
pub fn declined(entry: &Entry, answer: &Answer) -> bool {
    match entry.interface() {
        Interface::Native => answer.code == 1,
        Interface::Cublas => answer.code == 15,
        Interface::Cusolver => answer.code == 9,
        Interface::Magma => answer.code == -103,
        Interface::MagmaVoid => answer.message.contains("not supported"),
    }
}
