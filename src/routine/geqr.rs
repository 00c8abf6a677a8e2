//! QR factorisation with Q in an implementation-defined form.

use super::check::{Verdict, at_least, check_output_stride, not_null};
use super::extent::Extent;
use super::gemqr::Gemqr;
use super::geqrf::Geqrf;
use super::lacpy::Lacpy;
use super::tree::{Panel, Panels, t_elements};
use super::{Dtype, Math, Operand, Part, Routine, Shape, Side, Trans};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// LAPACK `?geqr`: A(i) = Q(i) R(i) in place, with Q in a form that `gemqr` can apply.
///
/// On exit A holds R on and above the diagonal. The part below the diagonal and T represent Q: for a tall matrix the
/// reflectors of the trees of its [`Panels`], otherwise the output of `geqrf`.
#[derive(Clone, Copy, Debug)]
pub struct Geqr {
    /// Element type.
    pub dtype: Dtype,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices, as a strided batch.
    pub a: Operand,
    /// Leading dimension, >= max(1, m).
    pub lda: i64,
    /// Receives the rest of Q, as a strided batch.
    pub t: Operand,
    /// Number of elements of each T, at least [`t_elements`].
    pub tsize: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// The number of elements that T needs for a Q of this order with k reflectors.
pub(super) fn needed_tsize(dtype: Dtype, (order, of_order): (i64, Arg), k: i64) -> Result<i64, Error> {
    t_elements(dtype, order, k).ok_or(of_order.into())
}

/// The extent of T with this many elements.
pub(super) fn t_extent(t: &Operand, dtype: Dtype, elements: i64, batch: i64) -> Extent<'_> {
    let size = (elements, Arg::Tsize);
    let (rows, columns, ld) = (size, (1, Arg::Tsize), size);
    Extent { operand: t, element: dtype.bytes(), rows, columns, ld, stride: Arg::StrideT, batch }
}

impl Geqr {
    /// The number of elements that T needs.
    pub fn tsize(dtype: Dtype, m: i64, n: i64) -> Result<i64, Error> {
        at_least(m, 0, Arg::M)?;
        at_least(n, 0, Arg::N)?;
        // A matrix that does not fit has no T.
        let (rows, columns) = ((m, Arg::M), (n, Arg::N));
        let a = Extent { rows, columns, ld: rows, batch: 1, ..t_extent(&Operand::NULL, dtype, 0, 1) };
        if let Some(size) = a.size_at_fault() {
            return Err(size.into());
        }
        needed_tsize(dtype, rows, m.min(n))
    }

    /// The panels, if the matrix is factored by trees.
    pub fn panels(&self) -> Option<Panels> {
        Panels::of(self.dtype, self.m, self.m.min(self.n))
    }

    /// The equivalent `geqrf` if Q is stored as by LAPACK's geqrf; T then begins with tau.
    pub fn factorisation(&self) -> Geqrf {
        let &Geqr { dtype, m, n, a, lda, t, batch, .. } = self;
        Geqrf { dtype, m, n, a, lda, sizes: None, tau: t, batch, info: std::ptr::null_mut(), math: Math::Fp32 }
    }

    /// The update of the columns to the right of a panel with the adjoint of its Q.
    pub fn trailing_update(&self, panel: &Panel) -> Option<Gemqr> {
        let &Geqr { dtype, m, n, a, lda, t, tsize, batch } = self;
        let next = panel.at + panel.tree.n;
        let (side, trans, c) = (Side::Left, Trans::C, offset_by(a, dtype, next * lda));
        let rest = Gemqr { dtype, side, trans, m, n: n - next, k: n, a, lda, t, tsize, c, ldc: lda, batch };
        (next < n).then_some(rest)
    }

    /// Copies R of a panel from the root of its tree to its place in A.
    pub fn copy_r(&self, panel: &Panel) -> Lacpy {
        let tree = &panel.tree;
        let (at, ld, _) = tree.offsets[tree.levels.count - 1];
        let (dtype, n, batch) = (self.dtype, tree.n, self.batch);
        Lacpy {
            dtype,
            uplo: Part::Upper,
            m: n,
            n,
            a: offset_by(self.t, dtype, panel.t + at),
            lda: ld,
            b: offset_by(self.a, dtype, panel.at * (self.lda + 1)),
            ldb: self.lda,
            batch,
        }
    }
}

/// A strided batch, advanced by this many elements.
pub fn offset_by(t: Operand, dtype: Dtype, element: i64) -> Operand {
    match t {
        Operand::Strided { base, stride } => {
            Operand::Strided { base: base.wrapping_byte_add(element as usize * dtype.bytes()), stride }
        }
        pointers => pointers, // no interface passes these
    }
}

impl Routine for Geqr {
    fn names(&self) -> &'static [&'static str] {
        &["geqr"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let needed = needed_tsize(self.dtype, (self.m, Arg::M), self.m.min(self.n))?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, self.batch, Arg::StrideA)?;
            at_least(self.tsize, needed, Arg::Tsize)?;
            check_output_stride(&self.t, needed, self.batch, Arg::StrideT)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, lda) = ((self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0).after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            t_extent(&self.t, self.dtype, needed, batch),
            t_extent(&self.t, self.dtype, self.tsize, 1),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.t, true, Arg::T)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Geqr { m, n, batch, lda, .. } = self;
        write!(f, " --m {m} --n {n} --batch {batch} --lda {lda}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, t, tsize) = (shape.operand(0), shape.operand(1), t_elements(dtype, m, m.min(n)).unwrap_or(i64::MAX));
        Geqr { dtype, m, n, a, lda: shape.ld(), t, tsize, batch }
    }
}
