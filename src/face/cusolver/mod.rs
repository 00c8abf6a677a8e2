//! cuSOLVER's ABI, as far as batched Cholesky and single matrices need it: status values, handles (ours, and those of a
//! real cuSOLVER), potrf and potrs of batches and of one matrix, getrf, getrs, geqrf, orgqr and ormqr of one matrix. As with cuBLAS, handles are the real library's where there is one in the process.

pub mod cholesky;
pub mod geqrf;
pub mod handle;
pub mod lu;
pub mod params;
pub mod potrf;
pub mod prototype;
pub mod q;
pub mod serve;
pub mod status;
mod tell;

pub use handle::{Handle, Owner};
pub use status::Status;
pub use tephra_vendor::types::RawHandle;
