//! What plans of several routines have between their own launches: copies of matrices, constants in them, elements of 16 bits widened
//! and rounded, members' sizes looked at.

pub mod assign;
pub mod check;
pub mod convert;
pub mod copy;

/// More blocks than any device runs at a time; each goes on to further work.
pub const MOST_BLOCKS: i64 = 1 << 16;
