//! Test ratios of least-squares and minimum-norm solutions, of full rank or any, and the reasons why there may be none.
//! As in [`super::measure`], a NaN in a result makes its ratio NaN.

use super::Trans;
use super::measure::{equilibrated, largest, minus, near_one, norm1, quotient_or_zero, transposed};
use crate::scalar::{Field, Scalar, worst};
use crate::{Matrix, ratios};
use std::cmp::Ordering;

/// sqrt(sum |x|^2).
fn norm2<F: Field>(x: &[F]) -> f64 {
    x.iter().map(|x| x.abs() * x.abs()).sum::<f64>().sqrt()
}

/// Some rows of a matrix, in double precision.
fn rows<T: Scalar>(of: &Matrix<T>, from: usize, to: usize) -> Matrix<T::Double> {
    Matrix::from_fn(to - from, of.cols(), |i, j| of[(from + i, j)].to_double())
}

/// Column j, divided by 2^e.
fn column<F: Field>(of: &Matrix<F>, j: usize, e: i32) -> Matrix<F> {
    Matrix::from_fn(of.rows(), 1, |i, _| of[(i, j)].ldexp(-e))
}

/// The ratio of a least-squares or minimum-norm solution of op(A) X = B for A of full rank, whatever its condition;
/// `result` is B as the call left it.
///
/// With more equations than unknowns, for each column: ||op(A)^H r|| / (||A|| (||A|| ||x|| + ||b||) size eps) with
/// r = b - op(A) x (LAPACK's `?qrt17`, which lacks ||A|| ||x||, the larger term if A is ill-conditioned), and the
/// difference between ||r||_2 and the part of B below X. Otherwise: ||r|| / (||A|| ||x|| size eps) (`?qrt16`) and, with
/// fewer equations, the distance of x from the range of op(A)^H, see [`outside`].
pub fn least_squares<T: Scalar>(trans: Trans, a: &Matrix<T>, b: &Matrix<T>, result: &Matrix<T>) -> f64 {
    let op = transposed(trans, &a.to_double());
    let (equations, unknowns) = (op.rows(), op.cols());
    let unit = equations.max(unknowns).max(b.cols()) as f64 * T::DTYPE.eps();
    let (b, x) = (rows(b, 0, equations), rows(result, 0, unknowns));
    if equations < unknowns {
        let (e, op) = normal(&op);
        let residual = residuals(&op, e, &b, &x) / unit;
        // If the equations are nearly dependent, rounding errors determine the range.
        let has_range = !nearly_singular(&op, T::DTYPE.eps());
        return if has_range { worst(residual, outside::<T>(&op, equations, &x) / unit) } else { residual };
    }
    // The columns of A may have any scale, and x the reciprocal one.
    let (exponents, op) = equilibrated(&op);
    let norm = worst(norm1(&op), norm1(&op.adjoint()));
    let below = rows(result, unknowns, equations);
    let one = |j: usize| {
        let e = ratios::exponent(b.col(j));
        let x = Matrix::from_fn(unknowns, 1, |i, _| x[(i, j)].ldexp(exponents[i] - e));
        let (b, below) = (column(&b, j, e), column(&below, j, e));
        let residual = minus(&b, &op.times(&x));
        if equations == unknowns {
            return quotient_or_zero(norm2(residual.data()), norm * norm2(x.data()));
        }
        let reach = norm * norm2(x.data()) + norm2(b.data());
        let gradient = quotient_or_zero(norm2(op.adjoint().times(&residual).data()), norm * reach);
        worst(gradient, quotient_or_zero((norm2(below.data()) - norm2(residual.data())).abs(), reach))
    };
    (0..b.cols()).map(one).fold(0.0, worst) / unit
}

/// The ratio of a shortest least-squares solution by `gelsy` for A of any rank: for each column the gradient as in
/// [`least_squares`], the distance of x from the range of the columns of A^H that determine the rank, and the size of
/// what is left of A outside of that range.
pub fn shortest<T: Scalar>(a: &Matrix<T>, rank: usize, b: &Matrix<T>, result: &Matrix<T>) -> f64 {
    let (e, op) = normal(&a.to_double());
    let unit = a.rows().max(a.cols()).max(b.cols()) as f64 * T::DTYPE.eps();
    if rank > a.rows().min(a.cols()) {
        return f64::INFINITY;
    }
    let (b, x) = (rows(b, 0, a.rows()), rows(result, 0, a.cols()));
    let left = Range::new(&op.adjoint(), rank).left;
    let left = quotient_or_zero(left, worst(norm1(&op), norm1(&op.adjoint())));
    let gradient = gradients(&op, e, &b, &x);
    worst(worst(left, gradient), outside::<T>(&op, rank, &x)) / unit
}

/// e and A / 2^e, whose largest element is near 1.
fn normal<F: Field>(a: &Matrix<F>) -> (i32, Matrix<F>) {
    let e = ratios::exponent(a.data());
    (e, near_one(a, e))
}

/// The largest ||b - 2^e A x|| / (2^e ||A|| ||x||), column by column.
fn residuals<F: Field>(a: &Matrix<F>, e: i32, b: &Matrix<F>, x: &Matrix<F>) -> f64 {
    let norm = worst(norm1(a), norm1(&a.adjoint()));
    let one = |j: usize| {
        let of_x = ratios::exponent(x.col(j));
        let (b, x) = (column(b, j, e.saturating_add(of_x)), column(x, j, of_x));
        quotient_or_zero(norm2(minus(&b, &a.times(&x)).data()), norm * norm2(x.data()))
    };
    (0..b.cols()).map(one).fold(0.0, worst)
}

/// The largest ||A^H (b - 2^e A x)|| / (||A|| (||A|| ||x|| + ||b||)), column by column.
fn gradients<F: Field>(a: &Matrix<F>, e: i32, b: &Matrix<F>, x: &Matrix<F>) -> f64 {
    let norm = worst(norm1(a), norm1(&a.adjoint()));
    let one = |j: usize| {
        // Scaled so that b is near 1.
        let of_b = ratios::exponent(b.col(j));
        let (b, x) = (column(b, j, of_b), column(x, j, of_b.saturating_sub(e)));
        let reach = norm * norm2(x.data()) + norm2(b.data());
        quotient_or_zero(norm2(a.adjoint().times(&minus(&b, &a.times(&x))).data()), norm * reach)
    };
    (0..b.cols()).map(one).fold(0.0, worst)
}

/// The largest ||x - A^H y|| / (||x|| + ||A|| ||y||), column by column, with the y that makes it smallest, from `rank`
/// columns of A^H (`?qrt14` lacks ||A|| ||y||: a small error of an ill-conditioned A^H turns its range by much).
fn outside<T: Scalar>(a: &Matrix<T::Double>, rank: usize, x: &Matrix<T::Double>) -> f64 {
    let (range, norm) = (Range::new(&a.adjoint(), rank), worst(norm1(a), norm1(&a.adjoint())));
    let one = |j: usize| {
        let x = column(x, j, ratios::exponent(x.col(j)));
        let along = range.q.adjoint().times(&x);
        let outside = minus(&x, &range.q.times(&along));
        let y = range.solve(along.data());
        quotient_or_zero(norm2(outside.data()), norm2(x.data()) + norm * norm2(&y))
    };
    (0..x.cols()).map(one).fold(0.0, worst)
}

/// A factorisation Q R of some columns of a matrix, those that differ most from each other.
struct Range<F> {
    q: Matrix<F>,
    r: Matrix<F>,
    /// The chosen columns.
    order: Vec<usize>,
    /// The norm of the largest column that is left outside of the range.
    left: f64,
}

impl<F: Field> Range<F> {
    /// By Gram and Schmidt's method, twice, with column pivoting.
    fn new(of: &Matrix<F>, rank: usize) -> Self {
        let (mut rest, count) = (of.clone(), of.cols());
        let (mut q, mut r) = (Matrix::zeros(of.rows(), rank), Matrix::zeros(rank, rank));
        let mut along = vec![vec![F::ZERO; rank]; count];
        let (mut free, mut order): (Vec<usize>, Vec<usize>) = ((0..count).collect(), vec![]);
        let largest = |rest: &Matrix<F>, free: &[usize]| {
            let norm = |&at: &usize| norm2(rest.col(free[at]));
            (0..free.len()).max_by(|a, b| norm(a).total_cmp(&norm(b)))
        };
        for k in 0..rank {
            let Some(at) = largest(&rest, &free) else { break };
            let chosen = free.swap_remove(at);
            order.push(chosen);
            let norm = norm2(rest.col(chosen));
            let inverse = if norm > 0.0 { 1.0 / norm } else { 0.0 };
            (0..of.rows()).for_each(|i| q[(i, k)] = rest[(i, chosen)].scale(inverse));
            (0..k).for_each(|i| r[(i, k)] = along[chosen][i]);
            r[(k, k)] = F::real(norm);
            for &j in free.iter().chain(&free) {
                let dot = q.col(k).iter().zip(rest.col(j)).fold(F::ZERO, |dot, (&q, &x)| dot + q.conj() * x);
                for (x, &q) in rest.col_mut(j).iter_mut().zip(q.col(k)) {
                    *x -= q * dot;
                }
                along[j][k] += dot;
            }
        }
        let left = largest(&rest, &free).map_or(0.0, |at| norm2(rest.col(free[at])));
        Range { q, r, order, left }
    }

    /// The solution of R y = z, with zeros where R's diagonal is zero.
    fn solve(&self, z: &[F]) -> Vec<F> {
        let mut y = z.to_vec();
        for k in (0..y.len()).rev() {
            let size = self.r[(k, k)].re();
            y[k] = if size > 0.0 { y[k].scale(1.0 / size) } else { F::ZERO };
            for i in 0..k {
                let x = self.r[(i, k)] * y[k];
                y[i] -= x;
            }
        }
        y
    }
}

/// Whether a call may report that A has no inverse, or not full rank: a column is nearly a combination of others.
pub fn nearly_singular<F: Field>(a: &Matrix<F>, eps: f64) -> bool {
    let a = if a.rows() < a.cols() { a.adjoint() } else { a.clone() };
    let (_, a) = equilibrated(&a);
    let r = Range::new(&a, a.cols()).r;
    let smallest = (0..a.cols()).map(|k| r[(k, k)].re()).fold(f64::INFINITY, f64::min);
    smallest <= ratios::Ratios::THRESHOLD * a.rows() as f64 * norm1(&a) * eps
}

/// Whether the solution of A X = B is outside of the range of the element type.
pub fn overflows<T: Scalar>(a: &Matrix<T::Double>, b: &Matrix<T::Double>) -> bool {
    let (exponents, a) = equilibrated(a);
    let range = Range::new(&a, a.rows().min(a.cols()));
    (0..b.cols()).any(|j| {
        let e = ratios::exponent(b.col(j));
        let x = range.solve(range.q.adjoint().times(&column(b, j, e)).data());
        let is_large = |(x, &at): (&T::Double, &usize)| {
            x.abs() > 0.0 && x.abs().log2() + f64::from(e) - f64::from(exponents[at]) > largest::<T>().log2() - 1.0
        };
        x.iter().zip(&range.order).any(is_large)
    })
}

/// Extends a least-squares solution to the form that [`least_squares`] takes: below X, the norm of each column's
/// residual in a single element.
pub fn with_residuals<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>, x: &Matrix<T>) -> Matrix<T> {
    let residual = minus(&b.to_double(), &a.to_double().times(&x.to_double()));
    let norm = |j: usize| residual.col(j).iter().map(|x| x.abs() * x.abs()).sum::<f64>().sqrt();
    Matrix::from_fn(b.rows(), b.cols(), |i, j| match i.cmp(&x.rows()) {
        Ordering::Less => x[(i, j)],
        Ordering::Equal => T::from_double(Field::real(norm(j))),
        Ordering::Greater => T::from_double(T::Double::ZERO),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrices::Class;
    use crate::ops::q::random;
    use crate::{Dtype, Rng};

    const THRESHOLD: f64 = ratios::Ratios::THRESHOLD;

    /// Solutions by the definition, which are wrong in the last digits only, and the same with one wrong element.
    #[test]
    fn ill_conditioned_systems_are_judged_by_what_their_condition_allows() {
        for class in [Class::Cond2, Class::CondRoot, Class::CondHigh, Class::NearRank, Class::ScaledColumns] {
            for (m, n) in [(12, 5), (6, 6)] {
                let a = &random::<f64>(class, m, n, 1, 3)[0];
                let b = &random::<f64>(Class::Uniform, m, 2, 1, 4)[0];
                let (exponents, op) = equilibrated(a);
                let range = Range::new(&op, n);
                let mut x = Matrix::zeros(m, 2);
                for j in 0..2 {
                    let y = range.solve(range.q.adjoint().times(&column(b, j, 0)).data());
                    for (y, &i) in y.iter().zip(&range.order) {
                        x[(i, j)] = y.ldexp(-exponents[i]);
                    }
                }
                let top = Matrix::from_fn(n, 2, |i, j| x[(i, j)]);
                let whole = with_residuals(a, b, &top);
                let mut x = if m > n { whole } else { top };
                assert!(least_squares(Trans::N, a, b, &x) < 5.0, "{class:?} {m}x{n}");
                x[(1, 1)] *= 1.001;
                assert!(least_squares(Trans::N, a, b, &x) > THRESHOLD, "{class:?} {m}x{n}");
            }
        }
    }

    #[test]
    fn shortest_solutions_of_any_rank() {
        let mut rng = Rng::new(7);
        for (m, n, rank) in [(9, 6, 4), (6, 9, 4), (5, 5, 5), (4, 3, 0)] {
            let [left, right]: [Matrix<f64>; 2] =
                [(m, rank), (rank, n)].map(|(m, n)| Class::Cond2.generate(m, n, &mut rng));
            let a = left.times(&right);
            let b: Matrix<f64> = Class::Uniform.generate(m.max(n), 1, &mut rng);
            // A^H y, with A's range and that of A^H.
            let (of, to) = (Range::new(&a, rank), Range::new(&a.adjoint(), rank));
            let inner = of.q.adjoint().times(&a).times(&to.q);
            let right_side = of.q.adjoint().times(&Matrix::from_fn(m, 1, |i, _| b[(i, 0)]));
            let within = Range::new(&inner, rank);
            let z = within.solve(within.q.adjoint().times(&right_side).data());
            let mut y = Matrix::zeros(rank, 1);
            z.iter().zip(&within.order).for_each(|(&z, &i)| y[(i, 0)] = z);
            let short = to.q.times(&y);
            let mut x = Matrix::from_fn(m.max(n), 1, |i, _| if i < n { short[(i, 0)] } else { 0.0 });
            assert!(shortest(&a, rank, &b, &x) < 5.0, "{m}x{n} {rank}: {}", shortest(&a, rank, &b, &x));
            if rank > 0 {
                assert!(shortest(&a, rank - 1, &b, &x) > THRESHOLD, "a rank that is too small");
            }
            x[(0, 0)] += 1e-3;
            assert!(shortest(&a, rank, &b, &x) > THRESHOLD, "{m}x{n} {rank}");
        }
    }

    #[test]
    fn what_has_no_solution() {
        for (class, singular) in [(Class::Zero, true), (Class::RankDeficient, true), (Class::Cond2, false)] {
            for (m, n) in [(8, 6), (6, 8)] {
                let a: Matrix<f64> = class.generate(m, n, &mut Rng::new(3));
                assert_eq!(nearly_singular(&a, Dtype::D.eps()), singular, "{class:?} {m}x{n}");
            }
        }
        let (a, eye) = (Matrix::from_fn(1, 1, |_, _| 1e-40), Matrix::from_fn(1, 1, |_, _| 1.0));
        assert!(overflows::<f32>(&a, &eye) && !overflows::<f64>(&a, &eye));
    }

    #[test]
    fn wrong_solutions_are_seen() {
        let mut rng = Rng::new(4);
        for (m, n) in [(9, 5), (5, 9)] {
            let a: Matrix<f64> = Class::Cond2.generate(m, n, &mut rng);
            let b: Matrix<f64> = Class::Uniform.generate(9, 2, &mut rng);
            // Zero is not a solution, nor is a solution that is not the shortest one.
            assert!(least_squares(Trans::N, &a, &b, &Matrix::zeros(9, 2)) > THRESHOLD);
            let mut poisoned = b.clone();
            poisoned[(0, 1)] = f64::POISON;
            assert!(least_squares(Trans::N, &a, &b, &poisoned).is_nan());
        }
    }
}
