//! The process around the library: its output, its environment variables, its forks, its signals.
//!
//! The library must not end it. So nothing here panics, whatever state the process is in: standard error that cannot be
//! written, threads whose thread-locals are gone, a child of fork with one thread left.

#![warn(missing_docs)]

pub mod environment;
pub mod fork;
pub mod output;
pub mod settings;
pub mod signals;
