//! Parsing sizes from text, and changing inputs in one element or in scale.

use crate::scalar::Field;
use crate::{Matrix, Scalar};

/// Parses sizes: `"3x4 100x7"` becomes `[[3, 4], [100, 7]]`.
pub fn sizes<const N: usize>(text: &str) -> Vec<[usize; N]> {
    let one = |word: &str| {
        let numbers: Vec<usize> =
            word.split('x').map(|n| n.parse().unwrap_or_else(|_| panic!("a size: {word}"))).collect();
        numbers.try_into().unwrap_or_else(|_| panic!("{N} sizes: {word}"))
    };
    text.split_whitespace().map(one).collect()
}

/// An element of an operand, and the values that the test puts there, one after the other, in one member.
pub struct Spot {
    /// Index of the operand among the inputs.
    pub operand: usize,
    /// Row and column.
    pub at: (usize, usize),
    /// The values to put there.
    pub values: &'static [f64],
}

/// Values that every result that depends on them must show.
pub const NOT_FINITE: &[f64] = &[f64::NAN, f64::INFINITY];
/// A value that a division cannot hide.
pub const ZERO: &[f64] = &[0.0];

impl Spot {
    /// Puts the [`NOT_FINITE`] values at one element.
    pub fn not_finite(operand: usize, at: (usize, usize)) -> Self {
        Spot { operand, at, values: NOT_FINITE }
    }
}

/// A copy with one element replaced.
pub fn with<T: Scalar>(a: &Matrix<T>, at: (usize, usize), value: f64) -> Matrix<T> {
    let mut a = a.clone();
    a[at] = T::from_double(<T as Scalar>::Double::real(value));
    a
}

/// x * 2^e for every element.
pub fn scaled<T: Scalar>(a: &Matrix<T>, e: i32) -> Matrix<T> {
    a.map(|x| T::from_double(x.to_double().ldexp(e)))
}

/// The exponent of a power of two whose square lies far outside the range of the type, although the power itself and
/// its products with numbers near 1 do not.
pub fn extreme<T: Scalar>() -> i32 {
    if T::DTYPE.is_double() { 700 } else { 90 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(sizes("3x4 100x7"), [[3, 4], [100, 7]]);
        assert_eq!(sizes("5"), [[5]]);
        assert!(std::panic::catch_unwind(|| sizes::<2>("3x4x5")).is_err());
    }
}
