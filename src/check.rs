//! One function per LAPACK routine: run it, return at once, or name the first bad argument.
//!
//! Check order is part of the contract: sizes in the order of LAPACK's argument list, then the batch count, then
//! quick returns; pointers are not looked at (cuBLAS does not, and with a zero size NULL is fine).

use crate::error::{Arg, Error};
use crate::problem::{Geqrf, Operand};

/// What to do with arguments that are not wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is work.
    Go,
    /// Nothing to do: a zero size or an empty batch.
    QuickReturn,
}

fn overlaps(operand: &Operand, elements: i64) -> bool {
    matches!(operand, Operand::Strided { stride, .. } if *stride < elements.max(1))
}

/// LAPACK `?geqrf`, batched.
pub fn geqrf(p: &Geqrf) -> Result<Verdict, Error> {
    if p.m < 0 {
        return Err(Arg::M.into());
    }
    if p.n < 0 {
        return Err(Arg::N.into());
    }
    if p.lda < p.m.max(1) {
        return Err(Arg::Lda.into());
    }
    // Members of a strided batch that shared a first column would overwrite each other.
    if p.batch > 1 && overlaps(&p.a, p.m) {
        return Err(Arg::StrideA.into());
    }
    if p.batch > 1 && overlaps(&p.tau, p.m.min(p.n)) {
        return Err(Arg::StrideTau.into());
    }
    if p.batch < 0 {
        return Err(Arg::BatchCount.into());
    }
    if p.m == 0 || p.n == 0 || p.batch == 0 { Ok(Verdict::QuickReturn) } else { Ok(Verdict::Go) }
}
