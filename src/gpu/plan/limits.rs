//! What plans depend on besides the shape: the device, and how much of it a batch fills.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::arch::{Arch, hardware};
use crate::routine::{Dtype, Math};

/// What plans depend on besides the shape: the device's limits, and how much of the device the batch fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory per block with the opt-in, in bytes.
    pub shared_per_block: u32,
    /// Compute capability times ten.
    pub arch: u16,
    /// Number of multiprocessors.
    pub multiprocessors: u16,
    /// Class of the batch count.
    pub class: Class,
    /// Clusters of eight blocks that each matrix can have at the same time; 0 for large batches.
    pub share: u8,
    /// The arithmetic that the caller allows in trailing updates; [`Math::Fp32`] unless the element type is
    /// S.
    pub math: Math,
    /// Whether every kernel family has machine code for the device. Otherwise only the portable families run,
    /// from PTX (see build.rs).
    pub native: bool,
}

impl Limits {
    /// For plans that are the same on every device.
    pub const NONE: Limits = Limits {
        shared_per_block: 0,
        arch: 0,
        multiprocessors: 0,
        class: Class::INVARIANT,
        share: 0,
        native: false,
        math: Math::Fp32,
    };

    /// An H200 with about a thousand matrices.
    pub const HOPPER: Limits =
        Limits { shared_per_block: 227 * 1024, arch: 90, multiprocessors: 132, native: true, ..Limits::NONE };

    /// All fields in one word, for the keys of cached plans.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        let Limits { shared_per_block, arch, multiprocessors, class, share, math, native } = self;
        let device = u64::from(arch) << 48 | u64::from(multiprocessors) << 32 | u64::from(shared_per_block);
        device ^ (class.index() as u64) << 28 ^ u64::from(native) << 27 ^ (math as u64) << 24 ^ u64::from(share) << 19
    }

    /// The measurements for the device's architecture; for [`Limits::NONE`], the defaults.
    pub fn measured(self) -> &'static Arch {
        arch::of(self.arch)
    }

    /// Whether the device runs a native kernel that needs `shared` bytes of shared memory per block.
    pub fn runs(self, shared: u32) -> bool {
        self.native && shared <= self.shared_per_block
    }

    /// Whether the device runs clusters of this many blocks, each of which occupies a multiprocessor.
    pub fn holds_cluster(self, blocks: u32) -> bool {
        hardware::holds_cluster(self.arch, self.multiprocessors, blocks)
    }

    /// Whether double precision has half the speed of single precision.
    pub fn fast_in_double(self) -> bool {
        hardware::fast_in_double(self.arch)
    }

    /// Shared memory in bytes for a block that also needs a few words for other purposes.
    pub fn shared_for_one_block(self) -> u32 {
        self.shared_per_block.saturating_sub(512)
    }

    /// The same if `blocks` blocks share a multiprocessor. Each of them costs another KiB.
    pub fn shared_by(self, blocks: u32) -> u32 {
        ((self.shared_per_block + 1024) / blocks).saturating_sub(1024 + 512)
    }

    /// How many blocks with so much shared memory share a multiprocessor, at most.
    pub fn blocks_of(self, shared: u32) -> u32 {
        (self.shared_per_block + 1024) / shared.saturating_add(1024)
    }

    /// The limits for a batch on this device. With [`crate::gpu::plan::batch_invariant`] they are the same
    /// for every batch.
    pub fn with_batch(self, m: i64, n: i64, batch: i64) -> Limits {
        let batch = if crate::gpu::plan::batch_invariant() { Class::INVARIANT.batch() } else { batch };
        let share = self.clusters_at_once(8) / batch.max(1);
        Limits { class: Class::of(m, n, batch), share: share.min(Limits::MOST_SHARE) as u8, ..self }
    }

    /// Plans do not differ above this value.
    const MOST_SHARE: i64 = 15;

    /// Whether each matrix can have a cluster to itself.
    pub fn cluster_per_matrix(self) -> bool {
        self.share > 0
    }

    /// A lower estimate of how many clusters of this many blocks run concurrently, if each block takes a
    /// whole multiprocessor. The size of a GPC need not be a multiple of the cluster size.
    pub fn clusters_at_once(self, blocks: u32) -> i64 {
        (i64::from(self.multiprocessors) / i64::from(blocks) - 1).max(1)
    }

    /// The limits with the caller's `math`. It only has an effect for `Dtype::S`, on devices with the
    /// required instructions.
    pub fn with_math(self, dtype: Dtype, math: Math) -> Limits {
        let math = if dtype == Dtype::S && hardware::has_tensor_modes(self.arch) { math } else { Math::Fp32 };
        Limits { math, ..self }
    }
}

/// A class of batch counts: from those that leave most of a device idle to those that fill it many times
/// over. A class's plans are chosen by the times of [`Class::batch`] matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(u8);

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 5;
    /// All of them, by batch count.
    pub const ALL: [Class; Class::COUNT] = [Class(0), Class(1), Class(2), Class(3), Class(4)];
    /// The class as which every batch is planned when results must not depend on the batch count.
    pub const INVARIANT: Class = Class(2);

    const BATCH: [i64; Class::COUNT] = [16, 100, 1000, 10_000, 100_000];
    /// Largest batch count of each class: about the geometric means of neighbouring values of `BATCH`.
    const LAST: [i64; Class::COUNT] = [40, 316, 3162, 31_622, i64::MAX];
    /// The class of a batch of m x n matrices. It is the same on every device, since tables of measured plans
    /// are indexed by class.
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

    /// The batch count that represents the class.
    pub const fn batch(self) -> i64 {
        Class::BATCH[self.0 as usize]
    }

    /// The index in [`Class::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// This class, then those below it, then those above, nearest first.
    pub fn nearest_first(self) -> impl Iterator<Item = Class> {
        (0..=self.0).rev().chain(self.0 + 1..Class::COUNT as u8).map(Class)
    }
}

/// Refuses to factor so many columns in panels: the list of launches would take too much memory. Only upper
/// bounds of individual sizes can be that large, since they need not match anything in memory.
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
