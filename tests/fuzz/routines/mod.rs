//! The routines.

mod assignments;
mod blas;
mod factorisations;
mod flags;
mod lu;
mod products;
mod reflectors;
mod solvers;

use crate::routine::Routine;

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Routine> {
    let files =
        [factorisations::ALL, reflectors::ALL, solvers::ALL, lu::ALL, products::ALL, blas::ALL, assignments::ALL];
    files.into_iter().flatten().copied()
}
