//! QR with column pivoting.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Geqp3, Operation, Sizes, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Shape {
    m: i64,
    n: i64,
    lda: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    Shape { m, n, lda, batch }: Shape,
    sizes: Option<Sizes>,
    [a, jpvt, tau]: [Operand; 3],
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Geqp3(Geqp3 { dtype, m, n, a, lda, sizes, jpvt, tau, info, batch, work })
}

/// The shape of a variable-size batch as the host knows it: the upper bounds of the sizes.
fn largest((m, n): (i64, i64), batch: i64) -> Shape {
    Shape { m, n, lda: 1, batch }
}

macro_rules! geqp3 {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident,
        $(#[$v:meta])* $vbatched:ident, $(#[$vw:meta])* $vbatched_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, a_array: *const *mut $ty, lda: i64, jpvt_array: *const *mut c_int, tau_array: *const *mut $ty,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (shape, work) = (Shape { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [pointers(a_array), pointers(jpvt_array), pointers(tau_array)];
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, shape, None, operands, info, work)), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let shape = Shape { m, n, lda, batch: batch_count };
            let op = problem(Dtype::$dtype, shape, None, [Operand::NULL; 3], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, jpvt: *mut c_int, stride_jpvt: i64, tau: *mut $ty,
            stride_tau: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (shape, work) = (Shape { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [strided(a, stride_a), strided(jpvt, stride_jpvt), strided(tau, stride_tau)];
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, shape, None, operands, info, work)), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, lda: i64, stride_a: i64, stride_jpvt: i64, stride_tau: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let shape = Shape { m, n, lda, batch: batch_count };
            let (a, tau) = (strided(null_mut::<$ty>(), stride_a), strided(null_mut::<$ty>(), stride_tau));
            let jpvt = strided(null_mut::<c_int>(), stride_jpvt);
            let op = problem(Dtype::$dtype, shape, None, [a, jpvt, tau], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$v])*
        fn $vbatched(
            max_m: i64, max_n: i64, m: *const c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int,
            jpvt_array: *const *mut c_int, tau_array: *const *mut $ty, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (shape, sizes) = (largest((max_m, max_n), batch_count), Some(Sizes { m, n, lda }));
            let (operands, work) = (
                [pointers(a_array), pointers(jpvt_array), pointers(tau_array)],
                Workspace { p: work, bytes: work_bytes },
            );
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, shape, sizes, operands, info, work)), Stream(stream))))
        }

        $(#[$vw])*
        fn $vbatched_workspace(max_m: i64, max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (shape, sizes) = (largest((max_m, max_n), batch_count), Some(Sizes::NULL));
            let op = problem(Dtype::$dtype, shape, sizes, [Operand::NULL; 3], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

geqp3! {
    f32: S:
    /// Batched QR factorisation with column pivoting, LAPACK SGEQP3 for each matrix: A(i) P(i) = Q(i) R(i), in place.
    ///
    /// On entry, columns j of A(i) with jpvt(i)[j] != 0 are initial columns: they are moved to the front, in the order
    /// that LAPACK's interchanges produce, and stay there. The others are free. Set all of jpvt to 0 if all columns are
    /// free. On exit jpvt(i)[j] = k means that column j of A(i) P(i) was column k of A(i), both counted from 1. The
    /// elements on and above the diagonal of A(i) hold R(i); those below it, with tau(i), hold Q(i), as
    /// tephra_sgeqrf_batched() leaves them. The diagonal of R is real in the complex types; its absolute values do not
    /// increase over the free columns.
    ///
    /// The next column is the free column whose part below the finished rows of R has the largest norm, the first one
    /// in case of a tie. Norms are downdated, and recomputed where cancellation leaves too few digits (LAPACK Working
    /// Note 176). A NaN counts as larger than any number. A NaN or infinity affects only its own matrix.
    ///
    /// The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
    /// backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns, 0 <= n < 2^31; m < n is allowed |
    /// | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | jpvt_array | batch_count pointers to vectors of n ints, likewise |
    /// | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
    /// | 7 | info | one int per matrix in device memory, set to 0, or NULL |
    /// | 8 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
    /// | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 10 | work_bytes | size of work, at least what tephra_sgeqp3_batched_workspace() reports; a smaller one is an error |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n or batch_count is 0; all of info is then set to 0, and jpvt is left unchanged.
    tephra_sgeqp3_batched,
    /// Workspace of tephra_sgeqp3_batched() in bytes: two norms per column if a matrix does not fit into the memory of
    /// a thread block, else 0; 0 on the CPU. Its arguments are checked as in that call, and are numbered m 1, n 2,
    /// lda 3, batch_count 4.
    tephra_sgeqp3_batched_workspace,
    /// tephra_sgeqp3_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, jpvt(i) at jpvt +
    /// i*stride_jpvt, tau(i) at tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >=
    /// max(1,m), stride_jpvt >= max(1,n) and stride_tau >= max(1,min(m,n)); matrices must not share elements. Arguments
    /// are numbered m 1, n 2, a 3, lda 4, stride_a 5, jpvt 6, stride_jpvt 7, tau 8, stride_tau 9, info 10,
    /// batch_count 11, work 12, work_bytes 13, stream 14.
    tephra_sgeqp3_strided_batched,
    /// Workspace of tephra_sgeqp3_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
    /// stride_jpvt 5, stride_tau 6, batch_count 7.
    tephra_sgeqp3_strided_batched_workspace,
    /// tephra_sgeqp3_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA
    /// graph; each replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed, and leave jpvt(i) as it is. If
    /// the sizes of a matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <=
    /// m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= m[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no matrix has more rows, max_m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | max_n | no matrix has more columns, max_n >= 0, likewise |
    /// | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
    /// | 4 | n | batch_count ints in device memory: columns, likewise |
    /// | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements; not NULL when there is work |
    /// | 6 | lda | batch_count ints in device memory: leading dimensions, in elements; not NULL when there is work |
    /// | 7 | jpvt_array | batch_count pointers to vectors of n[i] ints, likewise |
    /// | 8 | tau_array | batch_count pointers to vectors of max(1,min(m[i],n[i])) elements, likewise |
    /// | 9 | info | one int per matrix in device memory, 0 or as above, or NULL |
    /// | 10 | batch_count | number of matrices, >= 0 |
    /// | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 12 | work_bytes | size of work, at least what tephra_sgeqp3_vbatched_workspace() reports; a smaller one is an error |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0; all of info is then set to 0.
    tephra_sgeqp3_vbatched,
    /// Workspace of tephra_sgeqp3_vbatched() in bytes: two norms for each of max_n columns if a matrix may have more
    /// than 128 rows or columns, else 0; 0 on the CPU. Arguments are numbered max_m 1, max_n 2, batch_count 3.
    tephra_sgeqp3_vbatched_workspace;

    f64: D:
    /// tephra_sgeqp3_batched() in double precision (LAPACK DGEQP3).
    tephra_dgeqp3_batched,
    /// tephra_sgeqp3_batched_workspace() in double precision.
    tephra_dgeqp3_batched_workspace,
    /// tephra_sgeqp3_strided_batched() in double precision.
    tephra_dgeqp3_strided_batched,
    /// tephra_sgeqp3_strided_batched_workspace() in double precision.
    tephra_dgeqp3_strided_batched_workspace,
    /// tephra_sgeqp3_vbatched() in double precision.
    tephra_dgeqp3_vbatched,
    /// tephra_sgeqp3_vbatched_workspace() in double precision.
    tephra_dgeqp3_vbatched_workspace;

    C32: C:
    /// tephra_sgeqp3_batched() in single precision complex (LAPACK CGEQP3).
    tephra_cgeqp3_batched,
    /// tephra_sgeqp3_batched_workspace() in single precision complex.
    tephra_cgeqp3_batched_workspace,
    /// tephra_sgeqp3_strided_batched() in single precision complex.
    tephra_cgeqp3_strided_batched,
    /// tephra_sgeqp3_strided_batched_workspace() in single precision complex.
    tephra_cgeqp3_strided_batched_workspace,
    /// tephra_sgeqp3_vbatched() in single precision complex.
    tephra_cgeqp3_vbatched,
    /// tephra_sgeqp3_vbatched_workspace() in single precision complex.
    tephra_cgeqp3_vbatched_workspace;

    C64: Z:
    /// tephra_sgeqp3_batched() in double precision complex (LAPACK ZGEQP3).
    tephra_zgeqp3_batched,
    /// tephra_sgeqp3_batched_workspace() in double precision complex.
    tephra_zgeqp3_batched_workspace,
    /// tephra_sgeqp3_strided_batched() in double precision complex.
    tephra_zgeqp3_strided_batched,
    /// tephra_sgeqp3_strided_batched_workspace() in double precision complex.
    tephra_zgeqp3_strided_batched_workspace,
    /// tephra_sgeqp3_vbatched() in double precision complex.
    tephra_zgeqp3_vbatched,
    /// tephra_sgeqp3_vbatched_workspace() in double precision complex.
    tephra_zgeqp3_vbatched_workspace;
}
