//! Conversion of row interchanges to permutations.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched: converts k row interchanges of `getrf` to the resulting order of m rows. Row j of L U is row `perm[j - 1]`
/// of A, both counted from 1. Interchanges with a row outside 1..=m are ignored.
#[derive(Clone, Copy, Debug)]
pub struct LuToPermutation {
    /// Always [`LuToPermutation::DTYPE`]: there are only C ints, but kernels are listed by a type.
    pub dtype: Dtype,
    /// Rows, 0 <= m < 2^31.
    pub m: i64,
    /// Interchanges, 0 <= k <= m.
    pub k: i64,
    /// k C ints each.
    pub ipiv: Operand,
    /// Receives m C ints each.
    pub perm: Operand,
    /// Number of permutations, >= 0.
    pub batch: i64,
}

impl LuToPermutation {
    /// The type under which its kernels are listed.
    pub const DTYPE: Dtype = Dtype::S;
}

impl Routine for LuToPermutation {
    fn names(&self) -> &'static [&'static str] {
        &["lu_to_permutation"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_most(self.m, i32::MAX.into(), Arg::M)?; // rows are numbered by C ints
        at_most(self.k, self.m, Arg::K)?;
        let others = || {
            check_input_stride(&self.ipiv, self.batch, Arg::StrideIpiv)?;
            check_output_stride(&self.perm, self.m, self.batch, Arg::StridePerm)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let perm = ipiv_extent(&self.perm, (self.m, Arg::M), self.batch);
        Verdict::quick_return_if(self.m == 0 || self.batch == 0).after(others).check_extents([
            ipiv_extent(&self.ipiv, (self.k, Arg::K), self.batch),
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

    /// The interchanges of a whole factorisation, unless k is given.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { m, batch, extra, .. } = shape;
        let (ipiv, perm) = (shape.operand(0), shape.operand(1));
        LuToPermutation { dtype: Self::DTYPE, m, k: extra.k.unwrap_or(shape.min_mn()), ipiv, perm, batch }
    }
}
