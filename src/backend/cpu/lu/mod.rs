//! LU factorisations and what follows them: member by member in packed form, or many small ones at once.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `factor` | the factorisation of one packed matrix, by blocks of columns |
//! | `panel` | a few columns of it, column by column |
//! | `update` | products that are taken from what is left of a matrix |
//! | `lanes` | factorisations, systems and inverses of small matrices, one in each lane of a vector |
//! | `pivot` | the pivot of a column; division by it |
//! | `triangles` | solves with packed triangles; inverses |
//! | `interchanges` | rows exchanged; where callers have their pivots |
//! | `getrf` | getrf, gesv, inv: what begins with a factorisation |
//! | `getrs` | getrs, getri: what begins with a caller's factors |
//! | `butterfly` | gesv_rbt: butterflies around a solution without pivoting |
//! | `laswp` | rows of callers' matrices exchanged |
//! | `permutation` | interchanges as permutations |

pub mod butterfly;
mod factor;
mod getrf;
mod getrs;
mod interchanges;
mod lanes;
mod laswp;
mod panel;
mod permutation;
pub mod pivot;
pub mod triangles;
mod update;

pub use interchanges::Pivots;
pub use update::TERMS;

use super::choice::INTERLEAVED_BEST;
use super::packed::{Columns, offset};
use super::simd::{Level, Pack};
use crate::routine::Dtype;

/// The part of a packed matrix from row `row` on, which begins a pack.
#[inline(always)]
unsafe fn below<P: Pack>(a: Columns<P>, row: usize) -> Columns<P> {
    Columns { p: unsafe { a.p.add(offset::<P>(row)) }, ld: a.ld }
}

/// Floating-point operations of a type for so many multiplications, with an addition each.
pub fn flops(dtype: Dtype, multiplications: f64) -> f64 {
    if dtype.is_complex() { 8.0 * multiplications } else { 2.0 * multiplications }
}

/// Elements up to which interleaving wins, for [`super::over_batch::OverBatch::interleaved_best`]: with AVX-512 for any type, as long
/// as a group stays in the second-level cache.
pub fn interleaved_best(level: Level, lanes: i64) -> i64 {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => 64 * 64,
        _ => INTERLEAVED_BEST * lanes,
    }
}
