//! The call of least squares by iteration.

use super::words::Call;
use super::{Form, Prepared};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::rows;
use crate::{Matrix, Result, Scalar};

/// Forms of gels_iterative.
pub const FORMS: [Form; 3] = [Form::Pointers, Form::Strided, Form::One];

/// `?gels_iterative` in the usual way: written is X, the third operand; codes are in info.
pub fn gels_iterative<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&rows::GELS_ITERATIVE, &[]).given("A", a).given("B", b).prepare(session, form, place)
}
