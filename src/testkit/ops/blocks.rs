//! Calls that form and apply block reflectors.

use super::call::Call;
use super::{EntryForm, Prepared, Side, Trans};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of both routines.
pub const FORMS: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];

/// `tephra_?larft`: the factor T of the reflectors in `v` (m x k).
pub fn larft<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    v: &[Matrix<T>],
    tau: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::LARFT, &[]).given("V", v).given("tau", tau).prepare(session, form, place)
}

/// `tephra_?larfb`: op(H) C or C op(H), where H consists of the reflectors in `v` (order x k) and the `t` from
/// [`larft`].
pub fn larfb<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    (side, trans): (Side, Trans),
    v: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let flags = [("side", side.cblas().into()), ("trans", trans.cblas().into())];
    Call::of(&signatures::LARFB, &flags).given("V", v).given("T", t).given("C", c).prepare(session, form, place)
}
