//! In-place QR.

pub mod ahead;
pub mod choose;
pub mod each_choose;
pub mod each_steps;
pub mod measured;
pub mod select;
pub mod steps;

pub(crate) use choose::*;
