//! Tephra's core: batched dense linear algebra behind the C ABIs of cuBLAS, cuSOLVER, MAGMA and our own.
//!
//! The parts, in the order a call goes through them:
//!
//! | part | what happens there |
//! | --- | --- |
//! | `src/abi/` (crate `tephra`, `libtephra.so`) | every exported symbol; fills a problem, maps errors |
//! | `src/many/` (crate `tephra-many`) | past one device: communicators, tall matrices over ranks, batches over devices; stands above this crate |
//! | `src/preload/` (`libtephra_preload.so`) | the few cuBLAS names served under `LD_PRELOAD`: jumps into `libtephra.so` |
//! | `src/vendor/` | what both know of cuBLAS: those names' prototypes, where the vendor's functions are |
//! | [`face`] | what stands behind the symbols: handles, queues, error mapping, trace |
//! | [`routine`] (crate `tephra-routine`) | a file a routine: what is to be computed, whether its arguments are right; the list of all; errors |
//! | [`gpu`] | the CUDA backend, a room a routine: shape and device limits in, plan out (steps, each a launch or another operation), and how it is launched |
//! | [`host`] (crate `tephra-host`) | the process around the library: environment, stderr, forks |
//! | [`backend`] | which of the two is in use; `cpu/` (crate `tephra-cpu`): host kernels |
//! | `kernels/` | the CUDA sources, and `manifest.toml`: the instances that are compiled |
//! | `src/testkit/`, `src/bin/` | generators, LAPACK ratios, sweeps; the `tephra` program |
//!
//! The crates are for the compiler's sake: it works on several at a time, and what is the longest work, the host kernels, it does
//! once, for the library and for their tests.
//!
//! A warm call of `tephra_dgeqrf` on CUDA, function by function:
//!
//! | hop | what it does |
//! | --- | --- |
//! | `tephra_dgeqrf` (`src/abi/native/one_matrix.rs`) | its arguments become a [`Geqrf`] |
//! | 1 [`face::native::geqrf`] | takes the backend in use; afterwards turns an error into a status |
//! | 2 [`face::call::geqrf`] | checks the arguments, traces, refuses NULL, chooses the backend's way |
//! | 3 `Run::enqueue` (`gpu/plan/walk.rs`) | finds the plan in the thread's cache |
//! | 4 `Launches::walk` (`gpu/geqrf/steps.rs`) | makes the kernels' arguments, for each launch of the plan |
//! | 5 `go` (`gpu/driver/registry.rs`) | finds the loaded kernel: `cuLaunchKernel` |
//!
//! Other calls that are one launch have at most 7 (two for the ABI, and one for a launch's own arguments, may come in
//! between). Not counted are what a function asks on its way, closures, and the two that only call one: the panic guard of
//! each symbol ([`face::guard`]) and the loop over a plan's steps (`Call::walk`).
#![warn(missing_docs)]

pub mod backend;
pub mod face;
#[cfg(feature = "cuda")]
pub mod gpu;
#[cfg(not(feature = "cuda"))]
#[path = "gpu/left_out.rs"]
pub mod gpu;

pub use routine::error::{Arg, Error, Fault};
pub use routine::{Dtype, Geqrf, GeqrfExtract, Math, Operand, Operation, Routine, Stream, Verdict};
pub use tephra_host as host;
pub use tephra_routine::{self as routine, all_routines, error, scalar};
