//! Lines on standard output and standard error. Output that cannot be written ends the program with a message and status
//! 2, instead of looking like success; a message that cannot be written is dropped.

use std::fmt::Arguments;
use std::io::{self, Write};

/// What the subcommands return: `Ok(false)` when they ran, but what they measured or tested is not in order.
pub type Outcome = Result<bool, String>;

/// See the macro `say!`.
pub fn line(text: Arguments) {
    check(writeln!(io::stdout(), "{text}"));
}

/// Ends the program where standard output failed.
pub fn check(written: io::Result<()>) {
    if let Err(error) = written.and_then(|()| io::stdout().flush()) {
        complain(format_args!("tephra: standard output: {error}"));
        std::process::exit(2);
    }
}

/// See the macro `complain!`.
pub fn complain(text: Arguments) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line on standard output.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}

/// A line on standard error.
macro_rules! complain {
    ($($text:tt)*) => { $crate::output::complain(format_args!($($text)*)) };
}
