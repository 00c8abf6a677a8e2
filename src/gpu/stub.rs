//! The CUDA backend in builds without CUDA: every call fails with [`Error::NoDevice`].

pub mod arch;

use crate::error::Error;
use crate::routine::runtime::Runtime;
use crate::routine::{Operation, Stream};

/// Stands in for the CUDA backend's type for where launches go, which streams convert to.
pub struct Queue;

impl From<Stream> for Queue {
    fn from(_: Stream) -> Queue {
        Queue
    }
}

/// Stands in for the CUDA backend's trait of the same name; every operation implements it.
pub trait Run {
    /// Always fails.
    ///
    /// # Safety
    /// There are no requirements.
    unsafe fn enqueue(&self, _: Queue) -> Result<(), Error> {
        runtime().map(drop)
    }
}
impl<R> Run for R {}

/// The stand-in for the operation's routine.
pub fn of(op: &Operation) -> &dyn Run {
    op
}

/// Always fails: there is no CUDA runtime.
pub fn runtime() -> Result<&'static dyn Runtime, Error> {
    Err(Error::NoDevice("this library was built without the CUDA backend".into()))
}

/// Always false: without a driver, no memory is page-locked.
pub fn is_page_locked(_: *const std::ffi::c_void) -> bool {
    false
}
