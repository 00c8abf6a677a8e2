//! LU and Cholesky factorisations, systems of equations, least squares and products; `narrow`: some of them, and QR, on matrices
//! of 16 bits.

mod blas;
mod cholesky;
mod lu;
mod narrow;
mod products;
mod solve;
