//! Products with symmetric and Hermitian matrices.

pub mod choose;
mod halves;
pub mod steps;
