//! Symmetric and Hermitian updates.

pub mod choose;
pub mod steps;
