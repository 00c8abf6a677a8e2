//! Least squares by iteration.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{GelsIterative, Operation, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

/// The only member of the batch.
fn one<T>(base: *const T) -> Operand {
    strided(base.cast_mut(), 0)
}

struct Sizes {
    m: i64,
    n: i64,
    nrhs: i64,
    lda: i64,
    ldb: i64,
    ldx: i64,
    batch: i64,
}

/// The problem of a workspace query: only its sizes and operands are set.
fn shape(dtype: Dtype, Sizes { m, n, nrhs, lda, ldb, ldx, batch }: Sizes, [a, b, x]: [Operand; 3]) -> GelsIterative {
    let (iterations, residuals, info, work) = (null_mut(), null_mut(), null_mut(), Workspace::NONE);
    let (tolerance, max_iterations) = (0.0, 0);
    GelsIterative {
        dtype,
        m,
        n,
        nrhs,
        a,
        lda,
        b,
        ldb,
        x,
        ldx,
        tolerance,
        max_iterations,
        iterations,
        residuals,
        info,
        batch,
        work,
    }
}

macro_rules! gels_iterative {
    ($($ty:ty: $re:ty: $dtype:ident:
        $(#[$d:meta])* $name:ident, $(#[$w:meta])* $workspace:ident,
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$d])*
        fn $name(
            m: i64, n: i64, nrhs: i64, a: *const $ty, lda: i64, b: *const $ty, ldb: i64, x: *mut $ty, ldx: i64,
            tolerance: f64, max_iterations: i64, iterations: *mut c_int, residuals: *mut $re, info: *mut c_int,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let problem = shape(Dtype::$dtype, Sizes { m, n, nrhs, lda, ldb, ldx, batch: 1 }, [one(a), one(b), one(x)]);
            let (residuals, work) = (residuals.cast(), Workspace { p: work, bytes: work_bytes });
            let problem = GelsIterative { tolerance, max_iterations, iterations, residuals, info, work, ..problem };
            Ok(Status(run(PROTOTYPE, Ok(Operation::GelsIterative(problem)), Stream(stream))))
        }

        $(#[$w])*
        fn $workspace(m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, ldx: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, ldx, batch: 1 };
            let problem = shape(Dtype::$dtype, sizes, [one(null_mut::<$ty>()); 3]);
            Ok(Status(workspace(PROTOTYPE, Ok(Operation::GelsIterative(problem)), bytes)))
        }

        $(#[$b])*
        fn $batched(
            m: i64, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty, ldb: i64,
            x_array: *const *mut $ty, ldx: i64, tolerance: f64, max_iterations: i64, iterations: *mut c_int,
            residuals: *mut $re, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let operands = [pointers(a_array), pointers(b_array), pointers(x_array)];
            let sizes = Sizes { m, n, nrhs, lda, ldb, ldx, batch: batch_count };
            let problem = shape(Dtype::$dtype, sizes, operands);
            let (residuals, work) = (residuals.cast(), Workspace { p: work, bytes: work_bytes });
            let problem = GelsIterative { tolerance, max_iterations, iterations, residuals, info, work, ..problem };
            Ok(Status(run(PROTOTYPE, Ok(Operation::GelsIterative(problem)), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, ldx: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, ldx, batch: batch_count };
            let problem = shape(Dtype::$dtype, sizes, [Operand::NULL; 3]);
            Ok(Status(workspace(PROTOTYPE, Ok(Operation::GelsIterative(problem)), bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, nrhs: i64, a: *const $ty, lda: i64, stride_a: i64, b: *const $ty, ldb: i64, stride_b: i64,
            x: *mut $ty, ldx: i64, stride_x: i64, tolerance: f64, max_iterations: i64, iterations: *mut c_int,
            residuals: *mut $re, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let operands = [strided(a.cast_mut(), stride_a), strided(b.cast_mut(), stride_b), strided(x, stride_x)];
            let sizes = Sizes { m, n, nrhs, lda, ldb, ldx, batch: batch_count };
            let problem = shape(Dtype::$dtype, sizes, operands);
            let (residuals, work) = (residuals.cast(), Workspace { p: work, bytes: work_bytes });
            let problem = GelsIterative { tolerance, max_iterations, iterations, residuals, info, work, ..problem };
            Ok(Status(run(PROTOTYPE, Ok(Operation::GelsIterative(problem)), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, nrhs: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, ldx: i64, stride_x: i64,
            batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let operands = [stride_a, stride_b, stride_x].map(|stride| strided(null_mut::<$ty>(), stride));
            let sizes = Sizes { m, n, nrhs, lda, ldb, ldx, batch: batch_count };
            let problem = shape(Dtype::$dtype, sizes, operands);
            Ok(Status(workspace(PROTOTYPE, Ok(Operation::GelsIterative(problem)), bytes)))
        }
    )*}};
}

gels_iterative! {
    f32: f32: S:
    /// Iterative least squares with one tall matrix, much faster than tephra_sgels() and as accurate: X minimises the
    /// 2-norm of each column of B - A X. A must have at least as many rows as columns, and full rank. A and B are not
    /// modified.
    ///
    /// A^H A is formed in double precision, and its Cholesky factor R preconditions the method of conjugate gradients.
    /// Each step reads A once to compute the true residual r = b - A x of its new x. The iteration stops when |A^H
    /// r| <= tolerance |A| |r|, when the component of r in the range of A is at most tolerance (|A| |x| + |b|), or when
    /// further steps only change x by rounding errors (2-norms, and the Frobenius norm for |A|). One to three steps are
    /// usual.
    ///
    /// The call falls back to QR, as in tephra_sgels(), on copies of A and B in memory of the stream-ordered pool, if
    /// A^H A has no usable R (because of NaNs, or of a condition number of A beyond about 1e8 after its columns are
    /// scaled to equal length), if the iteration does not converge, or if n > 1024. Right-hand sides that have
    /// converged keep their solutions.
    ///
    /// The call waits for the stream to learn whether the fallback is needed. It cannot be captured in a CUDA graph: on
    /// a stream that is being captured it does nothing and returns TEPHRA_STATUS_NOT_SUPPORTED.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of A, m >= 0 |
    /// | 2 | n | columns of A, 0 <= n <= m |
    /// | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 4 | a | an m x n matrix in device memory; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | b | an m x nrhs matrix in device memory, likewise |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
    /// | 8 | x | receives the n x nrhs solutions, device memory, likewise; must not overlap A or B |
    /// | 9 | ldx | leading dimension of X, ldx >= max(1,n) |
    /// | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
    /// | 11 | max_iterations | most steps, >= 0; 0: 16 |
    /// | 12 | iterations | nrhs ints in device memory, or NULL: steps or a reason for the fallback to QR, see below |
    /// | 13 | residuals | nrhs real numbers in device memory, or NULL: the 2-norms of b - A x, see below |
    /// | 14 | info | an int in device memory, or NULL: 0, or that of tephra_sgels() after a fallback to QR |
    /// | 15 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 16 | work_bytes | size of work, at least what tephra_sgels_iterative_workspace() reports; a smaller one is an error |
    /// | 17 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// iterations receives, for each right-hand side, the number of steps after its first solution, or why QR solved
    /// it: -1 if A^H A has no usable R or squares are out of range, -2 if max_iterations were not enough, -3 if n >
    /// 1024. residuals receives the 2-norms of b - A x, before x is rounded to single precision, to within tolerance
    /// (|A| |x| + |b|); for systems that are nearly consistent and have a condition number above about 1e5 it may be
    /// too large (docs/accuracy.md). It is NaN if QR solved the system and info is not 0 or x is not finite.
    ///
    /// The call does nothing and returns success when n or nrhs is 0; info is then set to 0. A right-hand side with a
    /// NaN has NaNs as its solution, and 0 iterations. After a fallback to QR, x and the vector whose norm is the
    /// residual are what tephra_sgels() leaves in B, even if A is not finite: an infinity that it only divides by, as
    /// with a 1 x 1 matrix, makes x 0 and adds nothing to the residual. Sources: Paige and Saunders, LSQR (1982), for
    /// the stopping criteria; Bjorck, Numerical Methods for Least Squares Problems (1996).
    tephra_sgels_iterative,
    /// Workspace of tephra_sgels_iterative() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6.
    tephra_sgels_iterative_workspace,
    /// Batched iterative least squares with tall matrices of one shape: X(i) minimises the 2-norm of each column of
    /// B(i) - A(i) X(i). tephra_sgels_iterative() describes the method.
    ///
    /// The matrices iterate concurrently, in groups whose data fit into 128 MiB of workspace. Each right-hand side of
    /// each matrix converges independently, and those that need the fallback to QR get it independently, on copies in
    /// memory of the stream-ordered pool, of up to 64 MiB of matrices (or a single larger one) at a time. A NaN, an
    /// infinity or a singular matrix does not affect the results of other matrices. The call waits for the stream a few
    /// times per group, and cannot be captured.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of each A, m >= 0 |
    /// | 2 | n | columns of each A, 0 <= n <= m |
    /// | 3 | nrhs | right-hand sides of each, nrhs >= 0 |
    /// | 4 | a_array | batch_count pointers to m x n matrices, which are not modified and may coincide; not NULL when there is work |
    /// | 5 | lda | leading dimension of each A, lda >= max(1,m) |
    /// | 6 | b_array | batch_count pointers to m x nrhs matrices, likewise |
    /// | 7 | ldb | leading dimension of each B, ldb >= max(1,m) |
    /// | 8 | x_array | batch_count pointers to n x nrhs matrices that receive the solutions; must not overlap any A or B, or each other |
    /// | 9 | ldx | leading dimension of each X, ldx >= max(1,n) |
    /// | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
    /// | 11 | max_iterations | most steps, >= 0; 0: 16 |
    /// | 12 | iterations | batch_count * nrhs ints in device memory, nrhs for each matrix, or NULL: as for one matrix |
    /// | 13 | residuals | as many real numbers in device memory, or NULL: the 2-norms of b - A x, likewise |
    /// | 14 | info | one int per matrix in device memory, or NULL: 0, or that of tephra_sgels_batched() after a fallback to QR |
    /// | 15 | batch_count | number of matrices, >= 0 |
    /// | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 17 | work_bytes | size of work, at least what tephra_sgels_iterative_batched_workspace() reports; a smaller one is an error |
    /// | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory. The call does nothing and returns success when n, nrhs or batch_count
    /// is 0; all of info is then set to 0. The division of the rows depends on the batch count, unless
    /// TEPHRA_BATCH_INVARIANT is set. For small matrices tephra_sgels_batched() is faster: see docs/tall-and-large.md.
    tephra_sgels_iterative_batched,
    /// Workspace of tephra_sgels_iterative_batched() in bytes: no more than 128 MiB, unless one matrix needs more; 0 on
    /// the CPU backend. Its arguments are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5,
    /// ldx 6, batch_count 7.
    tephra_sgels_iterative_batched_workspace,
    /// tephra_sgels_iterative_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a
    /// and stride_b are >= 0 (0: one matrix for all members) and stride_x >= max(1,n); solutions must not share
    /// elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9, x 10, ldx 11,
    /// stride_x 12, tolerance 13, max_iterations 14, iterations 15, residuals 16, info 17, batch_count 18, work 19,
    /// work_bytes 20, stream 21.
    tephra_sgels_iterative_strided_batched,
    /// Workspace of tephra_sgels_iterative_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4,
    /// stride_a 5, ldb 6, stride_b 7, ldx 8, stride_x 9, batch_count 10.
    tephra_sgels_iterative_strided_batched_workspace;

    f64: f64: D:
    /// tephra_sgels_iterative() in double precision.
    tephra_dgels_iterative,
    /// tephra_sgels_iterative_workspace() in double precision.
    tephra_dgels_iterative_workspace,
    /// tephra_sgels_iterative_batched() in double precision.
    tephra_dgels_iterative_batched,
    /// tephra_sgels_iterative_batched_workspace() in double precision.
    tephra_dgels_iterative_batched_workspace,
    /// tephra_sgels_iterative_strided_batched() in double precision.
    tephra_dgels_iterative_strided_batched,
    /// tephra_sgels_iterative_strided_batched_workspace() in double precision.
    tephra_dgels_iterative_strided_batched_workspace;

    C32: f32: C:
    /// tephra_sgels_iterative() in single precision complex.
    tephra_cgels_iterative,
    /// tephra_sgels_iterative_workspace() in single precision complex.
    tephra_cgels_iterative_workspace,
    /// tephra_sgels_iterative_batched() in single precision complex.
    tephra_cgels_iterative_batched,
    /// tephra_sgels_iterative_batched_workspace() in single precision complex.
    tephra_cgels_iterative_batched_workspace,
    /// tephra_sgels_iterative_strided_batched() in single precision complex.
    tephra_cgels_iterative_strided_batched,
    /// tephra_sgels_iterative_strided_batched_workspace() in single precision complex.
    tephra_cgels_iterative_strided_batched_workspace;

    C64: f64: Z:
    /// tephra_sgels_iterative() in double precision complex.
    tephra_zgels_iterative,
    /// tephra_sgels_iterative_workspace() in double precision complex.
    tephra_zgels_iterative_workspace,
    /// tephra_sgels_iterative_batched() in double precision complex.
    tephra_zgels_iterative_batched,
    /// tephra_sgels_iterative_batched_workspace() in double precision complex.
    tephra_zgels_iterative_batched_workspace,
    /// tephra_sgels_iterative_strided_batched() in double precision complex.
    tephra_zgels_iterative_strided_batched,
    /// tephra_sgels_iterative_strided_batched_workspace() in double precision complex.
    tephra_zgels_iterative_strided_batched_workspace;
}
