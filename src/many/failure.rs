//! Why a call over several devices failed, and the `tephra_status` for it.

use std::fmt::{self, Display, Formatter};
use tephra_core::error::{Arg, Fault};
use tephra_core::face::guard::{Prototype, record};
use tephra_core::face::native::code;
use tephra_core::routine::Operand;
use tephra_core::routine::extent::Extent;
use tephra_core::{Dtype, Error};

/// `TEPHRA_STATUS_COMMUNICATION_ERROR`
pub const COMMUNICATION_ERROR: i32 = 6;
/// `TEPHRA_STATUS_FUNCTION_ERROR`
pub const FUNCTION_ERROR: i32 = 7;

/// Kinds of failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An argument of this call is wrong: its name in C, and what is wrong with it.
    Argument(&'static str, String),
    /// An error of the core.
    Library(Error),
    /// The ranks do not agree, one of them failed, or some could not be reached.
    Communication(String),
    /// A callback returned a nonzero code.
    Callback(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(error)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Argument(name, what) => write!(f, "argument {name} {what}"),
            Failure::Library(error) => error.fmt(f),
            Failure::Communication(what) | Failure::Callback(what) => f.write_str(what),
        }
    }
}

impl Failure {
    /// The status that the function `own` returns for this failure.
    fn status(&self, own: &Prototype) -> i32 {
        let position = |name: &str| own.arguments.iter().position(|argument| *argument == name);
        let of_argument = |name: &str| position(name).map(|i| -(i as i32 + 1));
        match self {
            Failure::Argument(name, _) => of_argument(name),
            Failure::Library(Error::BadArgument(arg, _)) => of_argument(&arg.to_string()),
            Failure::Library(error) => Some(code(error)),
            Failure::Communication(_) => Some(COMMUNICATION_ERROR),
            Failure::Callback(_) => Some(FUNCTION_ERROR),
        }
        .unwrap_or_else(|| code(&Error::Internal(String::new())))
    }
}

/// Turns a result into a status, and stores the message of a failure as the thread's last error.
pub fn finish(own: &Prototype, result: Result<(), Failure>) -> i32 {
    let Err(failure) = result else { return 0 };
    record(own.name, &failure);
    failure.status(own)
}

/// Refuses values below `least`.
pub fn at_least(name: &'static str, value: i64, least: i64) -> Result<(), Failure> {
    if value < least {
        Err(Failure::Argument(name, format!("is {value}, but must be at least {least}")))
    } else {
        Ok(())
    }
}

/// One matrix, each number with the argument it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Rows.
    pub rows: (i64, Arg),
    /// Columns.
    pub columns: (i64, Arg),
    /// Leading dimension.
    pub ld: (i64, Arg),
}

impl Matrix {
    fn extent(&self, dtype: Dtype) -> Extent<'static> {
        let &Matrix { rows, columns, ld } = self;
        let (operand, element) = (&Operand::NULL, dtype.bytes());
        Extent { operand, element, rows, columns, ld, stride: Arg::BatchCount, batch: 1 }
    }

    /// Refuses a leading dimension that is less than the number of rows, or with which the matrix does not fit into the
    /// address space.
    pub fn check_ld(&self, dtype: Dtype) -> Result<(), Failure> {
        let (ld, least) = (self.ld.0, self.rows.0.max(1));
        if ld < least {
            return Err(Error::BadArgument(self.ld.1, Fault::Below(ld, least)).into());
        }
        self.extent(dtype).at_fault().map_or(Ok(()), |arg| Err(Error::from(arg).into()))
    }
}

/// Refuses sizes with which one of the matrices does not fit into the address space, whatever its leading dimension.
pub fn sizes_fit(dtype: Dtype, matrices: &[Matrix]) -> Result<(), Failure> {
    let at_fault = matrices.iter().filter_map(|matrix| matrix.extent(dtype).size_at_fault()).min();
    at_fault.map_or(Ok(()), |arg| Err(Error::from(arg).into()))
}

/// Refuses NULL if the argument is used.
pub fn not_null<T>(name: &'static str, pointer: *const T, used: bool) -> Result<(), Failure> {
    if used && pointer.is_null() { Err(Failure::Argument(name, "is NULL".into())) } else { Ok(()) }
}
