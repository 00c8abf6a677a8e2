//! QR and least squares of one large matrix in host memory by all cores: tile algorithms, dynamically scheduled (Buttari, Langou,
//! Kurzak and Dongarra, Parallel Computing 35 (2009); seed paper 002).
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`calls`], [`gels`] | the routines |
//! | `tiles` | sizes of tiles, and where T is |
//! | `sequence` | the sequential loops as tasks, with what they read and write |
//! | `kernels` | what is done to a tile |
//! | `graph`, `execute` | hazards between tasks; tasks done by several threads, priorities, look-ahead |
//!
//! The matrix stays in LAPACK's layout: tiles are parts of it.

pub mod calls;
mod execute;
pub mod gels;
mod graph;
mod kernels;
mod sequence;
mod tiles;
