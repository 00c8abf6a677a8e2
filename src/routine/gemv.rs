//! Matrix-vector products.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, not_null, with_abs_stride};
use super::extent::Extent;
use super::{Alpha, Dtype, GemvSizes, Operand, Routine, Shape, Trans, sizes};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched BLAS `?gemv`: y(i) := alpha op(A(i)) x(i) + beta y(i).
///
/// beta = 0 sets y without reading it, alpha = 0 scales y without reading A or x. If A has no rows or no columns,
/// nothing is done, as in BLAS. Members of A and of x may repeat and overlap. With a negative increment a vector starts
/// at its end.
///
/// In a variable-size batch, members whose sizes are invalid are left untouched.
#[derive(Clone, Copy, Debug)]
pub struct Gemv {
    /// Element type.
    pub dtype: Dtype,
    /// op of A.
    pub trans: Trans,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Factor of the product.
    pub alpha: Alpha,
    /// m x n matrices.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Vectors of n elements if op is N, otherwise m.
    pub x: Operand,
    /// Distance between consecutive elements of x; not 0.
    pub incx: i64,
    /// Factor of y's previous value.
    pub beta: Alpha,
    /// Vectors of m elements if op is N, otherwise n.
    pub y: Operand,
    /// Distance between consecutive elements of y; not 0.
    pub incy: i64,
    /// Per-member sizes and increments.
    pub sizes: Option<GemvSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Offsets of the blocks to use in each member of A, x and y, in elements.
    pub first: [i64; 3],
    /// Whether any stride and increment is allowed, as in cuBLAS. The values of overlapping elements of y are then
    /// undefined.
    pub any_stride: bool,
}

impl Gemv {
    /// Numbers of elements of x and of y.
    #[inline]
    pub fn lengths(&self) -> [i64; 2] {
        if self.trans == Trans::N { [self.n, self.m] } else { [self.m, self.n] }
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Gemv> {
        // A and x are not read and may be NULL; y stands in for them, so that kernels can load the pointers.
        self.alpha.is_zero().then_some(Gemv { a: self.y, x: self.y, ..*self })
    }
}

impl Routine for Gemv {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["gemv_vbatched"] } else { &["gemv", "gemv_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(GemvSizes::NULL);
        Some(Gemv { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        let idle = self.alpha.is_zero() && self.beta.is_one();
        if self.sizes.is_some() {
            at_least(self.m, 0, Arg::MaxM)?;
            at_least(self.n, 0, Arg::MaxN)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0 || idle));
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (element, batch, any) = (self.dtype.bytes(), self.batch, self.any_stride);
        let input_stride = |operand, arg| if any { Ok(()) } else { check_input_stride(operand, batch, arg) };
        let increment = |inc: i64, arg: Arg| if inc == 0 && !any { Err(Error::from(arg)) } else { Ok(()) };
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            input_stride(&self.a, Arg::StrideA)?;
            increment(self.incx, Arg::Incx)?;
            input_stride(&self.x, Arg::StrideX)?;
            increment(self.incy, Arg::Incy)?;
            if !any {
                // The vectors y may be interleaved, so any nonzero stride will do.
                check_output_stride(&self.y, 1, batch, Arg::StrideY)?;
            }
            at_least(batch, 0, Arg::BatchCount)
        };
        let (m, n) = ((self.m, Arg::M), (self.n, Arg::N));
        let (of_x, of_y) = if self.trans == Trans::N { (n, m) } else { (m, n) };
        let one = |arg| (1, arg);
        let [a, x, y] = [&self.a, &self.x, &self.y].map(with_abs_stride);
        let (lda, incx, incy) =
            ((self.lda, Arg::Lda), (self.incx.saturating_abs(), Arg::Incx), (self.incy.saturating_abs(), Arg::Incy));
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0 || idle).after(others).check_extents([
            Extent { operand: &a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &x, element, rows: one(of_x.1), columns: of_x, ld: incx, stride: Arg::StrideX, batch },
            Extent { operand: &y, element, rows: one(of_y.1), columns: of_y, ld: incy, stride: Arg::StrideY, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero(), Arg::A)?;
        not_null(&self.x, !self.alpha.is_zero(), Arg::X)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.y, true, Arg::Y)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gemv { trans, m, n, lda, batch, .. } = self;
        write!(f, " --trans {trans} --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda}") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let [alpha, beta] = [1.0, 0.0].map(|re| Alpha::Host(C64 { re, im: 0.0 }));
        let (a, x, y) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let (trans, lda, incx, incy) = (shape.extra.trans.unwrap_or(Trans::N), shape.ld(), 1, 1);
        let (sizes, first, any_stride) = (None, [0; 3], false);
        Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride }
    }
}
