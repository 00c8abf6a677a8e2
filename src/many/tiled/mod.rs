//! QR and least squares of one large matrix in host memory, on all cores and on devices: tile algorithms with dynamic
//! scheduling (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35 (2009); for devices Kurzak, Nath, Du and
//! Dongarra).
//!
//! | module | contents |
//! | --- | --- |
//! | [`calls`], [`gels`] | the routines |
//! | `tiles` | sizes of tiles, and the layout of T |
//! | `sequence` | the sequential loops as tasks, with what they read and write |
//! | `kernels` | the operations on tiles |
//! | `graph`, `execute` | hazards between tasks; their execution by several threads, with priorities and look-ahead |
//! | `devices`, `rates` | execution on devices, or on devices and cores together; the distribution of work between them |
//!
//! The matrix stays in LAPACK's layout: tiles are submatrices of it.

pub mod calls;
mod devices;
mod execute;
#[cfg(test)]
mod execute_tests;
pub mod gels;
mod graph;
mod kernels;
#[cfg(test)]
mod modelled;
mod rates;
mod sequence;
mod tiles;

/// The locks of `execute`, for which tests substitute those of a model checker.
mod primitives {
    pub use std::sync::{Condvar, Mutex, MutexGuard};
}
