//! A straightforward reference for the 16-bit element types: their values, and rounding to nearest.

/// A 16-bit floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// IEEE 754 binary16.
    Fp16,
    /// The upper half of a float.
    Bf16,
}

impl Half {
    /// Both.
    pub const ALL: [Half; 2] = [Half::Fp16, Half::Bf16];

    /// The type's number in `TEPHRA_STORAGE_*`.
    pub fn number(self) -> i32 {
        match self {
            Half::Fp16 => 2,
            Half::Bf16 => 14,
        }
    }

    /// The type with this number in `TEPHRA_STORAGE_*`.
    pub fn of(number: i64) -> Half {
        Half::ALL.into_iter().find(|half| i64::from(half.number()) == number).expect("one of TEPHRA_STORAGE_*")
    }

    /// The number of stored mantissa bits, and the smallest exponent of a normal number.
    fn format(self) -> (i32, i32) {
        match self {
            Half::Fp16 => (10, -14),
            Half::Bf16 => (7, -126),
        }
    }

    /// The unit roundoff: the largest relative rounding error of a normal number.
    pub fn eps(self) -> f64 {
        power(-self.format().0 - 1)
    }

    /// The value that the bits represent.
    pub fn value(self, bits: u16) -> f32 {
        let (mantissa, least) = self.format();
        let (sign, size) = (if bits >> 15 == 1 { -1.0 } else { 1.0 }, i32::from(bits & 0x7fff));
        let (exponent, fraction) = (size >> mantissa, size & ((1 << mantissa) - 1));
        let all_ones = (1 << (15 - mantissa)) - 1;
        let hidden = if exponent > 0 { 1 << mantissa } else { 0 };
        let value = match (exponent == all_ones, fraction) {
            (true, 0) => f64::INFINITY,
            (true, _) => f64::NAN,
            (false, _) => f64::from(hidden + fraction) * power(least + exponent.max(1) - 1 - mantissa),
        };
        (sign * value) as f32
    }

    /// Whether the bits represent a subnormal number.
    pub fn is_subnormal(self, bits: u16) -> bool {
        let mantissa = self.format().0;
        bits & 0x7fff != 0 && bits & 0x7fff < 1 << mantissa
    }

    /// The bits of the nearest number, with ties to even; a NaN stays a NaN.
    pub fn bits(self, x: f32) -> u16 {
        let (mantissa, least) = self.format();
        let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
        let infinity = ((1 << (15 - mantissa)) - 1) << mantissa;
        if x.is_nan() {
            return sign | infinity | 1 << (mantissa - 1);
        }
        let size = f64::from(x.abs());
        // The value as a multiple of the spacing of the type's numbers at its exponent. No float is subnormal as a
        // double.
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(least);
        let count = (size * power(mantissa - exponent)).round_ties_even();
        // A count of 2^mantissa is the first number of that exponent; for the smallest exponent it is the smallest
        // normal number.
        let place = f64::from(exponent - least) * power(mantissa) + count;
        sign | if place < f64::from(infinity) { place as u16 } else { infinity }
    }

    /// The nearest value of the type.
    pub fn nearest(self, x: f32) -> f32 {
        self.value(self.bits(x))
    }
}

/// 2 to the power of `exponent`.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::Half;

    #[test]
    fn every_number_is_its_own_nearest() {
        for half in Half::ALL {
            for bits in 0..=u16::MAX {
                let x = half.value(bits);
                assert!(if x.is_nan() { half.nearest(x).is_nan() } else { half.bits(x) == bits }, "{half:?} {bits:x}");
            }
        }
    }

    #[test]
    fn known_numbers() {
        assert_eq!([0x3c00, 0x7bff, 0x0001, 0xc000].map(|b| Half::Fp16.value(b)), [1.0, 65504.0, 2f32.powi(-24), -2.0]);
        assert_eq!([0x3f80, 0x7f7f, 0xc000].map(|b| Half::Bf16.value(b)), [1.0, f32::from_bits(0x7f7f_0000), -2.0]);
        // Ties and overflow.
        assert_eq!(
            [1.0 + 2f32.powi(-11), 65519.0, 65520.0, 1e-9].map(|x| Half::Fp16.bits(x)),
            [0x3c00, 0x7bff, 0x7c00, 0]
        );
        assert_eq!([1.0 + 3.0 * 2f32.powi(-8), f32::MAX].map(|x| Half::Bf16.bits(x)), [0x3f82, 0x7f80]);
    }
}
