//! `cublasGemmBatchedEx`, for the four types in their own precision; other combinations are not supported, or the vendor's.

use super::gemm::{Product, served};
use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::routine::{Dtype, Operand, Stream, Verdict};
use tephra_vendor::types::*;

/// The type of a product of matrices of these `cudaDataType`s in a `cublasComputeType_t`.
pub(super) fn dtype(types: [Int; 3], compute: Int) -> Result<Dtype, Error> {
    const SINGLE: [Int; 2] = [68, 69]; // CUBLAS_COMPUTE_32F, and pedantic
    const DOUBLE: [Int; 2] = [70, 71];
    let (dtype, precision) = match types {
        [0, 0, 0] => (Dtype::S, SINGLE),
        [1, 1, 1] => (Dtype::D, DOUBLE),
        [4, 4, 4] => (Dtype::C, SINGLE),
        [5, 5, 5] => (Dtype::Z, DOUBLE),
        _ => return Err(Error::NotSupported(format!("products of types {types:?}"))),
    };
    if precision.contains(&compute) {
        Ok(dtype)
    } else {
        Err(Error::NotSupported(format!("products of types {types:?} in compute type {compute}")))
    }
}

tephra_vendor::gemm_batched_ex!(prototype $ export_cublas_gemm_batched_ex in gemm_ex<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Result<Product, Error> {
        Ok(Product {
            name: self.name,
            dtype: dtype([self.type_a, self.type_b, self.type_c], self.compute)?,
            trans: [self.trans_a, self.trans_b],
            sizes: [self.m, self.n, self.k].map(Into::into),
            factors: [self.alpha, self.beta],
            operands: [self.a, self.b, self.c].map(Operand::Pointers),
            ld: [self.lda, self.ldb, self.ldc].map(Into::into),
            batch: self.batch.into(),
        })
    }
}

served!();
