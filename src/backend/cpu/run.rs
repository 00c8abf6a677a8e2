//! How this backend executes a routine, whichever it is.

use super::choice::Execution;
use tephra_routine::Operation;
use tephra_routine::all_routines;
use tephra_routine::error::Error;

/// Implemented by every routine this backend can execute.
pub trait Run {
    /// Executes the routine. The arguments have been checked, and the problem is not empty.
    ///
    /// # Safety
    /// The operands must describe valid memory of the sizes that the routine specifies.
    unsafe fn run(&self) -> Result<(), Error>;
    /// See [`tephra_routine::runtime::Runtime::explain`].
    fn explain(&self) -> Result<String, Error>;
    /// See [`tephra_routine::runtime::Runtime::candidates`].
    fn candidates(&self) -> Result<String, Error> {
        Ok(String::new())
    }
    /// Executes the routine as chosen by a test. Routines that are not done member by member return an error.
    ///
    /// # Safety
    /// As [`Run::run`].
    #[doc(hidden)]
    unsafe fn run_with(&self, _: &Execution) -> Result<(), Error> {
        Err(Error::Internal("not done member by member".into()))
    }
}

macro_rules! any {
    ($($module:ident::$Routine:ident)*) => {
        /// Returns the implementation of an operation's routine.
        pub fn of(op: &Operation) -> &dyn Run {
            match op {
                $(Operation::$Routine(p) => p,)*
            }
        }
    };
}
all_routines!(any);
