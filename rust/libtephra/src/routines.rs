//! LAPACK and BLAS routines on batches. Each overwrites its operands as LAPACK's routine does, and is enqueued on the
//! default stream.
//!
//! Outputs beside the operands are allocated without contents, because routines write all of them, whatever the
//! matrices contain.

use crate::batch::Batch;
use crate::error::{Error, check};
use crate::scalar::Scalar;
use crate::sys;
use std::ffi::c_int;
use std::ptr::null_mut;

/// The operation op(A) that is applied to a matrix operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trans {
    /// A.
    No,
    /// The transpose A^T.
    Trans,
    /// The conjugate transpose A^H.
    ConjTrans,
}

/// The triangle of a matrix that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uplo {
    /// On and above the diagonal.
    Upper,
    /// On and below the diagonal.
    Lower,
}

/// The side on which the triangular matrix stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// op(A) X = B.
    Left,
    /// X op(A) = B.
    Right,
}

impl Trans {
    fn code(self) -> c_int {
        match self {
            Trans::No => sys::TEPHRA_TRANS_N,
            Trans::Trans => sys::TEPHRA_TRANS_T,
            Trans::ConjTrans => sys::TEPHRA_TRANS_C,
        }
    }
}

impl Uplo {
    fn code(self) -> c_int {
        if self == Uplo::Upper { sys::TEPHRA_UPLO_UPPER } else { sys::TEPHRA_UPLO_LOWER }
    }
}

impl Side {
    fn code(self) -> c_int {
        if self == Side::Left { sys::TEPHRA_SIDE_LEFT } else { sys::TEPHRA_SIDE_RIGHT }
    }
}

/// The row interchanges of LU factorisations (LAPACK's `ipiv`). Only the library writes them, so each names a row of the
/// matrices that were factored, and the routines that apply them need not check it.
#[derive(Debug)]
pub struct Pivots {
    indices: Batch<i32>,
    /// Rows of the matrices.
    rows: usize,
}

impl Pivots {
    /// Pivots that a factorisation will write.
    fn unwritten(rows: usize, columns: usize, count: usize) -> Result<Pivots, Error> {
        Ok(Pivots { indices: Batch::uninitialised(rows.min(columns), 1, count)?, rows })
    }

    /// Takes interchanges that were computed elsewhere, for matrices with this many rows.
    ///
    /// # Safety
    /// Each element must be between 1 and `rows`.
    pub unsafe fn from_batch(indices: Batch<i32>, rows: usize) -> Pivots {
        Pivots { indices, rows }
    }

    /// The indices (min(m, n) x 1): row i was exchanged with row `ipiv[i]`, both counted from 1, for i = 1, 2, ... in turn.
    pub fn as_batch(&self) -> &Batch<i32> {
        &self.indices
    }

    /// Copies the indices to a vector, as [`Batch::to_vec`] does.
    pub fn to_vec(&self) -> Result<Vec<i32>, Error> {
        self.indices.to_vec()
    }
}

/// The results of an LU factorisation besides the factors, which overwrite the matrices.
#[derive(Debug)]
pub struct Factored {
    /// The row interchanges.
    pub pivots: Pivots,
    /// 1 x 1 per matrix: 0, or the first i for which U(i, i) is exactly zero.
    pub info: Batch<i32>,
}

/// The memory that a call needs beside its operands, as the library's query for it says: none for most sizes, and none on
/// the CPU. Dropping it waits for the device, so for the call as well.
fn workspace(query: impl FnOnce(*mut usize) -> sys::tephra_status) -> Result<Batch<f64>, Error> {
    let mut bytes = 0;
    check(query(&mut bytes))?;
    Batch::uninitialised(bytes.div_ceil(size_of::<f64>()), 1, 1)
}

/// Returns [`Error::Shape`] unless two sizes are equal.
fn same(what: &str, left: usize, right: usize) -> Result<(), Error> {
    if left == right { Ok(()) } else { Err(Error::Shape(format!("{what}: {left} and {right}"))) }
}

fn square<T: Scalar>(a: &Batch<T>) -> Result<i64, Error> {
    same("rows and columns of A", a.rows(), a.columns())?;
    Ok(a.rows() as i64)
}

fn counts<T: Scalar, U: crate::Element>(a: &Batch<T>, b: &Batch<U>) -> Result<i64, Error> {
    same("how many matrices", a.count(), b.count())?;
    Ok(a.count() as i64)
}

/// Householder QR factorisation. Leaves R on and above the diagonal of `a` and the reflectors below it; returns `tau`
/// (min(m, n) x 1).
pub fn geqrf<T: Scalar>(a: &mut Batch<T>) -> Result<Batch<T>, Error> {
    let tau = Batch::uninitialised(a.rows().min(a.columns()), 1, a.count())?;
    let (m, n, count) = (a.rows() as i64, a.columns() as i64, a.count() as i64);
    let (lda, stride) = (a.ld(), a.stride());
    // SAFETY: here and below, each operand is memory of the backend with the sizes that are passed with it.
    check(unsafe {
        (T::FUNCTIONS.geqrf)(
            m,
            n,
            a.pointer(),
            lda,
            stride,
            tau.pointer(),
            tau.stride(),
            count,
            null_mut(),
            0,
            null_mut(),
        )
    })?;
    Ok(tau)
}

/// Overwrites the reflectors of [`geqrf`] with the first n columns of Q. `a` is m x n with m >= n. LAPACK's `ungqr` for
/// complex types.
pub fn orgqr<T: Scalar>(a: &mut Batch<T>, tau: &Batch<T>) -> Result<(), Error> {
    let (m, n, k, count) = (a.rows() as i64, a.columns() as i64, tau.rows() as i64, counts(a, tau)?);
    let (lda, stride) = (a.ld(), a.stride());
    check(unsafe {
        (T::FUNCTIONS.orgqr)(m, n, k, a.pointer(), lda, stride, tau.pointer(), tau.stride(), count, null_mut())
    })
}

/// Computes least squares or minimum-norm solutions of op(A) X = B by QR, for A of full rank. `b` has max(m, n) rows: B
/// on entry, X on return. Returns info (1 x 1 per matrix): 0, or i if R(i, i) is exactly zero, and the solution is
/// invalid. For larger matrices on CUDA the call allocates a workspace, and waits for its end.
pub fn gels<T: Scalar>(trans: Trans, a: &mut Batch<T>, b: &mut Batch<T>) -> Result<Batch<i32>, Error> {
    same("rows of B, and the larger size of A", b.rows(), a.rows().max(a.columns()))?;
    let (m, n, nrhs, count) = (a.rows() as i64, a.columns() as i64, b.columns() as i64, counts(a, b)?);
    let info = Batch::uninitialised(1, 1, a.count())?;
    let (lda, stride_a, ldb, stride_b) = (a.ld(), a.stride(), b.ld(), b.stride());
    // SAFETY: the pointer is to a local variable.
    let work = workspace(|bytes| unsafe {
        (T::FUNCTIONS.gels_workspace)(trans.code(), m, n, nrhs, lda, stride_a, ldb, stride_b, count, bytes)
    })?;
    check(unsafe {
        (T::FUNCTIONS.gels)(
            trans.code(),
            m,
            n,
            nrhs,
            a.pointer(),
            lda,
            stride_a,
            b.pointer(),
            ldb,
            stride_b,
            info.pointer(),
            count,
            work.pointer().cast(),
            work.bytes(),
            null_mut(),
        )
    })?;
    Ok(info)
}

/// LU factorisation with partial pivoting, P A = L U. The factors overwrite A.
pub fn getrf<T: Scalar>(a: &mut Batch<T>) -> Result<Factored, Error> {
    let pivots = Pivots::unwritten(a.rows(), a.columns(), a.count())?;
    let info = Batch::uninitialised(1, 1, a.count())?;
    let (m, n, count, lda, stride) = (a.rows() as i64, a.columns() as i64, a.count() as i64, a.ld(), a.stride());
    check(unsafe {
        (T::FUNCTIONS.getrf)(
            m,
            n,
            a.pointer(),
            lda,
            stride,
            pivots.indices.pointer(),
            pivots.indices.stride(),
            info.pointer(),
            count,
            null_mut(),
            0,
            null_mut(),
        )
    })?;
    Ok(Factored { pivots, info })
}

/// Solves op(A) X = B with the factors and pivots of [`getrf`]. X overwrites B.
pub fn getrs<T: Scalar>(trans: Trans, a: &Batch<T>, pivots: &Pivots, b: &mut Batch<T>) -> Result<(), Error> {
    let n = square(a)?;
    same("rows of A and B", a.rows(), b.rows())?;
    same("rows of A and of the matrix of the pivots", a.rows(), pivots.rows)?;
    same("rows of A and pivots", a.rows(), pivots.indices.rows())?;
    counts(a, &pivots.indices)?;
    let (nrhs, count, ldb, stride_b) = (b.columns() as i64, counts(a, b)?, b.ld(), b.stride());
    check(unsafe {
        (T::FUNCTIONS.getrs)(
            trans.code(),
            n,
            nrhs,
            a.pointer(),
            a.ld(),
            a.stride(),
            pivots.indices.pointer(),
            pivots.indices.stride(),
            b.pointer(),
            ldb,
            stride_b,
            count,
            null_mut(),
            0,
            null_mut(),
        )
    })
}

/// Solves A X = B by LU with partial pivoting. The factors overwrite A, and X overwrites B.
pub fn gesv<T: Scalar>(a: &mut Batch<T>, b: &mut Batch<T>) -> Result<Factored, Error> {
    let n = square(a)?;
    same("rows of A and B", a.rows(), b.rows())?;
    let (nrhs, count) = (b.columns() as i64, counts(a, b)?);
    let (pivots, info) = (Pivots::unwritten(a.rows(), a.rows(), a.count())?, Batch::uninitialised(1, 1, a.count())?);
    let (lda, stride_a, ldb, stride_b) = (a.ld(), a.stride(), b.ld(), b.stride());
    check(unsafe {
        (T::FUNCTIONS.gesv)(
            n,
            nrhs,
            a.pointer(),
            lda,
            stride_a,
            pivots.indices.pointer(),
            pivots.indices.stride(),
            b.pointer(),
            ldb,
            stride_b,
            info.pointer(),
            count,
            null_mut(),
            0,
            null_mut(),
        )
    })?;
    Ok(Factored { pivots, info })
}

/// Returns the inverses of A, whose contents are destroyed, and info (1 x 1 per matrix): 0, or i if U(i, i) is exactly
/// zero. For larger matrices on CUDA the call allocates a workspace, and waits for its end.
pub fn inv<T: Scalar>(a: &mut Batch<T>) -> Result<(Batch<T>, Batch<i32>), Error> {
    let n = square(a)?;
    let (inverse, info) =
        (Batch::uninitialised(a.rows(), a.columns(), a.count())?, Batch::uninitialised(1, 1, a.count())?);
    let (count, lda, stride) = (a.count() as i64, a.ld(), a.stride());
    // SAFETY: the pointer is to a local variable.
    let work = workspace(|bytes| unsafe {
        (T::FUNCTIONS.inv_workspace)(n, lda, stride, inverse.ld(), inverse.stride(), count, bytes)
    })?;
    check(unsafe {
        (T::FUNCTIONS.inv)(
            n,
            a.pointer(),
            lda,
            stride,
            inverse.pointer(),
            inverse.ld(),
            inverse.stride(),
            info.pointer(),
            count,
            work.pointer().cast(),
            work.bytes(),
            null_mut(),
        )
    })?;
    Ok((inverse, info))
}

/// Cholesky factorisation A = L L^H or U^H U. The factor overwrites its triangle of A. Returns info (1 x 1 per matrix):
/// 0, or the order of the first leading minor that is not positive.
pub fn potrf<T: Scalar>(uplo: Uplo, a: &mut Batch<T>) -> Result<Batch<i32>, Error> {
    let n = square(a)?;
    let info = Batch::uninitialised(1, 1, a.count())?;
    let (count, lda, stride) = (a.count() as i64, a.ld(), a.stride());
    check(unsafe {
        (T::FUNCTIONS.potrf)(uplo.code(), n, a.pointer(), lda, stride, info.pointer(), count, null_mut(), 0, null_mut())
    })?;
    Ok(info)
}

/// Solves A X = B with the factor of [`potrf`]. X overwrites B.
pub fn potrs<T: Scalar>(uplo: Uplo, a: &Batch<T>, b: &mut Batch<T>) -> Result<(), Error> {
    let n = square(a)?;
    same("rows of A and B", a.rows(), b.rows())?;
    let (nrhs, count, ldb, stride_b) = (b.columns() as i64, counts(a, b)?, b.ld(), b.stride());
    check(unsafe {
        (T::FUNCTIONS.potrs)(
            uplo.code(),
            n,
            nrhs,
            a.pointer(),
            a.ld(),
            a.stride(),
            b.pointer(),
            ldb,
            stride_b,
            count,
            null_mut(),
            0,
            null_mut(),
        )
    })
}

/// Solves op(A) X = alpha B or X op(A) = alpha B, where A is the triangle `uplo` with its stored diagonal. X overwrites
/// B.
pub fn trsm<T: Scalar>(
    side: Side,
    uplo: Uplo,
    trans: Trans,
    alpha: T,
    a: &Batch<T>,
    b: &mut Batch<T>,
) -> Result<(), Error> {
    square(a)?;
    same("the order of A and the size of B", a.rows(), if side == Side::Left { b.rows() } else { b.columns() })?;
    let (m, n, count, ldb, stride_b) = (b.rows() as i64, b.columns() as i64, counts(a, b)?, b.ld(), b.stride());
    check(unsafe {
        (T::FUNCTIONS.trsm)(
            side.code(),
            uplo.code(),
            trans.code(),
            sys::TEPHRA_DIAG_NON_UNIT,
            m,
            n,
            &alpha,
            a.pointer(),
            a.ld(),
            a.stride(),
            b.pointer(),
            ldb,
            stride_b,
            count,
            null_mut(),
        )
    })
}

/// Computes C = alpha op(A) op(B) + beta C.
pub fn gemm<T: Scalar>(
    trans_a: Trans,
    trans_b: Trans,
    alpha: T,
    a: &Batch<T>,
    b: &Batch<T>,
    beta: T,
    c: &mut Batch<T>,
) -> Result<(), Error> {
    let sizes =
        |trans, x: &Batch<T>| if trans == Trans::No { (x.rows(), x.columns()) } else { (x.columns(), x.rows()) };
    let ((m, k), (rows, n)) = (sizes(trans_a, a), sizes(trans_b, b));
    same("columns of op(A) and rows of op(B)", k, rows)?;
    same("rows of op(A) and C", m, c.rows())?;
    same("columns of op(B) and C", n, c.columns())?;
    counts(a, b)?;
    let (count, ldc, stride_c) = (counts(a, c)?, c.ld(), c.stride());
    check(unsafe {
        (T::FUNCTIONS.gemm)(
            trans_a.code(),
            trans_b.code(),
            m as i64,
            n as i64,
            k as i64,
            &alpha,
            a.pointer(),
            a.ld(),
            a.stride(),
            b.pointer(),
            b.ld(),
            b.stride(),
            &beta,
            c.pointer(),
            ldc,
            stride_c,
            count,
            null_mut(),
        )
    })
}
