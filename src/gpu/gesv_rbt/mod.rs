//! Systems of equations by random butterfly transformations, without pivoting.

pub mod choose;

pub(crate) use choose::*;
