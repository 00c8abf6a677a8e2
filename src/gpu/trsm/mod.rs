//! Triangular systems.

pub(crate) mod blocked;
pub mod choose;
pub mod steps;

pub(crate) use choose::*;
