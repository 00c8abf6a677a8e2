//! Cholesky; its steps serve posv, potrs and potri, too.

pub mod choose;
pub mod large;
pub mod steps;

pub(crate) use choose::*;
