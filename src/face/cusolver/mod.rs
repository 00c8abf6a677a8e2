//! cuSOLVER's ABI, as far as batched Cholesky needs it: status values, handles (ours, and those of a real cuSOLVER), potrf and
//! potrs. As with cuBLAS, handles are the real library's where there is one in the process.

pub mod handle;
pub mod potrf;
pub mod serve;
pub mod status;

pub use handle::{Handle, Owner};
pub use status::Status;
pub use tephra_vendor::types::RawHandle;
