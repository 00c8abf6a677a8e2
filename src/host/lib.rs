//! The surrounding process: its output, environment variables, forks, signals, threads and small allocations.
//!
//! The library must not terminate its process. Nothing here panics, whatever state the process is in: standard error
//! may not be writable, the thread's thread-locals may already be destroyed, and the process may be a forked child with
//! a single thread.

#![warn(missing_docs)]

pub mod environment;
pub mod fork;
pub mod output;
pub mod reserve;
pub mod settings;
pub mod signals;
pub mod thread_exit;
pub mod threads;
