//! The implementation of the exported C functions: everything that the C ABIs need except the mathematics.
//!
//! No symbol is exported from here (`#[no_mangle]` items of a dependency are exported by every cdylib above it);
//! `src/abi/` gives these bodies their C names with [`entry!`](crate::entry).
//!
//! | module | contents |
//! | --- | --- |
//! | [`guard`] | the entry macro, the panic guard, the thread's last error message |
//! | [`trace`] | `TEPHRA_VERBOSE` and cuBLAS's logger: one line per call, which can be pasted into `tephra bench` |
//! | [`call`] | check, trace and run one operation, for any ABI |
//! | [`constants`] | conversion of each ABI's constants for sides, transpositions etc. |
//! | [`cublas`] | `cublasStatus_t`, handles (ours and those of a real cuBLAS), batched routines, copy helpers |
//! | [`cusolver`] | `cusolverStatus_t`, handles, Cholesky, LU and QR |
//! | [`grouped`] | grouped matrix products |
//! | [`magma`] | `magma_int_t` and xerbla, queues, memory, host helpers |
//! | [`math`] | which calls may use TF32, FP16 or tensor cores |
//! | [`native`] | `tephra_status` and argument positions of the native API |

pub mod call;
pub mod constants;
pub mod cublas;
pub mod cusolver;
pub mod grouped;
pub mod guard;
pub mod magma;
pub mod math;
pub mod native;
pub mod process;
pub mod trace;
