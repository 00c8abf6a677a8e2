//! Triangular systems.

mod blocked;
pub mod choose;
pub mod steps;

pub(crate) use choose::*;
