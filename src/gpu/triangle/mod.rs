//! Triangular matrices: products with matrices, solves with one right-hand side, and inverses.

mod by_strips;
pub mod choose;
pub(crate) mod diagonals;
mod doubling;
mod halves;
pub mod steps;

/// The most scratch memory, in bytes, that a call takes at a time, unless a single matrix (or a few of its columns) needs
/// more.
const ROOM: i64 = 1 << 30;
