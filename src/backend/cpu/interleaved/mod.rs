//! Interleaved matrices: as many small matrices at once as a vector has lanes, one matrix per lane. There are no sums
//! across lanes and no partly filled vectors.
//!
//! A routine consists of a few steps on a [`Tile`] of workspace: [`load`] the group's matrices, [`factor`],
//! [`generate`] or [`solve`] in place, and [`store`] what the caller wants.
//!
//! Lanes never mix, so a member's result does not depend on its neighbours. If a step cannot handle a lane (its numbers
//! are outside the safe range), it clears the lane and reports it; the caller's matrix is untouched and is then done on
//! its own.
//!
//! Members with sizes of their own are loaded by [`load_each`] into a tile of the largest one's size, where zeros, or
//! zeros and ones on the diagonal, continue them. A factorisation gives the same bits in a tile of any size:
//! [`factor_each`] and [`solve`] always, [`lu`] and [`cholesky`] if the tile consists of [`whole_blocks`].

mod cholesky;
mod group;
mod inverse;
mod lu;
mod prefetch;
mod reflectors;
mod transfer;
mod triangle;

pub use cholesky::{cholesky, cholesky_steps, invert_cholesky};
pub use group::{Group, GroupLayout, LanePointers, Tile, all_lanes, whole_blocks};
pub use inverse::{invert, packs_to_invert};
pub use lu::{
    exchange, lanes_with_normal_reciprocal, lanes_without_normal_reciprocal, lu, lu_steps,
    replace_irregular_by_identity,
};
pub use prefetch::Prefetch;
pub use reflectors::{apply_q, factor, factor_each, generate};
pub use transfer::{
    OwnSizes, Part, load, load_each, load_vector, load_vector_each, prefetch_for_store, store, store_each,
    store_prefetched, store_triangle, store_upper, store_vector, store_vector_each, transpose,
};
pub use triangle::{Triangle, divide_by_real, invert_lower, reciprocal, reciprocals, solve, times_reciprocal};
