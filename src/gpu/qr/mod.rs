//! Q and R of a matrix, explicitly.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
