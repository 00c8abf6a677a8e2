//! Interleaved matrices: as many small matrices at once as a vector has lanes, one matrix per lane. There are no sums
//! across lanes and no partly filled vectors.
//!
//! A routine consists of a few steps on a [`Tile`] of workspace: [`load`] the group's matrices, [`factor`],
//! [`generate`] or [`solve`] in place, and [`store`] what the caller wants.
//!
//! Lanes never mix, so a member's result does not depend on its neighbours. If a step cannot handle a lane (its numbers
//! are outside the safe range), it clears the lane and reports it; the caller's matrix is untouched and is then done on
//! its own.

mod cholesky;
mod coming;
mod group;
mod inverse;
mod lu;
mod reflectors;
mod transfer;
mod triangle;

pub use cholesky::{cholesky, cholesky_steps, invert_cholesky};
pub use coming::Coming;
pub use group::{Group, GroupLayout, Tile, all};
pub use inverse::{invert, packs_to_invert};
pub use lu::{exchange, lu, lu_steps, unusual_diagonals, unusual_lanes, usual};
pub use reflectors::{apply_q, factor, generate};
pub use transfer::{
    Part, expect, load, load_vector, store, store_anew, store_triangle, store_upper, store_vector, transpose,
};
pub use triangle::{Triangle, divide_by_real, invert_lower, reciprocal, reciprocals, solve, times_reciprocal};
