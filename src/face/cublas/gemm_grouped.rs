//! `cublas?gemmGroupedBatched`. Everything but the matrices is in host memory, whatever the pointer mode.

use super::prototype::{Size, prototype};
use super::serve::{self, Modes, Scalars};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::constants::cublas;
use crate::face::grouped::{Groups, Op};
use crate::gpu::arch::VENDORS;
use crate::routine::{Dtype, Stream, Verdict};
use tephra_vendor::types::*;

/// Implements `serve::Call` for each of the prototypes through its `groups()`.
macro_rules! impl_call {
    () => {
        impl<S: Size> serve::Call for Call<S> {
            const SCALARS: bool = true;

            fn prefers_vendor(&self) -> bool {
                self.groups().is_ok_and(|groups| prefers_vendor(&groups))
            }

            fn check(&self) -> Result<Verdict, Error> {
                // SAFETY: cuBLAS's documentation says what the arrays hold.
                unsafe { self.groups()?.check() }
            }

            unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
                let groups = self.groups()?;
                if modes.scalars == Scalars::Device {
                    return Err(Error::NotSupported("groups with CUBLAS_POINTER_MODE_DEVICE".into()));
                }
                unsafe { groups.run(self.name, runtime, stream) }
            }
        }
    };
}
pub(super) use impl_call;

/// Whether the vendor's function is preferred: if the groups form several batches, each of which would be a launch here
/// (not measured against the vendor's single launch), or if the vendor is faster for the only one. The vendor supports
/// real matrices only.
pub(super) fn prefers_vendor<S: Size>(groups: &Groups<S>) -> bool {
    if groups.dtype.is_complex() {
        return false;
    }
    let (mut batches, mut vendors) = (0, false);
    // SAFETY: cuBLAS's documentation says what the arrays hold.
    let counted = unsafe {
        groups.each(|p| {
            batches += 1;
            vendors |= (VENDORS.gemm)(groups.dtype, [p.m, p.n, p.k]);
            Ok(())
        })
    };
    counted.is_ok() && (vendors || batches > 1)
}

/// The groups of a call, from the arguments that the prototypes share.
pub(super) fn groups<S: Size>(
    dtype: Dtype,
    (trans, sizes, factors): ([*const Int; 2], [*const S; 3], [Scalar; 2]),
    (operands, ld): ([Array; 3], [*const S; 3]),
    (count, members): (S, *const S),
) -> Groups<S> {
    let (ops, count) = ([cublas::trans_a as Op, cublas::trans_b], count.into());
    Groups { dtype, ops, trans, sizes, factors, operands, ld, count, members }
}

tephra_vendor::gemm_grouped_batched!(prototype $ export_cublas_gemm_grouped_batched in gemm_grouped<Size>:);

impl<S: Size> Call<S> {
    fn groups(&self) -> Result<Groups<S>, Error> {
        Ok(groups(
            self.dtype,
            ([self.trans_a, self.trans_b], [self.m, self.n, self.k], [self.alpha, self.beta]),
            ([self.a, self.b, self.c], [self.lda, self.ldb, self.ldc]),
            (self.count, self.members),
        ))
    }
}

impl_call!();
