//! Elements of 16 bits, plainly: what they are, and which one is nearest to a number.

/// A type of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// IEEE 754's binary16.
    Fp16,
    /// The upper half of a float.
    Bf16,
}

impl Half {
    /// Both.
    pub const ALL: [Half; 2] = [Half::Fp16, Half::Bf16];

    /// `TEPHRA_STORAGE_*`
    pub fn number(self) -> i32 {
        match self {
            Half::Fp16 => 2,
            Half::Bf16 => 14,
        }
    }

    /// The type of a number of `TEPHRA_STORAGE_*`.
    pub fn of(number: i64) -> Half {
        Half::ALL.into_iter().find(|half| i64::from(half.number()) == number).expect("one of TEPHRA_STORAGE_*")
    }

    /// Bits of the mantissa that are stored, and the least exponent of a normal number.
    fn format(self) -> (i32, i32) {
        match self {
            Half::Fp16 => (10, -14),
            Half::Bf16 => (7, -126),
        }
    }

    /// The largest error of a rounding, relative to a normal number.
    pub fn eps(self) -> f64 {
        power(-self.format().0 - 1)
    }

    /// What the bits stand for.
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

    /// The bits of the nearest number, of two of them that whose last bit is 0; a NaN's for a NaN.
    pub fn bits(self, x: f32) -> u16 {
        let (mantissa, least) = self.format();
        let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
        let infinity = ((1 << (15 - mantissa)) - 1) << mantissa;
        if x.is_nan() {
            return sign | infinity | 1 << (mantissa - 1);
        }
        let size = f64::from(x.abs());
        // No float is subnormal as a double. So many times the distance of numbers there, or between two of them.
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(least);
        let count = (size * power(mantissa - exponent)).round_ties_even();
        // Count 2^mantissa is the first of the exponent, of the least one the first that is not subnormal.
        let place = f64::from(exponent - least) * power(mantissa) + count;
        sign | if place < f64::from(infinity) { place as u16 } else { infinity }
    }

    /// The nearest number of the type.
    pub fn nearest(self, x: f32) -> f32 {
        self.value(self.bits(x))
    }
}

/// 2 to that power.
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
        // Ties, and what is too large.
        assert_eq!(
            [1.0 + 2f32.powi(-11), 65519.0, 65520.0, 1e-9].map(|x| Half::Fp16.bits(x)),
            [0x3c00, 0x7bff, 0x7c00, 0]
        );
        assert_eq!([1.0 + 3.0 * 2f32.powi(-8), f32::MAX].map(|x| Half::Bf16.bits(x)), [0x3f82, 0x7f80]);
    }
}
