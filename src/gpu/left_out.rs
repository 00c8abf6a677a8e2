//! The CUDA backend where a build leaves it out: it refuses.

pub mod arch;

use crate::error::Error;
use crate::routine::runtime::Runtime;
use crate::routine::{Operation, Stream};

/// No routine can be run.
pub trait Run {
    /// Refuses.
    ///
    /// # Safety
    /// Whatever it is called with.
    unsafe fn enqueue(&self, _: Stream) -> Result<(), Error> {
        runtime().map(drop)
    }
}
impl<R> Run for R {}

/// Nothing does its routine.
pub fn of(op: &Operation) -> &dyn Run {
    op
}

/// There is none.
pub fn runtime() -> Result<&'static dyn Runtime, Error> {
    Err(Error::NoDevice("this library was built without the CUDA backend".into()))
}

/// There is no driver that could have locked it.
pub fn is_page_locked(_: *const std::ffi::c_void) -> bool {
    false
}
