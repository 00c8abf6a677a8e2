//! Products of matrices and with vectors: residuals against sums in twice double precision, in every precision and form, from
//! poisoned memory between red zones. Runs on whichever backend the library picks.

#[path = "products/gemm.rs"]
mod gemm;
#[path = "products/gemv.rs"]
mod gemv;
#[path = "products/host.rs"]
mod host;
#[path = "products/magma.rs"]
mod magma;
