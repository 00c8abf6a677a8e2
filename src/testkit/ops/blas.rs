//! Calls of BLAS routines, and of LAPACK's on triangles.

use super::solve::Triangular;
use super::words::Call;
use super::{Form, Prepared, Trans, Uplo};
use crate::guarded::Placement;
use crate::qr::Session;
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
    let (rows, cols) = (a[0].rows() as i64, a[0].cols() as i64);
    let (n, k) = if how.trans == Trans::N { (rows, cols) } else { (cols, rows) };
    let sizes = [("uplo", how.uplo.cblas().into()), ("trans", how.trans.cblas().into()), ("n", n), ("k", k)];
    let scalars = [alpha, beta];
    match b {
        None => {
            let (name, operands) = (if how.hermitian { "herk" } else { "syrk" }, [("A", a, false), ("C", c, true)]);
            let words = "uplo trans n k alpha A lda beta C ldc batch";
            Call { name, words, sizes: &sizes, scalars: &scalars, operands: &operands, ..Call::PLAIN }
                .prepare(session, form, place)
        }
        Some(b) => {
            let name = if how.hermitian { "her2k" } else { "syr2k" };
            let (words, operands) = (
                "uplo trans n k alpha A lda B ldb beta C ldc batch",
                [("A", a, false), ("B", b, false), ("C", c, true)],
            );
            Call { name, words, sizes: &sizes, scalars: &scalars, operands: &operands, ..Call::PLAIN }
                .prepare(session, form, place)
        }
    }
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
    let [side, uplo, trans, diag] = how.flags();
    let sizes = [side, uplo, trans, diag, ("m", b[0].rows() as i64), ("n", b[0].cols() as i64)];
    let words = "side uplo trans diag m n alpha A lda B ldb batch";
    let operands = [("A", a, false), ("B", b, true)];
    Call { name: "trmm", words, sizes: &sizes, scalars: &[alpha], operands: &operands, ..Call::PLAIN }
        .prepare(session, form, place)
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
    let [_, uplo, trans, diag] = how.flags();
    let sizes = [uplo, trans, diag, ("n", a[0].rows() as i64)];
    let operands = [("A", a, false), ("X", x, true)];
    let words = "uplo trans diag n A lda X incx batch";
    Call { name: "trsv", words, sizes: &sizes, operands: &operands, ..Call::PLAIN }.prepare(session, form, place)
}

/// `?trtri`: written is A; codes are in info. Its side and its transposition do not matter.
pub fn trtri<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    how: Triangular,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let [_, uplo, _, diag] = how.flags();
    let sizes = [uplo, diag, ("n", a[0].rows() as i64)];
    let words = "uplo diag n A lda info batch";
    Call { name: "trtri", words, sizes: &sizes, operands: &[("A", a, true)], ..Call::PLAIN }
        .prepare(session, form, place)
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
    let sizes = [flags[0], flags[1], ("m", c[0].rows() as i64), ("n", c[0].cols() as i64)];
    let operands = [("A", a, false), ("B", b, false), ("C", c, true)];
    let words = "trans_a trans_b m n alpha A lda beta B ldb C ldc batch";
    Call { name: "geam", words, sizes: &sizes, scalars: &scalars, operands: &operands, ..Call::PLAIN }
        .prepare(session, form, place)
}
