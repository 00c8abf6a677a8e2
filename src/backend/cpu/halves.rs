//! Conversions between 16-bit formats and FP32: branch-free scalar code, compiled for each instruction set, which the
//! compiler vectorises.

use super::choice::level;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Baseline, Lanes, Level, OutOfLine, Pack, Packed};
use crate::routine::{Part, Storage};
use std::ops::Range;

/// A conversion of one matrix.
pub struct Conversion {
    /// The 16-bit format.
    pub storage: Storage,
    /// Whether to convert to FP32, rather than to 16 bits.
    pub widen: bool,
    /// The 16-bit matrix and its leading dimension.
    pub half: (*mut u16, usize),
    /// The FP32 matrix and its leading dimension.
    pub single: (*mut f32, usize),
    /// The part that is converted.
    pub part: Part,
    /// Rows and columns.
    pub size: (usize, usize),
}

/// Converts with the instruction set in use.
///
/// # Safety
/// Both matrices must be in valid memory of the given sizes, and must not overlap.
pub unsafe fn convert(c: &Conversion) {
    unsafe { convert_at(c, level()) }
}

/// Converts with a given instruction set.
///
/// # Safety
/// As [`convert`]; the CPU must have the instruction set.
pub unsafe fn convert_at(c: &Conversion, level: Level) {
    unsafe {
        match level {
            Level::Baseline => Vector::<Baseline>::call_out_of_line(Columns(c)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => Vector::<Avx2>::call_out_of_line(Columns(c)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => Vector::<Avx512>::call_out_of_line(Columns(c)),
        }
    }
}

type Vector<I> = <<f32 as Packed>::Pack<I> as Pack>::V;

struct Columns<'a>(&'a Conversion);

impl OutOfLine for Columns<'_> {
    #[inline(always)]
    unsafe fn run(self) {
        unsafe { columns(self.0) }
    }
}

#[inline(always)]
unsafe fn columns(c: &Conversion) {
    let &Conversion { storage, widen, half, single, part, size: (m, n) } = c;
    // A matrix without gaps is treated as one column, since loops over short columns cost more than their content.
    let gapless = part == Part::Full && half.1 == m && single.1 == m;
    let (m, n) = if gapless { (m * n, 1) } else { (m, n) };
    for j in 0..n {
        let Range { start, end } = match part {
            Part::Full => 0..m,
            Part::Upper => 0..m.min(j + 1),
            Part::Lower => m.min(j)..m,
        };
        // SAFETY: the caller vouches for the matrices, which do not overlap.
        unsafe {
            let (half, single) = (half.0.add(j * half.1 + start), single.0.add(j * single.1 + start));
            let count = end - start;
            // One loop per case: a choice within a loop would prevent vectorisation.
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

/// The difference between the exponent biases of FP32 and FP16, in the position of FP32's exponent.
const BIAS: u32 = (127 - 15) << 23;

#[inline(always)]
fn of_fp16(h: u16) -> f32 {
    let (sign, rest) = (u32::from(h & 0x8000) << 16, u32::from(h & 0x7fff));
    let normal = (rest << 13) + BIAS;
    // Infinities and NaN have the largest exponent in both formats.
    let normal = if rest >= 0x7c00 { normal + BIAS } else { normal };
    // Numbers with exponent 0 have no implicit 1, so add one by incrementing the exponent and subtract its value again.
    // No intermediate result is subnormal, so the result does not depend on whether the processor flushes these to
    // zero.
    let small = f32::from_bits((rest << 13) + BIAS + (1 << 23)) - f32::from_bits(BIAS + (1 << 23));
    f32::from_bits(sign | if rest < 0x0400 { small.to_bits() } else { normal })
}

#[inline(always)]
fn to_fp16(x: f32) -> u16 {
    let bits = x.to_bits();
    let (sign, size) = ((bits >> 16 & 0x8000) as u16, bits & 0x7fff_ffff);
    // Round to nearest, ties to even. The carry goes into the exponent, and from the largest one to infinity.
    let normal = size.wrapping_sub(BIAS).wrapping_add(0x0fff + (size >> 13 & 1)) >> 13;
    // The unit in the last place of 0.5 is that of FP16's subnormal numbers, so the addition rounds correctly.
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
