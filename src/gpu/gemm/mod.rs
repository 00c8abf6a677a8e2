//! Products of matrices.

pub mod choose;
mod split;
pub mod steps;

pub(crate) use choose::*;
