//! Row interchanges as permutations.

pub mod choose;
pub mod steps;
