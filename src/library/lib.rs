//! `libtephra.so` and `libtephra.a`: they export every symbol of `src/abi`.

extern crate tephra_abi;

use tephra_host::reserve::WithReserve;

#[global_allocator]
static ALLOCATOR: WithReserve = WithReserve::new();
