//! LU factorisation.

pub mod blocked;
pub mod choose;
pub mod each;
pub mod large;
pub mod steps;

pub(crate) use blocked::{WIDEST, columns_that_fit, trailing_layout};
pub(crate) use choose::*;
