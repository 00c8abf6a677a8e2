//! Tests of the CPU backend on its own: small cases by hand, a naive reference, every path on small shapes.

mod support;

mod by_hand;
mod exceptions;
mod extract;
mod interleaved;
mod paths;
mod range;
mod runtime;
mod solve;
mod team;
