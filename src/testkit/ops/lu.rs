//! Calls of LU's routines.

use super::words::{Call, unset};
pub use super::words::{from_integers, integers};
use super::{Form, Prepared, Trans};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::{Matrix, Result, Scalar};

/// Forms of all of them.
pub const FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// `?getrf`, or without pivots (`ipiv` has no rows then) `?getrf_nopiv`: written are A and ipiv.
pub fn getrf<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    pivoting: bool,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("m", a[0].rows() as i64), ("n", a[0].cols() as i64)];
    if !pivoting {
        let (name, words) = ("getrf_nopiv", "m n A lda info batch work");
        return Call { name, words, sizes: &sizes, operands: &[("A", a, true)], ..Call::PLAIN }
            .prepare(session, form, place);
    }
    let ipiv = unset(a.len(), a[0].rows().min(a[0].cols()), 1);
    let operands = [("A", a, true), ("ipiv", &ipiv[..], true)];
    Call { name: "getrf", words: "m n A lda ipiv info batch work", sizes: &sizes, operands: &operands, ..Call::PLAIN }
        .prepare(session, form, place)
}

/// `?getrs`: written is B. Without pivots ipiv is NULL.
pub fn getrs<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    trans: Trans,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("trans", trans.cblas().into()), ("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    let mut operands = vec![("A", factors, false), ("B", b, true)];
    operands.extend(ipiv.map(|ipiv| ("ipiv", ipiv, false)));
    Call {
        name: "getrs",
        words: "trans n nrhs A lda ipiv B ldb batch work",
        sizes: &sizes,
        operands: &operands,
        ..Call::PLAIN
    }
    .prepare(session, form, place)
}

/// `?gesv`: written are A, B and ipiv.
pub fn gesv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    let ipiv = unset(a.len(), a[0].rows(), 1);
    let operands = [("A", a, true), ("B", b, true), ("ipiv", &ipiv[..], true)];
    Call {
        name: "gesv",
        words: "n nrhs A lda ipiv B ldb info batch work",
        sizes: &sizes,
        operands: &operands,
        ..Call::PLAIN
    }
    .prepare(session, form, place)
}

/// `?gesv_rbt`: written are A and B.
pub fn gesv_rbt<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    let operands = [("A", a, true), ("B", b, true)];
    Call { name: "gesv_rbt", words: "n nrhs A lda B ldb info batch", sizes: &sizes, operands: &operands, ..Call::PLAIN }
        .prepare(session, form, place)
}

/// `?getri`: written is C, whose members are `c` before; `None`: in place, A. Without pivots ipiv is NULL.
pub fn getri<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let words = if c.is_some() { "n A lda ipiv C ldc info batch work" } else { "n A lda ipiv A lda info batch work" };
    let mut operands = vec![("A", factors, c.is_none())];
    operands.extend(c.map(|c| ("C", c, true)));
    operands.extend(ipiv.map(|ipiv| ("ipiv", ipiv, false)));
    let sizes = [("n", factors[0].rows() as i64)];
    Call { name: "getri", words, sizes: &sizes, operands: &operands, ..Call::PLAIN }.prepare(session, form, place)
}

/// `?inv`: as [`getri`], of A itself.
pub fn inv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let words = if c.is_some() { "n A lda C ldc info batch work" } else { "n A lda A lda info batch work" };
    let mut operands = vec![("A", a, c.is_none())];
    operands.extend(c.map(|c| ("C", c, true)));
    let sizes = [("n", a[0].rows() as i64)];
    Call { name: "inv", words, sizes: &sizes, operands: &operands, ..Call::PLAIN }.prepare(session, form, place)
}

/// `?laswp` of rows k1 to k2: written is A.
pub fn laswp<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    [k1, k2, incx]: [i64; 3],
    a: &[Matrix<T>],
    ipiv: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", a[0].cols() as i64), ("k1", k1), ("k2", k2), ("incx", incx)];
    let operands = [("A", a, true), ("ipiv", ipiv, false)];
    Call { name: "laswp", words: "n A lda k1 k2 ipiv incx batch", sizes: &sizes, operands: &operands, ..Call::PLAIN }
        .prepare(session, form, place)
}
