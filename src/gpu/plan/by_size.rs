//! Shared memory of kernels where it depends on the sizes of a launch. `kernels/common/room.cuh` derives it
//! from the function by which the kernel itself lays out its memory.

use crate::gpu::plan::ceil_div;
use crate::gpu::plan::table::Instance;

/// The size-dependent properties of one instance.
#[derive(Debug)]
pub struct BySize {
    /// How each size counts. The kernel's header says which sizes these are, and their order (where it calls
    /// `needs`).
    pub counts: &'static [Count],
    /// Shared memory is the sum of these terms and of a part that depends on no size.
    pub terms: &'static [Term],
    /// Matrices per block for grids of 1 x 1, 2 x 2, ... lanes; 1 for larger grids.
    pub grids: &'static [u32],
}

/// How a size is counted: the steps, including a partial one, by which it exceeds `beyond`, limited to `most`
/// (0: unlimited).
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Count {
    pub step: i64,
    pub beyond: i64,
    pub most: i64,
}

/// `bytes` for each unit of count `of`, or for each unit of the product of the counts `of` and `by`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Term {
    pub bytes: i64,
    pub of: u8,
    pub by: Option<u8>,
}

impl Count {
    /// The count of a size.
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
    /// Dynamic shared memory per block, in bytes, of a launch with these sizes. If that does not fit,
    /// `u32::MAX`, which exceeds every device's limit.
    pub fn shared_for(&self, sizes: &[i64]) -> u32 {
        let more = self.by_size.map_or(Some(0), |by_size| by_size.bytes(sizes));
        let bytes = more.and_then(|more| more.checked_add(self.shared.into()));
        bytes.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(u32::MAX)
    }

    /// How sizes count.
    pub fn counts(&self) -> &'static [Count] {
        self.by_size.map_or(&[], |by_size| by_size.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Dtype;

    /// 100 bytes, plus 8 for each 16 rows (or part of them) beyond the first 32, plus 2 times that count for
    /// each of up to 3 columns.
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
