//! Cholesky factorisations, and the solutions and inverses computed from them: LAPACK's test ratios and LAPACK's own
//! codes, in every precision and form, from poisoned memory between red zones.

mod accuracy;
mod diagonals;
mod factorisations;
mod inverses;
mod large;
pub mod matrices;
mod minors;
mod solutions;
