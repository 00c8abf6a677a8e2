//! `tephra_explain` and `tephra_candidates`: the plan of a shape for people, and the plans that it could have.

use super::{NOWHERE, shape};
use crate::backend;
use crate::error::Error;
use crate::face::trace;
use crate::routine::check::{self, Verdict};
use crate::routine::{
    Alpha, Diag, Dtype, Gels, Larfb, Larft, Operation, Orgqr, Ormqr, QPart, Qr, Side, Trans, Trsm, Uplo, Workspace,
};
use crate::scalar::C64;
use std::ffi::c_char;
use std::ptr;

/// Columns of a block reflector, where only m and n are given.
const PANEL: i64 = 32;

/// The operation that a name and two sizes stand for: what the others are most often with them.
fn operation(op: &str, m: i64, n: i64, batch: i64) -> Option<Operation> {
    let dtype = Dtype::ALL.into_iter().find(|d| op.starts_with(d.letter()))?;
    let (adjoint, ld, k) = (if dtype.is_complex() { Trans::C } else { Trans::T }, m.max(1), m.min(n));
    let (side, work, info) = (Side::Left, Workspace::NONE, ptr::null_mut());
    let (a, q, r, b, c, v, t, tau) = (NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    Some(match op.split_at(1).1 {
        "geqrf" => Operation::Geqrf(shape(dtype, m, n, ld, batch)),
        "orgqr" | "ungqr" => Operation::Orgqr(Orgqr { dtype, m, n, k, a, lda: ld, tau, batch }),
        "ormqr" | "unmqr" => {
            Operation::Ormqr(Ormqr { dtype, side, trans: adjoint, m, n, k, a, lda: ld, tau, c, ldc: ld, batch })
        }
        "qr" => {
            let part = QPart::Thin;
            Operation::Qr(Qr { dtype, m, n, part, a, lda: ld, q, ldq: ld, r, ldr: k.max(1), batch, work })
        }
        "gels" => {
            let ldb = m.max(n).max(1);
            Operation::Gels(Gels { dtype, trans: Trans::N, m, n, nrhs: 1, a, lda: ld, b, ldb, info, batch, work })
        }
        "trsm" => {
            let (uplo, trans, diag) = (Uplo::Upper, Trans::N, Diag::NonUnit);
            let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
            Operation::Trsm(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: ld, b, ldb: ld, batch })
        }
        "larft" => Operation::Larft(Larft { dtype, m, k: n, v, ldv: ld, tau, t, ldt: n.max(1), batch }),
        "larfb" => {
            let k = m.min(PANEL);
            let ldt = k.max(1);
            Operation::Larfb(Larfb { dtype, side, trans: adjoint, m, n, k, v, ldv: ld, t, ldt, c, ldc: ld, batch })
        }
        _ => return None,
    })
}

fn named(op: &str, m: i64, n: i64, batch: i64) -> Result<Operation, Error> {
    let known = "[sdcz] and geqrf, orgqr, ungqr, ormqr, unmqr, qr, gels, trsm, larft, larfb";
    operation(op, m, n, batch).ok_or_else(|| Error::NotSupported(format!("operation {op:?} (known: {known})")))
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
    let verdict = check::operation(&op)?;
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
    let list = match check::operation(&op)? {
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
