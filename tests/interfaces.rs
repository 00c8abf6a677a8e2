//! What the interfaces answer at their edges, and at the ends of their arguments' ranges. No test here forces a plan.

mod abi_edges;
mod extremes;
#[path = "support/stderr.rs"]
mod stderr;
