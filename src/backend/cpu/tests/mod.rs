//! Tests of the CPU backend on its own: small cases by hand, a naive reference, every path on small shapes.

mod support;

mod by_hand;
mod extract;
mod paths;
mod range;
mod runtime;
mod solve;
