//! QR with explicit Q and R.

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
