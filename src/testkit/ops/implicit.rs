//! QR with an implicit Q, and that Q applied.

use super::words::{Call, unset};
use super::{Form, Prepared, Side, Trans};
use crate::any_call::AnyFunction;
use crate::guarded::Placement;
use crate::library::symbol_name;
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};

/// Forms of geqr and gemqr, which have no arrays of pointers.
pub const FORMS: [Form; 2] = [Form::Strided, Form::One];

/// Elements of T for an m x n matrix.
pub fn tsize<T: Scalar>(session: &Session, m: usize, n: usize) -> Result<usize> {
    let (library, symbol) = (session.library(), symbol_name("tephra_?geqr_tsize", T::DTYPE));
    let mut elements = i64::MAX;
    // SAFETY: m, n, and where the answer goes.
    let code = unsafe {
        AnyFunction::named(library, &symbol)?.call([0.0; 4], &[m as u64, n as u64, &raw mut elements as u64])
    };
    library.status(&symbol, code)?;
    Ok(elements as usize)
}

/// `tephra_?geqr`: written are A and T, the latter as vectors.
pub fn geqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let (rows, cols) = (a[0].rows(), a[0].cols());
    let t = unset(a.len(), tsize::<T>(session, rows, cols)?, 1);
    let (sizes, operands) = ([("m", rows as i64), ("n", cols as i64)], [("A", a, true), ("T", &t[..], true)]);
    let words = "m n A lda T tsize batch";
    Call { name: "geqr", words, sizes: &sizes, operands: &operands, ..Call::PLAIN }.prepare(session, form, place)
}

/// `tephra_?gemqr`: op(Q) C or C op(Q), Q as [`geqr`] left it in `a` and `t`.
pub fn gemqr<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    (side, trans): (Side, Trans),
    a: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let (m, n, k) = (c[0].rows() as i64, c[0].cols() as i64, a[0].rows().min(a[0].cols()) as i64);
    Call {
        name: "gemqr",
        words: "side trans m n k A lda T tsize C ldc batch",
        sizes: &[("side", side.cblas().into()), ("trans", trans.cblas().into()), ("m", m), ("n", n), ("k", k)],
        operands: &[("A", a, false), ("T", t, false), ("C", c, true)],
        ..Call::PLAIN
    }
    .prepare(session, form, place)
}
