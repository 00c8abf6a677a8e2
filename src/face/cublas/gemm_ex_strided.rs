//! `cublasGemmStridedBatchedEx`, which supports the same types as `cublasGemmBatchedEx`.

use super::gemm::{Product, impl_call};
use super::gemm_ex::dtype;
use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::routine::{Operand, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::gemm_strided_batched_ex!(prototype $ export_cublas_gemm_strided_batched_ex in gemm_ex_strided<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Result<Product, Error> {
        let (dtype, storage) = dtype([self.type_a, self.type_b, self.type_c], self.compute)?;
        let places = [(self.a, self.stride_a), (self.b, self.stride_b), (self.c, self.stride_c)];
        Ok(Product {
            name: self.name,
            dtype,
            storage,
            trans: [self.trans_a, self.trans_b],
            sizes: [self.m, self.n, self.k].map(Into::into),
            factors: [self.alpha, self.beta],
            operands: places.map(|(base, stride)| Operand::Strided { base, stride }),
            ld: [self.lda, self.ldb, self.ldc].map(Into::into),
            batch: self.batch.into(),
        })
    }
}

impl_call!();
