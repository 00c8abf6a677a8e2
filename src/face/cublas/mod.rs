//! cuBLAS's ABI: status values, handles (ours, and those of a real cuBLAS), the copy helpers.

pub mod copy;
pub mod geqrf;
pub mod handle;
pub mod status;

pub use handle::{Handle, Owner, RawHandle};
pub use status::Status;
