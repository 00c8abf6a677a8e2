//! Elements of 16 bits as such of FP32, and back. Plain code without branches, which the compiler makes vectors of, compiled for
//! each instruction set.

use super::choice::level;
use super::simd::Level;
use crate::routine::{Part, Storage};
use std::ops::Range;

/// A conversion of one matrix.
pub struct Conversion {
    /// Type of the 16 bits.
    pub storage: Storage,
    /// To FP32; else to 16 bits.
    pub widen: bool,
    /// The matrix of 16 bits, with its leading dimension.
    pub half: (*mut u16, usize),
    /// That of FP32.
    pub single: (*mut f32, usize),
    /// What is read and written.
    pub part: Part,
    /// Rows and columns.
    pub size: (usize, usize),
}

/// Converts by the instructions in use.
///
/// # Safety
/// Both matrices must be in memory as told.
pub unsafe fn convert(c: &Conversion) {
    unsafe { convert_at(c, level()) }
}

/// Converts by these instructions.
///
/// # Safety
/// As [`convert`]; the CPU must have the instructions.
pub unsafe fn convert_at(c: &Conversion, level: Level) {
    unsafe {
        match level {
            Level::Baseline => columns(c),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2(c),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512(c),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(c: &Conversion) {
    unsafe { columns(c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq")]
unsafe fn avx512(c: &Conversion) {
    unsafe { columns(c) }
}

#[inline(always)]
unsafe fn columns(c: &Conversion) {
    let &Conversion { storage, widen, half, single, part, size: (m, n) } = c;
    // Without gaps it is one column: loops over short ones cost more than what they do.
    let gapless = part == Part::Full && half.1 == m && single.1 == m;
    let (m, n) = if gapless { (m * n, 1) } else { (m, n) };
    for j in 0..n {
        let Range { start, end } = match part {
            Part::Full => 0..m,
            Part::Upper => 0..m.min(j + 1),
            Part::Lower => m.min(j)..m,
        };
        // SAFETY: the caller's; the two do not overlap.
        unsafe {
            let (half, single) = (half.0.add(j * half.1 + start), single.0.add(j * single.1 + start));
            let count = end - start;
            // A loop for each: what is chosen in one would keep vectors from it.
            match (storage, widen) {
                (Storage::Fp16, true) => {
                    for i in 0..count {
                        *single.add(i) = of_fp16(*half.add(i));
                    }
                }
                (Storage::Bf16, true) => {
                    for i in 0..count {
                        *single.add(i) = f32::from_bits(u32::from(*half.add(i)) << 16);
                    }
                }
                (Storage::Fp16, false) => {
                    for i in 0..count {
                        *half.add(i) = to_fp16(*single.add(i));
                    }
                }
                (Storage::Bf16, false) => {
                    for i in 0..count {
                        *half.add(i) = to_bf16(*single.add(i));
                    }
                }
            }
        }
    }
}

/// From FP16's exponents to FP32's, in FP32's place.
const BIAS: u32 = (127 - 15) << 23;

#[inline(always)]
fn of_fp16(h: u16) -> f32 {
    let (sign, rest) = (u32::from(h & 0x8000) << 16, u32::from(h & 0x7fff));
    let normal = (rest << 13) + BIAS;
    // Infinities and NaN have the largest exponent in either type.
    let normal = if rest >= 0x7c00 { normal + BIAS } else { normal };
    // Where the exponent is 0, no 1 is hidden: one is added to it, and the number that stands for subtracted. No number on the
    // way is subnormal, so that no processor takes one for 0.
    let small = f32::from_bits((rest << 13) + BIAS + (1 << 23)) - f32::from_bits(BIAS + (1 << 23));
    f32::from_bits(sign | if rest < 0x0400 { small.to_bits() } else { normal })
}

#[inline(always)]
fn to_fp16(x: f32) -> u16 {
    let bits = x.to_bits();
    let (sign, size) = ((bits >> 16 & 0x8000) as u16, bits & 0x7fff_ffff);
    // To the nearest one, ties to even; the carry goes into the exponent, and from the largest one to infinity.
    let normal = size.wrapping_sub(BIAS).wrapping_add(0x0fff + (size >> 13 & 1)) >> 13;
    // The unit in the last place of 0.5 is that of subnormal numbers, so that the sum is rounded as they are.
    let small = (f32::from_bits(size) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let finite = if size < BIAS + (1 << 23) { small } else { normal };
    let bounded = if size >= BIAS + (31 << 23) { 0x7c00 } else { finite };
    sign | if size > 0x7f80_0000 { 0x7e00 } else { bounded as u16 }
}

#[inline(always)]
fn to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    (if bits & 0x7fff_ffff > 0x7f80_0000 { bits >> 16 | 0x40 } else { rounded }) as u16
}
