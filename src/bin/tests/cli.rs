//! The program as a user runs it.

mod logged;
mod program;
mod surroundings;
