//! `tephra_explain` and `tephra_candidates`: the plan of a shape as text, and the plans that can be selected for it.

use super::into_status;
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::guard::{Prototype, record};
use crate::face::{math, trace};
use crate::routine::{Dtype, ExtraArguments, Operation, Shape, Trans, Verdict};
use std::ffi::c_char;
use std::ptr;

/// The operation described by a name with options ("dgeqrf", "dgemm --k 16") and two sizes, or an error message about
/// the name.
fn named(text: &str, m: i64, n: i64, batch: i64) -> Result<Operation, String> {
    let (op, options) = text.split_once(' ').unwrap_or((text, ""));
    let dtype = Dtype::ALL.into_iter().find(|dtype| op.starts_with(dtype.letter()));
    let shape = Shape {
        dtype: dtype.unwrap_or(Dtype::S),
        m,
        n,
        batch,
        math: math::of_thread(),
        extra: parse_options(options)?,
    };
    let found = dtype.and_then(|_| Operation::all(&shape).find(|known| known.names().contains(&&op[1..])));
    let found = found.map(|known| known.by_name(&op[1..]).unwrap_or(known));
    let whole = || {
        let known = Operation::all(&shape).find(|known| known.without_letter() && known.names().contains(&op))?;
        Some(known.by_name(op).unwrap_or(known))
    };
    let found = found.or_else(whole).ok_or_else(|| {
        let known: Vec<_> = Operation::all(&shape).flat_map(|known| known.names()).copied().collect();
        format!("argument op: unknown operation {op:?} (known: [sdcz] and {})", known.join(", "))
    })?;
    // An option that the operation does not have would be ignored, so it is an error.
    let arguments = format!("{found} ");
    match options_of(options).find(|option| !arguments.contains(&format!(" {} ", option.join(" ")))) {
        Some(option) => {
            Err(format!("argument op: {op} has no {} ({KNOWN}, where the operation has them)", option.join(" ")))
        }
        None => Ok(found),
    }
}

/// The list of options in messages.
const KNOWN: &str = "known: --k, --nrhs, --trans, --strided";

/// The words of each option: its name and its value, if it takes one.
fn options_of(options: &str) -> impl Iterator<Item = Vec<&str>> {
    let mut words = options.split_whitespace();
    std::iter::from_fn(move || {
        let option = words.next()?;
        Some(if option == "--strided" { vec![option] } else { [option].into_iter().chain(words.next()).collect() })
    })
}

/// Parses options as in `tephra bench`: `--k 16`, `--nrhs 8`, `--trans t`, `--strided`.
fn parse_options(options: &str) -> Result<ExtraArguments, String> {
    let mut extra = ExtraArguments::default();
    for (i, words) in options_of(options).enumerate() {
        let (option, value) = (words[0], words.get(1).copied().unwrap_or_default());
        if options_of(options).take(i).any(|before| before[0] == option) {
            return Err(format!("argument op: {option} is given twice"));
        }
        let understood = match option {
            "--strided" => {
                extra.strided = true;
                true
            }
            "--k" | "--nrhs" => {
                extra.k = value.parse().ok();
                extra.k.is_some_and(|k| k >= 0)
            }
            "--trans" => {
                extra.trans = [Trans::N, Trans::T, Trans::C].into_iter().find(|trans| trans.to_string() == value);
                extra.trans.is_some()
            }
            _ => false,
        };
        if !understood {
            return Err(format!("argument op: {option} {value} is not an option ({KNOWN})"));
        }
    }
    Ok(extra)
}

/// The argument of [`explain`] and [`candidates`] from which a routine's argument was derived: a size, or the options
/// after the name.
fn argument_of_shape(op: &str, arg: Arg) -> i32 {
    match arg {
        Arg::M | Arg::MaxM | Arg::Lda | Arg::K2 | Arg::MaxK2 => 2,
        Arg::N | Arg::MaxN => 3,
        Arg::K | Arg::MaxK if !op.split_whitespace().any(|word| word == "--k") => 3,
        Arg::BatchCount => 4,
        _ => 1,
    }
}

/// A query: the name of an operation with its options ("dgeqrf", "dgemm --k 16"), and its sizes.
pub struct PlanQuery<'a> {
    /// The exported function.
    pub prototype: &'a Prototype,
    /// The name with its options.
    pub op: &'a str,
    /// Rows.
    pub m: i64,
    /// Columns.
    pub n: i64,
    /// Number of matrices.
    pub batch: i64,
}

/// `tephra_explain`: the plan as text, see [`put_text`].
///
/// # Safety
/// As [`put_text`].
pub unsafe fn explain(query: PlanQuery<'_>, text: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    let plan = |op: &Operation, verdict| trace::explain(backend::current()?, op, verdict);
    unsafe { answer(query, plan, text, size, needed) }
}

/// `tephra_candidates`: the plans that can be selected, one per line, see [`put_text`].
///
/// # Safety
/// As [`put_text`].
pub unsafe fn candidates(query: PlanQuery<'_>, text: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    let list = |op: &Operation, verdict| match verdict {
        Verdict::Go => backend::current()?.candidates(op),
        Verdict::QuickReturn => Ok(String::new()),
    };
    unsafe { answer(query, list, text, size, needed) }
}

unsafe fn answer(
    PlanQuery { prototype, op, m, n, batch }: PlanQuery<'_>,
    of: fn(&Operation, Verdict) -> Result<String, Error>,
    text: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    let known = match named(op, m, n, batch) {
        Ok(known) => known,
        Err(wrong) => {
            record(prototype.name, &wrong);
            return -1;
        }
    };
    let all = known.check().and_then(|verdict| of(&known, verdict));
    let result = all.map(|all| unsafe { put_text(&all, text, size, needed) });
    into_status(prototype.name, |arg| argument_of_shape(op, known.in_shape(arg)), result)
}

/// Writes a text to the caller's buffer, truncated to `size` bytes including the NUL; `needed` receives the size of the
/// whole text.
///
/// # Safety
/// `text` must hold `size` bytes; `needed` is NULL or valid for a write.
unsafe fn put_text(all: &str, text: *mut c_char, size: usize, needed: *mut usize) {
    if !needed.is_null() {
        unsafe { *needed = all.len() + 1 };
    }
    if !text.is_null() && size > 0 {
        let len = all.len().min(size - 1);
        unsafe {
            ptr::copy_nonoverlapping(all.as_ptr(), text.cast(), len);
            *text.add(len) = 0;
        }
    }
}
