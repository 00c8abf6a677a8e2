//! Least squares by iteration, preconditioned by a factorisation of the normal equations.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
