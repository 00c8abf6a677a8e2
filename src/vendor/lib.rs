//! What `libtephra.so` and `libtephra_preload.so` share about the vendor's libraries: the prototypes of the routines
//! that both export, and how to find a function of the vendor's in this process.
//!
//! It is linked into both, so it is small, does not allocate and cannot panic.
#![warn(missing_docs)]

mod find;
mod prototypes;

pub use find::{CUBLAS, CUSOLVER, CUSPARSE, Library, address_info, containing_object, find};
pub use prototypes::types;
