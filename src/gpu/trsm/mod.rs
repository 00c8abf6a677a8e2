//! Triangular systems.

pub(crate) mod blocked;
pub mod choose;
mod experiment;
pub mod steps;

pub(crate) use choose::*;
