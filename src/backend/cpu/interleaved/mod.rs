//! As many small matrices at once as a vector has lanes, one matrix in each lane: no sums across lanes, no short vectors.
//!
//! A routine is made of the same few steps on a [`Tile`] of working memory: [`load`] the group's matrices, [`factor`],
//! [`generate`] or [`solve`] in place, [`store`] what the caller wants.
//!
//! Lanes never mix, so a member's result does not depend on its neighbours. A lane that a step cannot do (numbers out of
//! safe range) is cleared and reported; its matrix is untouched and then done on its own.

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
