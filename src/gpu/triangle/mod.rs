//! Triangular matrices: products with others, with vectors, and inverses.

pub mod choose;
pub mod steps;
