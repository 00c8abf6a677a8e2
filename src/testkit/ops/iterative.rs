//! The call of the iterative least-squares solver.

use super::call::Call;
use super::{EntryForm, Prepared};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of gels_iterative.
pub const FORMS: [EntryForm; 3] = [EntryForm::Pointers, EntryForm::Strided, EntryForm::One];

/// `?gels_iterative` with default parameters; writes X, the third operand, and the codes to info.
pub fn gels_iterative<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GELS_ITERATIVE, &[]).given("A", a).given("B", b).prepare(session, form, place)
}
