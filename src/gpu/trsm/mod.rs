//! Triangular systems of equations.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
