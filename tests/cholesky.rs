//! Cholesky factorisations, solutions and inverses from them: LAPACK's test ratios and LAPACK's own codes, in every precision
//! and form, from poisoned memory between red zones.

#[path = "cholesky/accuracy.rs"]
mod accuracy;
#[path = "cholesky/diagonals.rs"]
mod diagonals;
#[path = "cholesky/factorisations.rs"]
mod factorisations;
#[path = "cholesky/inverses.rs"]
mod inverses;
#[path = "cholesky/matrices.rs"]
mod matrices;
#[path = "cholesky/minors.rs"]
mod minors;
#[path = "cholesky/solutions.rs"]
mod solutions;
