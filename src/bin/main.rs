//! The `tephra` program: `info`, `explain`, `bench` and `check`.
//!
//! It reaches the library as any program would, by its exported symbols (loaded at run time), and so measures and tests
//! the installed object and not a copy of it.

mod args;
mod case;
mod csv;
mod grid;
mod limits;
mod plot;

use args::{Cli, Command};
use clap::Parser;

fn main() {
    let cli = Cli::parse();
    if let Command::Bench(b) = &cli.command {
        println!("{:?}", plot::run(&b.plot, b.out.as_deref().unwrap(), None));
    }
}
