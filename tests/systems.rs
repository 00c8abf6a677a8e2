//! LU and Cholesky factorisations, linear systems, least squares and products; `narrow` covers some of them, and QR, on
//! 16-bit matrices.

mod blas;
mod cholesky;
mod lu;
mod narrow;
mod placement;
mod products;
mod solve;
