//! Tephra's core: batched dense linear algebra behind the C ABIs of cuBLAS, cuSOLVER, MAGMA and our own.
//!
//! The parts, in the order a call goes through them:
//!
//! | part | what happens there |
//! | --- | --- |
//! | `src/abi/` (crate `tephra`, `libtephra.so`) | every exported symbol; fills a problem, maps errors |
//! | `src/preload/` (`libtephra_preload.so`) | the few cuBLAS names served under `LD_PRELOAD`: jumps into `libtephra.so` |
//! | `src/vendor/` | what both know of cuBLAS: those names' prototypes, where the vendor's functions are |
//! | [`face`] | what stands behind the symbols: handles, queues, error mapping, trace |
//! | [`routine`] | a file a routine: what is to be computed, whether its arguments are right; the list of all |
//! | [`plan`] | pure host code: shape and device limits in, plan out: steps, each a launch or another operation |
//! | [`host`] | the process around the library: environment, stderr, forks |
//! | [`backend`] | `cuda/` (launch, registry, device memory) and `cpu/` (host kernels) |
//! | `kernels/` | the CUDA sources, and `manifest.toml`: the instances that are compiled |
//! | `src/testkit/`, `src/bin/` | generators, LAPACK ratios, sweeps; the `tephra` program |
#![warn(missing_docs)]

pub mod backend;
pub mod error;
pub mod face;
pub mod host;
pub mod plan;
pub mod routine;
pub mod scalar;

pub use error::{Arg, Error, Fault};
pub use routine::{Dtype, Geqrf, GeqrfExtract, Math, Operand, Operation, Routine, Stream, Verdict};

use backend::Runtime;

/// Checks, plans and runs one batched QR factorisation on `runtime`, in stream order.
///
/// # Safety
/// The operands of `p` must describe memory that the runtime can reach, sized as [`Geqrf`] says.
pub unsafe fn geqrf(runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    match p.check()? {
        Verdict::QuickReturn => Ok(()),
        Verdict::Go => unsafe { runtime.geqrf(p, stream) },
    }
}
