//! How the backend does a routine.

use crate::all_routines;
use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::routine::{Operation, Routine};

/// How this backend does a routine: by its plan, see [`crate::gpu::plan::walk`].
pub trait Run: Routine {
    /// Launches its plan, or lists it; arguments were checked, there is work.
    ///
    /// # Safety
    /// Unless they are only listed, the operands must describe memory that the device can reach, sized as the routine says, and a
    /// workspace of at least [`crate::backend::Runtime::workspace`] bytes.
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
        /// What does an operation's routine.
        pub fn of(op: &Operation) -> &dyn Run {
            match op {
                $(Operation::$Routine(p) => p,)*
            }
        }
    };
}
all_routines!(any);
