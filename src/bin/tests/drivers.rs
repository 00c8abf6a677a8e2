//! The program over drivers that are not NVIDIA's.

mod driver;
mod recorder;
