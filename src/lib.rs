//! Tephra's core: batched dense linear algebra behind the C ABIs of cuBLAS, cuSOLVER, MAGMA and our own.
//!
//! The parts, in the order in which a call passes through them:
//!
//! | part | contents |
//! | --- | --- |
//! | `src/abi/` (crate `tephra-abi`, linked as `libtephra.so` by `src/library/`) | every exported symbol; fills in a problem description, maps errors to codes |
//! | `src/many/` (crate `tephra-many`) | several devices, processes or hosts; depends on this crate |
//! | `src/preload/` (`libtephra_preload.so`) | the few cuBLAS symbols served under `LD_PRELOAD`; they jump into `libtephra.so` |
//! | `src/vendor/` | shared by both libraries: the prototypes of those symbols, and how to find the vendor's own functions |
//! | [`face`] | the implementation behind the symbols: handles, queues, error mapping, trace |
//! | [`routine`] (crate `tephra-routine`) | a file per routine: problem description and argument checks; the list of all; errors |
//! | [`gpu`] | the CUDA backend, a directory per routine: makes plans (sequences of launches and other operations), runs them |
//! | [`host`] (crate `tephra-host`) | the surrounding process: environment variables, standard error, forks, signals |
//! | [`backend`] | the choice between the two backends, and `cpu/` (crate `tephra-cpu`), the CPU backend's kernels |
//! | `kernels/` | the CUDA sources, and `manifest.toml`, which lists the instances to compile |
//! | `src/testkit/`, `src/bin/` | matrix generators, LAPACK's test ratios and parameter sweeps; the `tephra` program |
//!
//! The split into crates serves build times: cargo compiles several crates in parallel, and the host kernels, which
//! take longest, are compiled once for both the library and their tests.
//!
//! The functions that a warm call of `tephra_dgeqrf` on CUDA passes through:
//!
//! | hop | what it does |
//! | --- | --- |
//! | `tephra_dgeqrf` (`src/abi/native/one_matrix.rs`) | gathers its arguments into a [`Geqrf`] |
//! | 1 [`face::native::geqrf`] | gets the backend in use; on return, turns an error into a status |
//! | 2 [`face::call::geqrf`] | checks the arguments, traces, refuses NULL, dispatches to the backend |
//! | 3 `Run::enqueue` (`gpu/plan/walk.rs`) | finds the plan in the calling thread's cache |
//! | 4 `Launches::walk` (`gpu/geqrf/steps.rs`) | builds the kernel arguments of each launch of the plan |
//! | 5 `launch_kernel` (`gpu/driver/registry.rs`) | finds the loaded kernel and calls `cuLaunchKernel` |
//!
//! Other calls that consist of one launch take at most 7 hops: up to two more in the ABI, and one for a launch that
//! builds its arguments separately. The count leaves out helper functions that return before the next hop, closures,
//! and two functions that only forward: the panic guard of each symbol ([`face::guard`]) and the loop over a plan's
//! steps (`Call::walk`).
#![warn(missing_docs)]

pub mod backend;
pub mod face;
#[cfg(feature = "cuda")]
pub mod gpu;
#[cfg(not(feature = "cuda"))]
#[path = "gpu/stub.rs"]
pub mod gpu;

pub use routine::error::{Arg, Error, Fault};
pub use routine::{Dtype, Geqrf, GeqrfExtract, Math, Operand, Operation, Routine, Stream, Verdict};
pub use tephra_host as host;
pub use tephra_routine::{self as routine, all_routines, error, scalar};
