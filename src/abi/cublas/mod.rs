//! The cuBLAS-compatible functions.

mod batched;
mod copy;
mod handle;
mod text;
