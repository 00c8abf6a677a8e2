//! Least squares of one tall matrix by iteration.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{GelsIterative, Operation, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

/// The one member.
fn one<T>(base: *const T) -> Operand {
    strided(base.cast_mut(), 0)
}

macro_rules! gels_iterative {
    ($($ty:ty: $re:ty: $dtype:ident: $(#[$d:meta])* $name:ident, $(#[$w:meta])* $workspace:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            m: i64, n: i64, nrhs: i64, a: *const $ty, lda: i64, b: *const $ty, ldb: i64, x: *mut $ty, ldx: i64,
            tolerance: f64, max_iterations: i64, iterations: *mut c_int, residuals: *mut $re, info: *mut c_int,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let problem = Operation::GelsIterative(GelsIterative {
                dtype: Dtype::$dtype, m, n, nrhs, a: one(a), lda, b: one(b), ldb, x: one(x), ldx, tolerance,
                max_iterations, iterations, residuals: residuals.cast(), info, batch: 1,
                work: Workspace { p: work, bytes: work_bytes },
            });
            Ok(Status(run(PROTOTYPE, Ok(problem), Stream(stream))))
        }

        $(#[$w])*
        fn $workspace(m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, ldx: i64, bytes: *mut usize) -> Status {
            let [a, b, x] = [one(null_mut::<$ty>()); 3];
            let (iterations, residuals, info, work) = (null_mut(), null_mut(), null_mut(), Workspace::NONE);
            let problem = Operation::GelsIterative(GelsIterative {
                dtype: Dtype::$dtype, m, n, nrhs, a, lda, b, ldb, x, ldx, tolerance: 0.0, max_iterations: 0,
                iterations, residuals, info, batch: 1, work,
            });
            Ok(Status(workspace(PROTOTYPE, Ok(problem), bytes)))
        }
    )*}};
}

gels_iterative! {
    f32: f32: S:
    /// Least squares of one tall matrix by iteration, much faster than tephra_sgels() and as accurate: X minimises the
    /// 2-norm of each column of B - A X; A has at least as many rows as columns, and full rank. A and B stay as they are.
    ///
    /// A^H A is formed in double precision; its Cholesky factor R preconditions conjugate gradients, each of whose steps
    /// reads A once for the true residual r = b - A x of the x that it tries. It stops where
    /// |A^H r| <= tolerance |A| |r|, or where what A's range has of r is at most tolerance (|A| |x| + |b|) (2-norms,
    /// |A| Frobenius's), or where steps bring no more than rounding errors do. One to three steps are usual.
    ///
    /// QR solves as tephra_sgels() does, on copies of A and B from the stream's pool, where A^H A has no usable R (NaNs, or a
    /// condition beyond about 1e8 with columns scaled to one length), where iterations do not end, or where n > 1024. Other
    /// right-hand sides keep their solutions.
    ///
    /// The call waits for the stream, to know whether that is needed. It cannot be captured in a CUDA graph: on a
    /// stream that is captured nothing is done, and TEPHRA_STATUS_NOT_SUPPORTED returned.
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
    /// | 8 | x | receives the n x nrhs solutions, device memory, likewise; no part of A or B |
    /// | 9 | ldx | leading dimension of X, ldx >= max(1,n) |
    /// | 10 | tolerance | >= 0; 0: the type's unit roundoff, 2^-24 for single precision and 2^-52 for double |
    /// | 11 | max_iterations | most steps, >= 0; 0: 16 |
    /// | 12 | iterations | nrhs ints in device memory, or NULL: the steps of each right-hand side after its first solution, or why QR has solved it: -1 A^H A has no usable R, -2 max_iterations were not enough, -3 n > 1024 |
    /// | 13 | residuals | nrhs real numbers in device memory, or NULL: the 2-norm of b - A x for each right-hand side, before x is rounded to single precision |
    /// | 14 | info | an int in device memory, or NULL: 0, or tephra_sgels()'s where QR has solved |
    /// | 15 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 16 | work_bytes | its size, at least what tephra_sgels_iterative_workspace() answers; less is an error |
    /// | 17 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
    ///
    /// Nothing is done and success returned when n or nrhs is 0. A right-hand side with a NaN has NaNs as its solution, and
    /// 0 iterations. Source: Paige and Saunders, LSQR (1982), for when to stop; Bjorck, Numerical Methods for Least Squares
    /// Problems (1996).
    tephra_sgels_iterative,
    /// Workspace of tephra_sgels_iterative() in bytes; 0 on the CPU backend. The arguments are checked as there, and
    /// numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6.
    tephra_sgels_iterative_workspace;

    f64: f64: D:
    /// tephra_sgels_iterative() in double precision.
    tephra_dgels_iterative,
    /// tephra_sgels_iterative_workspace() in double precision.
    tephra_dgels_iterative_workspace;

    C32: f32: C:
    /// tephra_sgels_iterative() in single precision complex.
    tephra_cgels_iterative,
    /// tephra_sgels_iterative_workspace() in single precision complex.
    tephra_cgels_iterative_workspace;

    C64: f64: Z:
    /// tephra_sgels_iterative() in double precision complex.
    tephra_zgels_iterative,
    /// tephra_sgels_iterative_workspace() in double precision complex.
    tephra_zgels_iterative_workspace;
}
