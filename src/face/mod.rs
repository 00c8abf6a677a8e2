//! What stands behind the exported symbols: everything a C ABI needs that is not mathematics.
//!
//! No symbol is exported from here (`#[no_mangle]` items of a dependency are exported by every cdylib above it);
//! `src/abi/` gives these bodies their C names with [`entry!`](crate::entry).
//!
//! | module | what it knows |
//! | --- | --- |
//! | [`guard`] | the entry macro, the panic guard, the thread's last error text |
//! | [`trace`] | `TEPHRA_VERBOSE` and cuBLAS's logger: one pasteable line for each call |
//! | [`call`] | check, trace and run one operation, for any ABI |
//! | [`constants`] | sides, transpositions and the like, from each ABI's numbers |
//! | [`cublas`] | `cublasStatus_t`, handles of ours and of a real cuBLAS, copy helpers |
//! | [`cusolver`] | `cusolverStatus_t`, handles, batched Cholesky |
//! | [`grouped`] | products of groups, a batch each |
//! | [`magma`] | `magma_int_t` and xerbla, queues, memory, host helpers |
//! | [`math`] | who allows TF32, or FP32 on tensor cores |
//! | [`native`] | `tephra_status` and the argument positions of our own API |

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
