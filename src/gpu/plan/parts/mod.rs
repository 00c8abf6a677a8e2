//! Steps that plans of several routines put between their own launches: copying matrices, also padded to one size,
//! assigning constants, converting 16-bit elements, inverting diagonal blocks, checking the members' sizes, and sorting
//! members by them.

pub mod assign;
pub mod check;
pub mod convert;
pub mod copy;
pub mod diagonals;
pub mod pad;
pub mod sort;

/// More blocks than any device runs at a time; each block loops over the remaining work.
pub const MOST_BLOCKS: i64 = 1 << 16;
