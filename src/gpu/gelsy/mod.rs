//! Least squares with matrices of any rank.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
