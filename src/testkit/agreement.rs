//! Element-wise comparison with LAPACK, the only check that detects a different sign or conjugation convention.

use crate::scalar::{Field, Scalar, worst};
use crate::{Matrix, Rng, householder, matrices::Class};

/// Largest differences between two factorisations of one matrix, in units of m * eps.
///
/// R is compared column by column against ||A e_j||_2, reflectors and tau (whose entries are about 1) absolutely.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// R, the upper trapezoid.
    pub r: f64,
    /// The reflectors' vectors, below the diagonal.
    pub v: f64,
    /// The scalar factors.
    pub tau: f64,
}

impl Agreement {
    /// The difference that two backward stable implementations may show on [`well_separated`] input. The first-order
    /// bound is a small multiple of the condition number (2) times the ratios of both (about 1 each, by their tests).
    pub const BOUND: f64 = 20.0;

    /// The largest of the three; NaN if any is NaN.
    pub fn largest(&self) -> f64 {
        worst(self.r, worst(self.v, self.tau))
    }

    /// The larger of each pair; NaN if either is NaN.
    pub fn worst(self, other: Self) -> Self {
        Agreement { r: worst(self.r, other.r), v: worst(self.v, other.v), tau: worst(self.tau, other.tau) }
    }
}

/// Compares two results of `?geqrf` for the same matrix.
pub fn compare<T: Scalar>(a: (&Matrix<T>, &[T]), b: (&Matrix<T>, &[T])) -> Agreement {
    let ((fa, ta), (fb, tb)) = (a, b);
    assert_eq!((fa.rows(), fa.cols(), ta.len()), (fb.rows(), fb.cols(), tb.len()));
    let unit = fa.rows() as f64 * T::DTYPE.eps();
    let gap = |x: T, y: T| (x.to_double() - y.to_double()).abs();
    let mut out = Agreement::default();
    for j in 0..fa.cols() {
        let square = |x: &T| x.to_double().re().powi(2) + x.to_double().im().powi(2);
        let norm = fb.col(j).iter().take(j + 1).map(square).sum::<f64>().sqrt();
        for (i, (&x, &y)) in fa.col(j).iter().zip(fb.col(j)).enumerate() {
            if i <= j {
                out.r = worst(out.r, gap(x, y) / (unit * norm));
            } else {
                out.v = worst(out.v, gap(x, y) / unit);
            }
        }
    }
    for (&x, &y) in ta.iter().zip(tb) {
        out.tau = worst(out.tau, gap(x, y) / unit);
    }
    out
}

/// A random matrix whose first min(m, n) columns, which alone determine the reflectors, have condition number 2. (In a
/// wide matrix of condition number 2 they may have any.) The signs of the reflectors are well determined too: no pivot
/// element has a real part so close to zero that rounding could choose the other sign of beta, on which two correct
/// implementations may differ.
pub fn well_separated<T: Scalar>(m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
    const SMALLEST_PIVOT: f64 = 2e-4; // relative to the column's norm; far above m * eps in single precision
    loop {
        let leading: Matrix<T> = Class::Cond2.generate(m, m.min(n), rng);
        let rest: Matrix<T> = Class::Cond2.generate(m, n - m.min(n), rng);
        let a = Matrix::from_fn(m, n, |i, j| if j < m { leading[(i, j)] } else { rest[(i, j - m)] });
        let mut factors = a.to_double();
        let tau = householder::factor(&mut factors);
        // re(tau) = 1 - re(alpha) / beta, and the identity (tau = 0) involves no choice of sign.
        if tau.iter().all(|t| t.re() == 0.0 || t.re() - 1.0 > SMALLEST_PIVOT) {
            return a;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{C64, Dtype, with_scalar};

    fn sample<T: Scalar>(m: usize, n: usize) -> (Matrix<T>, Vec<T>) {
        let mut factors = well_separated::<T>(m, n, &mut Rng::new(11)).to_double();
        let tau = householder::factor(&mut factors);
        (Matrix::from_double(&factors), tau.into_iter().map(T::from_double).collect())
    }

    /// The same Q R with row and reflector `i` negated: every ratio stays small because only the convention differs.
    #[test]
    fn another_sign_convention_is_seen() {
        for dtype in Dtype::ALL {
            with_scalar!(dtype, T => {
                let (f, tau) = sample::<T>(9, 5);
                assert_eq!(compare((&f, &tau), (&f, &tau)).largest(), 0.0);
                let mut g = f.clone();
                for j in 2..5 {
                    g[(2, j)] = T::from_double(-g[(2, j)].to_double());
                }
                assert!(compare((&g, &tau), (&f, &tau)).r > Agreement::BOUND);
            });
        }
    }

    #[test]
    fn mutations_are_seen() {
        for dtype in Dtype::ALL {
            with_scalar!(dtype, T => {
                let (f, tau) = sample::<T>(9, 5);
                let zero = T::from_double(<T as Scalar>::Double::ZERO);
                for wrong in [T::from_double(-tau[4].to_double()), zero, T::POISON] {
                    let mut t = tau.clone();
                    t[4] = wrong;
                    let seen = compare((&f, &t), (&f, &tau)).largest();
                    assert!(seen.is_nan() || seen > Agreement::BOUND, "{wrong:?}: {seen}");
                }
                let mut g = f.clone();
                g[(8, 4)] = zero;
                assert!(compare((&g, &tau), (&f, &tau)).v > Agreement::BOUND);
            });
        }
        let (f, tau) = sample::<C64>(9, 5);
        let conjugated: Vec<C64> = tau.iter().map(|t| t.conj()).collect();
        assert!(compare((&f, &conjugated), (&f, &tau)).tau > Agreement::BOUND);
    }
}
