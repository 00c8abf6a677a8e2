//! QR and least squares of one large matrix in host memory by all cores, and by devices: tile algorithms, dynamically scheduled (Buttari, Langou,
//! Kurzak and Dongarra, Parallel Computing 35 (2009); seed paper 002).
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`calls`], [`gels`] | the routines |
//! | `tiles` | sizes of tiles, and where T is |
//! | `sequence` | the sequential loops as tasks, with what they read and write |
//! | `kernels` | what is done to a tile |
//! | `graph`, `execute` | hazards between tasks; tasks done by several threads, priorities, look-ahead |
//! | `devices`, `rates` | the same by devices, or devices and cores together; who has how much of it |
//!
//! The matrix stays in LAPACK's layout: tiles are parts of it.

pub mod calls;
mod devices;
mod execute;
pub mod gels;
mod graph;
mod kernels;
mod rates;
mod sequence;
mod tiles;
