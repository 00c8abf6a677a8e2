//! Errors that keep a test or benchmark from continuing.

use std::fmt;

/// The result of every fallible operation of the testkit.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that is not a bad measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A shared object or one of its symbols is missing; the text lists the places that were searched.
    Load(String),
    /// A library call returned an error.
    Status {
        /// The function's symbol.
        function: String,
        /// The code that it returned.
        code: i32,
        /// The library's own message, if it has one.
        text: String,
    },
    /// The call changed memory that it must not touch.
    Guard(String),
}

impl Error {
    /// The error for a non-zero return code of `function`, without a message.
    pub fn status(function: impl Into<String>, code: i32) -> Self {
        Error::Status { function: function.into(), code, text: String::new() }
    }

    /// Whether the library reported that no allowed plan path accepts the shape.
    pub fn is_not_supported(&self) -> bool {
        matches!(self, Error::Status { function, code: 1, .. } if function.starts_with("tephra_"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Load(text) => f.write_str(text),
            Error::Status { function, code, text } if text.is_empty() => write!(f, "{function} returned {code}"),
            // The library's messages begin with the function's name.
            Error::Status { function, code, text } if text.starts_with(&format!("{function}: ")) => {
                write!(f, "{text} (status {code})")
            }
            Error::Status { function, code, text } => write!(f, "{function} returned {code}: {text}"),
            Error::Guard(text) => write!(f, "memory outside the operands was changed: {text}"),
        }
    }
}

impl std::error::Error for Error {}
