//! cuBLAS's names.

mod copy;
mod geqrf;
mod handle;
mod text;
