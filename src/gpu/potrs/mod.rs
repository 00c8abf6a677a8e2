//! Systems of equations from Cholesky factors.

pub mod choose;

pub(crate) use choose::*;
