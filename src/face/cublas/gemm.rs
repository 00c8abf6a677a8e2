//! `cublas?gemmBatched`, and what the other matrix products share with it. Errors are reported by the status only.

use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::constants::cublas;
use crate::face::cublas::prototype::{Size, prototype};
use crate::face::cublas::serve;
use crate::face::cublas::serve::Modes;
use crate::gpu::arch::VENDORS;
use crate::routine::{Alpha, Dtype, Gemm, Narrow, Operand, Operation, Routine, Storage, Stream, Verdict, Workspace};
use tephra_vendor::types::*;

/// The arguments of a call through any of the prototypes; scalars are given by their addresses.
pub(super) struct Product {
    pub name: &'static str,
    pub dtype: Dtype,
    /// The storage type of 16-bit matrices; `None` for matrices of `dtype`.
    pub storage: Option<Storage>,
    pub trans: [Int; 2],
    /// m, n and k.
    pub sizes: [i64; 3],
    pub factors: [Scalar; 2],
    pub operands: [Operand; 3],
    /// Leading dimensions.
    pub ld: [i64; 3],
    pub batch: i64,
}

impl Product {
    fn problem(&self, factors: [Alpha; 2]) -> Result<Gemm, Error> {
        let &Product { dtype, sizes, operands, ld, batch, .. } = self;
        let trans = [cublas::trans_a(self.trans[0])?, cublas::trans_b(self.trans[1])?];
        Ok(Gemm { any_stride: true, ..Gemm::uniform(dtype, trans, sizes, factors, operands, ld, batch) })
    }

    pub fn prefers_vendor(&self) -> bool {
        self.storage.is_some() || (VENDORS.gemm)(self.dtype, self.sizes)
    }

    pub fn check(&self) -> Result<Verdict, Error> {
        self.problem(self.factors.map(Alpha::Device))?.check()
    }

    /// # Safety
    /// As cuBLAS documents.
    pub unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        let factors = self.factors.map(|place| unsafe { modes.scalars.read(self.dtype, place) });
        let gemm = self.problem(factors)?;
        let (op, scratch) = match self.storage {
            None => (Operation::Gemm(gemm), WorkspaceSource::Caller),
            Some(storage) => (Operation::Narrow(Narrow::new(storage, gemm, Workspace::NONE)), WorkspaceSource::Library),
        };
        unsafe { call::run(self.name, runtime, &op, stream, scratch) }
    }
}

/// Implements `serve::Call` for each of the prototypes through its `product()`.
macro_rules! impl_call {
    () => {
        impl<S: Size> serve::Call for Call<S> {
            const SCALARS: bool = true;

            fn prefers_vendor(&self) -> bool {
                self.product().is_ok_and(|p| p.prefers_vendor())
            }

            fn check(&self) -> Result<Verdict, Error> {
                self.product()?.check()
            }

            unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
                unsafe { self.product()?.run(runtime, stream, modes) }
            }
        }
    };
}
pub(super) use impl_call;

tephra_vendor::gemm_batched!(prototype $ export_cublas_gemm_batched in gemm<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Result<Product, Error> {
        Ok(Product {
            name: self.name,
            dtype: self.dtype,
            storage: None,
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
