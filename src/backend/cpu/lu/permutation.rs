//! Row interchanges as permutations.

use super::super::run::Run;
use super::super::threads;
use super::interchanges::Pivots;
use crate::error::Error;
use crate::routine::LuToPermutation;

/// Rows below which a thread does not pay.
const GRAIN: usize = 1 << 15;

/// The addresses of a call, in the hands of several threads.
struct Shared(Pivots, Pivots);

// SAFETY: each thread has other members.
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
        // Without interchanges there may be no ipiv.
        let ipiv = if k > 0 { Pivots::new(self.ipiv) } else { Pivots::NONE };
        let all = Shared(ipiv, Pivots::new(self.perm));
        threads::for_ranges(self.batch as usize, (GRAIN / m).max(1), threads::count(), |range| {
            for i in range {
                // SAFETY: k and m ints a member. No other rows than those of the permutation are exchanged.
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
