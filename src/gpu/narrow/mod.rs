//! Routines in FP32 on matrices of 16 bits.

pub mod choose;
