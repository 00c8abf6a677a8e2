//! Tests of the program with drivers other than NVIDIA's.

mod driver;
mod recorder;
