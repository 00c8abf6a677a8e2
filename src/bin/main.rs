//! The `tephra` program.
fn main() {}
