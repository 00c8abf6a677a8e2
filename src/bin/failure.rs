//! The reasons why `bench` or `tune` has no result for a case.

use std::fmt;

/// The reason why a case has no result.
#[derive(Debug)]
pub enum Failure {
    /// The allowed plans decline the shape.
    NotSupported,
    /// Any other reason, as a message.
    Other(String),
}

impl Failure {
    pub fn other(text: String) -> Self {
        Failure::Other(text)
    }
}

impl From<tephra_testkit::Error> for Failure {
    fn from(e: tephra_testkit::Error) -> Self {
        if e.is_not_supported() { Failure::NotSupported } else { Failure::Other(e.to_string()) }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure::Other(text)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotSupported => f.write_str("no allowed plan can handle this shape"),
            Failure::Other(text) => f.write_str(text),
        }
    }
}
