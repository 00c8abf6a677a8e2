//! Forming Q explicitly.

pub mod at_once;
pub mod choose;
pub mod steps;

pub(crate) use choose::*;
