//! Matrix products.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, not_null, with_abs_stride};
use super::extent::Extent;
use super::{Alpha, Dtype, GemmSizes, Operand, Routine, Shape, Trans, sizes};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched BLAS `?gemm`: C(i) := alpha op(A(i)) op(B(i)) + beta C(i).
///
/// beta = 0 sets C without reading it; alpha = 0 or k = 0 scales C without reading A or B. Members of A may repeat and
/// overlap, and so may those of B.
///
/// In a variable-size batch, members whose sizes are invalid are left untouched.
#[derive(Clone, Copy, Debug)]
pub struct Gemm {
    /// Element type.
    pub dtype: Dtype,
    /// op of A.
    pub trans_a: Trans,
    /// op of B.
    pub trans_b: Trans,
    /// Rows of op(A) and C, >= 0.
    pub m: i64,
    /// Columns of op(B) and C, >= 0.
    pub n: i64,
    /// Columns of op(A), rows of op(B), >= 0.
    pub k: i64,
    /// Factor of the product.
    pub alpha: Alpha,
    /// m x k matrices, or k x m if op(A) transposes.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its rows).
    pub lda: i64,
    /// k x n matrices, or n x k if op(B) transposes.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, its rows).
    pub ldb: i64,
    /// Factor of C's previous value.
    pub beta: Alpha,
    /// m x n matrices.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Per-member sizes.
    pub sizes: Option<GemmSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Offsets of the blocks to use in each member of A, B and C, in elements.
    pub first: [i64; 3],
    /// Whether any stride is allowed, as in cuBLAS. The contents of overlapping members of C are then undefined.
    pub any_stride: bool,
}

impl Gemm {
    /// A uniform batch of whole matrices: op of A and B; m, n and k; alpha and beta; A, B and C and their leading
    /// dimensions; the number of matrices.
    #[inline]
    pub fn uniform(
        dtype: Dtype,
        [trans_a, trans_b]: [Trans; 2],
        [m, n, k]: [i64; 3],
        [alpha, beta]: [Alpha; 2],
        [a, b, c]: [Operand; 3],
        [lda, ldb, ldc]: [i64; 3],
        batch: i64,
    ) -> Gemm {
        let (sizes, first, any_stride) = (None, [0; 3], false);
        Gemm { dtype, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch, first, any_stride }
    }

    /// Rows and columns of A as it is stored.
    fn stored_a(&self) -> [(i64, Arg); 2] {
        let (m, k) = ((self.m, Arg::M), (self.k, Arg::K));
        if self.trans_a == Trans::N { [m, k] } else { [k, m] }
    }

    /// Rows and columns of B as it is stored.
    fn stored_b(&self) -> [(i64, Arg); 2] {
        let (k, n) = ((self.k, Arg::K), (self.n, Arg::N));
        if self.trans_b == Trans::N { [k, n] } else { [n, k] }
    }

    /// Whether A and B are known not to contribute to the result.
    fn no_product(&self) -> bool {
        self.k == 0 || self.alpha.is_zero()
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Gemm> {
        // A and B are not read and may be NULL; C stands in for them, so that kernels can load the pointers. The
        // per-member k must still be valid, so the maximum k stays.
        let k = if self.sizes.is_some() { self.k } else { 0 };
        self.no_product().then_some(Gemm { k, alpha: Alpha::ZERO, a: self.c, b: self.c, ..*self })
    }
}

impl Routine for Gemm {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["gemm_vbatched"] } else { &["gemm", "gemm_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(GemmSizes::NULL);
        Some(Gemm { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        let idle = self.no_product() && self.beta.is_one();
        if self.sizes.is_some() {
            at_least(self.m, 0, Arg::MaxM)?;
            at_least(self.n, 0, Arg::MaxN)?;
            at_least(self.k, 0, Arg::MaxK)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0 || idle));
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        at_least(self.k, 0, Arg::K)?;
        let (element, batch, any) = (self.dtype.bytes(), self.batch, self.any_stride);
        let [[a_rows, a_columns], [b_rows, b_columns]] = [self.stored_a(), self.stored_b()];
        let input_stride = |operand, arg| if any { Ok(()) } else { check_input_stride(operand, batch, arg) };
        let others = || {
            at_least(self.lda, a_rows.0.max(1), Arg::Lda)?;
            input_stride(&self.a, Arg::StrideA)?;
            at_least(self.ldb, b_rows.0.max(1), Arg::Ldb)?;
            input_stride(&self.b, Arg::StrideB)?;
            at_least(self.ldc, self.m.max(1), Arg::Ldc)?;
            if !any {
                check_output_stride(&self.c, self.m, batch, Arg::StrideC)?;
            }
            at_least(batch, 0, Arg::BatchCount)
        };
        let (m, n) = ((self.m, Arg::M), (self.n, Arg::N));
        let [a, b, c] = [&self.a, &self.b, &self.c].map(with_abs_stride);
        let (lda, ldb, ldc) = ((self.lda, Arg::Lda), (self.ldb, Arg::Ldb), (self.ldc, Arg::Ldc));
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0 || idle).after(others).check_extents([
            Extent { operand: &a, element, rows: a_rows, columns: a_columns, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &b, element, rows: b_rows, columns: b_columns, ld: ldb, stride: Arg::StrideB, batch },
            Extent { operand: &c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.no_product(), Arg::A)?;
        not_null(&self.b, !self.no_product(), Arg::B)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gemm { trans_a, trans_b, m, n, k, lda, ldb, ldc, batch, .. } = self;
        write!(f, " --trans {trans_a} --trans-b {trans_b} --m {m} --n {n} --k {k} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb} --ldr {ldc}") } else { Ok(()) }
    }

    /// A product with a square B.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (trans_a, k) = (shape.extra.trans.unwrap_or(Trans::N), shape.extra.k.unwrap_or(n));
        let rows = if trans_a == Trans::N { m } else { k };
        let (ld, factors) = ([rows.max(1), k.max(1), shape.ld()], [1.0, 0.0].map(Alpha::host));
        Gemm::uniform(dtype, [trans_a, Trans::N], [m, n, k], factors, [0, 1, 2].map(|i| shape.operand(i)), ld, batch)
    }
}
