//! Systems of equations by random butterflies, without pivots.

pub mod choose;

pub(crate) use choose::*;
