//! LU and Cholesky factorisations, systems of equations, least squares and products.

mod blas;
mod cholesky;
mod lu;
mod products;
mod solve;
