//! Prefetches the next group's matrices into the second-level cache while the current group is computed. They are read
//! from as many places as there are lanes, which is more streams than the hardware prefetcher follows.

use super::super::batch::Members;
use super::super::simd::{MAX_LANES, array_of, prefetch_l2};
use super::group::{Group, LanePointers};
use super::transfer::{OwnSizes, Part};
use crate::scalar::Scalar;

const LINE: usize = 64;
/// Matrices of fewer bytes are left to the hardware prefetcher, which is in time for them.
const MIN_BYTES: usize = 6 << 10;

/// The state of the prefetch, which proceeds member by member and column by column.
pub struct Prefetch {
    starts: [*const u8; MAX_LANES],
    /// Members still to be prefetched; the last of them is the current one.
    members: usize,
    sizes: OwnSizes,
    part: Part,
    /// Bytes of an element.
    bytes: usize,
    column: usize,
    /// The rest of the current column.
    p: *const u8,
    end: *const u8,
    /// Lines to prefetch per step.
    lines_per_step: usize,
}

impl Prefetch {
    /// Groups of more bytes are not prefetched, because they do not fit in the cache beside the current one.
    pub const MAX_BYTES: usize = 300 << 10;

    /// Prefetches a part of the next group's matrices, of `rows` rows and `columns` columns, in `steps` steps. `None`
    /// if it would not pay off.
    #[inline(always)]
    pub unsafe fn for_next_group<T: Scalar>(
        group: &Group,
        of: &Members<T>,
        (rows, columns, ld): (usize, usize, usize),
        part: Part,
        steps: usize,
    ) -> Option<Prefetch> {
        let (bytes, members) = (size_of::<T>(), group.next_count());
        let bytes_per_matrix = rows * columns * bytes;
        if members == 0 || bytes_per_matrix < MIN_BYTES || bytes_per_matrix > Self::MAX_BYTES / members {
            return None;
        }
        let same = |size: usize| [size as u32; MAX_LANES];
        let sizes = OwnSizes { rows: same(rows), columns: same(columns), ld: [ld as i32; MAX_LANES] };
        Some(Prefetch::new::<T>(&unsafe { group.next_starts(of) }, &sizes, members, part, steps))
    }

    /// Prefetches a part of the matrices in the first lanes, one per member, in `steps` steps.
    #[inline(always)]
    pub fn new<T: Scalar>(
        starts: &LanePointers<T::Re>,
        sizes: &OwnSizes,
        members: usize,
        part: Part,
        steps: usize,
    ) -> Prefetch {
        let (starts, bytes, mut lines) = (array_of(|l| starts[l].cast_const().cast()), size_of::<T>(), 0);
        for l in 0..members {
            let (rows, columns) = (sizes.rows[l] as usize, sizes.columns[l] as usize);
            let whole = (rows * bytes).div_ceil(LINE) * columns;
            lines += if part == Part::Whole { whole } else { whole / 2 + columns };
        }
        let (lines_per_step, none) = (lines.div_ceil(steps.max(1)), std::ptr::null());
        let mut prefetch =
            Prefetch { starts, members, sizes: *sizes, part, bytes, column: 0, p: none, end: none, lines_per_step };
        prefetch.start();
        prefetch
    }

    /// Begins the current column.
    #[inline(always)]
    fn start(&mut self) {
        let lane = self.members - 1;
        let (first, end) = self.part.rows(self.column, self.sizes.rows[lane] as usize);
        let column = self.starts[lane].wrapping_add(self.column * self.sizes.ld[lane] as usize * self.bytes);
        // Round down to the start of the line.
        let first = column.wrapping_add(first * self.bytes);
        self.p = first.wrapping_sub(first as usize % LINE);
        self.end = column.wrapping_add(end * self.bytes);
    }

    /// Performs one step, if anything is left to prefetch.
    #[inline(always)]
    pub fn step(prefetch: &mut Option<Prefetch>) {
        let Some(state) = prefetch else { return };
        for _ in 0..state.lines_per_step {
            prefetch_l2(state.p);
            state.p = state.p.wrapping_add(LINE);
            if state.p >= state.end {
                state.column += 1;
                if state.column == state.sizes.columns[state.members - 1] as usize {
                    (state.column, state.members) = (0, state.members - 1);
                    if state.members == 0 {
                        *prefetch = None;
                        return;
                    }
                }
                state.start();
            }
        }
    }
}
