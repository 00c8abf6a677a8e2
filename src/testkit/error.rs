//! Why a test or benchmark could not go on.

use std::fmt;

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure outside the measured numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A shared object or one of its symbols is missing; the text says where was looked.
    Load(String),
    /// A library call did not answer success.
    Status {
        /// The symbol.
        function: String,
        /// What it returned.
        code: i32,
        /// The library's own text for it, where it has one.
        text: String,
    },
    /// Memory that the call had no business with was changed.
    Guard(String),
}

impl Error {
    /// A non-zero answer of `function`, without a text.
    pub fn status(function: impl Into<String>, code: i32) -> Self {
        Error::Status { function: function.into(), code, text: String::new() }
    }

    /// Whether the library said that the shape is outside what the allowed plan paths take.
    pub fn is_not_supported(&self) -> bool {
        matches!(self, Error::Status { function, code: 1, .. } if function.starts_with("tephra_"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Load(text) => f.write_str(text),
            Error::Status { function, code, text } if text.is_empty() => write!(f, "{function} returned {code}"),
            Error::Status { function, code, text } => write!(f, "{function} returned {code}: {text}"),
            Error::Guard(text) => write!(f, "memory outside the operands was changed: {text}"),
        }
    }
}

impl std::error::Error for Error {}
