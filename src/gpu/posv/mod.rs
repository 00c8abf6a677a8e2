//! Systems of equations with a positive definite matrix.

pub mod choose;
