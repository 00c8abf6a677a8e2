//! Calls that make and apply block reflectors.

use super::words::{Call, unset};
use super::{Form, Prepared, Side, Trans};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};

/// Forms of both.
pub const FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// `tephra_?larft`: T of the reflectors in `v` (m x k).
pub fn larft<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    v: &[Matrix<T>],
    tau: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let (rows, k) = (v[0].rows(), v[0].cols());
    let (sizes, t) = ([("m", rows as i64), ("k", k as i64)], unset(v.len(), k, k));
    let operands = [("V", v, false), ("tau", tau, false), ("T", &t[..], true)];
    let words = "m k V ldv tau T ldt batch";
    Call { name: "larft", words, sizes: &sizes, operands: &operands, ..Call::PLAIN }.prepare(session, form, place)
}

/// `tephra_?larfb`: op(H) C or C op(H), H of the reflectors in `v` (order x k) and `t` of [`larft`].
pub fn larfb<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    (side, trans): (Side, Trans),
    v: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let (m, n, k) = (c[0].rows() as i64, c[0].cols() as i64, v[0].cols() as i64);
    Call {
        name: "larfb",
        words: "side trans m n k V ldv T ldt C ldc batch",
        sizes: &[("side", side.cblas().into()), ("trans", trans.cblas().into()), ("m", m), ("n", n), ("k", k)],
        operands: &[("V", v, false), ("T", t, false), ("C", c, true)],
        ..Call::PLAIN
    }
    .prepare(session, form, place)
}
