//! Products with symmetric and Hermitian matrices.

pub mod choose;
pub mod steps;
