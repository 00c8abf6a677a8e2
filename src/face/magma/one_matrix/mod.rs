//! Routines on a single matrix. QR: `magma_?geqrf2_gpu`, `magma_?geqrf_gpu`, `magma_?geqrf3_gpu`,
//! `magma_?geqrf_expert_gpu_work` (`factor`), `magma_?geqp3_gpu`, `magma_?geqp3_expert_gpu_work` (`pivoted`),
//! `magma_?orgqr_gpu`, `magma_?ormqr_gpu`, `magma_?ormqr2_gpu` (`q`; `ungqr`, `unmqr`), `magma_?geqrs_gpu`,
//! `magma_?geqrs3_gpu` (`solve`); LU and Cholesky: `magma_?getrf_gpu`, `magma_?potrf_gpu`, `magma_?getrs_gpu`,
//! `magma_?potrs_gpu` (`systems`).
//!
//! Scalar factors and interchanges are in host memory, so each call allocates memory for them on the device, and waits
//! until it has finished. Except for the expert forms, the routines have no queue and run on the default stream. The
//! code `info` is in host memory, too; NULL is accepted.

mod factor;
mod pivoted;
mod q;
mod solve;
mod systems;

pub use factor::{Blocks, Expert, GeqrfCall, block_size, geqrf, geqrf_expert, geqrf2};
pub use pivoted::{Geqp3Call, geqp3, geqp3_block_size, geqp3_expert};
pub use q::{HostWork, OrgqrCall, OrmqrCall, orgqr, ormqr, ormqr2};
pub use solve::{GeqrsCall, geqrs};
pub use systems::{MatrixCall, RightHandSides, getrf, getrs, potrf, potrs};

use crate::backend;
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::magma::int::{MagmaInt, into_code};
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Stream};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

const DEFAULT_STREAM: Stream = Stream(null_mut());

/// A single matrix or vector.
fn one(base: Raw) -> Operand {
    Operand::Strided { base, stride: 0 }
}

/// A strided batch that starts at an element of a matrix.
fn operand_at(base: Raw, dtype: Dtype, elements: i64, stride: i64) -> Operand {
    Operand::Strided { base: base.wrapping_byte_offset((elements * dtype.bytes() as i64) as isize), stride }
}

/// The panels of a factorisation that are stored in MAGMA's format: locates their triangular factors T and diagonal
/// blocks of R.
#[derive(Clone, Copy)]
struct MagmaPanels {
    dtype: Dtype,
    /// min(m, n)
    order: i64,
    /// Columns of a panel, and the leading dimension of `t`.
    nb: i64,
    t: Raw,
}

impl MagmaPanels {
    /// The number of these panels: all whole ones except the last nb columns or fewer. As in MAGMA, 0 if nb is 1.
    fn count(&self) -> i64 {
        if self.nb > 1 { (self.order.max(1) - 1) / self.nb } else { 0 }
    }

    fn at(&self, column: i64) -> Raw {
        self.t.wrapping_byte_offset((column * self.nb * self.dtype.bytes() as i64) as isize)
    }

    /// The T of a panel.
    fn factor(&self, panel: i64) -> Operand {
        one(self.at(panel * self.nb))
    }

    /// The diagonal block of R of a panel.
    fn block(&self, panel: i64) -> Raw {
        self.at(self.order + panel * self.nb)
    }

    /// All these blocks, as a strided batch.
    fn blocks(&self) -> Operand {
        Operand::Strided { base: self.block(0), stride: self.nb * self.nb }
    }

    /// The rest of `t` after them: MAGMA's workspace, with at least as many elements as the blocks.
    fn workspace(&self) -> Raw {
        self.at(2 * self.order)
    }
}

/// Returns the code of a call, and also stores it in `info`, which is in host memory.
unsafe fn conclude(
    name: &'static str,
    positions: &Positions,
    info: *mut c_int,
    result: Result<(), Error>,
) -> Result<MagmaInt, Error> {
    let answer = into_code(name, positions, result);
    if let Some(info) = unsafe { info.as_mut() } {
        *info = answer.as_ref().map_or_else(|error| MagmaInt::from(error).0, |code| code.0);
    }
    answer
}

/// A vector of scalar factors in host memory.
#[derive(Clone, Copy)]
struct HostTau {
    dtype: Dtype,
    count: i64,
    host: Raw,
}

impl HostTau {
    /// Calls `run` with memory for them on the device, and waits until it has finished.
    unsafe fn with(
        self,
        stream: Stream,
        run: impl FnOnce(&dyn Runtime, Raw) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let runtime = backend::current()?;
        let device = runtime.alloc_async(self.bytes().max(1), stream)?;
        let done = run(runtime, device);
        let freed = unsafe { runtime.free_async(device, stream) };
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
