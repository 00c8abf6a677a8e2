//! What follows a factorisation: Q itself, Q applied, triangular solves, least squares.

use super::{Dtype, Geqrf, Operand};
use crate::scalar::{C32, C64, Real, Scalar};
use std::ffi::c_void;

/// Which side an operator stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// op(Q) C
    Left,
    /// C op(Q)
    Right,
}

/// op(X) = X, X^T or X^H. For real types `T` and `C` are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trans {
    /// X
    N,
    /// X^T
    T,
    /// X^H
    C,
}

/// Which triangle is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uplo {
    /// On and above the diagonal.
    Upper,
    /// On and below the diagonal.
    Lower,
}

/// Whether the diagonal is taken as ones (and not read).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diag {
    /// As stored.
    NonUnit,
    /// Ones.
    Unit,
}

/// A scalar factor of the operation's own type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// Its value, widened (the imaginary part is 0 for real types).
    Host(C64),
    /// Where it is, in the backend's memory (cuBLAS's device pointer mode).
    Device(*const c_void),
}

impl Alpha {
    /// A value.
    pub fn host<T: Scalar>(value: T) -> Self {
        Alpha::Host(C64 { re: value.re().to_f64(), im: value.im().to_f64() })
    }

    /// The value at `place` in host memory, of type `dtype`, in any alignment; NULL becomes a device scalar that is
    /// nowhere, for the checks to refuse if there is work.
    ///
    /// # Safety
    /// `place` is NULL or valid for a read.
    pub unsafe fn read(dtype: Dtype, place: *const c_void) -> Self {
        if place.is_null() {
            return Alpha::Device(place);
        }
        unsafe {
            match dtype {
                Dtype::S => Alpha::host(place.cast::<f32>().read_unaligned()),
                Dtype::D => Alpha::host(place.cast::<f64>().read_unaligned()),
                Dtype::C => Alpha::host(place.cast::<C32>().read_unaligned()),
                Dtype::Z => Alpha::host(place.cast::<C64>().read_unaligned()),
            }
        }
    }

    /// Whether it is known here to be zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Alpha::Host(C64 { re: 0.0, im: 0.0 }))
    }
}

/// Memory of the caller's that an operation may use until it is done: at least
/// [`crate::backend::Runtime::workspace`] bytes, aligned to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Start, in the backend's memory; NULL when none is needed.
    pub p: *mut c_void,
    /// Size.
    pub bytes: usize,
}

impl Workspace {
    /// Of its start, in bytes.
    pub const ALIGNMENT: usize = 16;
    /// No memory.
    pub const NONE: Workspace = Workspace { p: std::ptr::null_mut(), bytes: 0 };
}

/// Batched LAPACK `?orgqr` / `?ungqr`: the first n columns of Q(i) = H(1) ... H(k), in place of the reflectors.
#[derive(Clone, Copy, Debug)]
pub struct Orgqr {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of Q, >= 0.
    pub m: i64,
    /// Columns of Q, 0 <= n <= m.
    pub n: i64,
    /// Reflectors, 0 <= k <= n.
    pub k: i64,
    /// Holds the reflectors in its first k columns as `geqrf` leaves them; receives Q (m x n).
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// k scalar factors each.
    pub tau: Operand,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// Batched LAPACK `?ormqr` / `?unmqr`: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)).
///
/// For complex types LAPACK knows op N and C only; `T` (C := Q^T C) is served too.
#[derive(Clone, Copy, Debug)]
pub struct Ormqr {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(Q).
    pub side: Side,
    /// op.
    pub trans: Trans,
    /// Rows of C, >= 0.
    pub m: i64,
    /// Columns of C, >= 0.
    pub n: i64,
    /// Reflectors, 0 <= k <= the order of Q (m for Left, n for Right).
    pub k: i64,
    /// Reflectors as `geqrf` leaves them, order(Q) x k; only what is below the diagonal is read, nothing written.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, order of Q).
    pub lda: i64,
    /// k scalar factors each.
    pub tau: Operand,
    /// The matrices C.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// How much of Q is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QPart {
    /// R only.
    None,
    /// min(m, n) columns.
    Thin,
    /// All m columns.
    Full,
}

/// Batched QR with explicit factors: A(i) = Q(i) R(i), A kept.
///
/// R is min(m, n) x n (Full: m x n), zero below its diagonal. Q may be A itself (same operand and leading dimension)
/// for Thin with m >= n; R never overlaps the others.
#[derive(Clone, Copy, Debug)]
pub struct Qr {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// How much of Q.
    pub part: QPart,
    /// The matrices, m x n.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Receives Q; not looked at for [`QPart::None`].
    pub q: Operand,
    /// Leading dimension of Q, >= max(1, m).
    pub ldq: i64,
    /// Receives R.
    pub r: Operand,
    /// Leading dimension of R, >= max(1, rows of R).
    pub ldr: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

/// Batched LAPACK `?gels`: least squares or minimum-norm solutions of op(A(i)) X(i) = B(i), A of full rank.
///
/// op N, m >= n: minimises |B - A X|; X in rows 0..n of B, in rows n..m what is left of the right-hand sides (its sum
/// of squares is the residual's), A holds its QR factors. op N, m < n: minimum norm, X in rows 0..n. op T or C (C for
/// complex types): the same for A^H. B has max(m, n) rows.
#[derive(Clone, Copy, Debug)]
pub struct Gels {
    /// Element type.
    pub dtype: Dtype,
    /// N, or the (conjugate) transpose.
    pub trans: Trans,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; overwritten.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m, n).
    pub ldb: i64,
    /// One per matrix, in the backend's memory: 0, or i when the i-th diagonal element of R is exactly zero (that
    /// matrix has no full rank; LAPACK leaves its X uncomputed, here X is not finite or as computed). NULL: not told.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

/// Batched BLAS `?trsm`: B(i) := alpha op(A(i))^-1 B(i), or alpha B(i) op(A(i))^-1.
///
/// alpha = 0 sets B to zero without reading A. The other triangle of A is not read; a zero on the diagonal gives what
/// the division gives. Members of A may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Trsm {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(A).
    pub side: Side,
    /// Triangle of A.
    pub uplo: Uplo,
    /// op.
    pub trans: Trans,
    /// Diagonal of A.
    pub diag: Diag,
    /// Rows of B, >= 0.
    pub m: i64,
    /// Columns of B, >= 0.
    pub n: i64,
    /// Factor.
    pub alpha: Alpha,
    /// Triangles of order m (Left) or n (Right).
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its order).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// Batched LAPACK `?larft` (forward, columnwise): the upper triangular factor T of H(1) ... H(k) = I - V T V^H.
/// Below its diagonal T is set to zero.
#[derive(Clone, Copy, Debug)]
pub struct Larft {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of V, >= 0.
    pub m: i64,
    /// Reflectors, 0 <= k <= m.
    pub k: i64,
    /// Reflectors as `geqrf` leaves them: what is on and above the diagonal is not read.
    pub v: Operand,
    /// Leading dimension of V, >= max(1, m).
    pub ldv: i64,
    /// k scalar factors each.
    pub tau: Operand,
    /// Receives T, k x k.
    pub t: Operand,
    /// Leading dimension of T, >= max(1, k).
    pub ldt: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// Batched LAPACK `?larfb` (forward, columnwise): C(i) := op(H(i)) C(i) or C(i) op(H(i)), H = I - V T V^H.
#[derive(Clone, Copy, Debug)]
pub struct Larfb {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(H).
    pub side: Side,
    /// op; N or C for complex types, as in LAPACK.
    pub trans: Trans,
    /// Rows of C, >= 0.
    pub m: i64,
    /// Columns of C, >= 0.
    pub n: i64,
    /// Reflectors, 0 <= k <= order of H.
    pub k: i64,
    /// Reflectors as `geqrf` leaves them.
    pub v: Operand,
    /// Leading dimension of V.
    pub ldv: i64,
    /// Upper triangular factors, k x k: [`Larft`]'s or any others.
    pub t: Operand,
    /// Leading dimension of T.
    pub ldt: i64,
    /// The matrices C.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// Any operation, for what treats them alike: checks, traces, plans in words, and the backends' one entry.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the variants' types say it
pub enum Operation {
    Geqrf(Geqrf),
    Orgqr(Orgqr),
    Ormqr(Ormqr),
    Qr(Qr),
    Gels(Gels),
    Trsm(Trsm),
    Larft(Larft),
    Larfb(Larfb),
}

impl Operation {
    /// LAPACK's or BLAS's name without the precision letter.
    pub const fn name(&self) -> &'static str {
        match self {
            Operation::Geqrf(_) => "geqrf",
            Operation::Orgqr(_) => "orgqr",
            Operation::Ormqr(_) => "ormqr",
            Operation::Qr(_) => "qr",
            Operation::Gels(_) => "gels",
            Operation::Trsm(_) => "trsm",
            Operation::Larft(_) => "larft",
            Operation::Larfb(_) => "larfb",
        }
    }

    /// Element type.
    pub const fn dtype(&self) -> Dtype {
        match self {
            Operation::Geqrf(p) => p.dtype,
            Operation::Orgqr(p) => p.dtype,
            Operation::Ormqr(p) => p.dtype,
            Operation::Qr(p) => p.dtype,
            Operation::Gels(p) => p.dtype,
            Operation::Trsm(p) => p.dtype,
            Operation::Larft(p) => p.dtype,
            Operation::Larfb(p) => p.dtype,
        }
    }

    /// Number of matrices.
    pub const fn batch(&self) -> i64 {
        match self {
            Operation::Geqrf(p) => p.batch,
            Operation::Orgqr(p) => p.batch,
            Operation::Ormqr(p) => p.batch,
            Operation::Qr(p) => p.batch,
            Operation::Gels(p) => p.batch,
            Operation::Trsm(p) => p.batch,
            Operation::Larft(p) => p.batch,
            Operation::Larfb(p) => p.batch,
        }
    }
}
