//! Least squares by iteration.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null};
use super::extent::{self, Extent};
use super::gels::Gels;
use super::{Dtype, Operand, Routine, Shape, Trans, Workspace};
use crate::error::{Arg, Error};
use std::ffi::c_void;
use std::fmt::{self, Formatter};

/// Minimises |b - A x| for each column of B(i), where A(i) has full rank and m >= n. Uses conjugate gradients on the
/// normal equations, preconditioned by the Cholesky factor R of A^H A in double precision. A and B are not changed. If
/// A^H A has no such factor, or the iteration does not converge, [`Gels`] solves the problem on copies.
///
/// Stops when r = b - A x satisfies |A^H r| <= tolerance |A| |r|, or when the component of r in the range of A is at
/// most tolerance (|A| |x| + |b|) (2-norms, for A the Frobenius norm), or when rounding errors prevent further
/// progress.
#[derive(Clone, Copy, Debug)]
pub struct GelsIterative {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A, >= n.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; members may share memory.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// The right-hand sides; members may share memory.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Receives the solutions.
    pub x: Operand,
    /// Leading dimension of X, >= max(1, n).
    pub ldx: i64,
    /// Stopping tolerance, >= 0. 0 stands for the unit roundoff in single precision, and twice the unit roundoff in
    /// double precision.
    pub tolerance: f64,
    /// Maximum number of iterations, >= 0. 0 stands for [`GelsIterative::DEFAULT_MAX_ITERATIONS`].
    pub max_iterations: i64,
    /// One per right-hand side of each matrix, in the backend's memory: the number of iterations after the first
    /// solution, or a negative code if the solution is that of `gels`, see [`FallbackReason`]. NULL if not wanted.
    pub iterations: *mut i32,
    /// One per right-hand side of each matrix, in the backend's memory: |b - A x|, a real number of A's precision. NULL
    /// if not wanted.
    pub residuals: *mut c_void,
    /// One status code per matrix: that of `gels` if it solved the problem, otherwise 0. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

/// Why a right-hand side was solved by QR, as reported in `iterations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum FallbackReason {
    /// A^H A gave no preconditioner: A is nearly rank deficient, out of range, or not finite.
    NoPreconditioner = -1,
    /// The iteration did not converge within the maximum number of iterations.
    NoConvergence = -2,
    /// The iteration was not attempted: A has too many columns.
    TooManyColumns = -3,
}

impl GelsIterative {
    /// Default of the maximum number of iterations.
    pub const DEFAULT_MAX_ITERATIONS: i64 = 16;
    /// Maximum number of columns for the iteration.
    pub const MAX_COLUMNS: i64 = 1024;

    /// The double precision type used for A^H A, its factor and the vectors.
    pub fn wide_dtype(&self) -> Dtype {
        if self.dtype.is_complex() { Dtype::Z } else { Dtype::D }
    }

    /// The effective tolerance. It is at least the rounding error of double precision, since the iteration would never
    /// meet a smaller one.
    pub fn effective_tolerance(&self) -> f64 {
        let single = self.dtype.real() == Dtype::S;
        match self.tolerance {
            0.0 if single => f64::from(f32::EPSILON) / 2.0,
            tolerance => tolerance.max(f64::EPSILON),
        }
    }

    /// The effective maximum number of iterations.
    pub fn iteration_limit(&self) -> i32 {
        let most = if self.max_iterations == 0 { GelsIterative::DEFAULT_MAX_ITERATIONS } else { self.max_iterations };
        i32::try_from(most).unwrap_or(i32::MAX)
    }

    /// The fallback by QR, on contiguous copies of the operands.
    pub fn qr_fallback(&self, [a, b]: [*mut c_void; 2], info: *mut i32, work: Workspace) -> Gels {
        let &GelsIterative { dtype, m, n, nrhs, batch, .. } = self;
        let [a, b] =
            [(a, n), (b, nrhs)].map(|(base, columns)| Operand::Strided { base, stride: m.saturating_mul(columns) });
        Gels { dtype, trans: Trans::N, m, n, nrhs, a, lda: m, b, ldb: m, sizes: None, info, batch, work }
    }

    /// The problem restricted to `count` members from `first` on.
    pub fn members(&self, first: i64, count: i64) -> GelsIterative {
        let element = self.dtype.bytes();
        let [a, b, x] = [self.a, self.b, self.x].map(|operand| operand.from_member(first, element));
        let right = (first * self.nrhs) as usize;
        let real = self.dtype.real().bytes();
        GelsIterative {
            a,
            b,
            x,
            iterations: advance(self.iterations, right),
            residuals: advance(self.residuals.cast::<u8>(), right * real).cast(),
            info: advance(self.info, first as usize),
            batch: count,
            ..*self
        }
    }
}

/// Advances an optional output by this many elements. NULL stays NULL.
fn advance<T>(p: *mut T, elements: usize) -> *mut T {
    if p.is_null() { p } else { p.wrapping_add(elements) }
}

impl Routine for GelsIterative {
    fn names(&self) -> &'static [&'static str] {
        &["gels_iterative"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        let (m, n, nrhs) = ((self.m, Arg::M), (self.n, Arg::N), (self.nrhs, Arg::Nrhs));
        at_least(self.m, 0, Arg::M)?;
        at_most(self.n, self.m, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_input_stride(&self.a, self.batch, Arg::StrideA)?;
            at_least(self.ldb, self.m.max(1), Arg::Ldb)?;
            check_input_stride(&self.b, self.batch, Arg::StrideB)?;
            at_least(self.ldx, self.n.max(1), Arg::Ldx)?;
            check_output_stride(&self.x, if self.nrhs > 0 { self.n } else { 0 }, self.batch, Arg::StrideX)?;
            if self.tolerance.is_nan() || self.tolerance < 0.0 {
                return Err(Arg::Tolerance.into());
            }
            at_least(self.max_iterations, 0, Arg::MaxIterations)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (element, batch) = (self.dtype.bytes(), self.batch);
        let matrix = |operand, rows, columns, ld, stride| Extent { operand, element, rows, columns, ld, stride, batch };
        let verdict =
            Verdict::quick_return_if(self.n == 0 || self.nrhs == 0 || batch == 0).after(others).check_extents([
                matrix(&self.a, m, n, (self.lda, Arg::Lda), Arg::StrideA),
                matrix(&self.b, m, nrhs, (self.ldb, Arg::Ldb), Arg::StrideB),
                matrix(&self.x, n, nrhs, (self.ldx, Arg::Ldx), Arg::StrideX),
            ])?;
        // `residuals` has a number for each right-hand side of each matrix.
        if verdict == Verdict::Go && extent::bytes(size_of::<f64>() as i64, nrhs.0, 1, batch, nrhs.0).is_none() {
            return Err(Arg::BatchCount.into());
        }
        Ok(verdict)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, true, Arg::B)?;
        not_null(&self.x, true, Arg::X)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(GelsIterative { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let GelsIterative { m, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --m {m} --n {n} --nrhs {nrhs} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    /// A problem with at least as many rows as columns.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, .. } = shape;
        let (m, a, b, none) = (m.max(n), shape.operand(0), shape.operand(1), std::ptr::null_mut());
        GelsIterative {
            dtype,
            m,
            n,
            nrhs: shape.extra.k.unwrap_or(1),
            a,
            lda: m.max(1),
            b,
            ldb: m.max(1),
            x: shape.operand(2),
            ldx: n.max(1),
            tolerance: 0.0,
            max_iterations: 0,
            iterations: none,
            residuals: none.cast(),
            info: none,
            batch: shape.batch,
            work: Workspace::NONE,
        }
    }
}
