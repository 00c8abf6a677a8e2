//! Grouped matrix products. All products of a group have the same shape and the same alpha and beta, so a group is a
//! batch. The description of the groups is in host memory; the matrices are given by arrays of pointers, group after
//! group.
//!
//! Consecutive groups with equal parameters are merged into one batch. Each batch runs as one call, in stream order,
//! with the plans of uniform batches.

use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::routine::{Alpha, Dtype, Gemm, Operand, Operation, Routine, Stream, Trans, Verdict};
use std::ffi::{c_int, c_void};

/// Converts an ABI's transposition constant of A or of B.
pub type Op = fn(c_int) -> Result<Trans, Error>;

/// The arguments of a call, with integers of type `S`.
#[derive(Clone, Copy, Debug)]
pub struct Groups<S> {
    /// Element type.
    pub dtype: Dtype,
    /// The conversions of the ops of A and B.
    pub ops: [Op; 2],
    /// The ops of A and B, one per group.
    pub trans: [*const c_int; 2],
    /// m, n and k, likewise.
    pub sizes: [*const S; 3],
    /// alpha and beta, as elements of the type, likewise.
    pub factors: [*const c_void; 2],
    /// A, B and C: arrays of pointers to the matrices of all groups, in the backend's memory.
    pub operands: [*const *mut c_void; 3],
    /// Leading dimensions of A, B and C, one per group.
    pub ld: [*const S; 3],
    /// Number of groups.
    pub count: i64,
    /// Number of matrices of each group.
    pub members: *const S,
}

impl<S: Copy + Into<i64>> Groups<S> {
    /// Returns whether there are groups, and checks that the arrays that describe them are not NULL.
    fn check_arrays(&self) -> Result<bool, Error> {
        if self.count < 0 {
            return Err(Error::BadArgument(Arg::GroupCount, Fault::Below(self.count, 0)));
        }
        let ([m, n, k], [lda, ldb, ldc]) = (self.sizes, self.ld);
        let arrays = [
            (self.trans[0].is_null(), Arg::TransA),
            (self.trans[1].is_null(), Arg::TransB),
            (m.is_null(), Arg::M),
            (n.is_null(), Arg::N),
            (k.is_null(), Arg::K),
            (self.factors[0].is_null(), Arg::Alpha),
            (lda.is_null(), Arg::Lda),
            (ldb.is_null(), Arg::Ldb),
            (self.factors[1].is_null(), Arg::Beta),
            (ldc.is_null(), Arg::Ldc),
            (self.members.is_null(), Arg::GroupSize),
        ];
        match arrays.into_iter().find(|(null, _)| *null && self.count > 0) {
            Some((_, arg)) => Err(Error::BadArgument(arg, Fault::Null)),
            None => Ok(self.count > 0),
        }
    }

    /// The batch of group `i`, whose first matrix has the index `first`.
    ///
    /// # Safety
    /// The arrays must be valid and contain that group.
    unsafe fn group(&self, i: usize, first: i64) -> Result<Gemm, Error> {
        let number = |array: *const S| unsafe { *array.add(i) }.into();
        let factor = |array: *const c_void| unsafe { Alpha::read(self.dtype, array.byte_add(i * self.dtype.bytes())) };
        let [trans_a, trans_b] = self.trans.map(|array| unsafe { *array.add(i) });
        let [sizes, ld] = [self.sizes, self.ld].map(|arrays| arrays.map(number));
        let factors = self.factors.map(factor);
        let operands = self.operands.map(|array| Operand::Pointers(array).from_member(first, 0));
        let batch = number(self.members);
        if batch < 0 {
            return Err(Error::BadArgument(Arg::GroupSize, Fault::Below(batch, 0)));
        }
        let trans = [self.ops[0](trans_a)?, self.ops[1](trans_b)?];
        Ok(Gemm::uniform(self.dtype, trans, sizes, factors, operands, ld, batch))
    }

    /// Calls `f` for each batch, up to the first that fails.
    ///
    /// # Safety
    /// Arrays that are not NULL must have an element for each group.
    pub unsafe fn each(&self, mut f: impl FnMut(&Gemm) -> Result<(), Error>) -> Result<(), Error> {
        if !self.check_arrays()? {
            return Ok(());
        }
        let (mut first, mut i) = (0i64, 0);
        while i < self.count as usize {
            let mut batch = unsafe { self.group(i, first)? };
            i += 1;
            while i < self.count as usize {
                let next = unsafe { self.group(i, first)? };
                let Some(all) = batch.batch.checked_add(next.batch).filter(|_| can_merge(&batch, &next)) else { break };
                (batch.batch, i) = (all, i + 1);
            }
            first = first.checked_add(batch.batch).ok_or(Arg::GroupSize)?;
            f(&batch)?;
        }
        Ok(())
    }

    /// Checks all groups, so that none runs if another is invalid.
    ///
    /// # Safety
    /// As [`Groups::each`].
    pub unsafe fn check(&self) -> Result<Verdict, Error> {
        let mut verdict = Verdict::QuickReturn;
        let check_batch = |p: &Gemm| {
            if p.check().map_err(as_group_size)? == Verdict::Go {
                p.refuse_nulls()?;
                verdict = Verdict::Go;
            }
            Ok(())
        };
        unsafe { self.each(check_batch)? };
        Ok(verdict)
    }

    /// Checks all groups, then runs each batch for the exported function `name`.
    ///
    /// # Safety
    /// As [`Groups::each`], and as [`call::run`].
    pub unsafe fn run(&self, name: &str, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        if unsafe { self.check()? } == Verdict::QuickReturn {
            return Ok(());
        }
        unsafe { self.each(|p| call::run(name, runtime, &Operation::Gemm(*p), stream, WorkspaceSource::Caller)) }
    }
}

/// Reports a bad batch count as a bad group size.
fn as_group_size(error: Error) -> Error {
    match error {
        Error::BadArgument(Arg::BatchCount, fault) => Error::BadArgument(Arg::GroupSize, fault),
        other => other,
    }
}

/// Whether two groups can be merged into one batch.
fn can_merge(p: &Gemm, q: &Gemm) -> bool {
    let factor = |x: Alpha| if let Alpha::Host(x) = x { Some(x) } else { None };
    let numbers = |p: &Gemm| ([p.m, p.n, p.k, p.lda, p.ldb, p.ldc], [p.trans_a, p.trans_b]);
    numbers(p) == numbers(q) && factor(p.alpha) == factor(q.alpha) && factor(p.beta) == factor(q.beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(number: c_int) -> Result<Trans, Error> {
        if number == 0 { Ok(Trans::N) } else { Err(Arg::TransA.into()) }
    }

    /// Groups with equal parameters are merged, including empty ones.
    #[test]
    fn groups_that_are_alike_are_one_batch() {
        let (trans, m, k) = ([0; 5], [4i64, 4, 5, 5, 4], [2i64; 5]);
        let (factors, members, pointers) = ([1.0f64; 5], [3i64, 2, 0, 1, 7], [std::ptr::null_mut(); 13]);
        let groups = |count, members: &[i64; 5]| Groups {
            dtype: Dtype::D,
            ops: [op; 2],
            trans: [trans.as_ptr(); 2],
            sizes: [m.as_ptr(), m.as_ptr(), k.as_ptr()],
            factors: [factors.as_ptr().cast(); 2],
            operands: [pointers.as_ptr(); 3],
            ld: [m.as_ptr(), k.as_ptr(), m.as_ptr()],
            count,
            members: members.as_ptr(),
        };
        let mut seen = vec![];
        let note = |p: &Gemm| {
            let Operand::Pointers(a) = p.a else { unreachable!("arrays of pointers") };
            seen.push((p.m, p.batch, unsafe { a.offset_from(pointers.as_ptr()) }));
            Ok(())
        };
        unsafe { groups(5, &members).each(note) }.unwrap();
        assert_eq!(seen, [(4, 5, 0), (5, 1, 5), (4, 7, 6)]);
        let check = |groups: Groups<i64>| unsafe { groups.check() }.map_err(|error| error.argument());
        assert!(matches!(check(groups(5, &members)), Ok(Verdict::Go)));
        assert!(matches!(check(groups(0, &members)), Ok(Verdict::QuickReturn)));
        assert_eq!(check(groups(-1, &members)).unwrap_err(), Some(Arg::GroupCount));
        assert_eq!(check(groups(5, &[3, 2, -1, 1, 7])).unwrap_err(), Some(Arg::GroupSize));
        assert_eq!(check(Groups { ld: [k.as_ptr(); 3], ..groups(5, &members) }).unwrap_err(), Some(Arg::Lda));
        assert_eq!(
            check(Groups { members: std::ptr::null(), ..groups(1, &members) }).unwrap_err(),
            Some(Arg::GroupSize)
        );
    }
}
