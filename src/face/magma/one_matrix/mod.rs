//! QR of one matrix: `magma_?geqrf2_gpu`, `magma_?geqrf_gpu` (`factor`), `magma_?orgqr_gpu`, `magma_?ormqr_gpu`, `magma_?ormqr2_gpu`
//! (`q`; `ungqr`, `unmqr`).
//!
//! The scalar factors are in host memory, so each call takes memory for them on the device, and waits for its end; it has no
//! queue, and runs on the default stream. The code is in host memory, too; NULL is accepted.

mod factor;
mod q;

pub use factor::{GeqrfCall, block_size, geqrf, geqrf2};
pub use q::{HostWork, OrgqrCall, OrmqrCall, orgqr, ormqr, ormqr2};

use crate::backend;
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::magma::int::{MagmaInt, finish};
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Stream};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Raw = *mut c_void;

/// A matrix or vector itself.
fn one(base: Raw) -> Operand {
    Operand::Strided { base, stride: 0 }
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
    /// Runs with room for them on the device, in the default stream, and waits for its end.
    unsafe fn with(self, run: impl FnOnce(&dyn Runtime, Raw, Stream) -> Result<(), Error>) -> Result<(), Error> {
        let (runtime, stream) = (backend::current()?, Stream(null_mut()));
        let device = runtime.scratch(self.bytes().max(1), stream)?;
        let done = run(runtime, device, stream);
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
