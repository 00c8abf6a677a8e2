//! Lines on standard output and standard error. If output cannot be written, the program exits with a message and
//! status 2 instead of reporting success; a message that cannot be written is dropped.

use std::fmt::Arguments;
use std::io::{self, Write};

/// The result of a subcommand. `Ok(false)` means that it ran, but that a measurement or test failed.
pub type Outcome = Result<bool, String>;

/// See the macro `say!`.
pub fn line(text: Arguments) {
    check(writeln!(io::stdout(), "{text}"));
}

/// Exits the program if writing to standard output failed.
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
