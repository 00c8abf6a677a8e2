//! Triangular systems of equations.

mod blocked;
pub mod choose;
pub mod steps;

pub(crate) use choose::*;
