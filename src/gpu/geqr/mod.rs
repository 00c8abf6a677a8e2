//! QR whose Q is kept as the blocks of a tree, and its application (gemqr).

pub mod choose;
pub mod steps;

pub(crate) use choose::*;
