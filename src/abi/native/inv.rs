//! Inverses.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Inv, Operation, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Sizes {
    n: i64,
    lda: i64,
    ldc: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    Sizes { n, lda, ldc, batch }: Sizes,
    [a, c]: [Operand; 2],
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Inv(Inv { dtype, n, a, lda, c, ldc, info, batch, work })
}

macro_rules! inv {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            n: i64, a_array: *const *mut $ty, lda: i64, c_array: *const *mut $ty, ldc: i64, info: *mut c_int,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, ldc, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [pointers(a_array), pointers(c_array)];
            let op = problem(Dtype::$dtype, sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(n: i64, lda: i64, ldc: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { n, lda, ldc, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, [Operand::NULL; 2], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            n: i64, a: *mut $ty, lda: i64, stride_a: i64, c: *mut $ty, ldc: i64, stride_c: i64,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, ldc, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [strided(a, stride_a), strided(c, stride_c)];
            let op = problem(Dtype::$dtype, sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            n: i64, lda: i64, stride_a: i64, ldc: i64, stride_c: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, lda, ldc, batch: batch_count };
            let operands = [stride_a, stride_c].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

inv! {
    f32: S:
    /// Batched inverses: C(i) := A(i)^-1, by an LU factorisation with pivoting (LAPACK SGETRF and SGETRI). It is in
    /// place if C is A; otherwise A is not modified.
    ///
    /// If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
    /// nothing (except where tephra_sgetrf_batched() uses scratch memory) and can be captured in a CUDA graph. A NaN or
    /// infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | n | order of A, n >= 0 |
    /// | 2 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 3 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 4 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not overlap A |
    /// | 5 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
    /// | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_sinv_batched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n or batch_count is 0; all of info is then set to 0.
    tephra_sinv_batched,
    /// Workspace of tephra_sinv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered n 1, lda 2, ldc 3, batch_count 4.
    tephra_sinv_batched_workspace,
    /// tephra_sinv_batched() for matrices at a constant stride (in elements). c may be a itself, with ldc = lda and
    /// stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 (0: one for all members) and stride_c >=
    /// max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, c 5, ldc 6, stride_c 7, info 8, batch_count 9,
    /// work 10, work_bytes 11, stream 12.
    tephra_sinv_strided_batched,
    /// Workspace of tephra_sinv_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, ldc 4, stride_c
    /// 5, batch_count 6.
    tephra_sinv_strided_batched_workspace;

    f64: D:
    /// tephra_sinv_batched() in double precision.
    tephra_dinv_batched,
    /// tephra_sinv_batched_workspace() in double precision.
    tephra_dinv_batched_workspace,
    /// tephra_sinv_strided_batched() in double precision.
    tephra_dinv_strided_batched,
    /// tephra_sinv_strided_batched_workspace() in double precision.
    tephra_dinv_strided_batched_workspace;

    C32: C:
    /// tephra_sinv_batched() in single precision complex.
    tephra_cinv_batched,
    /// tephra_sinv_batched_workspace() in single precision complex.
    tephra_cinv_batched_workspace,
    /// tephra_sinv_strided_batched() in single precision complex.
    tephra_cinv_strided_batched,
    /// tephra_sinv_strided_batched_workspace() in single precision complex.
    tephra_cinv_strided_batched_workspace;

    C64: Z:
    /// tephra_sinv_batched() in double precision complex.
    tephra_zinv_batched,
    /// tephra_sinv_batched_workspace() in double precision complex.
    tephra_zinv_batched_workspace,
    /// tephra_sinv_strided_batched() in double precision complex.
    tephra_zinv_strided_batched,
    /// tephra_sinv_strided_batched_workspace() in double precision complex.
    tephra_zinv_strided_batched_workspace;
}
