//! `tephra_explain` and `tephra_candidates`: the plan of a shape for people, and the plans that it could have.

use crate::backend;
use crate::error::{Arg, Error};
use crate::face::{math, trace};
use crate::routine::{Dtype, Operation, Shape, Told, Trans, Verdict};
use std::ffi::c_char;
use std::ptr;

/// The operation that a name ("dgeqrf", "dgemm --k 16") and two sizes stand for.
fn named(text: &str, m: i64, n: i64, batch: i64) -> Result<Operation, Error> {
    let (op, options) = text.split_once(' ').unwrap_or((text, ""));
    let dtype = Dtype::ALL.into_iter().find(|dtype| op.starts_with(dtype.letter()));
    let shape = Shape { dtype: dtype.unwrap_or(Dtype::S), m, n, batch, math: math::of_thread(), told: told(options)? };
    let found = dtype.and_then(|_| Operation::all(&shape).find(|known| known.names().contains(&&op[1..])));
    let found = found.map(|known| known.called(&op[1..]).unwrap_or(known)).ok_or_else(|| {
        let known: Vec<_> = Operation::all(&shape).flat_map(|known| known.names()).copied().collect();
        Error::NotSupported(format!("operation {op:?} (known: [sdcz] and {})", known.join(", ")))
    })?;
    // It has what was told about.
    let arguments = format!("{found} ");
    let words: Vec<_> = options.split_whitespace().collect();
    match words.chunks(2).find(|pair| !arguments.contains(&format!(" {} ", pair.join(" ")))) {
        Some(pair) => Err(Error::NotSupported(format!("{op} has no {}", pair.join(" ")))),
        None => Ok(found),
    }
}

/// Options as `tephra bench` has them: `--k 16`, `--nrhs 8`, `--trans t`.
fn told(options: &str) -> Result<Told, Error> {
    let (mut told, mut words) = (Told::default(), options.split_whitespace());
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_default();
        let understood = match option {
            "--k" | "--nrhs" => {
                told.k = value.parse().ok();
                told.k.is_some_and(|k| k >= 0)
            }
            "--trans" => {
                told.trans = [Trans::N, Trans::T, Trans::C].into_iter().find(|trans| trans.to_string() == value);
                told.trans.is_some()
            }
            _ => false,
        };
        if !understood {
            return Err(Error::NotSupported(format!("{option} {value} (known: --k, --nrhs, --trans)")));
        }
    }
    Ok(told)
}

/// Which argument of [`explain`] and [`candidates`] a routine's argument was made of: a size, or the options after its name.
pub fn argument_of_shape(op: &str, arg: Arg) -> i32 {
    match arg {
        Arg::M | Arg::Lda | Arg::K2 => 2,
        Arg::N => 3,
        Arg::K if !op.split_whitespace().any(|word| word == "--k") => 3,
        Arg::BatchCount => 4,
        _ => 1,
    }
}

/// `tephra_explain`: the plan of `op` ("dgeqrf") as text, see [`put_text`].
///
/// # Safety
/// As [`put_text`].
pub unsafe fn explain(
    op: &str,
    m: i64,
    n: i64,
    batch: i64,
    text: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Error> {
    let op = named(op, m, n, batch)?;
    let verdict = op.check()?;
    let plan = trace::explain(backend::current()?, &op, verdict)?;
    unsafe { put_text(&plan, text, size, needed) };
    Ok(())
}

/// `tephra_candidates`: the plans that can be pinned for a shape of `op`, a line each, see [`put_text`].
///
/// # Safety
/// As [`put_text`].
pub unsafe fn candidates(
    op: &str,
    m: i64,
    n: i64,
    batch: i64,
    text: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Error> {
    let op = named(op, m, n, batch)?;
    let list = match op.check()? {
        Verdict::Go => backend::current()?.candidates(&op)?,
        Verdict::QuickReturn => String::new(),
    };
    unsafe { put_text(&list, text, size, needed) };
    Ok(())
}

/// Hands a text out, cut to `size` bytes including the NUL; `needed` receives the size that would hold all of it.
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
