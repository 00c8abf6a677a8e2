//! LU factorisations and the routines that use them, member by member in packed form or interleaved.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `factor` | the factorisation of one packed matrix, by recursive halving of its columns |
//! | `panel` | a few of its columns, column by column |
//! | `update` | products subtracted from the rest of a matrix |
//! | `shared` | one large matrix, whose rows and columns are divided among threads |
//! | `lanes` | factorisations, systems and inverses of small matrices, one in each lane of a vector |
//! | `members` | small matrices of different sizes, one in each lane of a vector |
//! | `pivot` | choosing and replacing pivots |
//! | `triangles` | solves with packed triangles; inverses |
//! | `interchanges` | row exchanges; where callers store their pivots |
//! | `getrf` | getrf, gesv, inv: routines that start with a factorisation |
//! | `getrs` | getrs, getri: routines that start with the caller's factors |
//! | `butterfly` | gesv_rbt: random butterflies around a solve without pivoting |
//! | `laswp` | row exchanges in callers' matrices |
//! | `permutation` | interchanges converted to permutations |

pub mod butterfly;
mod factor;
mod getrf;
mod getrs;
mod interchanges;
mod lanes;
mod laswp;
mod members;
mod panel;
mod permutation;
pub mod pivot;
mod shared;
pub mod triangles;
mod update;

pub use interchanges::Pivots;
pub use update::{Subtract, TERMS, UpdateOperands};

use super::choice::INTERLEAVED_BEST;
use super::packed::{Columns, offset};
use super::simd::{Level, Pack};
use crate::routine::Dtype;

/// The part of a packed matrix from row `row` on, which must be the first of a pack.
#[inline(always)]
unsafe fn below<P: Pack>(a: Columns<P>, row: usize) -> Columns<P> {
    Columns { p: unsafe { a.p.add(offset::<P>(row)) }, ld: a.ld }
}

/// Floating-point operations for the given number of multiplications, each with an addition.
pub fn flops(dtype: Dtype, multiplications: f64) -> f64 {
    if dtype.is_complex() { 8.0 * multiplications } else { 2.0 * multiplications }
}

/// Elements up to which interleaving wins, for [`super::over_batch::OverBatch::interleaved_best`]. With AVX-512 it wins
/// for any type as long as a group fits in the second-level cache.
pub fn interleaved_best(level: Level, lanes: i64) -> i64 {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => 64 * 64,
        _ => INTERLEAVED_BEST * lanes,
    }
}
