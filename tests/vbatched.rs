//! Batches of matrices with sizes of their own: the ratios of uniform batches, what is not valid left alone, from poisoned
//! memory between red zones.

#[path = "vbatched/blas.rs"]
mod blas;
#[path = "vbatched/cholesky.rs"]
mod cholesky;
#[path = "vbatched/lu.rs"]
mod lu;
#[path = "vbatched/q.rs"]
mod q;
#[path = "vbatched/qr.rs"]
mod qr;
#[path = "vbatched/scene.rs"]
mod scene;
#[path = "vbatched/vectors.rs"]
mod vectors;
