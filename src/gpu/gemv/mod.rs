//! Products of matrices with vectors.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
