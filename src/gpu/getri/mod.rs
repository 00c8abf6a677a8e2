//! Inverses from LU factors; its steps serve inv, too.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
