//! How wide blocks are, and what they take of a device's memory.

use super::method::{Codes, Method};
use super::transfer::PIECES;
use std::ops::Range;
use tephra_core::Error;

/// Blocks that are on a device at a time, and panels that stream past them.
pub const BLOCKS: usize = 2;
pub const PANELS: usize = 2;
/// What places on the device begin at, in bytes.
const GRAIN: usize = 256;
/// Rows that leading dimensions are multiples of, so that columns are aligned for all kernels.
const ROWS: usize = 32;
/// Reflectors that the kernels apply at once: widths are multiples of them, if they are not smaller.
const AT_ONCE: usize = 128;
/// Columns of a streamed panel at most: enough for a copy that is long beside its start.
const PANEL: usize = 512;
/// Columns below which a block is not made narrower, to have more of them: the link to the host would not keep up.
const ENOUGH: usize = 8192;
/// Blocks for each device, if they have enough columns: so many are brought and taken back beside what is computed.
const SEVERAL: usize = 8;

/// A leading dimension on the device.
pub fn leading(rows: usize) -> usize {
    rows.next_multiple_of(ROWS)
}

/// Sizes of a call's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Columns of a block.
    pub width: usize,
    /// Columns of a streamed panel.
    pub panel: usize,
}

/// Columns in blocks of a width.
#[derive(Clone, Copy, Debug)]
pub struct Dealt {
    /// Columns.
    pub n: usize,
    /// From this one on they have blocks of their own; n: none.
    pub split: usize,
    pub width: usize,
}

impl Dealt {
    /// How many blocks.
    pub fn count(&self) -> usize {
        self.of(self.split) + (self.n - self.split).div_ceil(self.width)
    }

    /// The block that begins at a column or has it.
    pub fn of(&self, column: usize) -> usize {
        if column < self.split {
            column / self.width
        } else {
            self.split.div_ceil(self.width) + (column - self.split) / self.width
        }
    }

    /// A block's columns.
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

/// Where a device has what, in bytes from the start of its memory.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    pub blocks: [usize; BLOCKS],
    /// Side data of the blocks, and of the panels.
    pub sides: [usize; BLOCKS],
    pub panels: [usize; PANELS],
    pub panel_sides: [usize; PANELS],
    /// Codes of the blocks.
    pub codes: [usize; BLOCKS],
    pub total: usize,
}

impl Layout {
    /// For `n` columns in blocks of such a width.
    fn of(width: usize) -> Layout {
        let whole = |columns: usize| if columns >= AT_ONCE { columns / AT_ONCE * AT_ONCE } else { columns };
        Layout { width, panel: whole((width / 4).clamp(width.min(ROWS), PANEL)) }
    }

    /// Blocks of n columns, those from `split` on by themselves.
    pub fn dealt(&self, n: usize, split: usize) -> Dealt {
        Dealt { n, split, width: self.width }
    }

    /// What a device has where, of so many blocks; `None`: more than can be counted. A single block has no other one and no panels
    /// beside it.
    pub fn places(&self, method: &dyn Method, blocks: usize) -> Option<Places> {
        let element = method.dtype().bytes();
        let (count, streams) = (blocks.min(BLOCKS), method.streams(blocks));
        let mut total = 0usize;
        let mut place = |elements: usize, element: usize, wanted: bool| {
            let start = total;
            let bytes = elements.checked_mul(element)?.checked_next_multiple_of(GRAIN)?;
            total = if wanted { total.checked_add(bytes)? } else { total };
            Some(start)
        };
        let block = leading(method.rows()).checked_mul(self.width)?;
        let panel = leading(method.rows()).checked_mul(self.panel)?;
        let blocks = [place(block, element, true)?, place(block, element, count > 1)?];
        let (side, code) = (method.side(), size_of::<i32>() * usize::from(method.codes() != Codes::None));
        let sides = [place(self.width, side, true)?, place(self.width, side, count > 1)?];
        let panels = [place(panel, element, streams)?, place(panel, element, streams)?];
        let at_once = method.sides_at_once(self.width, self.panel);
        let panel_sides = [place(at_once, side, streams)?, place(at_once, side, streams)?];
        let codes = [place(1, code, true)?, place(1, code, count > 1)?];
        Some(Places { blocks, sides, panels, panel_sides, codes, total })
    }

    /// Bytes that it takes of a device, with what the kernels take beside it.
    fn bytes(&self, method: &dyn Method, blocks: usize) -> Option<usize> {
        let scratch = method.scratch(self.width)?.checked_mul(method.dtype().bytes())?;
        self.places(method, blocks)?.total.checked_add(scratch)
    }

    /// The one for so many devices with as much memory each, of n columns, those from `split` on in blocks of their own. The widest
    /// that there is room for, of those that leave several blocks to each device.
    pub fn choose(
        method: &dyn Method,
        (n, split): (usize, usize),
        devices: usize,
        budget: usize,
    ) -> Result<Layout, Error> {
        let most = (split / SEVERAL).max(ENOUGH) / devices;
        let most = most.max(AT_ONCE).next_multiple_of(AT_ONCE);
        let narrow = [AT_ONCE / 2, ROWS];
        let wide = (1..=most / AT_ONCE).rev().map(|i| i * AT_ONCE).chain(narrow);
        let bytes = |layout: &Layout| layout.bytes(method, layout.dealt(n, split).count());
        let fits = |layout: &Layout| bytes(layout).is_some_and(|bytes| bytes <= budget);
        // One block, if a device has enough room and there is no other that could go on meanwhile.
        let all = [split].into_iter().filter(|n| *n <= most);
        if let Some(found) = all.chain(wide).filter(|width| *width <= split).map(Layout::of).find(fits) {
            return Ok(found.even(split));
        }
        let least = bytes(&Layout::of(split.min(ROWS)));
        let least = least.map_or("more than can be counted".into(), |bytes| format!("{bytes} bytes"));
        Err(Error::OutOfMemory(format!(
            "{budget} bytes of a device's memory for a matrix of {} rows, of which a block takes {least}",
            method.rows()
        )))
    }

    /// With blocks of about the same width, and as many.
    fn even(self, n: usize) -> Layout {
        if self.width < AT_ONCE || self.width >= n {
            return self;
        }
        Layout { width: n.div_ceil(n.div_ceil(self.width)).next_multiple_of(AT_ONCE).min(self.width), ..self }
    }

    /// Bytes of a piece of page-locked memory for blocks of so many bytes: all pieces together have one.
    pub fn piece(bytes: usize, most: usize) -> usize {
        (bytes / PIECES).next_multiple_of(4096).clamp(4096, most)
    }
}
