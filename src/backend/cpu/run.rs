//! How this backend does a routine, whichever it is.

use super::choice::Way;
use tephra_routine::Operation;
use tephra_routine::all_routines;
use tephra_routine::error::Error;

/// How this backend does a routine.
pub trait Run {
    /// Does it; arguments were checked, there is work.
    ///
    /// # Safety
    /// The operands must describe memory sized as the routine says.
    unsafe fn run(&self) -> Result<(), Error>;
    /// See [`tephra_routine::runtime::Runtime::explain`].
    fn explain(&self) -> Result<String, Error>;
    /// See [`tephra_routine::runtime::Runtime::candidates`].
    fn candidates(&self) -> Result<String, Error> {
        Ok(String::new())
    }
    /// Does it in a way that a test chooses; refused by what has no ways.
    ///
    /// # Safety
    /// As [`Run::run`].
    #[doc(hidden)]
    unsafe fn run_in(&self, _: &Way) -> Result<(), Error> {
        Err(Error::Internal("not done member by member".into()))
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
