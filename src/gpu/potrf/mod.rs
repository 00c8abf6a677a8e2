//! Cholesky factorisation. Its steps also serve posv, potrs and potri.

pub mod choose;
pub mod large;
pub mod steps;

pub(crate) use choose::*;
