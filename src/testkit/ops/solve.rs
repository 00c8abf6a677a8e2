//! Calls of solvers: least squares and triangular systems.

use super::call::Call;
use super::{Diag, EntryForm, Prepared, Side, Trans, Uplo};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

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
