//! Past one device: ranks of this process, on the CPU backend threads, on CUDA a device each (as far as there are).

#[path = "many/batches.rs"]
mod batches;
#[path = "many/failures.rs"]
mod failures;
#[path = "many/ranks.rs"]
mod ranks;
#[path = "many/tall.rs"]
mod tall;
#[path = "many/timings.rs"]
mod timings;
