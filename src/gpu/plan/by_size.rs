//! What of a kernel depends on the sizes of a launch: shared memory, as `kernels/common/room.cuh` finds it from the function by
//! which the kernel itself lays it out.

use crate::gpu::plan::ceil_div;
use crate::gpu::plan::table::Instance;

/// Of one instance.
#[derive(Debug)]
pub struct BySize {
    /// How each size counts; which sizes they are, and in which order, the kernel's header says (where it calls `needs`).
    pub counts: &'static [Count],
    /// Shared memory is the sum of these, and of what depends on no size.
    pub terms: &'static [Term],
    /// Matrices of a block of grids of 1 x 1, 2 x 2, ... lanes; of larger ones 1.
    pub grids: &'static [u32],
}

/// A size as it counts: what is beyond so many, in steps, begun ones too, at most so many of them (0: any number).
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Count {
    pub step: i64,
    pub beyond: i64,
    pub most: i64,
}

/// So many bytes for each of a size's counts, or for each of their products with another's.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Term {
    pub bytes: i64,
    pub of: u8,
    pub by: Option<u8>,
}

impl Count {
    /// How much a size counts.
    pub fn of(&self, size: i64) -> i64 {
        let count = ceil_div(size.saturating_sub(self.beyond).max(0), self.step);
        if self.most > 0 { count.min(self.most) } else { count }
    }
}

impl BySize {
    fn bytes(&self, sizes: &[i64]) -> Option<i64> {
        debug_assert!(sizes.len() >= self.counts.len());
        let count = |i: u8| self.counts[usize::from(i)].of(sizes[usize::from(i)]);
        let term = |t: &Term| t.bytes.checked_mul(count(t.of))?.checked_mul(t.by.map_or(1, count));
        self.terms.iter().try_fold(0i64, |sum, t| sum.checked_add(term(t)?))
    }
}

impl Instance {
    /// Dynamic shared memory of a block of a launch of these sizes, in bytes; `u32::MAX`, which no device has, where it is more
    /// than that.
    pub fn shared_for(&self, sizes: &[i64]) -> u32 {
        let more = self.by_size.map_or(Some(0), |by_size| by_size.bytes(sizes));
        let bytes = more.and_then(|more| more.checked_add(self.shared.into()));
        bytes.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(u32::MAX)
    }

    /// How its sizes count.
    pub fn counts(&self) -> &'static [Count] {
        self.by_size.map_or(&[], |by_size| by_size.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Dtype;

    /// 100 bytes, 8 for each begun 16 rows beyond the first 32, 2 for each product of those and of up to 3 columns.
    static BY_SIZE: BySize = BySize {
        counts: &[Count { step: 16, beyond: 32, most: 0 }, Count { step: 1, beyond: 0, most: 3 }],
        terms: &[Term { bytes: 8, of: 0, by: None }, Term { bytes: 2, of: 0, by: Some(1) }],
        grids: &[],
    };

    #[test]
    fn sums_of_products() {
        let by_size = Some(&BY_SIZE);
        let instance = Instance {
            family: 0,
            kernel: 0,
            dtype: Dtype::S,
            threads: 32,
            rows: 0,
            columns: 0,
            warps: 1,
            per_block: 1,
            shared: 100,
            per_processor: 0,
            reflectors: 0,
            tile: 0,
            cluster: 1,
            outside: 0,
            by_size,
        };
        for (rows, columns, bytes) in [
            (0, 9, 100),
            (32, 9, 100),
            (33, 0, 108),
            (48, 2, 112),
            (49, 3, 128),
            (64, 100, 128),
            (i64::MAX, 3, u32::MAX),
        ] {
            assert_eq!(instance.shared_for(&[rows, columns]), bytes, "{rows} x {columns}");
        }
        assert_eq!(Instance { by_size: None, ..instance }.shared_for(&[1, 1]), 100);
    }
}
