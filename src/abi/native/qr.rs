//! QR with explicit factors.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Qr, QrStage, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    lda: i64,
    ldq: i64,
    ldr: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flag: c_int,
    Sizes { m, n, lda, ldq, ldr, batch }: Sizes,
    [a, q, r]: [Operand; 3],
    work: Workspace,
) -> Result<Operation, Error> {
    Ok(Operation::Qr(Qr { dtype, m, n, part: part(flag)?, stage: QrStage::Whole, a, lda, q, ldq, r, ldr, batch, work }))
}

macro_rules! qr {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            part: c_int, m: i64, n: i64, a_array: *const *mut $ty, lda: i64, q_array: *const *mut $ty, ldq: i64,
            r_array: *const *mut $ty, ldr: i64, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldq, ldr, batch: batch_count };
            let operands = [pointers(a_array), pointers(q_array), pointers(r_array)];
            let op = problem(Dtype::$dtype, part, sizes, operands, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            part: c_int, m: i64, n: i64, lda: i64, ldq: i64, ldr: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldq, ldr, batch: batch_count };
            let op = problem(Dtype::$dtype, part, sizes, [Operand::NULL; 3], Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            part: c_int, m: i64, n: i64, a: *const $ty, lda: i64, stride_a: i64, q: *mut $ty, ldq: i64, stride_q: i64,
            r: *mut $ty, ldr: i64, stride_r: i64, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldq, ldr, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(q, stride_q), strided(r, stride_r)];
            let op = problem(Dtype::$dtype, part, sizes, operands, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            part: c_int, m: i64, n: i64, lda: i64, stride_a: i64, ldq: i64, stride_q: i64, ldr: i64, stride_r: i64,
            batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldq, ldr, batch: batch_count };
            let operands = [stride_a, stride_q, stride_r].map(|stride| strided(std::ptr::null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, part, sizes, operands, Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

qr! {
    f32: S:
    /// Batched QR with explicit factors, in one call: A(i) = Q(i) R(i). A is not modified.
    ///
    /// The factors are those of LAPACK SGEQRF and SORGQR: the signs of R are LAPACK's, and R is zero below its
    /// diagonal. With TEPHRA_Q_THIN, Q is m x k and R is k x n, k = min(m,n). With TEPHRA_Q_FULL, Q is m x m and R is m
    /// x n. With TEPHRA_Q_NONE, R is k x n, and Q is not formed. The call is asynchronous on the stream, allocates
    /// nothing (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all
    /// reflectors act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects
    /// only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
    /// | 7 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
    /// | 8 | r_array | batch_count pointers, receive R |
    /// | 9 | ldr | leading dimension of R, at least max(1, rows of R) |
    /// | 10 | batch_count | number of matrices, >= 0 |
    /// | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 12 | work_bytes | size of work, at least what tephra_sqr_batched_workspace() reports; a smaller one is an error |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// A thin Q with m >= n may overwrite A: q_array is then a_array, and ldq is lda. Otherwise A, Q and R must not
    /// overlap. Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n or batch_count is 0, except that with n = 0 a full Q is set to the identity.
    tephra_sqr_batched,
    /// Workspace of tephra_sqr_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call, and
    /// are numbered part 1, m 2, n 3, lda 4, ldq 5, ldr 6, batch_count 7.
    tephra_sqr_batched_workspace,
    /// tephra_sqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0, and
    /// stride_q and stride_r at least the rows of Q and R; matrices that are written must not share elements. For a
    /// thin Q that overwrites A, q, ldq and stride_q are those of A. Arguments are numbered part 1, m 2, n 3, a 4,
    /// lda 5, stride_a 6, q 7, ldq 8, stride_q 9, r 10, ldr 11, stride_r 12, batch_count 13, work 14, work_bytes 15,
    /// stream 16.
    tephra_sqr_strided_batched,
    /// Workspace of tephra_sqr_strided_batched() in bytes. Arguments are numbered part 1, m 2, n 3, lda 4, stride_a 5,
    /// ldq 6, stride_q 7, ldr 8, stride_r 9, batch_count 10.
    tephra_sqr_strided_batched_workspace;

    f64: D:
    /// tephra_sqr_batched() in double precision.
    tephra_dqr_batched,
    /// tephra_sqr_batched_workspace() in double precision.
    tephra_dqr_batched_workspace,
    /// tephra_sqr_strided_batched() in double precision.
    tephra_dqr_strided_batched,
    /// tephra_sqr_strided_batched_workspace() in double precision.
    tephra_dqr_strided_batched_workspace;

    C32: C:
    /// tephra_sqr_batched() in single precision complex.
    tephra_cqr_batched,
    /// tephra_sqr_batched_workspace() in single precision complex.
    tephra_cqr_batched_workspace,
    /// tephra_sqr_strided_batched() in single precision complex.
    tephra_cqr_strided_batched,
    /// tephra_sqr_strided_batched_workspace() in single precision complex.
    tephra_cqr_strided_batched_workspace;

    C64: Z:
    /// tephra_sqr_batched() in double precision complex.
    tephra_zqr_batched,
    /// tephra_sqr_batched_workspace() in double precision complex.
    tephra_zqr_batched_workspace,
    /// tephra_sqr_strided_batched() in double precision complex.
    tephra_zqr_strided_batched,
    /// tephra_sqr_strided_batched_workspace() in double precision complex.
    tephra_zqr_strided_batched_workspace;
}
