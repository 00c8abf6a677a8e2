//! Triangular matrices: products with matrices, solves with one right-hand side, and inverses.

pub mod choose;
pub(crate) mod diagonals;
mod doubling;
mod halves;
pub mod steps;
