//! Tests that run the program as a user does.

mod logged;
mod program;
mod surroundings;
