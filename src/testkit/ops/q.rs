//! Calls that form Q, apply it, compute it together with R, or factor into L Q.

use super::call::Call;
use super::{EntryForm, Prepared, Side, Trans};
use crate::guarded::Placement;
use crate::matrices::Class;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Rng, Scalar, householder};
use std::ffi::c_int;

/// The forms of ormqr and orgqr.
pub const FORMS: [EntryForm; 4] = [EntryForm::Pointers, EntryForm::Strided, EntryForm::One, EntryForm::Magma];
/// The forms of qr and gelqf.
pub const NATIVE_FORMS: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];

/// `?orgqr`: the first `n` columns of Q, from the reflectors in the first tau.rows() columns of m x n matrices.
pub fn orgqr<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    factors: &[Matrix<T>],
    tau: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::ORGQR, &[]).given("A", factors).given("tau", tau).prepare(session, form, place)
}

/// `?ormqr`: op(Q) C or C op(Q), with Q from the reflectors in `factors` (order x k).
pub fn ormqr<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    (side, trans): (Side, Trans),
    factors: &[Matrix<T>],
    tau: &[Matrix<T>],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("side", side.cblas().into()), ("trans", trans.cblas().into()), ("k", tau[0].rows() as i64)];
    Call::of(&signatures::ORMQR, &sizes)
        .given("A", factors)
        .given("tau", tau)
        .given("C", c)
        .prepare(session, form, place)
}

/// How many columns of Q a call computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// None, only R.
    None = 0,
    /// min(m, n) columns.
    Thin = 1,
    /// All columns.
    Full = 2,
    /// min(m, n) columns, stored over A.
    InPlace = 3,
}

impl Part {
    /// All values.
    pub const ALL: [Part; 4] = [Part::None, Part::Thin, Part::Full, Part::InPlace];

    fn number(self) -> c_int {
        if self == Part::InPlace { Part::Thin as c_int } else { self as c_int }
    }
}

/// `tephra_?qr`; writes Q (except for [`Part::None`]) and R.
pub fn qr<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    part: Part,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    // Without Q the call ignores that argument, so R takes its place.
    let replacements: &[_] = match part {
        Part::None => &[("Q", "R"), ("ldq", "ldr")],
        Part::InPlace => &[("Q", "A"), ("ldq", "lda")],
        _ => &[],
    };
    Call::of(&signatures::QR, &[("part", part.number().into())])
        .given("A", a)
        .replacing(replacements)
        .prepare(session, form, place)
}

/// `tephra_?gelqf`; writes A and tau.
pub fn gelqf<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GELQF, &[]).given("A", a).prepare(session, form, place)
}

/// `tephra_?geqp3`; writes A, tau and jpvt. It also reads jpvt, in which nonzero entries choose columns.
pub fn geqp3<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    a: &[Matrix<T>],
    jpvt: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GEQP3, &[]).given("A", a).given("jpvt", jpvt).prepare(session, form, place)
}

/// Reflectors of seeded random m x k matrices, computed by the host reference: (factors, tau as k x 1 matrices).
pub fn reflectors<T: Scalar>(m: usize, k: usize, batch: usize, seed: u64) -> (Vec<Matrix<T>>, Vec<Matrix<T>>) {
    let mut rng = Rng::new(seed);
    let one = |_| {
        let mut wide = Class::Uniform.generate::<T>(m, k, &mut rng).to_double();
        let tau = householder::factor(&mut wide);
        (Matrix::from_double(&wide), Matrix::from_fn(tau.len(), 1, |i, _| T::from_double(tau[i])))
    };
    (0..batch).map(one).unzip()
}

/// Seeded random matrices of a class.
pub fn random<T: Scalar>(class: Class, m: usize, n: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    (0..batch).map(|_| class.generate(m, n, &mut rng)).collect()
}
