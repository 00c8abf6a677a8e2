//! LAPACK's test ratios for QR, measured in double precision.
//!
//! Source: `?qrt01`, `?qrt02` in LAPACK's TESTING/LIN. Both pass if the ratio is below 30. The differences are stricter
//! or neutral: Q^H A is computed by applying the reflectors (no m x m matrix is formed); orthogonality is measured on
//! the thin Q (each reflector is unitary exactly when its own column of Q has unit norm); a third ratio relates each
//! column to its own norm, where the normwise ratio is dominated by the largest column.

use crate::householder::{apply_adjoint, thin_q};
use crate::scalar::{Field, Scalar, worst};
use crate::{Dtype, Matrix};

/// The limit of the (normwise and columnwise) residual ratios of a QR with m rows: LAPACK's threshold or, if
/// `TEPHRA_MATH` allows TF32 or FP16, the bound of docs/accuracy.md if that is larger.
pub fn residual_limit(dtype: Dtype, m: usize) -> f64 {
    let rounded = dtype == Dtype::S && std::env::var("TEPHRA_MATH").is_ok_and(|math| math == "tf32" || math == "fp16");
    if rounded { Ratios::THRESHOLD.max(tf32_limit(m)) } else { Ratios::THRESHOLD }
}

/// The bound on a residual ratio in TF32 and FP16: 16 times their unit roundoff, 2^-11, expressed in FP32's ratio.
pub fn tf32_limit(m: usize) -> f64 {
    const UNITS: f64 = 16.0;
    UNITS * 2f64.powi(-11) / (m as f64 * Dtype::S.eps())
}

/// The result of [`measure`]. A NaN or infinity anywhere in the factors makes ratios NaN or infinite, never small.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratios {
    /// ||R - Q^H A||_1 / (m ||A||_1 eps)
    pub residual: f64,
    /// max_j ||R e_j - Q^H A e_j||_1 / (m ||A e_j||_1 eps), because Householder QR is columnwise stable.
    pub columnwise: f64,
    /// ||I - Q^H Q||_1 / (m eps)
    pub orthogonality: f64,
}

impl Ratios {
    /// LAPACK's threshold.
    pub const THRESHOLD: f64 = 30.0;

    /// The three ratios with their names.
    pub fn named(&self) -> [(&'static str, f64); 3] {
        [("residual", self.residual), ("columnwise", self.columnwise), ("orthogonality", self.orthogonality)]
    }

    /// The larger of each pair; NaN if either is NaN.
    pub fn worst(self, other: Self) -> Self {
        Ratios {
            residual: worst(self.residual, other.residual),
            columnwise: worst(self.columnwise, other.columnwise),
            orthogonality: worst(self.orthogonality, other.orthogonality),
        }
    }

    /// The largest of the three; NaN if any is NaN.
    pub fn largest(&self) -> f64 {
        worst(self.residual, worst(self.columnwise, self.orthogonality))
    }
}

/// Measures `factors` and `tau` (of `?geqrf`) against the finite `input` they were made from.
///
/// Every column is first scaled to near 1 by a power of two, which leaves reflectors and tau unchanged, so that
/// elements near the limits of the range do not overflow here. Where rounding errors are bounded by the smallest
/// denormal number rather than by eps, the denominators allow for that.
pub fn measure<T: Scalar>(input: &Matrix<T>, factors: &Matrix<T>, tau: &[T]) -> Ratios {
    let (m, n) = (input.rows(), input.cols());
    assert_eq!((m, n, m.min(n)), (factors.rows(), factors.cols(), tau.len()));
    if tau.is_empty() {
        return Ratios::default();
    }
    let (eps, rows) = (T::DTYPE.eps(), m as f64);
    let tau: Vec<T::Double> = tau.iter().map(|t| t.to_double()).collect();
    let wide = factors.to_double();

    let mut work = input.to_double();
    let exponents: Vec<i32> = (0..n).map(|j| exponent(work.col(j))).collect();
    for (j, &e) in exponents.iter().enumerate() {
        work.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(-e));
    }
    let norms: Vec<f64> = (0..n).map(|j| one_norm(work.col(j))).collect();
    apply_adjoint(&wide, &tau, &mut work);

    let largest = exponents.iter().copied().max().unwrap_or(0);
    let (mut columnwise, mut difference, mut norm) = (0.0, 0.0, 0.0);
    for (j, &e) in exponents.iter().enumerate() {
        for (i, x) in work.col_mut(j).iter_mut().enumerate().take(j + 1) {
            *x -= wide[(i, j)].ldexp(-e);
        }
        let d = one_norm(work.col(j));
        columnwise = worst(columnwise, d / (rows * (norms[j] * eps + underflow::<T>(m, e))));
        difference = worst(difference, d.ldexp(e - largest));
        norm = worst(norm, norms[j].ldexp(e - largest));
    }
    Ratios {
        residual: difference / (rows * (norm * eps + underflow::<T>(m, largest))),
        columnwise,
        orthogonality: orthogonality(&thin_q(&wide, &tau)) / (rows * eps),
    }
}

/// ||I - Q^H Q||_1.
pub(crate) fn orthogonality<F: Field>(q: &Matrix<F>) -> f64 {
    let k = q.cols();
    let mut gram = Matrix::zeros(k, k);
    gram.for_columns(q.rows() * k / 2, 0..k, |i, j, column| {
        if i <= j {
            let start = if i == j { -F::ONE } else { F::ZERO };
            column[i] = q.col(i).iter().zip(q.col(j)).fold(start, |dot, (&x, &y)| dot + x.conj() * y);
        }
    });
    let mut sums = vec![0.0; k];
    for j in 0..k {
        for i in 0..=j {
            let size = gram[(i, j)].abs();
            sums[j] += size;
            if i != j {
                sums[i] += size;
            }
        }
    }
    sums.into_iter().fold(0.0, worst)
}

/// Sum of |x|.
fn one_norm<F: Field>(x: &[F]) -> f64 {
    x.iter().map(|x| x.abs()).sum()
}

/// e with 2^e <= max |x| < 2^(e+1); 0 for a zero column.
pub(crate) fn exponent<F: Field>(x: &[F]) -> i32 {
    let largest = x.iter().map(|x| x.max_abs_part()).fold(0.0, f64::max);
    if largest == 0.0 { 0 } else { largest.log2().floor() as i32 }
}

/// The error of m roundings to the smallest denormal number, in units of 2^e.
pub(crate) fn underflow<T: Scalar>(m: usize, e: i32) -> f64 {
    (m as f64).ldexp(T::DTYPE.denormal_exponent() - e)
}

/// Checks the rules of LAPACK's convention that hold exactly or almost so: the diagonal of R is real, tau is either 0
/// or has 1 <= re(tau) <= 2 and |tau - 1| <= 1, and tau = 0 for the last row of a real matrix.
pub fn convention<T: Scalar>(factors: &Matrix<T>, tau: &[T]) -> Result<(), String> {
    let slack = 8.0 * T::DTYPE.eps();
    for (i, t) in tau.iter().map(|t| t.to_double()).enumerate() {
        let diagonal = factors[(i, i)].to_double();
        if diagonal.im() != 0.0 {
            return Err(format!("R({i},{i}) = {diagonal:?} is not real"));
        }
        if t.re() == 0.0 && t.im() == 0.0 {
            continue;
        }
        let in_range = t.re() >= 1.0 - slack && t.re() <= 2.0 + slack && (t - T::Double::ONE).abs() <= 1.0 + slack;
        if !in_range {
            return Err(format!("tau({i}) = {t:?} is outside the circle of LAPACK's reflectors"));
        }
        if !T::DTYPE.is_complex() && i + 1 == factors.rows() {
            return Err(format!("tau({i}) = {t:?}: the reflector of the last row of a real matrix is the identity"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{C32, C64, Dtype, Rng, householder, with_scalar};

    /// A random matrix, factored by the host reference.
    fn sample<T: Scalar>(m: usize, n: usize) -> (Matrix<T>, Matrix<T>, Vec<T>) {
        let mut rng = Rng::new((m * 1000 + n) as u64);
        let input = Matrix::<T>::from_double(&Matrix::from_fn(m, n, |_, _| T::Double::normal(&mut rng)));
        let mut factors = input.to_double();
        let tau = householder::factor(&mut factors);
        (input, Matrix::from_double(&factors), tau.into_iter().map(T::from_double).collect())
    }

    /// Limit for the ratio of a correct result at small sizes, where one rounding is a large part of m * eps.
    const RIGHT: f64 = 5.0;

    fn catches<T: Scalar>(what: &str, m: usize, n: usize, break_it: impl Fn(&mut Matrix<T>, &mut Vec<T>)) {
        let (input, mut factors, mut tau) = sample::<T>(m, n);
        let right = measure(&input, &factors, &tau).largest();
        assert!(right < RIGHT, "{what}: the right factors have ratio {right}");
        break_it(&mut factors, &mut tau);
        let wrong = measure(&input, &factors, &tau).largest();
        assert!(wrong.is_nan() || wrong > Ratios::THRESHOLD, "{what} was not seen: ratio {wrong}");
    }

    fn negated<T: Scalar>(x: T) -> T {
        T::from_double(-x.to_double())
    }

    #[test]
    fn right_factors_pass_in_all_shapes() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (2, 2), (9, 4), (4, 9), (40, 12)] {
                with_scalar!(dtype, T => {
                    let (input, factors, tau) = sample::<T>(m, n);
                    assert!(measure(&input, &factors, &tau).largest() < RIGHT);
                    convention(&factors, &tau).unwrap();
                });
            }
        }
    }

    #[test]
    fn flipped_tau_is_seen() {
        for dtype in Dtype::ALL {
            with_scalar!(dtype, T => catches::<T>("a flipped tau", 8, 5, |_, tau| tau[2] = negated(tau[2])));
        }
    }

    #[test]
    fn missing_conjugation_is_seen() {
        catches::<C64>("a conjugated tau", 8, 5, |_, tau| tau[1] = tau[1].conj());
        catches::<C32>("a conjugated tau", 8, 5, |_, tau| tau[1] = tau[1].conj());
        catches::<C64>("a conjugated vector", 8, 5, |f, _| f[(4, 1)] = f[(4, 1)].conj());
        catches::<C64>("a conjugated R", 8, 5, |f, _| f[(1, 3)] = f[(1, 3)].conj());
    }

    #[test]
    fn dropped_last_reflector_is_seen_when_m_exceeds_n() {
        for dtype in Dtype::ALL {
            with_scalar!(dtype, T => catches::<T>("a dropped last reflector", 8, 5, |_, tau| {
                tau[4] = T::from_double(<T as Scalar>::Double::ZERO);
            }));
        }
    }

    #[test]
    fn unwritten_output_is_seen() {
        for dtype in Dtype::ALL {
            with_scalar!(dtype, T => {
                catches::<T>("an unwritten tau", 8, 5, |_, tau| tau[3] = T::POISON);
                catches::<T>("an unwritten tau of the identity", 5, 5, |_, tau| tau[4] = T::POISON);
                catches::<T>("an unwritten element", 8, 5, |f, _| f[(7, 4)] = T::POISON);
                catches::<T>("an unwritten last column", 4, 9, |f, _| f[(3, 8)] = T::POISON);
            });
        }
    }

    #[test]
    fn a_wrong_tiny_column_is_seen_beside_huge_ones() {
        let (mut input, _, _) = sample::<f64>(8, 4);
        for x in input.col_mut(2) {
            *x *= 1e-100; // squares stay normal, which the unprotected host reference needs
        }
        let mut factors = input.clone();
        let tau = householder::factor(&mut factors);
        let right = measure(&input, &factors, &tau);
        assert!(right.largest() < RIGHT, "{right:?}");
        factors[(1, 2)] = 0.0;
        let wrong = measure(&input, &factors, &tau);
        assert!(wrong.residual < RIGHT && wrong.columnwise > 30.0, "{wrong:?}");
    }

    #[test]
    fn ends_of_the_range_do_not_break_the_measurement() {
        for scale in [1e300, 1e-300, 1e-310] {
            let (input, factors, tau) = sample::<f64>(9, 4);
            let (input, factors) = (input.map(|x| x * scale), factors.clone());
            let scaled = Matrix::from_fn(9, 4, |i, j| if i <= j { factors[(i, j)] * scale } else { factors[(i, j)] });
            let ratios = measure(&input, &scaled, &tau);
            assert!(ratios.largest() < RIGHT, "{scale}: {ratios:?}");
        }
    }

    #[test]
    fn convention_is_checked() {
        let (_, factors, tau) = sample::<C64>(6, 3);
        let mut turned = factors.clone();
        turned[(1, 1)] = C64::new(0.0, 1.0);
        assert!(convention(&turned, &tau).is_err());
        let mut long = tau.clone();
        long[0] = C64::new(0.5, 0.0);
        assert!(convention(&factors, &long).is_err());
        let (_, square, mut tau) = sample::<f64>(4, 4);
        tau[3] = 2.0; // sign flip of the last row: a valid reflector, but not LAPACK's
        assert!(convention(&square, &tau).is_err());
    }
}
