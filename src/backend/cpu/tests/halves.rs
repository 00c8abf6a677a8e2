//! 16-bit elements: every instruction set converts them as the baseline does, and writes nothing else.

use super::support::{Random, levels};
use tephra_cpu::parts::{Conversion, Level, convert_at};
use tephra_routine::{Part, Storage};

/// Numbers of all magnitudes, and special values.
fn numbers() -> Vec<f32> {
    let mut random = Random(7);
    let mut any = || f32::from_bits((random.real::<f64>() * (1u64 << 31) as f64) as i32 as u32);
    let special =
        [0.0, -0.0, f32::INFINITY, f32::NAN, 65519.0, 65520.0, 6.1e-5, 5.9e-8, 2.9e-8, 3.0e-8, 1e-45, f32::MAX];
    special.into_iter().chain((0..50_000).map(|_| any())).collect()
}

/// Converts a matrix of one column.
fn widened(storage: Storage, level: Level, from: &[u16]) -> Vec<u32> {
    let (mut half, mut to) = (from.to_vec(), vec![7.0; from.len()]);
    let (half, single, size) = ((half.as_mut_ptr(), 1), (to.as_mut_ptr(), 1), (from.len(), 1));
    // SAFETY: both slices have the same length, and levels() lists only what this machine supports.
    unsafe { convert_at(&Conversion { storage, widen: true, half, single, part: Part::Full, size }, level) };
    to.iter().map(|x: &f32| x.to_bits()).collect()
}

fn rounded(storage: Storage, level: Level, from: &[f32]) -> Vec<u16> {
    let (mut single, mut to) = (from.to_vec(), vec![7; from.len()]);
    let (half, single, size) = ((to.as_mut_ptr(), 1), (single.as_mut_ptr(), 1), (from.len(), 1));
    // SAFETY: as above.
    unsafe { convert_at(&Conversion { storage, widen: false, half, single, part: Part::Full, size }, level) };
    to
}

#[test]
fn every_instruction_set_converts_alike() {
    let (all, numbers): (Vec<u16>, _) = ((0..=u16::MAX).collect(), numbers());
    for storage in [Storage::Fp16, Storage::Bf16] {
        let single = widened(storage, Level::Baseline, &all);
        let half = rounded(storage, Level::Baseline, &numbers);
        for level in levels() {
            assert!(widened(storage, level, &all) == single, "{storage:?} {}", level.name());
            assert!(rounded(storage, level, &numbers) == half, "{storage:?} {}", level.name());
            // Convert there and back; a signalling NaN may become quiet.
            let there: Vec<f32> = single.iter().map(|bits| f32::from_bits(*bits)).collect();
            let back = rounded(storage, level, &there);
            assert!(there.iter().zip(all.iter().zip(back)).all(|(x, (bits, back))| x.is_nan() || *bits == back));
        }
    }
}

#[test]
fn only_the_part_is_touched() {
    let (m, n, ld) = (11, 7, 13);
    for level in levels() {
        for (part, is_in) in [
            (Part::Full, (|_, _| true) as fn(usize, usize) -> bool),
            (Part::Upper, |i, j| i <= j),
            (Part::Lower, |i, j| i >= j),
        ] {
            for widen in [true, false] {
                let (mut half, mut single) = (vec![0x3c00u16; ld * n], vec![2.0f32; ld * n]);
                let (places, size) = (((half.as_mut_ptr(), ld), (single.as_mut_ptr(), ld)), (m, n));
                let c = Conversion { storage: Storage::Fp16, widen, half: places.0, single: places.1, part, size };
                // SAFETY: as above.
                unsafe { convert_at(&c, level) };
                for (at, (half, single)) in half.iter().zip(&single).enumerate() {
                    let (i, j) = (at % ld, at / ld);
                    let expected = match (i < m && is_in(i, j), widen) {
                        (false, _) => (0x3c00, 2.0),
                        (true, true) => (0x3c00, 1.0),
                        (true, false) => (0x4000, 2.0),
                    };
                    assert_eq!((*half, *single), expected, "({i}, {j}) of {part:?}");
                }
            }
        }
    }
}
