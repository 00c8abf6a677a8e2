//! Every routine in every interface, as the fuzzer, the launch record and `tephra check` see it.

mod assignments;
mod blas;
mod cholesky;
mod factorisations;
pub mod fill;
mod flags;
mod lu;
mod narrow;
mod products;
mod reflectors;
pub mod routine;
mod solvers;
mod vbatched;

use crate::routines::routine::Routine;

/// All routines.
pub fn all() -> impl Iterator<Item = &'static Routine> {
    let files = [
        factorisations::ALL,
        reflectors::ALL,
        solvers::ALL,
        lu::ALL,
        cholesky::ALL,
        products::ALL,
        narrow::ALL,
        vbatched::ALL,
        assignments::ALL,
        blas::RANK_UPDATES,
        blas::TRIANGLES,
        blas::MOVES,
        blas::SYMMETRIC,
    ];
    files.into_iter().flatten().copied()
}
