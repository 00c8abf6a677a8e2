//! Least-squares and minimum-norm solutions.

pub mod choose;
pub mod each;
pub mod steps;

pub(crate) use choose::*;
