//! The trait through which this backend runs routines.

use crate::all_routines;
use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::routine::{Operation, Routine};

/// Runs a routine on this backend by walking its plan, see [`crate::gpu::plan::walk`].
pub trait Run: Routine {
    /// Launches the plan, or lists it. The arguments have been checked, and the problem is not empty.
    ///
    /// # Safety
    /// Unless `queue` is a list, the operands must describe memory that the device can access, sized as the
    /// routine says, and a workspace of at least [`crate::backend::Runtime::workspace`] bytes.
    unsafe fn enqueue(&self, queue: Queue<'_>) -> Result<(), Error>;
    /// See [`crate::backend::Runtime::workspace`].
    fn workspace(&self) -> Result<usize, Error> {
        Ok(0)
    }
    /// See [`crate::backend::Runtime::candidates`].
    fn candidates(&self) -> Result<String, Error> {
        Ok(String::new())
    }
}

macro_rules! any {
    ($($module:ident::$Routine:ident)*) => {
        /// The routine of an operation.
        pub fn of(op: &Operation) -> &dyn Run {
            match op {
                $(Operation::$Routine(p) => p,)*
            }
        }
    };
}
all_routines!(any);
