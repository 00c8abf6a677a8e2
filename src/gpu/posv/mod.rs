//! Systems with a positive definite matrix.

pub mod choose;
