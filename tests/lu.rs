//! LU factorisations, solutions and inverses from them, row interchanges and permutations: LAPACK's test ratios and LAPACK's own pivots, in every
//! precision and form, from poisoned memory between red zones.

#[path = "lu/accuracy.rs"]
mod accuracy;
#[path = "lu/arguments.rs"]
mod arguments;
#[path = "lu/butterflies.rs"]
mod butterflies;
#[path = "lu/factorisations.rs"]
mod factorisations;
#[path = "lu/inverses.rs"]
mod inverses;
#[path = "lu/laswp.rs"]
mod laswp;
#[path = "lu/matrices.rs"]
mod matrices;
#[path = "lu/permutation.rs"]
mod permutation;
#[path = "lu/pivots.rs"]
mod pivots;
#[path = "lu/solutions.rs"]
mod solutions;
