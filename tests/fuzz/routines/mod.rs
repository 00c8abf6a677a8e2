//! The routines.

mod assignments;
mod blas;
mod cholesky;
mod factorisations;
mod flags;
mod lu;
mod narrow;
mod products;
mod reflectors;
mod solvers;
mod vbatched;

use crate::routine::Routine;

/// All of them.
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
