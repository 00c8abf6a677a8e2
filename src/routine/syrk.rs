//! Symmetric and Hermitian products: syrk, herk, syr2k, her2k.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Alpha, Dtype, Operand, Routine, Shape, SyrkSizes, Trans, Uplo, sizes};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched BLAS `?syrk` and `?herk`: C(i) := alpha op(A(i)) op(A(i))' + beta C(i), where X' is X^T, or X^H if C is
/// Hermitian.
///
/// Only one triangle of C is written, and read unless beta = 0. If C is Hermitian, alpha and beta are real, and so is
/// its diagonal: imaginary parts there are not read and become zero. alpha = 0 leaves A unread. Members of A may
/// repeat.
#[derive(Clone, Copy, Debug)]
pub struct Syrk {
    /// Element type.
    pub dtype: Dtype,
    /// Whether C is Hermitian, not symmetric. The same for real types.
    pub hermitian: bool,
    /// Triangle of C.
    pub uplo: Uplo,
    /// op: N or T; for a Hermitian C, N or C. Real types accept T and C alike.
    pub trans: Trans,
    /// Order of C, >= 0.
    pub n: i64,
    /// Columns of op(A), >= 0.
    pub k: i64,
    /// Factor of the product.
    pub alpha: Alpha,
    /// The matrices A: n x k, or k x n if op is not N.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its rows).
    pub lda: i64,
    /// Factor of C's previous value.
    pub beta: Alpha,
    /// The matrices to update.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, n).
    pub ldc: i64,
    /// Per-member sizes. Members whose sizes are invalid are left untouched.
    pub sizes: Option<SyrkSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// Batched BLAS `?syr2k` and `?her2k`: C(i) := alpha op(A(i)) op(B(i))' + alpha' op(B(i)) op(A(i))' + beta C(i).
///
/// Otherwise as [`Syrk`]. alpha is complex, and alpha' is its conjugate if C is Hermitian. alpha must be a host scalar.
#[derive(Clone, Copy, Debug)]
pub struct Syr2k {
    /// Element type.
    pub dtype: Dtype,
    /// Whether C is Hermitian, not symmetric.
    pub hermitian: bool,
    /// Whether to compute only a triangle of the first product (MAGMA's core forms).
    pub once: bool,
    /// Triangle of C.
    pub uplo: Uplo,
    /// op, as in [`Syrk`].
    pub trans: Trans,
    /// Order of C, >= 0.
    pub n: i64,
    /// Columns of op(A) and op(B), >= 0.
    pub k: i64,
    /// Factor of the products.
    pub alpha: Alpha,
    /// The matrices A, as in [`Syrk`].
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its rows).
    pub lda: i64,
    /// The matrices B, of the same shape as A.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, its rows).
    pub ldb: i64,
    /// Factor of C's previous value.
    pub beta: Alpha,
    /// The matrices to update.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, n).
    pub ldc: i64,
    /// As in [`Syrk`].
    pub sizes: Option<SyrkSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

/// One product: a triangle of alpha op(A) op(B)' + beta C.
#[derive(Clone, Copy, Debug)]
pub struct TriangleProduct {
    /// As in [`Syr2k`].
    pub hermitian: bool,
    /// Triangle of C.
    pub uplo: Uplo,
    /// Whether op is N.
    pub plain: bool,
    /// Factors of the product and of C.
    pub factors: [Alpha; 2],
    /// A and its leading dimension.
    pub a: (Operand, i64),
    /// B and its leading dimension.
    pub b: (Operand, i64),
}

impl Syrk {
    /// The product that implements it.
    #[inline]
    pub fn product(&self) -> TriangleProduct {
        let (a, hermitian) = ((self.a, self.lda), self.hermitian && self.dtype.is_complex());
        let (plain, factors) = (self.trans == Trans::N, [self.alpha.of_terms(self.k), self.beta]);
        TriangleProduct { hermitian, uplo: self.uplo, plain, factors, a, b: a }
    }
}

impl Syr2k {
    /// The products that implement it, in the order in which they must run.
    #[inline]
    pub fn products(&self) -> impl Iterator<Item = TriangleProduct> {
        let (a, b, hermitian) = ((self.a, self.lda), (self.b, self.ldb), self.hermitian && self.dtype.is_complex());
        let alpha = self.alpha.of_terms(self.k);
        let conj_alpha = match alpha {
            Alpha::Host(C64 { re, im }) if hermitian => Alpha::Host(C64 { re, im: -im }),
            other => other,
        };
        let one = Alpha::Host(C64 { re: 1.0, im: 0.0 });
        let first = TriangleProduct {
            hermitian,
            uplo: self.uplo,
            plain: self.trans == Trans::N,
            factors: [alpha, self.beta],
            a,
            b,
        };
        let second = TriangleProduct { factors: [conj_alpha, one], a: b, b: a, ..first };
        [first, second].into_iter().take(if self.once { 1 } else { 2 })
    }
}

/// Flags and sizes that both routines have.
#[derive(Clone, Copy)]
struct Sizes {
    dtype: Dtype,
    hermitian: bool,
    trans: Trans,
    n: i64,
    k: i64,
    vbatched: bool,
}

impl Sizes {
    fn check(self) -> Result<(), Error> {
        let other = if self.hermitian { Trans::T } else { Trans::C };
        if self.dtype.is_complex() && self.trans == other {
            return Err(Arg::Trans.into());
        }
        at_least(self.n, 0, if self.vbatched { Arg::MaxN } else { Arg::N })?;
        at_least(self.k, 0, if self.vbatched { Arg::MaxK } else { Arg::K })
    }

    /// The remaining checks of a variable-size batch.
    fn check_vbatched(self, batch: i64) -> Result<Verdict, Error> {
        sizes::check_batch_count(batch)?;
        Ok(Verdict::quick_return_if(self.n == 0 || batch == 0))
    }

    /// A or B.
    fn factor<'a>(&self, operand: &'a Operand, ld: (i64, Arg), stride: Arg) -> Matrix<'a> {
        let (n, k) = ((self.n, Arg::N), (self.k, Arg::K));
        let (rows, columns) = if self.trans == Trans::N { (n, k) } else { (k, n) };
        Matrix { operand, rows, columns, ld, stride, written: false }
    }

    fn c<'a>(&self, operand: &'a Operand, ld: i64) -> Matrix<'a> {
        let n = (self.n, Arg::N);
        Matrix { operand, rows: n, columns: n, ld: (ld, Arg::Ldc), stride: Arg::StrideC, written: true }
    }
}

/// A shape's m is the order of C, and its n the inner size.
fn order_in_shape(arg: Arg) -> Arg {
    if matches!(arg, Arg::N | Arg::MaxN) { Arg::M } else { arg }
}

impl Routine for Syrk {
    fn names(&self) -> &'static [&'static str] {
        match (self.sizes.is_some(), self.hermitian, self.dtype.is_complex()) {
            (true, true, _) => &["herk_vbatched"],
            (true, false, _) => &["syrk_vbatched"],
            (_, true, _) => &["herk", "syrk", "herk_vbatched", "syrk_vbatched"],
            (_, false, true) => &["syrk", "herk", "syrk_vbatched", "herk_vbatched"],
            (_, false, false) => &["syrk", "syrk_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SyrkSizes::NULL);
        Some(Syrk { hermitian: name.starts_with("herk"), sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        let &Syrk { dtype, hermitian, trans, n, k, .. } = self;
        let sizes = Sizes { dtype, hermitian, trans, n, k, vbatched: self.sizes.is_some() };
        sizes.check()?;
        if sizes.vbatched {
            return sizes.check_vbatched(self.batch);
        }
        let a = sizes.factor(&self.a, (self.lda, Arg::Lda), Arg::StrideA);
        check_matrices(dtype, [a, sizes.c(&self.c, self.ldc)], self.batch, n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero() && self.k > 0, Arg::A)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Syrk { uplo, trans, n, k, lda, ldc, batch, .. } = self;
        write!(f, " --uplo {uplo} --trans {trans} --n {n} --k {k} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldr {ldc}") } else { Ok(()) }
    }

    /// The product of an m x n matrix with its transpose.
    fn in_shape(&self, arg: Arg) -> Arg {
        order_in_shape(arg)
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m: n, n: k, batch, extra, .. } = shape;
        let (uplo, trans, k) = (Uplo::Lower, extra.trans.unwrap_or(Trans::N), extra.k.unwrap_or(k));
        let lda = if trans == Trans::N { n } else { k }.max(1);
        let [alpha, beta] = [1.0, 0.0].map(|re| Alpha::Host(C64 { re, im: 0.0 }));
        let (a, c, hermitian, sizes) = (shape.operand(0), shape.operand(1), false, None);
        Syrk { dtype, hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc: shape.ld(), sizes, batch }
    }
}

impl Routine for Syr2k {
    fn names(&self) -> &'static [&'static str] {
        match (self.sizes.is_some(), self.hermitian, self.dtype.is_complex()) {
            (true, true, _) => &["her2k_vbatched"],
            (true, false, _) => &["syr2k_vbatched"],
            (_, true, _) => &["her2k", "syr2k", "her2k_vbatched", "syr2k_vbatched"],
            (_, false, true) => &["syr2k", "her2k", "syr2k_vbatched", "her2k_vbatched"],
            (_, false, false) => &["syr2k", "syr2k_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SyrkSizes::NULL);
        Some(Syr2k { hermitian: name.starts_with("her2k"), sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        let &Syr2k { dtype, hermitian, trans, n, k, .. } = self;
        let sizes = Sizes { dtype, hermitian, trans, n, k, vbatched: self.sizes.is_some() };
        sizes.check()?;
        if sizes.vbatched {
            return sizes.check_vbatched(self.batch);
        }
        let a = sizes.factor(&self.a, (self.lda, Arg::Lda), Arg::StrideA);
        let b = sizes.factor(&self.b, (self.ldb, Arg::Ldb), Arg::StrideB);
        check_matrices(dtype, [a, b, sizes.c(&self.c, self.ldc)], self.batch, n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        let read = !self.alpha.is_zero() && self.k > 0;
        not_null(&self.a, read, Arg::A)?;
        not_null(&self.b, read, Arg::B)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Syr2k { uplo, trans, n, k, lda, ldb, ldc, batch, .. } = self;
        write!(f, " --uplo {uplo} --trans {trans} --n {n} --k {k} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb} --ldr {ldc}") } else { Ok(()) }
    }

    /// The products of two m x n matrices.
    fn in_shape(&self, arg: Arg) -> Arg {
        order_in_shape(arg)
    }

    fn of_shape(shape: &Shape) -> Self {
        let Syrk { dtype, hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc, sizes, batch } =
            Syrk::of_shape(shape);
        let (once, b, ldb) = (false, shape.operand(2), lda);
        Syr2k { dtype, hermitian, once, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch }
    }
}
