//! cuBLAS's names.

mod batched;
mod copy;
mod handle;
mod text;
