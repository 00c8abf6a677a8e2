//! Row and column interchanges.

use std::ffi::c_int;
use tephra_core::face::magma::laswp::{Block, Call, Permutation, column_serial, row_parallel, row_serial};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! laswp {
    ($($dtype:ident: $row_serial:ident $column_serial:ident $row_parallel:ident;)*) => { entry! {$(
        fn $row_serial(
            n: c_int, a: Pointers, lda: c_int, k1: c_int, k2: c_int, ipiv: Pointers, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($row_serial), Dtype::$dtype);
            row_serial(&Call { name, dtype, n, a, lda, k1, k2, ipiv, batch, queue })
        }

        fn $column_serial(
            n: c_int, a: Pointers, lda: c_int, k1: c_int, k2: c_int, ipiv: Pointers, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($column_serial), Dtype::$dtype);
            column_serial(&Call { name, dtype, n, a, lda, k1, k2, ipiv, batch, queue })
        }

        fn $row_parallel(
            n: c_int, input: Pointers, input_i: c_int, input_j: c_int, ldi: c_int, output: Pointers, output_i: c_int,
            output_j: c_int, ldo: c_int, k1: c_int, k2: c_int, pivinfo: Pointers, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($row_parallel), Dtype::$dtype);
            let input = Block { array: input, row: input_i, column: input_j, ld: ldi };
            let output = Block { array: output, row: output_i, column: output_j, ld: ldo };
            row_parallel(&Permutation { name, dtype, n, input, output, k1, k2, order: pivinfo, batch, queue })
        }
    )*}};
}

laswp! {
    S: magma_slaswp_rowserial_batched magma_slaswp_columnserial_batched magma_slaswp_rowparallel_batched;
    D: magma_dlaswp_rowserial_batched magma_dlaswp_columnserial_batched magma_dlaswp_rowparallel_batched;
    C: magma_claswp_rowserial_batched magma_claswp_columnserial_batched magma_claswp_rowparallel_batched;
    Z: magma_zlaswp_rowserial_batched magma_zlaswp_columnserial_batched magma_zlaswp_rowparallel_batched;
}
