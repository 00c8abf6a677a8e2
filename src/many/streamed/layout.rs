//! The width of blocks, and how they are placed in a device's memory.

use super::method::{Codes, Method};
use super::transfer::PIECES;
use std::ops::Range;
use tephra_core::Error;

/// Number of blocks on a device at a time, and of panels streaming past them.
pub const BLOCKS: usize = 2;
pub const PANELS: usize = 2;
/// Alignment of the parts of device memory, in bytes.
const ALIGNMENT: usize = 256;
/// Leading dimensions are multiples of this, so that columns are aligned for all kernels.
const ROWS: usize = 32;
/// Number of reflectors that the kernels aggregate. Widths are multiples of it unless they are smaller.
const REFLECTOR_BLOCK: usize = 128;
/// Maximum number of columns of a streamed panel: enough to amortise the start of a copy.
const MAX_PANEL: usize = 512;
/// Blocks of at most this width are not narrowed further to get more of them, because the link to the host could not
/// keep up.
const SUFFICIENT_WIDTH: usize = 8192;
/// Number of blocks to aim for per device if there are enough columns, so that transfers overlap with computation.
const BLOCKS_PER_DEVICE: usize = 8;

/// The leading dimension on the device for this many rows.
pub fn leading_dimension(rows: usize) -> usize {
    rows.next_multiple_of(ROWS)
}

/// The sizes of a call's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of columns of a block.
    pub width: usize,
    /// Number of columns of a streamed panel.
    pub panel: usize,
}

/// A partition of columns into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Partition {
    /// Number of columns.
    pub n: usize,
    /// Columns from this one on are in blocks of their own. n if there are none.
    pub split: usize,
    pub width: usize,
}

impl Partition {
    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.block_of(self.split) + (self.n - self.split).div_ceil(self.width)
    }

    /// The block that contains a column.
    pub fn block_of(&self, column: usize) -> usize {
        if column < self.split {
            column / self.width
        } else {
            self.split.div_ceil(self.width) + (column - self.split) / self.width
        }
    }

    /// The columns of a block.
    pub fn columns(&self, block: usize) -> Range<usize> {
        let before = self.split.div_ceil(self.width);
        let (first, end) = if block < before {
            (block * self.width, self.split)
        } else {
            (self.split + (block - before) * self.width, self.n)
        };
        first..end.min(first + self.width)
    }
}

/// Offsets of the parts of a device's memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    pub blocks: [usize; BLOCKS],
    /// Side data of the blocks, and below those of the panels.
    pub sides: [usize; BLOCKS],
    pub panels: [usize; PANELS],
    pub panel_sides: [usize; PANELS],
    /// Codes of the blocks.
    pub codes: [usize; BLOCKS],
    pub total: usize,
}

impl Layout {
    /// The layout with blocks of this width.
    fn of(width: usize) -> Layout {
        let whole = |columns: usize| {
            if columns >= REFLECTOR_BLOCK { columns / REFLECTOR_BLOCK * REFLECTOR_BLOCK } else { columns }
        };
        Layout { width, panel: whole((width / 4).clamp(width.min(ROWS), MAX_PANEL)) }
    }

    /// The partition of n columns, where those from `split` on are in blocks of their own.
    pub fn partition(&self, n: usize, split: usize) -> Partition {
        Partition { n, split, width: self.width }
    }

    /// The offsets of the parts, for this many blocks. `None` if they overflow. A single block needs neither space for
    /// a second one nor panels.
    pub fn offsets(&self, method: &dyn Method, blocks: usize) -> Option<Offsets> {
        let element = method.dtype().bytes();
        let (count, streams) = (blocks.min(BLOCKS), method.streams(blocks));
        let mut total = 0usize;
        let mut place = |elements: usize, element: usize, wanted: bool| {
            let start = total;
            let bytes = elements.checked_mul(element)?.checked_next_multiple_of(ALIGNMENT)?;
            total = if wanted { total.checked_add(bytes)? } else { total };
            Some(start)
        };
        let block = leading_dimension(method.rows()).checked_mul(self.width)?;
        let panel = leading_dimension(method.rows()).checked_mul(self.panel)?;
        let blocks = [place(block, element, true)?, place(block, element, count > 1)?];
        let (side, code) = (method.side_bytes(), size_of::<i32>() * usize::from(method.codes() != Codes::None));
        let sides = [place(self.width, side, true)?, place(self.width, side, count > 1)?];
        let panels = [place(panel, element, streams)?, place(panel, element, streams)?];
        let at_once = method.max_side_columns(self.width, self.panel);
        let panel_sides = [place(at_once, side, streams)?, place(at_once, side, streams)?];
        let codes = [place(1, code, true)?, place(1, code, count > 1)?];
        Some(Offsets { blocks, sides, panels, panel_sides, codes, total })
    }

    /// Bytes of device memory used, including the workspace of the kernels.
    fn bytes(&self, method: &dyn Method, blocks: usize) -> Option<usize> {
        let scratch = method.scratch(self.width)?.checked_mul(method.dtype().bytes())?;
        self.offsets(method, blocks)?.total.checked_add(scratch)
    }

    /// Chooses a layout for `n` columns, where those from `split` on are in blocks of their own, on `devices` devices
    /// with `budget` bytes each. It is the widest that fits among those that leave each device several blocks.
    pub fn choose(
        method: &dyn Method,
        (n, split): (usize, usize),
        devices: usize,
        budget: usize,
    ) -> Result<Layout, Error> {
        let most = (split / BLOCKS_PER_DEVICE).max(SUFFICIENT_WIDTH) / devices;
        let most = most.max(REFLECTOR_BLOCK).next_multiple_of(REFLECTOR_BLOCK);
        let narrow = [REFLECTOR_BLOCK / 2, ROWS];
        let wide = (1..=most / REFLECTOR_BLOCK).rev().map(|i| i * REFLECTOR_BLOCK).chain(narrow);
        let bytes = |layout: &Layout| layout.bytes(method, layout.partition(n, split).count());
        let fits = |layout: &Layout| bytes(layout).is_some_and(|bytes| bytes <= budget);
        // A single block is allowed if it fits and no other device would be left idle.
        let all = [split].into_iter().filter(|n| *n <= most);
        if let Some(found) = all.chain(wide).filter(|width| *width <= split).map(Layout::of).find(fits) {
            return Ok(found.balanced(split));
        }
        let least = bytes(&Layout::of(split.min(ROWS)));
        let least = least.map_or("more than can be counted".into(), |bytes| format!("{bytes} bytes"));
        Err(Error::OutOfMemory(format!(
            "{budget} bytes of a device's memory for a matrix of {} rows, of which a block takes {least}",
            method.rows()
        )))
    }

    /// The same layout with the width reduced so that the same number of blocks are about equally wide.
    fn balanced(self, n: usize) -> Layout {
        if self.width < REFLECTOR_BLOCK || self.width >= n {
            return self;
        }
        Layout { width: n.div_ceil(n.div_ceil(self.width)).next_multiple_of(REFLECTOR_BLOCK).min(self.width), ..self }
    }

    /// Size of one of the [`PIECES`] pieces of page-locked memory that together hold a block of `bytes` bytes, limited
    /// to `most`.
    pub fn staging_piece(bytes: usize, most: usize) -> usize {
        (bytes / PIECES).next_multiple_of(4096).clamp(4096, most)
    }
}
