//! Solving systems from Cholesky factors.

pub mod choose;

pub(crate) use choose::*;
