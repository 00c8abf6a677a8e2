//! Conversion of row interchanges to permutations.

pub mod choose;
pub mod steps;
