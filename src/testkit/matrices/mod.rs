//! Named classes of input matrices.

mod adversarial;
mod definite;
mod special;
mod spectrum;

pub use definite::{definite, semidefinite};

use crate::scalar::{Field, Scalar};
use crate::{Dtype, Matrix, Rng};

/// Huge, tiny and denormal values of an element type.
#[derive(Clone, Copy)]
struct Range {
    dtype: Dtype,
    /// 1e300 or 1e30, whose square overflows but the norm of a column of which does not.
    huge: f64,
    /// 1e-300 or 1e-30, whose square underflows.
    tiny: f64,
    /// 1e-310 or 1e-41, a denormal number.
    denormal: f64,
}

impl Range {
    fn of(dtype: Dtype) -> Self {
        if dtype.is_double() {
            Range { dtype, huge: 1e300, tiny: 1e-300, denormal: 1e-310 }
        } else {
            Range { dtype, huge: 1e30, tiny: 1e-30, denormal: 1e-41 }
        }
    }
}

macro_rules! classes {
    ($($(#[doc = $doc:expr])* $variant:ident $name:literal),+ $(,)?) => {
        /// A class of input matrices.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Class { $($(#[doc = $doc])* $variant),+ }

        impl Class {
            /// Every class.
            pub const ALL: &[Class] = &[$(Class::$variant),+];

            /// The name on command lines and in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$variant => $name),+ }
            }
        }
    };
}

classes! {
    /// Uniform in (-1, 1): the input that benchmarks time.
    Uniform "uniform",
    /// dlatb4 type 1: diagonal, condition 2.
    Diagonal "diagonal",
    /// dlatb4 type 2: upper triangular, condition 2.
    Upper "upper",
    /// dlatb4 type 3: lower triangular, condition 2.
    Lower "lower",
    /// dlatb4 type 4: random, condition 2.
    Cond2 "cond-2",
    /// dlatb4 type 5: random, condition sqrt(0.1/eps).
    CondRoot "cond-root",
    /// dlatb4 type 6: random, condition 0.1/eps.
    CondHigh "cond-high",
    /// dlatb4 type 7: random, condition 2, norm near underflow.
    NearUnderflow "near-underflow",
    /// dlatb4 type 8: random, condition 2, norm near overflow.
    NearOverflow "near-overflow",
    /// Rank about 3/4 of min(m, n).
    RankDeficient "rank-deficient",
    /// Singular values in two tight clusters, at 1 and at sqrt(eps).
    Clustered "clustered",
    /// Three diagonals.
    Banded "banded",
    /// Rows scaled from 1 down to eps.
    RowScaled "row-scaled",
    /// Columns equal up to a perturbation of 100 eps.
    NearCollinear "near-collinear",
    /// Trailing quarter of the singular values at eps.
    NearRank "near-rank",
    /// Random upper triangular, ill-conditioned.
    RandomUpper "random-upper",
    /// Columns of several kinds side by side: random, zero, repeated, tiny, unit.
    Mixed "mixed",
    /// 1 / (i + j - 1).
    Hilbert "hilbert",
    /// Kahan's matrix of powers of a sine and a cosine, close to rank-deficient in a way that pivoting does not see.
    Kahan "kahan",
    /// Frank's upper Hessenberg matrix.
    Frank "frank",
    /// Powers of equally spaced points in (0, 1].
    Vandermonde "vandermonde",
    /// All zero.
    Zero "zero",
    /// Random with zero first, middle and last columns.
    ZeroColumns "zero-columns",
    /// Columns scaled by 1e-300, 1, 1e300 in turn (1e-30, 1, 1e30 in single precision).
    ScaledColumns "scaled-columns",
    /// Every other column of denormal numbers.
    DenormalColumns "denormal-columns",
    /// The identity.
    Identity "identity",
    /// Negative diagonal, zero elsewhere.
    NegativeDiagonal "negative-diagonal",
    /// Like mixed, but with all columns within the safe range: small instead of tiny.
    MixedOrdinary "mixed-ordinary",
    /// Random, constant along diagonals.
    Toeplitz "toeplitz",
    /// Wilkinson's matrix, whose elements double at every step of LU with partial pivoting.
    Growth "growth",
}

impl Class {
    /// The eight types that LAPACK's `?latb4` defines for the QR path.
    pub const DLATB4: &[Class] = &[
        Class::Diagonal,
        Class::Upper,
        Class::Lower,
        Class::Cond2,
        Class::CondRoot,
        Class::CondHigh,
        Class::NearUnderflow,
        Class::NearOverflow,
    ];

    /// The class with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.name() == name)
    }

    /// A random m x n member of the class, rounded to the element type.
    pub fn generate<T: Scalar>(self, m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
        Matrix::from_double(&self.wide::<T::Double>(m, n, Range::of(T::DTYPE), rng))
    }

    fn wide<F: Field>(self, m: usize, n: usize, range: Range, rng: &mut Rng) -> Matrix<F> {
        if m == 0 || n == 0 {
            return Matrix::zeros(m, n);
        }
        let eps = range.dtype.eps();
        match self {
            Class::Uniform => Matrix::from_fn(m, n, |_, _| F::uniform(rng)),
            Class::Diagonal => spectrum::diagonal(m, n, 2.0, rng),
            Class::Upper => spectrum::upper(m, n, 2.0, rng),
            Class::Lower => spectrum::upper::<F>(n, m, 2.0, rng).adjoint(),
            Class::Cond2 => spectrum::random(m, n, 2.0, rng),
            Class::CondRoot => spectrum::random(m, n, (0.1 / eps).sqrt(), rng),
            Class::CondHigh => spectrum::random(m, n, 0.1 / eps, rng),
            Class::NearUnderflow => scaled(spectrum::random(m, n, 2.0, rng), spectrum::small(range.dtype)),
            Class::NearOverflow => scaled(spectrum::random(m, n, 2.0, rng), 1.0 / spectrum::small(range.dtype)),
            Class::RankDeficient => adversarial::rank_deficient(m, n, rng),
            Class::Clustered => adversarial::clustered(m, n, eps, rng),
            Class::Banded => adversarial::banded(m, n, rng),
            Class::RowScaled => adversarial::row_scaled(m, n, eps, rng),
            Class::NearCollinear => adversarial::near_collinear(m, n, eps, rng),
            Class::NearRank => adversarial::near_rank(m, n, eps, rng),
            Class::RandomUpper => adversarial::random_upper(m, n, rng),
            Class::Mixed => adversarial::mixed(m, n, range.tiny, rng),
            Class::Hilbert => special::hilbert(m, n),
            Class::Kahan => special::kahan(m, n),
            Class::Frank => special::frank(m, n),
            Class::Vandermonde => special::vandermonde(m, n),
            Class::Toeplitz => special::toeplitz(m, n, rng),
            Class::Growth => special::growth(m, n),
            Class::Zero => Matrix::zeros(m, n),
            Class::ZeroColumns => special::zero_columns(m, n, rng),
            Class::ScaledColumns => special::scaled_columns(m, n, &[range.tiny, 1.0, range.huge], rng),
            Class::DenormalColumns => special::scaled_columns(m, n, &[range.denormal, 1.0], rng),
            Class::Identity => special::diagonal(m, n, 1.0),
            Class::NegativeDiagonal => special::diagonal(m, n, -1.0),
            Class::MixedOrdinary => adversarial::mixed(m, n, 1e-3, rng),
        }
    }
}

fn scaled<F: Field>(mut a: Matrix<F>, s: f64) -> Matrix<F> {
    a.data_mut().iter_mut().for_each(|x| *x = x.scale(s));
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_scalar;

    #[test]
    fn every_class_is_finite_and_repeats_in_every_shape() {
        for &class in Class::ALL {
            assert_eq!(Class::from_name(class.name()), Some(class));
            for dtype in Dtype::ALL {
                for (m, n) in [(0, 3), (3, 0), (1, 1), (1, 4), (2, 1), (9, 5), (5, 9), (33, 12)] {
                    with_scalar!(dtype, T => {
                        let a: Matrix<T> = class.generate(m, n, &mut Rng::new(3));
                        assert_eq!((a.rows(), a.cols()), (m, n));
                        assert!(a.is_finite(), "{} {dtype:?} {m}x{n}", class.name());
                        assert_eq!(a, class.generate(m, n, &mut Rng::new(3)));
                    });
                }
            }
        }
    }

    #[test]
    fn shapes_of_the_structured_types() {
        let mut rng = Rng::new(1);
        let upper: Matrix<f64> = Class::Upper.generate(7, 4, &mut rng);
        let lower: Matrix<f64> = Class::Lower.generate(7, 4, &mut rng);
        for j in 0..4 {
            assert!((0..7).all(|i| i <= j || upper[(i, j)] == 0.0));
            assert!((0..7).all(|i| i >= j || lower[(i, j)] == 0.0) && lower[(6, j)] != 0.0);
        }
        let denormal: Matrix<f32> = Class::DenormalColumns.generate(7, 4, &mut rng);
        assert!(denormal.col(0).iter().any(|x| x.is_subnormal()) && denormal.col(1).iter().all(|x| x.is_normal()));
    }
}
