//! The `tephra` program: `info`, `explain`, `bench`, `tune` and `check`.
//!
//! It loads the library at run time and uses its exported symbols like any other program, so that it measures and tests
//! the installed object and not a copy of it.

#[macro_use]
mod output;

mod args;
mod bench;
mod case;
mod cases;
mod check;
mod csv;
mod cuda;
mod energy;
mod explain;
mod failure;
mod grid;
mod info;
mod limits;
#[macro_use]
mod operation;
mod ops;
mod plot;
mod result_file;
mod tune;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A reader that stops early (`tephra info | head -1`) terminates the program quietly, as it does other programs.
    // SAFETY: no other thread is running yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(op) = args::unmeasured(&words) {
        say!("nothing to time: tephra bench does not measure {op}");
        return ExitCode::SUCCESS;
    }
    let cli = Cli::try_parse().unwrap_or_else(|why| {
        // Help and version are also reported as errors here, and printed on standard output.
        output::check(why.print());
        std::process::exit(why.exit_code())
    });
    cli.apply();
    let outcome = match &cli.command {
        Command::Info => info::run(),
        Command::Explain(args) => explain::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Check(args) => check::run(args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            complain!("tephra: {message}");
            ExitCode::from(2)
        }
    }
}
