//! Systems of equations.

pub mod choose;
