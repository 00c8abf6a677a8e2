//! More than one device: ranks in this process, which are threads on the CPU backend and have a device each on CUDA (as
//! far as there are enough).

#[path = "many/arguments.rs"]
mod arguments;
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
