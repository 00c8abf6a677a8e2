//! Row interchanges converted to permutations.

use super::super::run::Run;
use super::super::threads;
use super::interchanges::Pivots;
use crate::error::Error;
use crate::routine::LuToPermutation;

/// Rows below which another thread does not pay off.
const GRAIN: usize = 1 << 15;

/// The addresses of a call, shared by its threads.
struct Shared(Pivots, Pivots);

// SAFETY: threads access different members.
unsafe impl Sync for Shared {}

impl Shared {
    /// Member i's interchanges and permutation.
    unsafe fn member(&self, i: usize) -> (*const i32, *mut i32) {
        unsafe { (self.0.member(i), self.1.member(i)) }
    }
}

impl Run for LuToPermutation {
    unsafe fn run(&self) -> Result<(), Error> {
        let (m, k) = (self.m as usize, self.k as usize);
        // Without interchanges, ipiv may be NULL.
        let ipiv = if k > 0 { Pivots::new(self.ipiv) } else { Pivots::NONE };
        let all = Shared(ipiv, Pivots::new(self.perm));
        threads::for_ranges(self.batch as usize, (GRAIN / m).max(1), threads::count(), |range| {
            for i in range {
                // SAFETY: a member has k and m ints. Interchanges with a row outside the permutation are skipped.
                unsafe {
                    let (ipiv, perm) = all.member(i);
                    (0..m).for_each(|row| *perm.add(row) = row as i32 + 1);
                    for j in 0..k {
                        let other = *ipiv.add(j);
                        if (1..=m as i32).contains(&other) {
                            perm.add(j).swap(perm.add(other as usize - 1));
                        }
                    }
                }
            }
        });
        Ok(())
    }

    fn explain(&self) -> Result<String, Error> {
        Ok("backend: cpu, in turn, member by member\n".into())
    }
}
