//! How build.rs keeps compiled kernels, packs them, and tells how far it is (kernels/store.rs, packed.rs, progress.rs).

#![allow(dead_code)] // what the build alone calls

#[path = "../kernels/packed.rs"]
mod packed;
#[path = "../kernels/progress.rs"]
mod progress;
#[path = "../kernels/store.rs"]
mod store;
