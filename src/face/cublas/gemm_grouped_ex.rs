//! `cublasGemmGroupedBatchedEx`, for the four types in their own precision. Other combinations are not supported, or
//! with a vendor's handle go to its library.

use super::gemm_ex::dtype;
use super::gemm_grouped::{groups, impl_call, prefers_vendor};
use super::prototype::{Size, prototype};
use super::serve::{self, Modes, Scalars};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::grouped::Groups;
use crate::routine::{Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::gemm_grouped_batched_ex!(prototype $ export_cublas_gemm_grouped_batched_ex in gemm_grouped_ex<Size>:);

impl<S: Size> Call<S> {
    fn groups(&self) -> Result<Groups<S>, Error> {
        let types = [self.type_a, self.type_b, self.type_c];
        let (dtype, None) = dtype(types, self.compute)? else {
            return Err(Error::NotSupported(format!("grouped products of types {types:?}")));
        };
        Ok(groups(
            dtype,
            ([self.trans_a, self.trans_b], [self.m, self.n, self.k], [self.alpha, self.beta]),
            ([self.a, self.b, self.c], [self.lda, self.ldb, self.ldc]),
            (self.count, self.members),
        ))
    }
}

impl_call!();
