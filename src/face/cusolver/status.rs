//! `cusolverStatus_t`.

use crate::error::Error;
use crate::face::cublas::status::from_error;
use crate::face::guard::{Outcome, Prototype};

/// `cusolverStatus_t`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

#[allow(missing_docs)] // the names are cuSOLVER's
impl Status {
    pub const SUCCESS: Status = Status(0);
    pub const NOT_INITIALIZED: Status = Status(1);
    pub const ALLOC_FAILED: Status = Status(2);
    pub const INVALID_VALUE: Status = Status(3);
    pub const EXECUTION_FAILED: Status = Status(6);
    pub const INTERNAL_ERROR: Status = Status(7);
    pub const NOT_SUPPORTED: Status = Status(9);
}

from_error!(Status);

impl Outcome for Status {
    const STATUS: bool = true;
    fn failed(_name: &'static str, error: &Error) -> Self {
        error.into()
    }
    fn is_failure(&self) -> bool {
        *self != Status::SUCCESS
    }
    fn text(&self, _prototype: &Prototype) -> String {
        match *self {
            Status::NOT_INITIALIZED => "not initialized: the handle is NULL, or its library is not loaded".into(),
            Status::INVALID_VALUE => "an argument is out of range".into(),
            status => format!("status {}", status.0),
        }
    }
}
