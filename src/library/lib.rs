//! `libtephra.so` and `libtephra.a`: they export every symbol of `src/abi`.

extern crate tephra_abi;
