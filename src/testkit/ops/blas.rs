//! Calls of BLAS routines and of LAPACK's triangular routines.

use super::call::Call;
use super::solve::Triangular;
use super::{EntryForm, Prepared, Side, Trans, Uplo};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of all these routines.
pub const FORMS: [EntryForm; 2] = [EntryForm::Pointers, EntryForm::Strided];

/// The flags of a symmetric or Hermitian rank update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankUpdate {
    /// Whether C is Hermitian rather than symmetric.
    pub hermitian: bool,
    /// The triangle of C.
    pub uplo: Uplo,
    /// The transposition of the factors.
    pub trans: Trans,
}

impl RankUpdate {
    /// All combinations that exist for a type.
    pub fn all(complex: bool) -> impl Iterator<Item = RankUpdate> {
        let kinds = if complex { vec![(false, Trans::T), (true, Trans::C)] } else { vec![(false, Trans::T)] };
        let flags = move |&uplo: &Uplo| {
            let of = move |(hermitian, turned)| [Trans::N, turned].map(|trans| RankUpdate { hermitian, uplo, trans });
            kinds.clone().into_iter().flat_map(of)
        };
        Uplo::ALL.iter().flat_map(flags)
    }
}

/// `?syrk` or `?herk`, or with `b` given `?syr2k` or `?her2k`; writes C. herk uses only the real parts of alpha and
/// beta, her2k only that of beta.
pub fn rank_update<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: RankUpdate,
    [alpha, beta]: [T; 2],
    (a, b): (&[Matrix<T>], Option<&[Matrix<T>]>),
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let signature = match (b.is_some(), how.hermitian) {
        (false, false) => &signatures::SYRK,
        (false, true) => &signatures::HERK,
        (true, false) => &signatures::SYR2K,
        (true, true) => &signatures::HER2K,
    };
    let flags = [("uplo", how.uplo.cblas().into()), ("trans", how.trans.cblas().into())];
    let call = Call::of(signature, &flags).given("A", a).given("C", c);
    let call = b.into_iter().fold(call, |call, b| call.given("B", b));
    call.scalars(&[alpha, beta]).prepare(session, form, place)
}

/// The flags of a product with a symmetric or Hermitian matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetric {
    /// Whether A is Hermitian rather than symmetric.
    pub hermitian: bool,
    /// The side of A.
    pub side: Side,
    /// The triangle of A.
    pub uplo: Uplo,
}

impl Symmetric {
    /// All combinations that exist for a type.
    pub fn all(complex: bool) -> impl Iterator<Item = Symmetric> {
        let kinds: &[bool] = if complex { &[false, true] } else { &[false] };
        let sides = Side::ALL.iter().flat_map(|&side| Uplo::ALL.iter().map(move |&uplo| (side, uplo)));
        sides.flat_map(|(side, uplo)| kinds.iter().map(move |&hermitian| Symmetric { hermitian, side, uplo }))
    }
}

/// `?symm` or `?hemm`; writes C.
pub fn symmetric<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: Symmetric,
    factors: [T; 2],
    [a, b, c]: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let signature = if how.hermitian { &signatures::HEMM } else { &signatures::SYMM };
    Call::of(signature, &[("side", how.side.cblas().into()), ("uplo", how.uplo.cblas().into())])
        .given("A", a)
        .given("B", b)
        .given("C", c)
        .scalars(&factors)
        .prepare(session, form, place)
}

/// `?trmm`; writes B.
pub fn trmm<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: Triangular,
    alpha: T,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::TRMM, &how.flags())
        .given("A", a)
        .given("B", b)
        .scalars(&[alpha])
        .prepare(session, form, place)
}

/// `?trsv`; writes x, whose members are rows.
pub fn trsv<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: Triangular,
    a: &[Matrix<T>],
    x: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::TRSV, &how.flags()).given("A", a).given("X", x).prepare(session, form, place)
}

/// `?trtri`; writes A, and the codes to info. Ignores `how.side` and `how.trans`.
pub fn trtri<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    how: Triangular,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::TRTRI, &how.flags()).given("A", a).prepare(session, form, place)
}

/// `?geam`; writes C, whose members only give its size.
pub fn geam<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    [trans_a, trans_b]: [Trans; 2],
    scalars: [T; 2],
    [a, b]: [&[Matrix<T>]; 2],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let flags = [("trans_a", trans_a.cblas().into()), ("trans_b", trans_b.cblas().into())];
    Call::of(&signatures::GEAM, &flags)
        .given("A", a)
        .given("B", b)
        .given("C", c)
        .scalars(&scalars)
        .prepare(session, form, place)
}
