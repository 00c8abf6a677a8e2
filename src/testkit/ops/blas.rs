//! Calls of BLAS routines, and of LAPACK's on triangles.

use super::solve::Triangular;
use super::words::Call;
use super::{Form, Prepared, Trans, Uplo};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::rows;
use crate::{Matrix, Result, Scalar};

/// Forms of all of them.
pub const FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// What a symmetric or Hermitian product is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// C is Hermitian.
    pub hermitian: bool,
    /// Its triangle.
    pub uplo: Uplo,
    /// op.
    pub trans: Trans,
}

impl Rank {
    /// What there is for a type.
    pub fn all(complex: bool) -> impl Iterator<Item = Rank> {
        let kinds = if complex { vec![(false, Trans::T), (true, Trans::C)] } else { vec![(false, Trans::T)] };
        let flags = move |&uplo: &Uplo| {
            let of = move |(hermitian, turned)| [Trans::N, turned].map(|trans| Rank { hermitian, uplo, trans });
            kinds.clone().into_iter().flat_map(of)
        };
        Uplo::ALL.iter().flat_map(flags)
    }
}

/// `?syrk` or `?herk`, with b `?syr2k` or `?her2k`: written is C. Of herk's factors the real parts count, and of her2k's beta.
pub fn rank<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Rank,
    [alpha, beta]: [T; 2],
    (a, b): (&[Matrix<T>], Option<&[Matrix<T>]>),
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let row = match (b.is_some(), how.hermitian) {
        (false, false) => &rows::SYRK,
        (false, true) => &rows::HERK,
        (true, false) => &rows::SYR2K,
        (true, true) => &rows::HER2K,
    };
    let flags = [("uplo", how.uplo.cblas().into()), ("trans", how.trans.cblas().into())];
    let call = Call::of(row, &flags).given("A", a).given("C", c);
    let call = b.into_iter().fold(call, |call, b| call.given("B", b));
    call.scalars(&[alpha, beta]).prepare(session, form, place)
}

/// `?trmm`: written is B.
pub fn trmm<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Triangular,
    alpha: T,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&rows::TRMM, &how.flags()).given("A", a).given("B", b).scalars(&[alpha]).prepare(session, form, place)
}

/// `?trsv`: written is x, whose members are rows.
pub fn trsv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Triangular,
    a: &[Matrix<T>],
    x: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&rows::TRSV, &how.flags()).given("A", a).given("X", x).prepare(session, form, place)
}

/// `?trtri`: written is A; codes are in info. Its side and its transposition do not matter.
pub fn trtri<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Triangular,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&rows::TRTRI, &how.flags()).given("A", a).prepare(session, form, place)
}

/// `?geam`: written is C, whose members are there to say its size.
pub fn geam<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    [trans_a, trans_b]: [Trans; 2],
    scalars: [T; 2],
    [a, b]: [&[Matrix<T>]; 2],
    c: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let flags = [("trans_a", trans_a.cblas().into()), ("trans_b", trans_b.cblas().into())];
    Call::of(&rows::GEAM, &flags)
        .given("A", a)
        .given("B", b)
        .given("C", c)
        .scalars(&scalars)
        .prepare(session, form, place)
}
