//! FP32 routines on 16-bit matrices.

pub mod choose;
