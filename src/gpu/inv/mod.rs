//! Inverses.

pub mod choose;
