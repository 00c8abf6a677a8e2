//! The part of the cuSOLVER ABI that batched Cholesky and single matrices need: status values, handles (ours, and those
//! of a real cuSOLVER), potrf and potrs of batches and of a single matrix, and getrf, getrs, geqrf, orgqr and ormqr of
//! a single matrix. As with cuBLAS, new handles are those of the real library if there is one in the process.

mod bad_argument;
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

pub use handle::{Handle, Owner};
pub use status::Status;
pub use tephra_vendor::types::RawHandle;
