//! How the interfaces answer edge cases and extreme argument values. No test here forces a plan.

mod abi_edges;
mod extremes;
#[path = "support/stderr.rs"]
mod stderr;
