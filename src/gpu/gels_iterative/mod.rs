//! Least squares by iteration on the normal equations' preconditioner.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
