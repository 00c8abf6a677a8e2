//! Sizes of members that do not have the same ones: an int a member in each array, in the backend's memory. A problem's own
//! sizes are then the largest that a member may have, and its leading dimensions are not looked at.

use super::bounds::{Bound, Bounds};
use super::check::{Verdict, at_least};
use super::extent;
use super::options::Side;
use crate::error::{Arg, Error, Fault};
use std::ptr::null;

/// Of factorisations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Rows.
    pub m: *const i32,
    /// Columns.
    pub n: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
}

/// Of products: m, n and k, and leading dimensions as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemmSizes {
    /// Rows of op(A) and C.
    pub m: *const i32,
    /// Columns of op(B) and C.
    pub n: *const i32,
    /// Columns of op(A), rows of op(B).
    pub k: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B.
    pub ldb: *const i32,
    /// Leading dimensions of C.
    pub ldc: *const i32,
}

/// Of products of matrices with vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemvSizes {
    /// Rows of A.
    pub m: *const i32,
    /// Columns of A.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// From an element of x to the next; not 0.
    pub incx: *const i32,
    /// From an element of y to the next; not 0.
    pub incy: *const i32,
}

/// Of Q by its reflectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QSizes {
    /// Rows.
    pub m: *const i32,
    /// Columns.
    pub n: *const i32,
    /// Reflectors.
    pub k: *const i32,
    /// Leading dimensions of the reflectors.
    pub lda: *const i32,
    /// Leading dimensions of what Q is applied to; NULL where it is written out.
    pub ldc: *const i32,
    /// A code for each member, or NULL: of one whose sizes are not valid nothing else is touched.
    pub info: *mut i32,
}

/// Of triangular systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrsmSizes {
    /// Rows of B.
    pub m: *const i32,
    /// Columns of B.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B.
    pub ldb: *const i32,
}

/// Of right-hand sides that are copied to where they become solutions: of a member whose system is not valid nothing is written.
#[derive(Clone, Copy, Debug)]
pub struct SystemSizes {
    /// The system's, B being what is written.
    pub system: TrsmSizes,
    /// Side of the triangle.
    pub side: Side,
    /// Leading dimensions of what is read.
    pub ld_from: *const i32,
    /// Receives the rows of each member, or -1 of one that is not valid: the system's rows from then on.
    pub checked: *mut i32,
}

/// Of triangular systems with one right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrsvSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// From an element of x to the next; not 0.
    pub incx: *const i32,
}

/// Of least squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GelsSizes {
    /// Rows of A.
    pub m: *const i32,
    /// Columns of A.
    pub n: *const i32,
    /// Right-hand sides.
    pub nrhs: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B, which has as many rows as A has rows or columns.
    pub ldb: *const i32,
}

/// Of systems of equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveSizes {
    /// Orders.
    pub n: *const i32,
    /// Right-hand sides.
    pub nrhs: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B.
    pub ldb: *const i32,
}

/// Of inverses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetriSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of the inverses.
    pub ldc: *const i32,
}

/// Of products with symmetric and Hermitian matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmSizes {
    /// Rows of B and C.
    pub m: *const i32,
    /// Columns of B and C.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B.
    pub ldb: *const i32,
    /// Leading dimensions of C.
    pub ldc: *const i32,
}

/// Of symmetric and Hermitian products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyrkSizes {
    /// Orders of C.
    pub n: *const i32,
    /// Terms.
    pub k: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B; A's where it is multiplied with itself.
    pub ldb: *const i32,
    /// Leading dimensions of C.
    pub ldc: *const i32,
}

/// Of row interchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaswpSizes {
    /// Columns.
    pub n: *const i32,
    /// Last rows that are exchanged.
    pub k2: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
    /// Leading dimensions of other matrices with k2 rows, which must be valid, too; or NULL.
    pub beside: *const i32,
}

/// Of matrices of which a triangle counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PotrfSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
}

impl Sizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: Sizes = Sizes { m: null(), n: null(), lda: null() };

    /// Looks at what the host knows of such a problem: the most rows and columns, and the number of members.
    pub(super) fn check((m, n): (i64, i64), batch: i64) -> Result<Verdict, Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        members(batch)?;
        Ok(Verdict::unless(m == 0 || n == 0 || batch == 0))
    }

    /// What is asked of a member, the largest sizes being these: LAPACK's codes of factorisations.
    pub fn bounds(&self, (m, n): (i64, i64)) -> Bounds {
        Bounds::new([Bound::size(self.m, m, -1), Bound::size(self.n, n, -2), Bound::leading(self.lda, self.m, -4)])
    }

    /// Refuses arrays that are NULL.
    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda)])
    }

    /// Rows, columns and leading dimension of a member, in host memory, whose rows and columns are at most these; or, by LAPACK's
    /// numbers with a minus, the first that is not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64)) -> Result<(i64, i64, i64), i32> {
        let [m, n, lda] = [self.m, self.n, self.lda].map(|array| unsafe { at(array, i) });
        if !(0..=most_m).contains(&m) {
            return Err(-1);
        }
        if !(0..=most_n).contains(&n) {
            return Err(-2);
        }
        if leads(lda, m) { Ok((m, n, lda)) } else { Err(-4) }
    }

    /// The same of a member that has elements; else its code is set, which is at `info` if that is not NULL.
    ///
    /// # Safety
    /// As [`Sizes::member`], and the code is valid.
    pub unsafe fn work(&self, i: usize, most: (i64, i64), info: *mut i32) -> Option<(i64, i64, i64)> {
        let code = match unsafe { self.member(i, most) } {
            Ok((m, n, lda)) if m > 0 && n > 0 => return Some((m, n, lda)),
            Ok(_) => 0,
            Err(code) => code,
        };
        if !info.is_null() {
            unsafe { *info = code };
        }
        None
    }
}

impl GemmSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: GemmSizes = GemmSizes { m: null(), n: null(), k: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GemmSizes { m, n, k, lda, ldb, ldc } = self;
        let leading = [(lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)];
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (k, Arg::K)])?;
        refuse_nulls(&leading)
    }

    /// m, n, k and the leading dimensions of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 6] {
        [self.m, self.n, self.k, self.lda, self.ldb, self.ldc].map(|array| unsafe { at(array, i) })
    }
}

impl GemvSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: GemvSizes = GemvSizes { m: null(), n: null(), lda: null(), incx: null(), incy: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GemvSizes { m, n, lda, incx, incy } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (incx, Arg::Incx), (incy, Arg::Incy)])
    }

    /// m, n, the leading dimension and the increments of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        [self.m, self.n, self.lda, self.incx, self.incy].map(|array| unsafe { at(array, i) })
    }
}

impl QSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: QSizes =
        QSizes { m: null(), n: null(), k: null(), lda: null(), ldc: null(), info: std::ptr::null_mut() };

    /// Looks at what the host knows of such a problem: the largest sizes, and the number of members.
    pub(super) fn check([m, n, k]: [i64; 3], batch: i64) -> Result<(), Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        at_least(k, 0, Arg::MaxK)?;
        members(batch)
    }

    /// Refuses arrays that are NULL; `applied`: Q is.
    pub(super) fn refuse_nulls(&self, applied: bool) -> Result<(), Error> {
        let &QSizes { m, n, k, lda, ldc, .. } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (k, Arg::K), (lda, Arg::Lda)])?;
        if applied { refuse_nulls(&[(ldc, Arg::Ldc)]) } else { Ok(()) }
    }

    /// Rows, columns, reflectors and leading dimensions of a member, in host memory; the last is 0 without such an array.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        let of = |array: *const i32| if array.is_null() { 0 } else { unsafe { at(array, i) } };
        [self.m, self.n, self.k, self.lda, self.ldc].map(of)
    }

    /// Sets a member's code.
    ///
    /// # Safety
    /// As [`QSizes::member`].
    pub unsafe fn tell(&self, i: usize, code: i32) {
        if !self.info.is_null() {
            unsafe { *self.info.add(i) = code };
        }
    }
}

impl TrsmSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: TrsmSizes = TrsmSizes { m: null(), n: null(), lda: null(), ldb: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &TrsmSizes { m, n, lda, ldb } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// m, n and the leading dimensions of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 4] {
        [self.m, self.n, self.lda, self.ldb].map(|array| unsafe { at(array, i) })
    }
}

impl TrsvSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: TrsvSizes = TrsvSizes { n: null(), lda: null(), incx: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.incx, Arg::Incx)])
    }

    /// Order, leading dimension and increment of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 3] {
        [self.n, self.lda, self.incx].map(|array| unsafe { at(array, i) })
    }
}

impl GelsSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: GelsSizes = GelsSizes { m: null(), n: null(), nrhs: null(), lda: null(), ldb: null() };

    /// Looks at what the host knows of such a problem: the most rows, columns and right-hand sides, and the number of members.
    pub(super) fn check([m, n, nrhs]: [i64; 3], batch: i64) -> Result<(), Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        at_least(nrhs, 0, Arg::MaxNrhs)?;
        members(batch)
    }

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GelsSizes { m, n, nrhs, lda, ldb } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (nrhs, Arg::Nrhs), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// What is asked of a member, the largest sizes being these: LAPACK's codes.
    pub fn bounds(&self, [m, n, nrhs]: [i64; 3]) -> Bounds {
        Bounds::new([
            Bound::size(self.m, m, -2),
            Bound::size(self.n, n, -3),
            Bound::size(self.nrhs, nrhs, -4),
            Bound::leading(self.lda, self.m, -6),
            Bound::leading(self.ldb, self.m, -8),
            Bound::leading(self.ldb, self.n, -8),
        ])
    }

    /// Rows, columns, right-hand sides and leading dimensions of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        [self.m, self.n, self.nrhs, self.lda, self.ldb].map(|array| unsafe { at(array, i) })
    }
}

impl SystemSizes {
    /// Rows, columns and the leading dimensions of what is read and of what is written, of a member in host memory whose rows and
    /// columns are at most these; `None` if it is not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64)) -> Option<[i64; 4]> {
        let [m, n, lda, ld] = unsafe { self.system.member(i) };
        let (ld_from, order) = (unsafe { at(self.ld_from, i) }, if self.side == Side::Left { m } else { n });
        let sizes = (0..=most_m).contains(&m) && (0..=most_n).contains(&n);
        (sizes && leads(lda, order) && leads(ld_from, m) && leads(ld, m)).then_some([m, n, ld_from, ld])
    }
}

impl SolveSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: SolveSizes = SolveSizes { n: null(), nrhs: null(), lda: null(), ldb: null() };

    /// Looks at what the host knows of such a problem: the highest order, the most right-hand sides, and the number of members.
    pub(super) fn check((n, nrhs): (i64, i64), batch: i64) -> Result<(), Error> {
        at_least(n, 0, Arg::MaxN)?;
        at_least(nrhs, 0, Arg::MaxNrhs)?;
        members(batch)
    }

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        refuse_nulls(&[(n, Arg::N), (nrhs, Arg::Nrhs), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// What is asked of a member, the largest sizes being these: codes of n, nrhs, lda and ldb.
    pub fn bounds(&self, (n, nrhs): (i64, i64), codes: [i32; 4]) -> Bounds {
        Bounds::new([
            Bound::size(self.n, n, codes[0]),
            Bound::size(self.nrhs, nrhs, codes[1]),
            Bound::leading(self.lda, self.n, codes[2]),
            Bound::leading(self.ldb, self.n, codes[3]),
        ])
    }

    /// Of each of the factors' triangular systems.
    pub fn triangle(&self) -> TrsmSizes {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        TrsmSizes { m: n, n: nrhs, lda, ldb }
    }

    /// Of the exchanges of B's rows.
    pub fn exchange(&self) -> LaswpSizes {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        LaswpSizes { n: nrhs, k2: n, lda: ldb, beside: lda }
    }

    /// Order, right-hand sides and leading dimensions of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 4] {
        [self.n, self.nrhs, self.lda, self.ldb].map(|array| unsafe { at(array, i) })
    }
}

impl GetriSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: GetriSizes = GetriSizes { n: null(), lda: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.ldc, Arg::Ldc)])
    }

    /// What is asked of a member, the highest order being this: LAPACK's codes of n and lda, and ldc's place with a minus.
    pub fn bounds(&self, n: i64) -> Bounds {
        Bounds::new([
            Bound::size(self.n, n, -1),
            Bound::leading(self.lda, self.n, -3),
            Bound::leading(self.ldc, self.n, -6),
        ])
    }

    /// Order and leading dimensions of a member, in host memory.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize) -> [i64; 3] {
        [self.n, self.lda, self.ldc].map(|array| unsafe { at(array, i) })
    }

    /// Of the system whose solution is the inverse.
    pub fn system(&self) -> SolveSizes {
        let &GetriSizes { n, lda, ldc } = self;
        SolveSizes { n, nrhs: n, lda, ldb: ldc }
    }
}

impl SymmSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: SymmSizes = SymmSizes { m: null(), n: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SymmSizes { m, n, lda, ldb, ldc } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)])
    }

    /// m, n and the leading dimensions of a member, in host memory, the largest sizes being these; `None` if they are not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64), side: Side) -> Option<[i64; 5]> {
        let all = [self.m, self.n, self.lda, self.ldb, self.ldc].map(|array| unsafe { at(array, i) });
        let [m, n, lda, ldb, ldc] = all;
        let order = if side == Side::Left { m } else { n };
        let sizes = (0..=most_m).contains(&m) && (0..=most_n).contains(&n);
        (sizes && leads(lda, order) && leads(ldb, m) && leads(ldc, m)).then_some(all)
    }
}

impl SyrkSizes {
    /// Of a problem of which only the shape matters.
    pub const NOWHERE: SyrkSizes = SyrkSizes { n: null(), k: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SyrkSizes { n, k, lda, ldb, ldc } = self;
        refuse_nulls(&[(n, Arg::N), (k, Arg::K), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)])
    }

    /// n, k and the leading dimensions of a member, in host memory, the largest sizes being these; `plain`: op is N. `None` if
    /// they are not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_n, most_k): (i64, i64), plain: bool) -> Option<[i64; 5]> {
        let all = [self.n, self.k, self.lda, self.ldb, self.ldc].map(|array| unsafe { at(array, i) });
        let [n, k, lda, ldb, ldc] = all;
        let rows = if plain { n } else { k };
        let sizes = (0..=most_n).contains(&n) && (0..=most_k).contains(&k);
        (sizes && leads(lda, rows) && leads(ldb, rows) && leads(ldc, n)).then_some(all)
    }
}

impl LaswpSizes {
    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.k2, Arg::K2)])
    }

    /// Columns, last row and leading dimension of a member, in host memory, which has at most so many columns and exchanges at
    /// most so many rows; `None` if it is not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, (most_n, most_k2): (i64, i64)) -> Option<[i64; 3]> {
        let all = [self.n, self.k2, self.lda].map(|array| unsafe { at(array, i) });
        let beside = if self.beside.is_null() { i64::MAX } else { unsafe { at(self.beside, i) } };
        let [n, k2, lda] = all;
        let sizes = (0..=most_n).contains(&n) && (0..=most_k2).contains(&k2);
        (sizes && leads(lda, k2) && leads(beside, k2)).then_some(all)
    }
}

impl PotrfSizes {
    /// What is asked of a member, the highest order being this: codes of n and lda.
    pub fn bounds(&self, n: i64) -> Bounds {
        Bounds::new([Bound::size(self.n, n, -2), Bound::leading(self.lda, self.n, -4)])
    }

    /// Looks at what the host knows of such a problem: the highest order, and the number of members.
    pub(super) fn check(n: i64, batch: i64) -> Result<Verdict, Error> {
        at_least(n, 0, Arg::MaxN)?;
        members(batch)?;
        Ok(Verdict::unless(n == 0 || batch == 0))
    }

    /// Of a problem of which only the shape matters.
    pub const NOWHERE: PotrfSizes = PotrfSizes { n: null(), lda: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda)])
    }

    /// Order and leading dimension of a member, in host memory, whose order is at most this; or, by LAPACK's numbers with a
    /// minus, the first that is not valid.
    ///
    /// # Safety
    /// The arrays are valid for that member.
    pub unsafe fn member(&self, i: usize, most: i64) -> Result<(i64, i64), i32> {
        let [n, lda] = [self.n, self.lda].map(|array| unsafe { at(array, i) });
        if !(0..=most).contains(&n) {
            return Err(-2);
        }
        if leads(lda, n) { Ok((n, lda)) } else { Err(-4) }
    }
}

/// Refuses a number of members below zero, and one of which the pointers alone would not fit into the address space.
pub(super) fn members(batch: i64) -> Result<(), Error> {
    at_least(batch, 0, Arg::BatchCount)?;
    let pointers = extent::bytes(size_of::<usize>() as i64, 1, batch, 1, 0);
    if pointers.is_some() { Ok(()) } else { Err(Arg::BatchCount.into()) }
}

/// Whether a leading dimension is one of matrices with so many rows. Of none it may be 0, as fronts that are empty have it.
pub fn leads(ld: i64, rows: i64) -> bool {
    ld >= rows
}

unsafe fn at(array: *const i32, i: usize) -> i64 {
    i64::from(unsafe { *array.add(i) })
}

fn refuse_nulls(arrays: &[(*const i32, Arg)]) -> Result<(), Error> {
    let null = arrays.iter().find(|(p, _)| p.is_null());
    null.map_or(Ok(()), |(_, arg)| Err(Error::BadArgument(*arg, Fault::Null)))
}
