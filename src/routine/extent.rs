//! How many bytes an operand spans. This is the only place where sizes, leading dimensions, strides and counts are
//! multiplied.
//!
//! After this check, host code and kernels can compute in 64 bits: no product of a column index and a leading
//! dimension, or of a member's index and a stride, overflows a signed integer.

use super::Operand;
use crate::error::Arg;

/// Bytes spanned by `count` members that are `stride` elements apart, each of `columns` columns that are `ld` elements
/// apart. `None` if that is 2^63 or more, or if an argument is negative.
pub fn bytes(element: i64, columns: i64, ld: i64, count: i64, stride: i64) -> Option<usize> {
    let [element, columns, ld, count, stride] =
        [element, columns, ld, count, stride].map(|number| u128::try_from(number).ok());
    // Each number is below 2^63, so the sum of the two products fits in 128 bits; the product with the element size may
    // not.
    let elements = count?.saturating_sub(1) * stride? + columns? * ld?;
    let bytes = elements.checked_mul(element?)?;
    isize::try_from(bytes).ok().map(isize::unsigned_abs)
}

/// One operand of a batched call, each number with the argument it comes from.
pub struct Extent<'a> {
    /// Where the members are.
    pub operand: &'a Operand,
    /// Bytes of an element.
    pub element: usize,
    /// Rows of a member.
    pub rows: (i64, Arg),
    /// Columns of a member.
    pub columns: (i64, Arg),
    /// Distance between columns in elements, at least the number of rows.
    pub ld: (i64, Arg),
    /// The argument that holds the stride of a strided batch.
    pub stride: Arg,
    /// Number of members.
    pub batch: i64,
}

impl Extent<'_> {
    #[inline]
    fn is_empty(&self) -> bool {
        self.batch < 1 || self.rows.0 < 1 || self.columns.0 < 1
    }

    /// The number of members that are a stride apart, and the stride.
    #[inline]
    fn members(&self) -> (i64, i64) {
        match self.operand {
            Operand::Strided { stride, .. } if self.batch > 1 => (self.batch, *stride),
            _ => (1, 0),
        }
    }

    /// Whether the operand, if it has elements, fits into the address space. It does not if a number is negative.
    #[inline]
    pub fn fits(&self) -> bool {
        let (count, stride) = self.members();
        let pointers = || bytes(size_of::<usize>() as i64, 1, self.batch, 1, 0);
        self.is_empty() || (self.bytes(self.columns.0, self.ld.0, count, stride).is_some() && pointers().is_some())
    }

    /// The first argument that makes the operand too large for the address space.
    pub fn at_fault(&self) -> Option<Arg> {
        (!self.fits()).then(|| self.culprit(self.members().1))
    }

    /// The first size with which one member does not fit, whatever its leading dimension. Sizes that follow from later
    /// arguments do not count.
    pub fn size_at_fault(&self) -> Option<Arg> {
        let least = Extent { ld: self.rows, batch: self.batch.min(1), ..*self };
        least.at_fault().filter(|arg| arg.is_size())
    }

    fn bytes(&self, columns: i64, ld: i64, count: i64, stride: i64) -> Option<usize> {
        bytes(self.element as i64, columns, ld, count, stride)
    }

    /// The first argument that is too large even if all later ones are as small as possible.
    #[cold]
    fn culprit(&self, stride: i64) -> Arg {
        let ((rows, of_rows), (columns, of_columns), (ld, of_ld)) = (self.rows, self.columns, self.ld);
        if self.bytes(1, rows, 1, 0).is_none() {
            of_rows
        } else if self.bytes(columns, rows, 1, 0).is_none() {
            of_columns
        } else if self.bytes(columns, ld, 1, 0).is_none() {
            of_ld
        } else if self.bytes(columns, ld, 2, stride).is_none() {
            self.stride
        } else {
            Arg::BatchCount
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: i64 = i64::MAX;

    #[test]
    fn bytes_are_exact_or_none() {
        assert_eq!(bytes(8, 3, 5, 4, 100), Some(8 * (300 + 15)));
        assert_eq!(bytes(8, 3, 5, 0, 100), Some(8 * 15));
        assert_eq!(bytes(1, 1, MOST, 1, MOST), Some(MOST as usize));
        for too_much in [
            bytes(1, 1, MOST, 2, 1),
            bytes(4, 2, 1 << 60, 1, 0),
            bytes(16, MOST, MOST, MOST, MOST),
            bytes(MOST, MOST, MOST, MOST, MOST),
            bytes(8, -1, 1, 1, 1),
            bytes(8, 1, 1, 2, i64::MIN),
        ] {
            assert_eq!(too_much, None);
        }
    }

    #[test]
    fn the_first_argument_that_is_too_large_is_named() {
        let strided = |stride| Operand::Strided { base: std::ptr::null_mut(), stride };
        let check = |rows, columns, ld, stride, batch| {
            let (rows, columns, ld) = ((rows, Arg::M), (columns, Arg::N), (ld, Arg::Lda));
            Extent { operand: &strided(stride), element: 8, rows, columns, ld, stride: Arg::StrideA, batch }.at_fault()
        };
        let bad = Some;
        assert_eq!(check(2, 2, 2, 4, 1000), None);
        assert_eq!(check(2, 2, MOST, 4, 1), bad(Arg::Lda));
        assert_eq!(check(2, 3, 1 << 61, 4, 1), bad(Arg::Lda));
        assert_eq!(check(1 << 62, 1 << 62, 1 << 62, 1, 1), bad(Arg::M));
        assert_eq!(check(1 << 40, 1 << 40, 1 << 40, 1, 1), bad(Arg::N));
        assert_eq!(check(2, 2, 2, MOST, 2), bad(Arg::StrideA));
        assert_eq!(check(2, 2, 2, MOST, 1), None, "one member needs no stride");
        assert_eq!(check(2, 2, 2, i64::MIN, 1), None);
        assert_eq!(check(2, 2, 2, 1 << 40, 1 << 40), bad(Arg::BatchCount));
        assert_eq!(check(2, 2, 2, 0, MOST), bad(Arg::BatchCount), "whose pointers alone are too many");
        assert_eq!(check(MOST, 0, MOST, MOST, MOST), None, "no elements");
    }
}
