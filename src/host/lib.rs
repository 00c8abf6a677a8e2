//! The surrounding process: its output, environment variables, forks and signals.
//!
//! The library must not terminate its process. Nothing here panics, whatever state the process is in: standard error
//! may not be writable, the thread's thread-locals may already be destroyed, and the process may be a forked child with
//! a single thread.

#![warn(missing_docs)]

pub mod environment;
pub mod fork;
pub mod output;
pub mod settings;
pub mod signals;
