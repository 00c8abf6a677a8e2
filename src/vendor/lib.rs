//! What `libtephra.so` and `libtephra_preload.so` both know of the vendor's libraries: the prototypes of the routines that
//! both export, and how a function of the vendor's is found in this process.
//!
//! Linked into both, so it is small, allocates nothing and cannot panic.
#![warn(missing_docs)]

mod find;
mod prototypes;

pub use find::{CUBLAS, CUSOLVER, CUSPARSE, Library, find, holder, place};
pub use prototypes::types;
