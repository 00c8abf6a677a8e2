//! The call of least squares by iteration.

use super::words::{Call, unset};
use super::{Form, Prepared};
use crate::guarded::Placement;
use crate::qr::Session;
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
    let (rows, cols, nrhs) = (a[0].rows(), a[0].cols(), b[0].cols());
    let x = unset(a.len(), cols, nrhs);
    Call {
        name: "gels_iterative",
        words: "m n nrhs A lda B ldb X ldx default zero null null info batch work",
        sizes: &[("m", rows as i64), ("n", cols as i64), ("nrhs", nrhs as i64)],
        operands: &[("A", a, false), ("B", b, false), ("X", &x, true)],
        ..Call::PLAIN
    }
    .prepare(session, form, place)
}
