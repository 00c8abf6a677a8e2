//! Triangular matrices: products with matrices, solves with one right-hand side, and inverses.

pub mod choose;
pub mod steps;
