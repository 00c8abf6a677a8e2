//! Matrix products.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::gemm::{BlockOperand, Call, gemm, gemm_at, gemm_on_host, gemm_strided};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::routine::Alpha;
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, Operand, entry};

type Raw = *mut c_void;

fn whole(array: Pointers, ld: c_int) -> BlockOperand {
    block(array, [0; 2], ld)
}

fn block(array: Pointers, at: [c_int; 2], ld: c_int) -> BlockOperand {
    BlockOperand { matrices: Operand::Pointers(array), at, ld }
}

fn strided(base: Raw, ld: c_int, stride: c_int) -> BlockOperand {
    BlockOperand { matrices: Operand::Strided { base, stride: stride.into() }, at: [0; 2], ld }
}

macro_rules! gemm_batched {
    ($($ty:ty: $dtype:ident: $($name:ident),*; at $($at:ident),*; $strided:ident; $host:ident;)*) => { entry! {$(
        $(fn $name(
            trans_a: c_int, trans_b: c_int, m: c_int, n: c_int, k: c_int, alpha: $ty, a: Pointers, lda: c_int, b: Pointers,
            ldb: c_int, beta: $ty, c: Pointers, ldc: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, trans, sizes) = (stringify!($name), Dtype::$dtype, [trans_a, trans_b], [m, n, k]);
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [whole(a, lda), whole(b, ldb), whole(c, ldc)]);
            gemm(&Call { name, dtype, trans, sizes, factors, operands, batch }, queue)
        })*

        $(fn $at(
            trans_a: c_int, trans_b: c_int, m: c_int, n: c_int, k: c_int, alpha: $ty,
            a: Pointers, ai: c_int, aj: c_int, lda: c_int, b: Pointers, bi: c_int, bj: c_int, ldb: c_int,
            beta: $ty, c: Pointers, ci: c_int, cj: c_int, ldc: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, trans, sizes) = (stringify!($at), Dtype::$dtype, [trans_a, trans_b], [m, n, k]);
            let operands = [block(a, [ai, aj], lda), block(b, [bi, bj], ldb), block(c, [ci, cj], ldc)];
            let factors = [alpha, beta].map(Alpha::host);
            gemm_at(&Call { name, dtype, trans, sizes, factors, operands, batch }, queue)
        })*

        fn $strided(
            trans_a: c_int, trans_b: c_int, m: c_int, n: c_int, k: c_int, alpha: $ty, a: Raw, lda: c_int, stride_a: c_int,
            b: Raw, ldb: c_int, stride_b: c_int, beta: $ty, c: Raw, ldc: c_int, stride_c: c_int, batch: c_int,
            queue: RawQueue,
        ) {
            let (name, dtype, trans, sizes) = (stringify!($strided), Dtype::$dtype, [trans_a, trans_b], [m, n, k]);
            let operands = [strided(a, lda, stride_a), strided(b, ldb, stride_b), strided(c, ldc, stride_c)];
            let factors = [alpha, beta].map(Alpha::host);
            gemm_strided(&Call { name, dtype, trans, sizes, factors, operands, batch }, queue)
        }

        fn $host(
            trans_a: c_int, trans_b: c_int, m: c_int, n: c_int, k: c_int, alpha: $ty, a: Pointers, lda: c_int, b: Pointers,
            ldb: c_int, beta: $ty, c: Pointers, ldc: c_int, batch: c_int,
        ) {
            let (name, dtype, trans, sizes) = (stringify!($host), Dtype::$dtype, [trans_a, trans_b], [m, n, k]);
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [whole(a, lda), whole(b, ldb), whole(c, ldc)]);
            gemm_on_host(&Call { name, dtype, trans, sizes, factors, operands, batch })
        }
    )*}};
}

gemm_batched! {
    f32: S: magma_sgemm_batched, magmablas_sgemm_batched;
        at magma_sgemm_batched_core, magmablas_sgemm_batched_core, magmablas_sgemm_batched_smallsq;
        magmablas_sgemm_batched_strided; blas_sgemm_batched;
    f64: D: magma_dgemm_batched, magmablas_dgemm_batched;
        at magma_dgemm_batched_core, magmablas_dgemm_batched_core, magmablas_dgemm_batched_smallsq;
        magmablas_dgemm_batched_strided; blas_dgemm_batched;
    C32: C: magma_cgemm_batched, magmablas_cgemm_batched;
        at magma_cgemm_batched_core, magmablas_cgemm_batched_core, magmablas_cgemm_batched_smallsq;
        magmablas_cgemm_batched_strided; blas_cgemm_batched;
    C64: Z: magma_zgemm_batched, magmablas_zgemm_batched;
        at magma_zgemm_batched_core, magmablas_zgemm_batched_core, magmablas_zgemm_batched_smallsq;
        magmablas_zgemm_batched_strided; blas_zgemm_batched;
}
