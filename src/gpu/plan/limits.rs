//! What plans depend on besides the shape: the device, and how much of it a batch fills.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::arch::Arch;
use crate::routine::{Dtype, Math};

/// What plans depend on besides the shape: what the device can hold, and how much of it the batch fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory of a block, opted in, bytes.
    pub shared_per_block: u32,
    /// Compute capability times ten.
    pub arch: u16,
    /// Multiprocessors.
    pub multiprocessors: u16,
    /// Class of the batch count.
    pub class: Class,
    /// Clusters of eight blocks that each matrix may have at the same time; 0 of large batches.
    pub share: u8,
    /// How the caller lets trailing updates compute; [`Math::Fp32`] of all but single precision real.
    pub math: Math,
    /// Whether every kernel family has code for the device; else the portable ones serve it, from PTX (build.rs).
    pub native: bool,
}

impl Limits {
    /// Of plans that are the same on every device.
    pub const NONE: Limits = Limits {
        shared_per_block: 0,
        arch: 0,
        multiprocessors: 0,
        class: Class::INVARIANT,
        share: 0,
        native: false,
        math: Math::Fp32,
    };

    /// An H200's, for about a thousand matrices.
    pub const HOPPER: Limits =
        Limits { shared_per_block: 227 * 1024, arch: 90, multiprocessors: 132, native: true, ..Limits::NONE };

    /// All of it: part of the keys of plans.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        let Limits { shared_per_block, arch, multiprocessors, class, share, math, native } = self;
        let device = u64::from(arch) << 48 | u64::from(multiprocessors) << 32 | u64::from(shared_per_block);
        device ^ (class.index() as u64) << 28 ^ u64::from(native) << 27 ^ (math as u64) << 24 ^ u64::from(share) << 19
    }

    /// What was measured on the device's architecture; of [`Limits::NONE`] what is the same for all.
    pub fn measured(self) -> &'static Arch {
        arch::of(self.arch)
    }

    /// Whether the device runs a native kernel that needs so much shared memory.
    pub fn run(self, shared: u32) -> bool {
        self.native && shared <= self.shared_per_block
    }

    /// Whether the device runs clusters of so many blocks, each of which takes a multiprocessor. All of a cluster are in one
    /// group (GPC) of those, which is certain to have eight. Data-centre devices (up to 11.x) have at most eight groups: where
    /// they have more than 120 multiprocessors, one group has sixteen.
    pub fn holds_cluster(self, blocks: u32) -> bool {
        match blocks {
            0 | 1 => true,
            2..=8 => self.arch >= 90,
            9..=16 => (90..120).contains(&self.arch) && self.multiprocessors > 120,
            _ => false,
        }
    }

    /// Whether double precision is half as fast as single: on data-centre devices; elsewhere it has a 32nd of the speed or less.
    pub fn fast_in_double(self) -> bool {
        matches!(self.arch, 80 | 90 | 100)
    }

    /// Shared memory of a block that has a few words beside, bytes.
    pub fn whole(self) -> u32 {
        self.shared_per_block.saturating_sub(512)
    }

    /// The same where a multiprocessor has so many blocks, each of which takes a KiB more.
    pub fn shared_by(self, blocks: u32) -> u32 {
        ((self.shared_per_block + 1024) / blocks).saturating_sub(1024 + 512)
    }

    /// The same device for a batch; with [`crate::gpu::plan::batch_invariant`] the same limits for any batch.
    pub fn with_batch(self, m: i64, n: i64, batch: i64) -> Limits {
        let batch = if crate::gpu::plan::batch_invariant() { Class::INVARIANT.batch() } else { batch };
        let share = self.clusters_at_once(8) / batch.max(1);
        Limits { class: Class::of(m, n, batch), share: share.min(Limits::MOST_SHARE) as u8, ..self }
    }

    /// Beyond it, plans are the same.
    const MOST_SHARE: i64 = 15;

    /// Whether each matrix may have a cluster to itself.
    pub fn few(self) -> bool {
        self.share > 0
    }

    /// Clusters of so many blocks, each of a whole multiprocessor, that run at a time, at least about: multiprocessors come in
    /// groups that are no multiple of a cluster.
    pub fn clusters_at_once(self, blocks: u32) -> i64 {
        (i64::from(self.multiprocessors) / i64::from(blocks) - 1).max(1)
    }

    /// The same device for a caller's wish; it means something for `Dtype::S` on devices with the instructions.
    pub fn with_math(self, dtype: Dtype, math: Math) -> Limits {
        const FIRST: u16 = 80;
        let math = if dtype == Dtype::S && self.arch >= FIRST { math } else { Math::Fp32 };
        Limits { math, ..self }
    }
}

/// A class of batch counts: from those that leave most of a device idle to those that fill it many times over. Plans of
/// a class are chosen by times for [`Class::batch`] matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(u8);

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 5;
    /// All of them, by batch count.
    pub const ALL: [Class; Class::COUNT] = [Class(0), Class(1), Class(2), Class(3), Class(4)];
    /// What every batch is planned as when its count must not matter.
    pub const INVARIANT: Class = Class(2);

    const BATCH: [i64; Class::COUNT] = [16, 100, 1000, 10_000, 100_000];
    /// Largest batch counts of the classes: about the geometric means of the above.
    const LAST: [i64; Class::COUNT] = [40, 316, 3162, 31_622, i64::MAX];
    /// The class of a batch of m x n matrices: the same on every device, as tables of measured plans go by classes.
    pub fn of(m: i64, n: i64, batch: i64) -> Class {
        const SIZES: &arch::Classes = &arch::DEFAULT.classes;
        let area = m.saturating_mul(n);
        let mut i = Class::LAST.iter().position(|last| batch <= *last).unwrap_or(Class::COUNT - 1);
        while area > SIZES.most_area[i] {
            i -= 1;
        }
        if i == 0 && area <= SIZES.least_area {
            i = 1;
        }
        Class(i as u8)
    }

    /// The batch count that stands for the class.
    pub const fn batch(self) -> i64 {
        Class::BATCH[self.0 as usize]
    }

    /// Its place in [`Class::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// This class, those below it and then those above, nearest first.
    pub fn nearest_first(self) -> impl Iterator<Item = Class> {
        (0..=self.0).rev().chain(self.0 + 1..Class::COUNT as u8).map(Class)
    }
}

/// Refuses a factorisation of so many columns in panels: the list of its launches would take more memory than there may be. Only
/// bounds of members' sizes are as large, which say nothing of what is in memory.
pub(crate) fn panels_fit(columns: i64) -> Result<(), Error> {
    const MOST: i64 = 1 << 20;
    let large = || Error::NotSupported("members of more than 2^20 rows and columns on the device".into());
    if columns > MOST { Err(large()) } else { Ok(()) }
}

/// a / b rounded up, for a >= 0 and b > 0.
pub(crate) fn ceil_div(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_told_apart() {
        let of = |m, n, batch| Class::of(m, n, batch).batch();
        assert_eq!([1, 40, 41, 317, 4000, 50_000].map(|b| of(32, 32, b)), [100, 100, 100, 1000, 10_000, 100_000]);
        assert_eq!([1, 40, 41, 317, 4000, 50_000].map(|b| of(64, 64, b)), [16, 16, 100, 1000, 10_000, 10_000]);
        assert_eq!([1, 50_000].map(|b| of(1024, 1024, b)), [16, 100]);
        assert_eq!(of(i64::MAX, i64::MAX, i64::MAX), 100);
        let order: Vec<i64> = Class::of(64, 64, 1000).nearest_first().map(Class::batch).collect();
        assert_eq!(order, [1000, 100, 16, 10_000, 100_000]);
    }
}
