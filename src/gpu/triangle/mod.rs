//! Triangular matrices: products with matrices, solves with one right-hand side, and inverses.

mod by_strips;
pub mod choose;
pub(crate) mod diagonals;
mod doubling;
mod halves;
pub mod steps;
