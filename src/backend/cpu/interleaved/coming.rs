//! Prefetches the next group's matrices into the second-level cache while the current group is computed. They are read
//! from as many places as there are lanes, which is more streams than the hardware prefetcher follows.

use super::super::batch::Members;
use super::super::simd::{MAX_LANES, fetch};
use super::group::Group;
use super::transfer::Part;
use crate::scalar::Scalar;

const LINE: usize = 64;
/// Matrices of fewer bytes are left to the hardware prefetcher, which is in time for them.
const LEAST: usize = 6 << 10;
/// Groups of more bytes are not prefetched, because they do not fit in the cache beside the current one.
const MOST: usize = 300 << 10;

/// The state of the prefetch, which proceeds member by member and column by column.
pub struct Coming {
    starts: [*const u8; MAX_LANES],
    /// Members still to be prefetched; the last of them is the current one.
    members: usize,
    part: Part,
    /// Bytes of an element. `ld` is in bytes too.
    bytes: usize,
    rows: usize,
    ld: usize,
    columns: usize,
    column: usize,
    /// The rest of the current column.
    p: *const u8,
    end: *const u8,
    /// Lines to prefetch per step.
    each: usize,
}

impl Coming {
    /// Prefetches a part of the next group's matrices, of `rows` rows and `columns` columns, in `steps` steps. `None`
    /// if it would not pay off.
    #[inline(always)]
    pub unsafe fn after<T: Scalar>(
        group: &Group,
        of: &Members<T>,
        (rows, columns, ld): (usize, usize, usize),
        part: Part,
        steps: usize,
    ) -> Option<Coming> {
        let (bytes, members) = (size_of::<T>(), group.after());
        let each = rows * columns * bytes;
        if members == 0 || each < LEAST || each > MOST / members {
            return None;
        }
        let lines = (rows * bytes).div_ceil(LINE) * columns * members;
        let lines = if part == Part::Whole { lines } else { lines / 2 + columns * members };
        let starts = unsafe { group.starts_after(of) }.map(|p| p.cast_const().cast());
        let (each, ld, none) = (lines.div_ceil(steps.max(1)), ld * bytes, std::ptr::null());
        let mut coming =
            Coming { starts, members, part, bytes, rows, ld, columns, column: 0, p: none, end: none, each };
        coming.start();
        Some(coming)
    }

    /// Begins the current column.
    #[inline(always)]
    fn start(&mut self) {
        let (first, end) = self.part.rows(self.column, self.rows);
        let column = self.starts[self.members - 1].wrapping_add(self.column * self.ld);
        // Round down to the start of the line.
        let first = column.wrapping_add(first * self.bytes);
        self.p = first.wrapping_sub(first as usize % LINE);
        self.end = column.wrapping_add(end * self.bytes);
    }

    /// Performs one step, if anything is left to prefetch.
    #[inline(always)]
    pub fn some(coming: &mut Option<Coming>) {
        let Some(it) = coming else { return };
        for _ in 0..it.each {
            fetch(it.p);
            it.p = it.p.wrapping_add(LINE);
            if it.p >= it.end {
                it.column += 1;
                if it.column == it.columns {
                    (it.column, it.members) = (0, it.members - 1);
                    if it.members == 0 {
                        *coming = None;
                        return;
                    }
                }
                it.start();
            }
        }
    }
}
