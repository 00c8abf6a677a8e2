//! Triangular factors of block reflectors.

pub mod steps;
