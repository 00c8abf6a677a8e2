//! Calls of matrix and matrix-vector products, and their residuals.

use super::call::Call;
use super::measure::transposed;
use super::{EntryForm, Prepared, Trans};
use crate::double_double::ComplexSum;
use crate::guarded::Placement;
use crate::qr::Session;
use crate::scalar::{Field, worst};
use crate::signatures;
use crate::{Matrix, Result, Scalar};

/// The forms of the products.
pub const PRODUCT_FORMS: [EntryForm; 6] = [
    EntryForm::Pointers,
    EntryForm::Strided,
    EntryForm::Cublas,
    EntryForm::CublasDevice,
    EntryForm::Cublas64,
    EntryForm::Magma,
];

/// `?gemm`; writes C.
pub fn gemm<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    [trans_a, trans_b]: [Trans; 2],
    k: usize,
    scalars: [T; 2],
    [a, b, c]: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("trans_a", trans_a.cblas().into()), ("trans_b", trans_b.cblas().into()), ("k", k as i64)];
    Call::of(&signatures::GEMM, &sizes)
        .given("C", c)
        .given("A", a)
        .given("B", b)
        .scalars(&scalars)
        .prepare(session, form, place)
}

/// `?gemv`; writes y. Vectors are one-row matrices whose leading dimension, padded by `place`, is the increment. With
/// `backwards` the increments are negative, so that a vector's first element is the last of its row.
pub fn gemv<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    trans: Trans,
    backwards: bool,
    scalars: [T; 2],
    [a, x, y]: [&[Matrix<T>]; 3],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::GEMV, &[("trans", trans.cblas().into())])
        .given("A", a)
        .given("X", x)
        .given("Y", y)
        .scalars(&scalars)
        .backwards(backwards)
        .prepare(session, form, place)
}

/// The worst element of |C - (alpha op(A) op(B) + beta C0)|, with sums in twice double precision, over (k + 2) eps
/// (|alpha| |op(A)| |op(B)| + |beta| |C0|), the standard bound for a product (Higham, "Accuracy and stability of
/// numerical algorithms", section 3.5), and as many of the smallest denormal numbers.
pub fn multiplied<T: Scalar>(
    trans: [Trans; 2],
    [alpha, beta]: [T; 2],
    a: &Matrix<T>,
    b: &Matrix<T>,
    before: &Matrix<T>,
    after: &Matrix<T>,
) -> f64 {
    let (a, b) = (transposed(trans[0], &a.to_double()), transposed(trans[1], &b.to_double()));
    let (alpha, beta, zero) = (alpha.to_double(), beta.to_double(), <T as Scalar>::Double::ZERO);
    let k = if alpha == zero { 0 } else { a.cols() };
    let (sizes_a, sizes_b) = (a.map(|x| alpha.abs() * x.magnitude()), b.map(|x| x.magnitude()));
    let mut ratio = 0.0;
    for j in 0..after.cols() {
        for i in 0..after.rows() {
            let (mut product, mut whole, mut size) = (ComplexSum::default(), ComplexSum::default(), 0.0);
            for l in 0..k {
                if T::DTYPE.is_double() {
                    product.add_product(a[(i, l)], b[(l, j)]);
                } else {
                    product.add_rounded_product(a[(i, l)], b[(l, j)]);
                }
                size += sizes_a[(i, l)] * sizes_b[(l, j)];
            }
            whole.add_scaled(alpha, product);
            if beta != zero {
                whole.add_product(beta, before[(i, j)].to_double());
                size += beta.abs() * before[(i, j)].to_double().magnitude();
            }
            let got = after[(i, j)].to_double();
            whole.re.add(-got.re());
            whole.im.add(-got.im());
            // libm's hypot is avoided because its newest version alone would make the program need a GLIBC later than
            // 2.34.
            let (re, im) = (whole.re.rounded(), whole.im.rounded());
            let larger = worst(re.abs(), im.abs());
            let scaled = larger > 0.0 && larger.is_finite();
            let error = if scaled { larger * ((re / larger).powi(2) + (im / larger).powi(2)).sqrt() } else { larger };
            // A sum whose terms overflow has no right result.
            if size >= super::measure::largest::<T>() {
                continue;
            }
            let bound = (k + 2) as f64 * size * T::DTYPE.eps() + crate::ratios::underflow::<T>(k + 2, 0);
            ratio = worst(ratio, super::measure::quotient_or_zero(error, bound));
        }
    }
    ratio
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::C64;

    #[test]
    fn a_last_bit_is_seen_where_the_bound_is_tight() {
        let one = |x: f64| Matrix::from_fn(1, 1, |_, _| x);
        let ratio = |got: f64| multiplied([Trans::N; 2], [1.0, 0.0], &one(0.1), &one(0.3), &one(f64::NAN), &one(got));
        assert!(ratio(0.1 * 0.3) < 1.0);
        assert!(ratio(0.1 * 0.3 * (1.0 + 1e-13)) > 30.0);
        assert!(ratio(f64::NAN).is_nan());
    }

    #[test]
    fn conjugates_and_factors_count() {
        let one = |x: C64| Matrix::from_fn(1, 1, |_, _| x);
        let (i, two) = (C64::new(0.0, 1.0), C64::new(2.0, 0.0));
        let ratio = |trans: [Trans; 2], got: C64| multiplied(trans, [two, i], &one(i), &one(i), &one(two), &one(got));
        assert!(ratio([Trans::N; 2], C64::new(-2.0, 2.0)) < 1.0);
        assert!(ratio([Trans::C, Trans::T], C64::new(2.0, 2.0)) < 1.0);
        assert!(ratio([Trans::N; 2], C64::new(2.0, 2.0)) > 30.0);
    }
}
