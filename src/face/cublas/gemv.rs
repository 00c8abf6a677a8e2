//! `cublas?gemvBatched`, and what `cublas?gemvStridedBatched` shares with it.
//!
//! Edge cases, as measured with cuBLAS 13.1: with a negative size or an invalid transposition it does nothing and
//! returns success; increments may be 0; a negative batch count returns EXECUTION_FAILED.

use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::constants::cublas;
use crate::face::cublas::prototype::{Size, prototype};
use crate::face::cublas::serve;
use crate::face::cublas::serve::{Modes, status};
use crate::face::cublas::status::Status;
use crate::gpu::arch::VENDORS;
use crate::routine::{Alpha, Dtype, Gemv, Operand, Operation, Routine, Stream, Verdict};
use tephra_vendor::types::*;

/// The arguments of a call through either prototype; scalars are given by their addresses.
pub(super) struct Product {
    pub name: &'static str,
    pub dtype: Dtype,
    pub trans: Int,
    /// m and n.
    pub sizes: [i64; 2],
    pub factors: [Scalar; 2],
    /// A, x and y.
    pub operands: [Operand; 3],
    pub lda: i64,
    /// Increments of x and y.
    pub inc: [i64; 2],
    pub batch: i64,
}

impl Product {
    /// Returns `None` for arguments with which cuBLAS does nothing and returns success.
    fn problem(&self, [alpha, beta]: [Alpha; 2]) -> Option<Gemv> {
        let (&[m, n], &[a, x, y], &[incx, incy]) = (&self.sizes, &self.operands, &self.inc);
        let (dtype, lda, batch, sizes, first, any_stride) = (self.dtype, self.lda, self.batch, None, [0; 3], true);
        let trans = cublas::trans(self.trans).ok().filter(|_| m >= 0 && n >= 0)?;
        Some(Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride })
    }

    pub fn prefers_vendor(&self) -> bool {
        (VENDORS.gemv)(self.dtype, self.trans != 0, self.sizes)
    }

    pub fn check(&self) -> Result<Verdict, Error> {
        self.problem(self.factors.map(Alpha::Device)).map_or(Ok(Verdict::QuickReturn), |p| p.check())
    }

    /// # Safety
    /// As cuBLAS documents.
    pub unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        let factors = self.factors.map(|place| unsafe { modes.scalars.read(self.dtype, place) });
        let Some(p) = self.problem(factors) else { return Ok(()) };
        unsafe { call::run(self.name, runtime, &Operation::Gemv(p), stream, WorkspaceSource::Caller) }
    }
}

/// Implements `serve::Call` for both prototypes through their `product()`.
macro_rules! impl_call {
    () => {
        impl<S: Size> serve::Call for Call<S> {
            const SCALARS: bool = true;

            fn prefers_vendor(&self) -> bool {
                self.product().prefers_vendor()
            }

            fn check(&self) -> Result<Verdict, Error> {
                self.product().check()
            }

            unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
                unsafe { self.product().run(runtime, stream, modes) }
            }

            unsafe fn finish(&self, result: Result<(), Error>) -> Status {
                gemv_status(self.name, result)
            }
        }
    };
}
pub(super) use impl_call;

/// The status of a result.
pub(super) fn gemv_status(name: &str, result: Result<(), Error>) -> Status {
    let bad_batch = result.as_ref().is_err_and(|error| error.argument() == Some(Arg::BatchCount));
    let status = status(name, result);
    if bad_batch { Status::EXECUTION_FAILED } else { status }
}

tephra_vendor::gemv_batched!(prototype $ export_cublas_gemv_batched in gemv<Size>:);

impl<S: Size> Call<S> {
    fn product(&self) -> Product {
        Product {
            name: self.name,
            dtype: self.dtype,
            trans: self.trans,
            sizes: [self.m, self.n].map(Into::into),
            factors: [self.alpha, self.beta],
            operands: [self.a, self.x, self.y].map(Operand::Pointers),
            lda: self.lda.into(),
            inc: [self.incx, self.incy].map(Into::into),
            batch: self.batch.into(),
        }
    }
}

impl_call!();
