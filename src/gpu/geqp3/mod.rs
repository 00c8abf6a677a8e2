//! QR with column pivoting.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
