//! Matrix and matrix-vector products: residuals against sums in twice double precision, in every precision and form,
//! from poisoned memory between red zones. Runs on whichever backend the library picks.

mod gemm;
mod gemv;
mod grouped;
mod host;
mod magma;
