//! Inverses from an LU factorisation.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Getri, Operation, Workspace};
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
    [a, ipiv, c]: [Operand; 3],
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Getri(Getri { dtype, n, a, lda, ipiv, c, ldc, sizes: None, info, batch, work })
}

macro_rules! getri {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            n: i64, a_array: *const *mut $ty, lda: i64, ipiv_array: *const *mut c_int, c_array: *const *mut $ty, ldc: i64, info: *mut c_int,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, ldc, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(c_array)];
            let op = problem(Dtype::$dtype, sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(n: i64, lda: i64, ldc: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { n, lda, ldc, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, [Operand::NULL; 3], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            n: i64, a: *mut $ty, lda: i64, stride_a: i64, ipiv: *const c_int, stride_ipiv: i64, c: *mut $ty, ldc: i64, stride_c: i64,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, ldc, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let operands = [strided(a, stride_a), strided(ipiv.cast_mut(), stride_ipiv), strided(c, stride_c)];
            let op = problem(Dtype::$dtype, sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            n: i64, lda: i64, stride_a: i64, stride_ipiv: i64, ldc: i64, stride_c: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, lda, ldc, batch: batch_count };
            let operands = [stride_a, stride_ipiv, stride_c].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

getri! {
    f32: S:
    /// Batched LAPACK SGETRI: C(i) := A(i)^-1, from the factors that tephra_sgetrf_batched() or
    /// tephra_sgetrf_nopiv_batched() left in A(i); in place if C is A.
    ///
    /// If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
    /// nothing and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | n | order of A, n >= 0 |
    /// | 2 | a_array | batch_count pointers to the factors; not NULL when there is work |
    /// | 3 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 4 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no interchanges |
    /// | 5 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not overlap A |
    /// | 6 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
    /// | 7 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 10 | work_bytes | size of work, at least what tephra_sgetri_batched_workspace() reports; a smaller one is an error |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
    /// nothing and returns success when n or batch_count is 0; all of info is then set to 0.
    tephra_sgetri_batched,
    /// Workspace of tephra_sgetri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered n 1, lda 2, ldc 3, batch_count 4.
    tephra_sgetri_batched_workspace,
    /// tephra_sgetri_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). c may be a itself,
    /// with ldc = lda and stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 and stride_ipiv >= 0 (0:
    /// one for all members), stride_c >= max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, ipiv 5,
    /// stride_ipiv 6, c 7, ldc 8, stride_c 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
    tephra_sgetri_strided_batched,
    /// Workspace of tephra_sgetri_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, stride_ipiv 4,
    /// ldc 5, stride_c 6, batch_count 7.
    tephra_sgetri_strided_batched_workspace;

    f64: D:
    /// tephra_sgetri_batched() in double precision (LAPACK DGETRI).
    tephra_dgetri_batched,
    /// tephra_sgetri_batched_workspace() in double precision.
    tephra_dgetri_batched_workspace,
    /// tephra_sgetri_strided_batched() in double precision.
    tephra_dgetri_strided_batched,
    /// tephra_sgetri_strided_batched_workspace() in double precision.
    tephra_dgetri_strided_batched_workspace;

    C32: C:
    /// tephra_sgetri_batched() in single precision complex (LAPACK CGETRI).
    tephra_cgetri_batched,
    /// tephra_sgetri_batched_workspace() in single precision complex.
    tephra_cgetri_batched_workspace,
    /// tephra_sgetri_strided_batched() in single precision complex.
    tephra_cgetri_strided_batched,
    /// tephra_sgetri_strided_batched_workspace() in single precision complex.
    tephra_cgetri_strided_batched_workspace;

    C64: Z:
    /// tephra_sgetri_batched() in double precision complex (LAPACK ZGETRI).
    tephra_zgetri_batched,
    /// tephra_sgetri_batched_workspace() in double precision complex.
    tephra_zgetri_batched_workspace,
    /// tephra_sgetri_strided_batched() in double precision complex.
    tephra_zgetri_strided_batched,
    /// tephra_sgetri_strided_batched_workspace() in double precision complex.
    tephra_zgetri_strided_batched_workspace;
}
