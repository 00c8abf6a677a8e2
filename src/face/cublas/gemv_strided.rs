//! `cublas?gemvStridedBatched`. As in cuBLAS, strides are not checked.

use super::gemv::{Product, gemv_status, impl_call};
use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use super::status::Status;
use crate::backend::Runtime;
use crate::error::Error;
use crate::routine::{Operand, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::gemv_strided_batched!(prototype $ export_cublas_gemv_strided_batched in gemv_strided<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Product {
        let places = [(self.a, self.stride_a), (self.x, self.stride_x), (self.y, self.stride_y)];
        Product {
            name: self.name,
            dtype: self.dtype,
            trans: self.trans,
            sizes: [self.m, self.n].map(Into::into),
            factors: [self.alpha, self.beta],
            operands: places.map(|(base, stride)| Operand::Strided { base, stride }),
            lda: self.lda.into(),
            inc: [self.incx, self.incy].map(Into::into),
            batch: self.batch.into(),
        }
    }
}

impl_call!();
