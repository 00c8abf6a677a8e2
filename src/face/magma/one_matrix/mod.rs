//! QR of one matrix: `magma_?geqrf2_gpu`, `magma_?geqrf_gpu`, `magma_?geqrf3_gpu`, `magma_?geqrf_expert_gpu_work` (`factor`),
//! `magma_?geqp3_gpu`, `magma_?geqp3_expert_gpu_work` (`pivoted`), `magma_?orgqr_gpu`, `magma_?ormqr_gpu`, `magma_?ormqr2_gpu` (`q`; `ungqr`, `unmqr`), `magma_?geqrs_gpu`, `magma_?geqrs3_gpu` (`solve`);
//! LU and Cholesky: `magma_?getrf_gpu`, `magma_?potrf_gpu`, `magma_?getrs_gpu`, `magma_?potrs_gpu` (`systems`).
//!
//! The scalar factors and interchanges are in host memory, so each call takes memory for them on the device, and waits for its end; but for the
//! expert form it has no queue, and runs on the default stream. The code is in host memory, too; NULL is accepted.

mod factor;
mod pivoted;
mod q;
mod solve;
mod systems;

pub use factor::{Blocks, Expert, GeqrfCall, block_size, geqrf, geqrf_expert, geqrf2};
pub use pivoted::{Geqp3Call, geqp3, geqp3_block_size, geqp3_expert};
pub use q::{HostWork, OrgqrCall, OrmqrCall, orgqr, ormqr, ormqr2};
pub use solve::{GeqrsCall, geqrs};
pub use systems::{MatrixCall, Sides, getrf, getrs, potrf, potrs};

use crate::backend;
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::magma::int::{MagmaInt, finish};
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Stream};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

const DEFAULT_STREAM: Stream = Stream(null_mut());

/// A matrix or vector itself.
fn one(base: Raw) -> Operand {
    Operand::Strided { base, stride: 0 }
}

/// A matrix from an element on, as members of a batch.
fn from(base: Raw, dtype: Dtype, elements: i64, stride: i64) -> Operand {
    Operand::Strided { base: base.wrapping_byte_offset((elements * dtype.bytes() as i64) as isize), stride }
}

/// The panels of a factorisation that are kept in MAGMA's form: where the triangular factors T are, and the diagonal blocks of R.
#[derive(Clone, Copy)]
struct Kept {
    dtype: Dtype,
    /// min(m, n)
    order: i64,
    /// Columns of a panel, and the leading dimension of what is in `t`.
    nb: i64,
    t: Raw,
}

impl Kept {
    /// All whole panels but the last columns, nb or fewer; none of one column, as in MAGMA.
    fn count(&self) -> i64 {
        if self.nb > 1 { (self.order.max(1) - 1) / self.nb } else { 0 }
    }

    fn at(&self, column: i64) -> Raw {
        self.t.wrapping_byte_offset((column * self.nb * self.dtype.bytes() as i64) as isize)
    }

    /// T of a panel.
    fn factor(&self, panel: i64) -> Operand {
        one(self.at(panel * self.nb))
    }

    /// A panel's block of R.
    fn block(&self, panel: i64) -> Raw {
        self.at(self.order + panel * self.nb)
    }

    /// Those blocks, one behind the other.
    fn blocks(&self) -> Operand {
        Operand::Strided { base: self.block(0), stride: self.nb * self.nb }
    }

    /// What is behind them: MAGMA's workspace, of at least as many elements as there are in the blocks.
    fn rest(&self) -> Raw {
        self.at(2 * self.order)
    }
}

/// What a call says: its code, in host memory too.
unsafe fn conclude(
    name: &'static str,
    positions: &Positions,
    info: *mut c_int,
    result: Result<(), Error>,
) -> Result<MagmaInt, Error> {
    let answer = finish(name, positions, result);
    if let Some(info) = unsafe { info.as_mut() } {
        *info = answer.as_ref().map_or_else(|error| MagmaInt::from(error).0, |code| code.0);
    }
    answer
}

/// A vector of scalar factors, and where it is on the host.
#[derive(Clone, Copy)]
struct Factors {
    dtype: Dtype,
    count: i64,
    host: Raw,
}

impl Factors {
    /// Runs with room for them on the device, and waits for its end.
    unsafe fn with(
        self,
        stream: Stream,
        run: impl FnOnce(&dyn Runtime, Raw) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let runtime = backend::current()?;
        let device = runtime.scratch(self.bytes().max(1), stream)?;
        let done = run(runtime, device);
        let freed = unsafe { runtime.scratch_free(device, stream) };
        let finished = unsafe { runtime.stream_synchronize(stream) };
        done.and(freed).and(finished)
    }

    fn bytes(self) -> usize {
        self.count as usize * self.dtype.bytes()
    }

    unsafe fn copy(self, runtime: &dyn Runtime, to: Raw, from: Raw, stream: Stream) -> Result<(), Error> {
        let bytes = self.bytes();
        if bytes == 0 { Ok(()) } else { unsafe { runtime.copy_2d_async(to, bytes, from, bytes, bytes, 1, stream) } }
    }
}
