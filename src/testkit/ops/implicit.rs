//! QR with an implicit Q, and products with that Q.

use super::call::Call;
use super::{EntryForm, Prepared, Side, Trans};
use crate::any_call::AnyFunction;
use crate::guarded::Placement;
use crate::library::symbol_name;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of geqr and gemqr, which have no pointer-array variants.
pub const FORMS: [EntryForm; 2] = [EntryForm::Strided, EntryForm::One];

/// The number of elements of T for an m x n matrix.
pub fn tsize<T: Scalar>(session: &Session, m: usize, n: usize) -> Result<usize> {
    let (library, symbol) = (session.library(), symbol_name("tephra_?geqr_tsize", T::DTYPE));
    let mut elements = i64::MAX;
    // SAFETY: the arguments are m, n and the address of the answer, as the prototype requires.
    let code = unsafe {
        AnyFunction::named(library, &symbol)?.call([0.0; 4], &[m as u64, n as u64, &raw mut elements as u64])
    };
    library.status(&symbol, code)?;
    Ok(elements as usize)
}

/// `tephra_?geqr`; writes A and T, the latter as vectors.
pub fn geqr<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let tsize = tsize::<T>(session, a[0].rows(), a[0].cols())?;
    Call::of(&signatures::GEQR, &[("tsize", tsize as i64)]).given("A", a).prepare(session, form, place)
}

/// `tephra_?gemqr`: op(Q) C or C op(Q), with Q as [`geqr`] left it in `a` and `t`.
pub fn gemqr<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    (side, trans): (Side, Trans),
    a: &[Matrix<T>],
    t: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let k = a[0].rows().min(a[0].cols()) as i64;
    let sizes = [("side", side.cblas().into()), ("trans", trans.cblas().into()), ("k", k)];
    Call::of(&signatures::GEMQR, &sizes).given("A", a).given("T", t).given("C", c).prepare(session, form, place)
}
