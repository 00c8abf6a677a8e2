//! `cublasGemmBatchedEx`, for the four types in their own precision, and for FP16 and BF16 with FP32 arithmetic. With a
//! handle of the vendor's, the 16-bit types go to the vendor's library, which uses tensor cores. Other combinations are
//! not supported, or with a vendor's handle go to its library.

use super::gemm::{Product, impl_call};
use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::routine::{Dtype, Operand, Storage, Stream, Verdict};
use tephra_vendor::types::*;

/// The type that a product of matrices of these `cudaDataType`s computes in with the `cublasComputeType_t` `compute`,
/// and the storage type of 16-bit elements.
pub(super) fn dtype(types: [Int; 3], compute: Int) -> Result<(Dtype, Option<Storage>), Error> {
    const SINGLE: [Int; 2] = [68, 69]; // CUBLAS_COMPUTE_32F, and pedantic
    const DOUBLE: [Int; 2] = [70, 71];
    let (dtype, storage, precision) = match types {
        [0, 0, 0] => (Dtype::S, None, SINGLE),
        [1, 1, 1] => (Dtype::D, None, DOUBLE),
        [2, 2, 2] => (Dtype::S, Some(Storage::Fp16), SINGLE),
        [4, 4, 4] => (Dtype::C, None, SINGLE),
        [5, 5, 5] => (Dtype::Z, None, DOUBLE),
        [14, 14, 14] => (Dtype::S, Some(Storage::Bf16), SINGLE),
        _ => return Err(Error::NotSupported(format!("products of types {types:?}"))),
    };
    if precision.contains(&compute) {
        Ok((dtype, storage))
    } else {
        Err(Error::NotSupported(format!("products of types {types:?} in compute type {compute}")))
    }
}

tephra_vendor::gemm_batched_ex!(prototype $ export_cublas_gemm_batched_ex in gemm_ex<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Result<Product, Error> {
        let (dtype, storage) = dtype([self.type_a, self.type_b, self.type_c], self.compute)?;
        Ok(Product {
            name: self.name,
            dtype,
            storage,
            trans: [self.trans_a, self.trans_b],
            sizes: [self.m, self.n, self.k].map(Into::into),
            factors: [self.alpha, self.beta],
            operands: [self.a, self.b, self.c].map(Operand::Pointers),
            ld: [self.lda, self.ldb, self.ldc].map(Into::into),
            batch: self.batch.into(),
        })
    }
}

impl_call!();
