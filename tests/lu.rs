//! LU factorisations, the solutions and inverses computed from them, row interchanges and permutations: LAPACK's test
//! ratios and LAPACK's own pivots, in every precision and form, from poisoned memory between red zones.

mod accuracy;
mod arguments;
mod butterflies;
mod factorisations;
mod inverses;
mod large;
mod laswp;
pub mod matrices;
mod permutation;
mod pivots;
mod solutions;
