//! Row interchanges.

pub mod choose;
