//! Row interchanges as permutations.

use super::check::{Verdict, apart, at_least, at_most, forward, interchanges, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched: the order in which k row interchanges, those of `getrf`, leave m rows: row j of L U is row `perm[j - 1]` of A, both
/// counted from 1. An interchange that names a row outside 1..=m is left out.
#[derive(Clone, Copy, Debug)]
pub struct LuToPermutation {
    /// Of no meaning: there are only C's ints. The type that kernels without one are listed by.
    pub dtype: Dtype,
    /// Rows, 0 <= m < 2^31.
    pub m: i64,
    /// Interchanges, 0 <= k <= m.
    pub k: i64,
    /// k ints each.
    pub ipiv: Operand,
    /// Receives m ints each.
    pub perm: Operand,
    /// Number of permutations, >= 0.
    pub batch: i64,
}

impl LuToPermutation {
    /// The type that its kernels are listed by.
    pub const DTYPE: Dtype = Dtype::S;
}

impl Routine for LuToPermutation {
    fn names(&self) -> &'static [&'static str] {
        &["lu_to_permutation"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_most(self.m, i32::MAX.into(), Arg::M)?; // rows are counted by ints
        at_most(self.k, self.m, Arg::K)?;
        forward(&self.ipiv, self.batch, Arg::StrideIpiv)?;
        apart(&self.perm, self.m, self.batch, Arg::StridePerm)?;
        at_least(self.batch, 0, Arg::BatchCount)?;
        let perm = interchanges(&self.perm, (self.m, Arg::M), self.batch);
        Verdict::unless(self.m == 0 || self.batch == 0).within([
            interchanges(&self.ipiv, (self.k, Arg::K), self.batch),
            Extent { stride: Arg::StridePerm, ..perm },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.ipiv, self.k > 0, Arg::Ipiv)?;
        not_null(&self.perm, true, Arg::Perm)
    }

    fn without_letter(&self) -> bool {
        true
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let LuToPermutation { m, k, batch, .. } = self;
        write!(f, " --m {m} --k {k} --batch {batch}")
    }

    /// As many interchanges as a factorisation has.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { m, batch, told, .. } = shape;
        let (ipiv, perm) = (Operand::NOWHERE, Operand::NOWHERE);
        LuToPermutation { dtype: Self::DTYPE, m, k: told.k.unwrap_or(shape.least()), ipiv, perm, batch }
    }
}
