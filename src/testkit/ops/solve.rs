//! Calls of solvers: least squares and triangular systems.

use super::call::Call;
use super::q::random;
use super::{Diag, EntryForm, Prepared, Side, Trans, Uplo};
use crate::guarded::Placement;
use crate::matrices::Class;
use crate::qr::Session;
use crate::signatures;
use crate::{Field, Matrix, Result, Scalar};

/// The forms of gels; cuBLAS's is for trans N and m >= n.
pub const GELS_FORMS: [EntryForm; 5] =
    [EntryForm::Pointers, EntryForm::Strided, EntryForm::One, EntryForm::Cublas, EntryForm::Magma];
/// The forms of trsm.
pub const TRSM_FORMS: [EntryForm; 6] = [
    EntryForm::Pointers,
    EntryForm::Strided,
    EntryForm::Cublas,
    EntryForm::CublasDevice,
    EntryForm::Cublas64,
    EntryForm::Magma,
];

/// `?gels`; writes A (its factors) and B (the solutions), and the codes to info.
pub fn gels<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    trans: Trans,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GELS, &[("trans", trans.cblas().into())])
        .given("A", a)
        .given("B", b)
        .prepare(session, form, place)
}

/// The forms of gelsy.
pub const GELSY_FORMS: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];

/// `tephra_?gelsy`; writes A, B (the solutions) and jpvt, which it also reads. The ranks are in info.
pub fn gelsy<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    rcond: f64,
    [a, b, jpvt]: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GELSY, &[])
        .given("A", a)
        .given("B", b)
        .given("jpvt", jpvt)
        .number(rcond)
        .prepare(session, form, place)
}

/// The flags of trsm.
#[derive(Clone, Copy, Debug)]
pub struct Triangular {
    /// The side on which A stands.
    pub side: Side,
    /// The triangle of A that is stored.
    pub uplo: Uplo,
    /// The transposition of A.
    pub trans: Trans,
    /// The kind of diagonal that A has.
    pub diag: Diag,
}

impl Triangular {
    /// Triangles with a condition number near 1; everything that must not be read is poison: the other triangle, and a
    /// unit diagonal.
    pub fn operands<T: Scalar>(self, order: usize, class: Class, batch: usize, seed: u64) -> Vec<Matrix<T>> {
        let one = <T as Scalar>::Double::ONE;
        let make = |a: Matrix<T>| {
            Matrix::from_fn(order, order, |i, j| match (i == j, self.diag) {
                (true, Diag::Unit) => T::POISON,
                (true, Diag::NonUnit) => T::from_double(a[(i, j)].to_double().scale(0.25) + one),
                _ if (i < j) == (self.uplo == Uplo::Upper) => {
                    T::from_double(a[(i, j)].to_double().scale(1.0 / order as f64))
                }
                _ => T::POISON,
            })
        };
        random(class, order, order, batch, seed).into_iter().map(make).collect()
    }

    /// The corner of a triangle of this order beside the diagonal.
    pub fn corner(self, order: usize) -> (usize, usize) {
        if self.uplo == Uplo::Upper { (0, order - 1) } else { (order - 1, 0) }
    }

    /// Every combination of flags.
    pub fn all() -> impl Iterator<Item = Triangular> {
        let sides = Side::ALL.iter().flat_map(|&side| Uplo::ALL.iter().map(move |&uplo| (side, uplo)));
        let flags = Trans::ALL.iter().flat_map(|&trans| Diag::ALL.iter().map(move |&diag| (trans, diag)));
        sides.flat_map(move |(side, uplo)| {
            flags.clone().map(move |(trans, diag)| Triangular { side, uplo, trans, diag })
        })
    }

    /// The flags by word.
    pub(super) fn flags(self) -> [(&'static str, i64); 4] {
        let Triangular { side, uplo, trans, diag } = self;
        let flags = [("side", side.cblas()), ("uplo", uplo.cblas()), ("trans", trans.cblas()), ("diag", diag.cblas())];
        flags.map(|(word, number)| (word, number.into()))
    }
}

/// `?trsm`; writes B.
pub fn trsm<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: Triangular,
    alpha: T,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::TRSM, &how.flags())
        .given("A", a)
        .given("B", b)
        .scalars(&[alpha])
        .prepare(session, form, place)
}
