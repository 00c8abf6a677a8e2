//! The cuBLAS ABI: status values, handles (ours, and those of a real cuBLAS), the batched routines and the copy
//! helpers.

pub mod copy;
pub mod dgmm;
pub mod geam;
pub mod gels;
pub mod gemm;
pub mod gemm_ex;
pub mod gemm_ex_strided;
pub mod gemm_grouped;
pub mod gemm_grouped_ex;
pub mod gemm_strided;
pub mod gemv;
pub mod gemv_strided;
pub mod geqrf;
pub mod getrf;
pub mod getri;
pub mod getrs;
pub mod handle;
pub(in crate::face) mod handle_registry;
pub mod matinv;
pub mod prototype;
pub mod serve;
pub mod status;
pub mod trsm;

pub use handle::{Handle, Owner, RawHandle};
pub use status::Status;
