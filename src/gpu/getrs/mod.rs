//! Systems of equations from LU factors; its steps serve gesv and gesv_rbt, too.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
