//! Batches of matrices with their own sizes: the ratios of uniform batches, and invalid members left untouched, from
//! poisoned memory between red zones.

#[path = "vbatched/blas.rs"]
mod blas;
#[path = "vbatched/blocks.rs"]
mod blocks;
#[path = "vbatched/cholesky.rs"]
mod cholesky;
#[path = "vbatched/fronts.rs"]
mod fronts;
#[path = "vbatched/inverses.rs"]
mod inverses;
#[path = "vbatched/least_squares.rs"]
mod least_squares;
#[path = "vbatched/lu.rs"]
mod lu;
#[path = "vbatched/no_result.rs"]
mod no_result;
#[path = "vbatched/pivoted.rs"]
mod pivoted;
#[path = "vbatched/products.rs"]
mod products;
#[path = "vbatched/q.rs"]
mod q;
#[path = "vbatched/qr.rs"]
mod qr;
#[path = "vbatched/small_pivots.rs"]
mod small_pivots;
#[path = "vbatched/solves.rs"]
mod solves;
#[path = "vbatched/sorted.rs"]
mod sorted;
#[path = "support/stderr.rs"]
mod stderr;

use std::sync::{Mutex, MutexGuard, PoisonError};
use tephra_testkit::library::Backend;
use tephra_testkit::{Library, Result, sweep};

/// Serialises the tests: some force plans, and capture in global mode forbids allocations in every thread.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `body` alone, with the library's own plans, and on CUDA again with members that are padded to one size.
fn also_padded(body: impl Fn() -> Result<()>) -> Result<()> {
    let _alone = alone();
    let lib = Library::required();
    body()?;
    match lib.backend()? {
        Backend::Cpu => Ok(()),
        Backend::Cuda => sweep::with_plan(lib, sweep::PADDED, body)?,
    }
}
