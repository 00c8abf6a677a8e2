//! Triangular solves.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Operation, Trsm};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    lda: i64,
    ldb: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flags: [c_int; 4],
    Sizes { m, n, lda, ldb, batch }: Sizes,
    alpha: Alpha,
    [a, b]: [Operand; 2],
) -> Result<Operation, Error> {
    let (side, uplo) = (side(flags[0])?, uplo(flags[1])?);
    let (trans, diag) = (trans(flags[2])?, diag(flags[3])?);
    Ok(Operation::Trsm(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch }))
}

macro_rules! trsm {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: i64, n: i64, alpha: *const $ty,
            a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty, ldb: i64, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldb, batch: batch_count };
            let operands = [pointers(a_array), pointers(b_array)];
            let op = problem(Dtype::$dtype, [side, uplo, trans, diag], sizes, Alpha::read(Dtype::$dtype, alpha.cast()), operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: i64, n: i64, alpha: *const $ty, a: *const $ty,
            lda: i64, stride_a: i64, b: *mut $ty, ldb: i64, stride_b: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, ldb, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, [side, uplo, trans, diag], sizes, Alpha::read(Dtype::$dtype, alpha.cast()), operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

trsm! {
    f32: S:
    /// Batched BLAS STRSM: B(i) := alpha op(A(i))^-1 B(i) or alpha B(i) op(A(i))^-1, A(i) triangular.
    ///
    /// The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
    /// a division by zero is limited to B(i). With alpha = 0, B is set to zero and A is not read (and may be NULL).
    /// Members of the batch may share one A. The call is asynchronous on the stream, allocates nothing, needs no
    /// workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 3 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 5 | m | rows of B, m >= 0 |
    /// | 6 | n | columns of B, n >= 0 |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
    /// | 9 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 10 | b_array | batch_count pointers to m x n matrices, likewise |
    /// | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
    /// | 12 | batch_count | number of matrices, >= 0 |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_strsm_batched,
    /// tephra_strsm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
    /// alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
    tephra_strsm_strided_batched;

    f64: D:
    /// tephra_strsm_batched() in double precision.
    tephra_dtrsm_batched,
    /// tephra_strsm_strided_batched() in double precision.
    tephra_dtrsm_strided_batched;

    C32: C:
    /// tephra_strsm_batched() in single precision complex.
    tephra_ctrsm_batched,
    /// tephra_strsm_strided_batched() in single precision complex.
    tephra_ctrsm_strided_batched;

    C64: Z:
    /// tephra_strsm_batched() in double precision complex.
    tephra_ztrsm_batched,
    /// tephra_strsm_strided_batched() in double precision complex.
    tephra_ztrsm_strided_batched;
}
