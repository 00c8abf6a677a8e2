//! Symmetric and Hermitian rank-k and rank-2k updates.

pub mod choose;
pub mod steps;
