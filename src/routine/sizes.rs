//! Per-member sizes of variable-size batches. Each array holds one int per member, in the backend's memory. The
//! problem's own sizes are then the maxima over the batch, and its own leading dimensions are ignored.

use super::bounds::{Bound, Bounds};
use super::check::{Verdict, at_least};
use super::extent;
use super::options::Side;
use crate::error::{Arg, Error, Fault};
use std::ptr::null;

/// Sizes of factorisations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Rows.
    pub m: *const i32,
    /// Columns.
    pub n: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
}

/// Sizes of products: m, n and k, and the leading dimensions of the matrices as stored.
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

/// Sizes of matrix-vector products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemvSizes {
    /// Rows of A.
    pub m: *const i32,
    /// Columns of A.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Distance between consecutive elements of x; not 0.
    pub incx: *const i32,
    /// Distance between consecutive elements of y; not 0.
    pub incy: *const i32,
}

/// Sizes for generating Q from its reflectors, or applying it.
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
    /// Leading dimensions of the matrices that Q is applied to; NULL if Q is generated.
    pub ldc: *const i32,
    /// One status code per member, or NULL. If a member's sizes are invalid, nothing but its code is written.
    pub info: *mut i32,
}

/// Sizes of triangular systems.
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

/// Sizes for copying right-hand sides to where they become solutions. Nothing is written for a member whose system is
/// invalid.
#[derive(Clone, Copy, Debug)]
pub struct SystemSizes {
    /// Sizes of the system, where B is the target of the copy.
    pub system: TrsmSizes,
    /// Side of the triangular matrix.
    pub side: Side,
    /// Leading dimensions of the source.
    pub ld_from: *const i32,
    /// Receives the rows of each valid member, -1 for an invalid one. The solve then uses them as the system's rows.
    pub checked: *mut i32,
}

/// Sizes of triangular systems with one right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrsvSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Distance between consecutive elements of x; not 0.
    pub incx: *const i32,
}

/// Sizes of least-squares problems.
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
    /// Leading dimensions of B, which has max(m, n) rows.
    pub ldb: *const i32,
}

/// Sizes of systems of equations.
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

/// Sizes of inverses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetriSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of the inverses.
    pub ldc: *const i32,
}

/// Sizes of products with symmetric and Hermitian matrices.
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

/// Sizes of symmetric and Hermitian products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyrkSizes {
    /// Orders of C.
    pub n: *const i32,
    /// Number of terms (columns of op(A)).
    pub k: *const i32,
    /// Leading dimensions of A.
    pub lda: *const i32,
    /// Leading dimensions of B; those of A if A is multiplied by its own transpose.
    pub ldb: *const i32,
    /// Leading dimensions of C.
    pub ldc: *const i32,
}

/// Sizes of row interchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaswpSizes {
    /// Columns.
    pub n: *const i32,
    /// Last rows to exchange.
    pub k2: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
    /// Leading dimensions of other matrices with k2 rows, which are validated as well; or NULL.
    pub other_ld: *const i32,
}

/// Sizes of factorisations of symmetric and Hermitian matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PotrfSizes {
    /// Orders.
    pub n: *const i32,
    /// Leading dimensions.
    pub lda: *const i32,
}

impl Sizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: Sizes = Sizes { m: null(), n: null(), lda: null() };

    /// Checks what the host knows of a problem: the maximum numbers of rows and columns, and the batch count.
    pub(super) fn check((m, n): (i64, i64), batch: i64) -> Result<Verdict, Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        check_batch_count(batch)?;
        Ok(Verdict::quick_return_if(m == 0 || n == 0 || batch == 0))
    }

    /// The constraints on a member's sizes, with LAPACK's codes of factorisations. (m, n) are the maxima.
    #[inline]
    pub fn bounds(&self, (m, n): (i64, i64)) -> Bounds {
        Bounds::new([Bound::size(self.m, m, -1), Bound::size(self.n, n, -2), Bound::at_least(self.lda, self.m, -4)])
    }

    /// Refuses NULL arrays.
    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda)])
    }

    /// Rows, columns and leading dimension of a member, from arrays in host memory. If one is invalid, or exceeds its
    /// maximum, returns minus LAPACK's number of the first such argument.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64)) -> Result<(i64, i64, i64), i32> {
        let [m, n, lda] = unsafe { entries([self.m, self.n, self.lda], i) };
        if !(0..=most_m).contains(&m) {
            return Err(-1);
        }
        if !(0..=most_n).contains(&n) {
            return Err(-2);
        }
        if is_valid_ld(lda, m) { Ok((m, n, lda)) } else { Err(-4) }
    }

    /// As [`Sizes::member`], but for a member without elements or with invalid sizes sets its code, 0 or the error, at
    /// `info` if that is not NULL, and returns `None`.
    ///
    /// # Safety
    /// As [`Sizes::member`]; `info` must be NULL or valid for a write.
    #[inline(always)]
    pub unsafe fn nonempty_member(&self, i: usize, most: (i64, i64), info: *mut i32) -> Option<(i64, i64, i64)> {
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
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: GemmSizes = GemmSizes { m: null(), n: null(), k: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GemmSizes { m, n, k, lda, ldb, ldc } = self;
        let leading = [(lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)];
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (k, Arg::K)])?;
        refuse_nulls(&leading)
    }

    /// m, n, k and the leading dimensions of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 6] {
        unsafe { entries([self.m, self.n, self.k, self.lda, self.ldb, self.ldc], i) }
    }
}

impl GemvSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: GemvSizes = GemvSizes { m: null(), n: null(), lda: null(), incx: null(), incy: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GemvSizes { m, n, lda, incx, incy } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (incx, Arg::Incx), (incy, Arg::Incy)])
    }

    /// m, n, the leading dimension and the increments of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        unsafe { entries([self.m, self.n, self.lda, self.incx, self.incy], i) }
    }
}

impl QSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: QSizes =
        QSizes { m: null(), n: null(), k: null(), lda: null(), ldc: null(), info: std::ptr::null_mut() };

    /// Checks what the host knows of a problem: the maximum sizes and the batch count.
    pub(super) fn check([m, n, k]: [i64; 3], batch: i64) -> Result<(), Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        at_least(k, 0, Arg::MaxK)?;
        check_batch_count(batch)
    }

    /// The constraints on a member's sizes where Q (m x n) is generated, with LAPACK's codes. The arguments are the
    /// maxima.
    pub fn bounds_of_generated(&self, [m, n, k]: [i64; 3]) -> Bounds {
        Bounds::new([
            Bound::size(self.m, m, -1),
            Bound::size(self.n, n, -2),
            Bound::at_least(self.m, self.n, -2),
            Bound::size(self.k, k, -3),
            Bound::at_least(self.n, self.k, -3),
            Bound::at_least(self.lda, self.m, -5),
        ])
    }

    /// The same where Q is applied to an m x n matrix from `side`.
    pub fn bounds_of_applied(&self, side: Side, [m, n, k]: [i64; 3]) -> Bounds {
        let order = if side == Side::Left { self.m } else { self.n };
        Bounds::new([
            Bound::size(self.m, m, -3),
            Bound::size(self.n, n, -4),
            Bound::size(self.k, k, -5),
            Bound::at_least(order, self.k, -5),
            Bound::at_least(self.lda, order, -7),
            Bound::at_least(self.ldc, self.m, -10),
        ])
    }

    /// Refuses NULL arrays. `applied` says whether Q is applied, so that `ldc` is needed.
    pub(super) fn refuse_nulls(&self, applied: bool) -> Result<(), Error> {
        let &QSizes { m, n, k, lda, ldc, .. } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (k, Arg::K), (lda, Arg::Lda)])?;
        if applied { refuse_nulls(&[(ldc, Arg::Ldc)]) } else { Ok(()) }
    }

    /// Rows, columns, reflectors and leading dimensions of a member, from arrays in host memory. `ldc` is 0 if its
    /// array is NULL.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        let [m, n, k, lda] = unsafe { entries([self.m, self.n, self.k, self.lda], i) };
        [m, n, k, lda, if self.ldc.is_null() { 0 } else { unsafe { at(self.ldc, i) } }]
    }

    /// Sets a member's status code, if codes are wanted.
    ///
    /// # Safety
    /// `info` must be NULL or valid for a write at index `i`.
    #[inline]
    pub unsafe fn set_info(&self, i: usize, code: i32) {
        if !self.info.is_null() {
            unsafe { *self.info.add(i) = code };
        }
    }
}

impl TrsmSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: TrsmSizes = TrsmSizes { m: null(), n: null(), lda: null(), ldb: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &TrsmSizes { m, n, lda, ldb } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// The constraints on a member's sizes. No routine reports their codes.
    #[inline]
    pub fn bounds(&self, side: Side, [m, n]: [i64; 2]) -> Bounds {
        let order = if side == Side::Left { self.m } else { self.n };
        Bounds::new([
            Bound::size(self.m, m, -1),
            Bound::size(self.n, n, -1),
            Bound::at_least(self.lda, order, -1),
            Bound::at_least(self.ldb, self.m, -1),
        ])
    }

    /// m, n and the leading dimensions of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 4] {
        unsafe { entries([self.m, self.n, self.lda, self.ldb], i) }
    }
}

impl TrsvSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: TrsvSizes = TrsvSizes { n: null(), lda: null(), incx: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.incx, Arg::Incx)])
    }

    /// The constraints on a member's sizes. No routine reports their codes.
    #[inline]
    pub fn bounds(&self, n: i64) -> Bounds {
        Bounds::new([Bound::size(self.n, n, -1), Bound::at_least(self.lda, self.n, -1)])
    }

    /// Order, leading dimension and increment of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 3] {
        unsafe { entries([self.n, self.lda, self.incx], i) }
    }
}

impl GelsSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: GelsSizes = GelsSizes { m: null(), n: null(), nrhs: null(), lda: null(), ldb: null() };

    /// Checks what the host knows of a problem: the maximum numbers of rows, columns and right-hand sides, and the
    /// batch count.
    pub(super) fn check([m, n, nrhs]: [i64; 3], batch: i64) -> Result<(), Error> {
        at_least(m, 0, Arg::MaxM)?;
        at_least(n, 0, Arg::MaxN)?;
        at_least(nrhs, 0, Arg::MaxNrhs)?;
        check_batch_count(batch)
    }

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &GelsSizes { m, n, nrhs, lda, ldb } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (nrhs, Arg::Nrhs), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// The constraints on a member's sizes, with LAPACK's codes. The arguments are the maxima.
    #[inline]
    pub fn bounds(&self, [m, n, nrhs]: [i64; 3]) -> Bounds {
        Bounds::new([
            Bound::size(self.m, m, -2),
            Bound::size(self.n, n, -3),
            Bound::size(self.nrhs, nrhs, -4),
            Bound::at_least(self.lda, self.m, -6),
            Bound::at_least(self.ldb, self.m, -8),
            Bound::at_least(self.ldb, self.n, -8),
        ])
    }

    /// Rows, columns, right-hand sides and leading dimensions of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 5] {
        unsafe { entries([self.m, self.n, self.nrhs, self.lda, self.ldb], i) }
    }
}

impl SystemSizes {
    /// Rows, columns, and the leading dimensions of the source and the target of a member, from arrays in host memory.
    /// `None` if the member is invalid or exceeds the given maxima.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64)) -> Option<[i64; 4]> {
        let [m, n, lda, ld] = unsafe { self.system.member(i) };
        let (ld_from, order) = (unsafe { at(self.ld_from, i) }, if self.side == Side::Left { m } else { n });
        let sizes = (0..=most_m).contains(&m) && (0..=most_n).contains(&n);
        (sizes && is_valid_ld(lda, order) && is_valid_ld(ld_from, m) && is_valid_ld(ld, m))
            .then_some([m, n, ld_from, ld])
    }
}

impl SolveSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: SolveSizes = SolveSizes { n: null(), nrhs: null(), lda: null(), ldb: null() };

    /// Checks what the host knows of a problem: the maximum order and number of right-hand sides, and the batch count.
    pub(super) fn check((n, nrhs): (i64, i64), batch: i64) -> Result<(), Error> {
        at_least(n, 0, Arg::MaxN)?;
        at_least(nrhs, 0, Arg::MaxNrhs)?;
        check_batch_count(batch)
    }

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        refuse_nulls(&[(n, Arg::N), (nrhs, Arg::Nrhs), (lda, Arg::Lda), (ldb, Arg::Ldb)])
    }

    /// The constraints on a member's sizes. (n, nrhs) are the maxima; `codes` are those of n, nrhs, lda and ldb.
    #[inline]
    pub fn bounds(&self, (n, nrhs): (i64, i64), codes: [i32; 4]) -> Bounds {
        Bounds::new([
            Bound::size(self.n, n, codes[0]),
            Bound::size(self.nrhs, nrhs, codes[1]),
            Bound::at_least(self.lda, self.n, codes[2]),
            Bound::at_least(self.ldb, self.n, codes[3]),
        ])
    }

    /// Sizes of the triangular solve with each factor.
    pub fn triangle(&self) -> TrsmSizes {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        TrsmSizes { m: n, n: nrhs, lda, ldb }
    }

    /// Sizes of the row interchanges of B.
    pub fn interchanges(&self) -> LaswpSizes {
        let &SolveSizes { n, nrhs, lda, ldb } = self;
        LaswpSizes { n: nrhs, k2: n, lda: ldb, other_ld: lda }
    }

    /// Order, right-hand sides and leading dimensions of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 4] {
        unsafe { entries([self.n, self.nrhs, self.lda, self.ldb], i) }
    }
}

impl GetriSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: GetriSizes = GetriSizes { n: null(), lda: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.ldc, Arg::Ldc)])
    }

    /// The constraints on a member's sizes. `n` is the maximum order. The codes of n and lda are LAPACK's; that of ldc
    /// is minus its position.
    #[inline]
    pub fn bounds(&self, n: i64) -> Bounds {
        Bounds::new([
            Bound::size(self.n, n, -1),
            Bound::at_least(self.lda, self.n, -3),
            Bound::at_least(self.ldc, self.n, -6),
        ])
    }

    /// Order and leading dimensions of a member, from arrays in host memory.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> [i64; 3] {
        unsafe { entries([self.n, self.lda, self.ldc], i) }
    }

    /// Sizes of the system whose solution is the inverse.
    pub fn system(&self) -> SolveSizes {
        let &GetriSizes { n, lda, ldc } = self;
        SolveSizes { n, nrhs: n, lda, ldb: ldc }
    }
}

impl SymmSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: SymmSizes = SymmSizes { m: null(), n: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SymmSizes { m, n, lda, ldb, ldc } = self;
        refuse_nulls(&[(m, Arg::M), (n, Arg::N), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)])
    }

    /// m, n and the leading dimensions of a member, from arrays in host memory. `None` if they are invalid or exceed
    /// the given maxima.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, (most_m, most_n): (i64, i64), side: Side) -> Option<[i64; 5]> {
        let all = unsafe { entries([self.m, self.n, self.lda, self.ldb, self.ldc], i) };
        let [m, n, lda, ldb, ldc] = all;
        let order = if side == Side::Left { m } else { n };
        let sizes = (0..=most_m).contains(&m) && (0..=most_n).contains(&n);
        (sizes && is_valid_ld(lda, order) && is_valid_ld(ldb, m) && is_valid_ld(ldc, m)).then_some(all)
    }
}

impl SyrkSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: SyrkSizes = SyrkSizes { n: null(), k: null(), lda: null(), ldb: null(), ldc: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        let &SyrkSizes { n, k, lda, ldb, ldc } = self;
        refuse_nulls(&[(n, Arg::N), (k, Arg::K), (lda, Arg::Lda), (ldb, Arg::Ldb), (ldc, Arg::Ldc)])
    }

    /// n, k and the leading dimensions of a member, from arrays in host memory. `plain` says that op is N. `None` if
    /// the sizes are invalid or exceed the given maxima.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, (most_n, most_k): (i64, i64), plain: bool) -> Option<[i64; 5]> {
        let all = unsafe { entries([self.n, self.k, self.lda, self.ldb, self.ldc], i) };
        let [n, k, lda, ldb, ldc] = all;
        let rows = if plain { n } else { k };
        let sizes = (0..=most_n).contains(&n) && (0..=most_k).contains(&k);
        (sizes && is_valid_ld(lda, rows) && is_valid_ld(ldb, rows) && is_valid_ld(ldc, n)).then_some(all)
    }
}

impl LaswpSizes {
    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: LaswpSizes = LaswpSizes { n: null(), k2: null(), lda: null(), other_ld: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda), (self.k2, Arg::K2)])
    }

    /// Columns, last row and leading dimension of a member, from arrays in host memory. `None` if they are invalid or
    /// exceed the given maxima.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, (most_n, most_k2): (i64, i64)) -> Option<[i64; 3]> {
        let all = unsafe { entries([self.n, self.k2, self.lda], i) };
        let other_ld = if self.other_ld.is_null() { i64::MAX } else { unsafe { at(self.other_ld, i) } };
        let [n, k2, lda] = all;
        let sizes = (0..=most_n).contains(&n) && (0..=most_k2).contains(&k2);
        (sizes && is_valid_ld(lda, k2) && is_valid_ld(other_ld, k2)).then_some(all)
    }
}

impl PotrfSizes {
    /// The constraints on a member's sizes, with LAPACK's codes of n and lda. `n` is the maximum order.
    #[inline]
    pub fn bounds(&self, n: i64) -> Bounds {
        Bounds::new([Bound::size(self.n, n, -2), Bound::at_least(self.lda, self.n, -4)])
    }

    /// Checks what the host knows of a problem: the maximum order and the batch count.
    pub(super) fn check(n: i64, batch: i64) -> Result<Verdict, Error> {
        at_least(n, 0, Arg::MaxN)?;
        check_batch_count(batch)?;
        Ok(Verdict::quick_return_if(n == 0 || batch == 0))
    }

    /// Null arrays, for problems of which only the shape matters.
    pub const NULL: PotrfSizes = PotrfSizes { n: null(), lda: null() };

    pub(super) fn refuse_nulls(&self) -> Result<(), Error> {
        refuse_nulls(&[(self.n, Arg::N), (self.lda, Arg::Lda)])
    }

    /// Order and leading dimension of a member, from arrays in host memory. If one is invalid, or the order exceeds
    /// `most`, returns minus LAPACK's number of that argument.
    ///
    /// # Safety
    /// The arrays must be valid for reads at index `i`.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize, most: i64) -> Result<(i64, i64), i32> {
        let [n, lda] = unsafe { entries([self.n, self.lda], i) };
        if !(0..=most).contains(&n) {
            return Err(-2);
        }
        if is_valid_ld(lda, n) { Ok((n, lda)) } else { Err(-4) }
    }
}

/// Refuses a negative batch count, and one whose pointer arrays alone would not fit into the address space.
pub(super) fn check_batch_count(batch: i64) -> Result<(), Error> {
    at_least(batch, 0, Arg::BatchCount)?;
    let pointers = extent::bytes(size_of::<usize>() as i64, 1, batch, 1, 0);
    if pointers.is_some() { Ok(()) } else { Err(Arg::BatchCount.into()) }
}

/// Whether a leading dimension is valid for this many rows. It may be 0 for no rows, as is usual for empty frontal
/// matrices.
#[inline]
pub fn is_valid_ld(ld: i64, rows: i64) -> bool {
    ld >= rows
}

#[inline(always)]
unsafe fn at(array: *const i32, i: usize) -> i64 {
    i64::from(unsafe { *array.add(i) })
}

/// Entry i of each array. A loop, because `map` would be a call for every member.
#[inline(always)]
unsafe fn entries<const N: usize>(arrays: [*const i32; N], i: usize) -> [i64; N] {
    let (mut all, mut k) = ([0; N], 0);
    while k < N {
        all[k] = unsafe { at(arrays[k], i) };
        k += 1;
    }
    all
}

fn refuse_nulls(arrays: &[(*const i32, Arg)]) -> Result<(), Error> {
    let null = arrays.iter().find(|(p, _)| p.is_null());
    null.map_or(Ok(()), |(_, arg)| Err(Error::BadArgument(*arg, Fault::Null)))
}
