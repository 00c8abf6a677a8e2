//! Triangular matrices: products with matrices, solves with one right-hand side, and inverses.

pub mod choose;
mod doubling;
pub mod steps;
