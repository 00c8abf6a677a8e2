//! Errors of single precision against a double-precision result, compared with LAPACK's errors, and matrices for which
//! these errors depend on how sums are rounded rather than on the condition number.

use crate::lapack::Lapack;
use crate::library::Backend;
use crate::ops::cholesky::hermitian;
use crate::ops::{Prepared, Uplo, residuals};
use crate::qr::Session;
use crate::sweep::{self, with_plan};
use crate::{Dtype, Field, Library, Matrix, Result, Rng, Scalar};
use std::ffi::c_int;

/// The precisions whose errors double precision can measure.
pub const SINGLE: [Dtype; 2] = [Dtype::S, Dtype::C];

/// Orders on both sides of the edges of packs and blocks, and orders with long sums.
pub const ORDERS: [usize; 8] = [8, 17, 33, 64, 100, 129, 257, 1025];

/// Above this order, batches are small and only the default plan is tested.
const LARGE_ORDER: usize = 260;

/// Members of a batch of matrices of order n: enough to fill more than half of the lanes of the interleaved plan, or a
/// single one if the matrices are large.
pub const fn members(n: usize) -> usize {
    if n > LARGE_ORDER { 1 } else { 16 }
}

/// Numbers of right-hand sides: few, more, and many.
pub const fn rhs_counts(n: usize) -> &'static [usize] {
    if n > LARGE_ORDER { &[5, 40] } else { &[1, 5, 40] }
}

/// A heavy diagonal from which every column subtracts a little, so that many subtractions lose accuracy.
pub fn heavy<T: Scalar>(n: usize, rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(n, n, |i, j| {
        T::from_double(if i == j { T::Double::real(n as f64) } else { T::Double::uniform(rng) })
    })
}

/// The same with numbers of one sign, whose sums grow.
pub fn positive<T: Scalar>(n: usize, rng: &mut Rng) -> Matrix<T> {
    let mut part = || (rng.uniform() + 1.0) / 2.0;
    let mut number = |i, j| if i == j { T::Double::real(2.0 * n as f64) } else { T::Double::parts(part(), part()) };
    Matrix::from_fn(n, n, |i, j| T::from_double(number(i, j)))
}

/// The covariance matrix of a Gaussian process: exp(-(x_i - x_j)^2 / (2 l^2)) at random points, with `more` added to
/// the diagonal. Complex elements have phases.
pub fn kernel<T: Scalar>(n: usize, length: f64, more: f64, rng: &mut Rng) -> Matrix<T> {
    let x: Vec<(f64, f64)> = (0..n).map(|_| ((rng.uniform() + 1.0) / 2.0, 3.0 * rng.uniform())).collect();
    Matrix::from_fn(n, n, |i, j| {
        let (distance, phase) = ((x[i].0 - x[j].0) / length, x[i].1 - x[j].1);
        let size = (-0.5 * distance * distance).exp() + if i == j { more } else { 0.0 };
        let phase = if T::DTYPE.is_complex() { phase } else { 0.0 };
        T::from_double(T::Double::parts(size * phase.cos(), size * phase.sin()))
    })
}

/// Batches of all these matrices, with names. Kernel matrices are left out of small batches, where their condition
/// would dominate.
pub fn general<T: Scalar>(n: usize, rng: &mut Rng) -> Vec<(&'static str, Vec<Matrix<T>>)> {
    let mut batch = |make: &dyn Fn(&mut Rng) -> Matrix<T>| (0..members(n)).map(|_| make(rng)).collect();
    let mut all =
        vec![("heavy", batch(&|rng: &mut Rng| heavy(n, rng))), ("positive", batch(&|rng: &mut Rng| positive(n, rng)))];
    if n <= LARGE_ORDER {
        all.push(("kernel", batch(&|rng: &mut Rng| kernel(n, 0.3, 0.1, rng))));
    }
    all
}

/// Their Hermitian counterparts, which are positive definite. They derive from the lower triangles.
pub fn definite<T: Scalar>(n: usize, rng: &mut Rng) -> Vec<(&'static str, Vec<Matrix<T>>)> {
    let whole = |a: &Matrix<T>| Matrix::from_double(&hermitian(Uplo::Lower, &a.to_double()));
    general(n, rng).into_iter().map(|(name, batch)| (name, batch.iter().map(whole).collect())).collect()
}

/// Batches of well-conditioned triangles for triangular systems, with numbers of both signs or of one.
pub fn triangles<T: Scalar>(n: usize, rng: &mut Rng) -> [(&'static str, Vec<Matrix<T>>); 3] {
    let mut batch = |(low, high): (f64, f64)| -> Vec<Matrix<T>> {
        let mut make = || {
            let mut part = || (low + (high - low) * (rng.uniform() + 1.0) / 2.0) / n as f64;
            let mut number = |i, j| match i == j {
                true => T::Double::real(1.5 + 0.5 * n as f64 * part() / high.max(-low)),
                false => T::Double::parts(part(), part()),
            };
            Matrix::from_fn(n, n, |i, j| T::from_double(number(i, j)))
        };
        (0..members(n)).map(|_| make()).collect()
    };
    [("of both signs", batch((-3.0, 3.0))), ("positive", batch((0.0, 1.0))), ("negative", batch((-1.0, 0.0)))]
}

/// Right-hand sides whose parts lie between 0 and 1.
pub fn right_hand_sides<T: Scalar>(rows: usize, columns: usize, batch: usize, rng: &mut Rng) -> Vec<Matrix<T>> {
    let mut part = || (rng.uniform() + 1.0) / 2.0;
    (0..batch)
        .map(|_| Matrix::from_fn(rows, columns, |_, _| T::from_double(T::Double::parts(part(), part()))))
        .collect()
}

/// The Frobenius norm of the difference, relative to that of the exact result.
pub fn error<F: Field>(exact: &Matrix<F>, got: &Matrix<F>) -> f64 {
    let square = |x: F| x.re() * x.re() + x.im() * x.im();
    let differences = exact.data().iter().zip(got.data()).map(|(&x, &y)| square(x - y));
    (differences.sum::<f64>() / exact.data().iter().map(|&x| square(x)).sum::<f64>()).sqrt()
}

/// The sum of the [`error`]s of a batch.
pub fn errors<T: Scalar>(exact: &[Matrix<T::Double>], got: &[Matrix<T>]) -> f64 {
    assert_eq!(exact.len(), got.len());
    exact.iter().zip(got).map(|(exact, got)| error(exact, &got.to_double())).sum()
}

/// The two libraries to compare.
pub struct Comparison {
    /// The library under test.
    pub session: Session,
    /// LAPACK.
    pub lapack: &'static Lapack,
    /// How many times LAPACK's error the library's may be.
    pub limit: f64,
}

impl Comparison {
    /// With a limit of 2. Returns `None` if there is no LAPACK and that is allowed.
    pub fn new() -> Result<Option<Comparison>> {
        let Some(lapack) = Lapack::get_unless_waived()? else { return Ok(None) };
        Ok(Some(Comparison { session: Session::new(Library::required()), lapack, limit: 2.0 }))
    }

    /// The plans to try; the last one is "", which stands for the default plan.
    pub fn paths(&self, n: usize) -> Result<Vec<&'static str>> {
        let all = if n > LARGE_ORDER { &[] } else { sweep::paths(self.session.library().backend()?) };
        Ok(all.iter().copied().chain([""]).collect())
    }

    /// Prepares and runs a call under a plan, since the workspace depends on the plan, and returns the operands that it
    /// writes. Returns `None` if the plan does not accept the call.
    pub fn written<'a, T: Scalar>(
        &self,
        path: &str,
        call: impl Fn() -> Result<Prepared<'a, T>>,
    ) -> Result<Option<Vec<Vec<Matrix<T>>>>> {
        let run = || call()?.run();
        let output = match path {
            "" => run(),
            _ => with_plan(self.session.library(), path, run)?,
        };
        match output {
            Err(e) if e.is_not_supported() => Ok(None),
            output => Ok(Some(output?.operands)),
        }
    }

    /// Reports how the errors of this many members, summed, compare with LAPACK's. On the CPU it panics if ours exceed
    /// both `limit` times LAPACK's and, on average, the 1.5 eps that rounding each element one and a half times costs.
    pub fn check<T: Scalar>(&self, what: &str, members: usize, ours: f64, lapacks: f64) -> Result<()> {
        let [ours, lapacks] = [ours, lapacks].map(|errors| errors / members as f64 / T::DTYPE.eps());
        let text = format!("{} {what}: error {ours:.2} eps, LAPACK's {lapacks:.2}", T::DTYPE.letter());
        println!("{text}");
        assert!(self.session.library().backend()? != Backend::Cpu || ours <= (self.limit * lapacks).max(1.5), "{text}");
        Ok(())
    }

    /// Applies [`Comparison::check`] to the errors of one operand under every plan, for matrices of order n.
    pub fn check_all_plans<'a, T: Scalar>(
        &'a self,
        what: &str,
        n: usize,
        exact: &[Matrix<T::Double>],
        lapacks: &[Matrix<T>],
        operand: usize,
        call: impl Fn() -> Result<Prepared<'a, T>>,
    ) -> Result<()> {
        for path in self.paths(n)? {
            let Some(mut operands) = self.written(path, &call)? else { continue };
            let got = operands.swap_remove(operand);
            let what = format!("{what} {path}");
            self.check::<T>(&what, exact.len(), errors(exact, &got), errors(exact, lapacks))?;
        }
        Ok(())
    }
}

/// L and U in double precision of a matrix whose rows are already in pivot order; plain elimination if LAPACK would
/// choose other pivots.
pub fn exact_factors<T: Scalar>(lapack: &Lapack, a: &Matrix<T>, ipiv: &[c_int]) -> Result<Matrix<T::Double>>
where
    T::Double: Scalar<Double = T::Double>,
{
    let mut a = a.to_double();
    let rows: Vec<usize> = ipiv.iter().map(|&row| row as usize).collect();
    residuals::exchange(&mut a, &rows, false);
    let (factors, chosen, _) = lapack.getrf(&a)?;
    let same = chosen.iter().enumerate().all(|(j, &row)| row as usize == j + 1);
    Ok(if same { factors } else { residuals::reference(&a, false).0 })
}
