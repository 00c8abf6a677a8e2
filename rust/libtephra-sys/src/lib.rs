//! Raw bindings to [Tephra](https://crates.io/crates/libtephra)'s native API, made from `tephra.h`, whose text is the reference
//! manual. The package `libtephra` has a safe interface to the most used routines.
//!
//! Matrices are column-major. Pointers are to memory of the backend in use: of the current CUDA device, or, on the CPU backend, of
//! the host. The library is found by pkg-config, or below the prefix that `TEPHRA_DIR` names when this package is built; the
//! feature `static` links `libtephra.a`.
#![no_std]
#![allow(non_camel_case_types, clippy::too_many_arguments)]

#[rustfmt::skip] // as it is made
mod bindings;
pub use bindings::*;
