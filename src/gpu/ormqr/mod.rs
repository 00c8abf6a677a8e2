//! Applying Q or a block reflector.

mod at_once;
pub mod choose;
pub mod each_steps;
pub mod steps;

pub(crate) use choose::*;
