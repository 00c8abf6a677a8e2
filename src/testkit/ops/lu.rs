//! Calls of the LU routines.

use super::call::Call;
pub use super::call::{from_integers, integers};
use super::{EntryForm, Prepared, Trans};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of all these routines.
pub const FORMS: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];

/// `?getrf`, or without pivoting `?getrf_nopiv` (then `ipiv` has no rows); writes A and ipiv.
pub fn getrf<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    pivoting: bool,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let signature = if pivoting { &signatures::GETRF } else { &signatures::GETRF_NOPIV };
    Call::of(signature, &[]).given("A", a).prepare(session, form, place)
}

/// `?getrs`; writes B. Without pivots, ipiv is NULL.
pub fn getrs<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    trans: Trans,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let call = Call::of(&signatures::GETRS, &[("trans", trans.cblas().into())]).given("A", factors).given("B", b);
    ipiv.into_iter().fold(call, |call, ipiv| call.given("ipiv", ipiv)).prepare(session, form, place)
}

/// `?gesv`; writes A, B and ipiv.
pub fn gesv<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GESV, &[]).given("A", a).given("B", b).prepare(session, form, place)
}

/// `?gesv_rbt`; writes A and B.
pub fn gesv_rbt<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GESV_RBT, &[]).given("A", a).given("B", b).prepare(session, form, place)
}

/// Puts the inverse into C, or in place into A if there is no C.
fn beside_or_in_place<'c, T: Scalar>(call: Call<'c, T>, c: Option<&'c [Matrix<T>]>) -> Call<'c, T> {
    match c {
        Some(c) => call.given("C", c),
        None => call.replacing(&[("C", "A"), ("ldc", "lda")]),
    }
}

/// `?getri`; writes C, which initially holds `c`, or A in place if `c` is `None`. Without pivots, ipiv is NULL.
pub fn getri<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let call = beside_or_in_place(Call::of(&signatures::GETRI, &[]).given("A", factors), c);
    ipiv.into_iter().fold(call, |call, ipiv| call.given("ipiv", ipiv)).prepare(session, form, place)
}

/// `?inv`: like [`getri`], but takes A itself instead of its factors.
pub fn inv<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    beside_or_in_place(Call::of(&signatures::INV, &[]).given("A", a), c).prepare(session, form, place)
}

/// `?laswp` on rows k1 to k2; writes A.
pub fn laswp<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    [k1, k2, incx]: [i64; 3],
    a: &[Matrix<T>],
    ipiv: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("k1", k1), ("k2", k2), ("incx", incx)];
    Call::of(&signatures::LASWP, &sizes).given("A", a).given("ipiv", ipiv).prepare(session, form, place)
}
