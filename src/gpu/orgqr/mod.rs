//! Forming Q explicitly.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
