//! How build.rs stores and packs compiled kernels and reports its progress (kernels/store.rs, packed.rs, progress.rs).

#![allow(dead_code)] // functions that only the build calls

#[path = "../kernels/packed.rs"]
mod packed;
#[path = "../kernels/progress.rs"]
mod progress;
#[path = "../kernels/store.rs"]
mod store;
