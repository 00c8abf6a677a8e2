//! Copies between a matrix in host memory and a device. Memory that is not page-locked is staged in pieces that are,
//! and the pieces form a pipeline so that host and device rarely wait for each other.

use super::device::{Copy, Device, Lane, Mark};
use std::collections::VecDeque;
use tephra_core::Error;
use tephra_core::backend::cpu::parts;

/// Number of pieces of page-locked memory in each direction.
pub const PIECES: usize = 4;
/// Maximum size of a piece in bytes: enough to amortise the start of a copy.
pub const PIECE: usize = 16 << 20;
/// Maximum number of download steps per call of [`Transfers::go_on`], so that the device gets its next work in time.
const TURNS: usize = 8;

/// `count` columns of `width` bytes in host memory and on the device.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    pub host: *mut u8,
    pub host_pitch: usize,
    pub there: *mut u8,
    pub there_pitch: usize,
    pub width: usize,
    pub count: usize,
    /// Whether the host memory is page-locked.
    pub direct: bool,
}

impl Columns {
    fn bring(&self) -> Copy {
        let &Columns { host, host_pitch, there, there_pitch, width, count, .. } = self;
        Copy { to: there, to_pitch: there_pitch, from: host, from_pitch: host_pitch, width, columns: count }
    }

    fn take(&self) -> Copy {
        let &Columns { host, host_pitch, there, there_pitch, width, count, .. } = self;
        Copy { to: host, to_pitch: host_pitch, from: there, from_pitch: there_pitch, width, columns: count }
    }

    /// The same columns, with the host memory replaced by a contiguous staging buffer.
    fn through(&self, piece: *mut u8) -> Columns {
        Columns { host: piece, host_pitch: self.width, ..*self }
    }

    fn part(&self, (row, rows): (usize, usize), (column, columns): (usize, usize)) -> Columns {
        Columns {
            host: self.host.wrapping_add(column * self.host_pitch + row),
            there: self.there.wrapping_add(column * self.there_pitch + row),
            width: rows,
            count: columns,
            ..*self
        }
    }

    /// Splits the columns into parts of at most `bytes` bytes: whole columns, unless a column is longer.
    fn pieces(self, bytes: usize) -> Vec<Columns> {
        if self.width == 0 || self.count == 0 {
            return vec![];
        }
        if self.direct {
            return vec![self];
        }
        let (rows, columns) = (bytes.min(self.width), (bytes / self.width).max(1));
        let starts = (0..self.count).step_by(columns);
        let of_columns = |column: usize| {
            let columns = columns.min(self.count - column);
            (0..self.width)
                .step_by(rows)
                .map(move |row| self.part((row, rows.min(self.width - row)), (column, columns)))
        };
        starts.flat_map(of_columns).collect()
    }
}

/// Copies host memory, with several threads if it is large.
///
/// # Safety
/// Source and target must be valid and must not overlap.
unsafe fn copy(copy: Copy) {
    const GRAIN: usize = 1 << 20;
    let Copy { to, to_pitch, from, from_pitch, width, columns } = copy;
    let (to, from) = (to as usize, from as usize);
    // The unit of work is a part of a column or a whole one; threads take several units at a time.
    let (rows, per) = (width.min(GRAIN), (GRAIN / width.max(1)).max(1));
    let down = width.div_ceil(rows.max(1));
    let work = |range: std::ops::Range<usize>| {
        for part in range {
            let (column, row) = (part / down, part % down * rows);
            // SAFETY: the caller guarantees that both are valid, and the parts are disjoint.
            unsafe {
                let (to, from) = (to + column * to_pitch + row, from + column * from_pitch + row);
                (to as *mut u8).copy_from_nonoverlapping(from as *const u8, rows.min(width - row));
            }
        }
    };
    parts::for_ranges(down * columns, per, parts::count(), work);
}

/// Queued download work, in order.
enum Going {
    /// Makes what follows wait for a mark of the device.
    After(Mark),
    Piece(Columns),
    /// All copies before this one are complete: calls `tell` with this number.
    Told(usize),
}

/// Downloads in flight.
enum Flying {
    /// Once the mark is passed, copies the staged piece to its target. `None` if it was not staged.
    Piece(Mark, Option<Columns>),
    Told(usize),
}

/// The transfers of a device.
pub struct Transfers<'a, D> {
    device: &'a D,
    bytes: usize,
    coming: Vec<*mut u8>,
    brought: usize,
    going: Vec<*mut u8>,
    taken: usize,
    first_mark: Mark,
    queue: VecDeque<Going>,
    flying: VecDeque<Flying>,
    tell: &'a dyn Fn(usize),
}

impl<'a, D: Device> Transfers<'a, D> {
    /// Number of marks that the transfers use, from `first_mark` on.
    pub const MARKS: usize = 2 * PIECES;

    /// `staging` must have twice [`PIECES`] pieces of `bytes` bytes.
    pub fn new(
        device: &'a D,
        (staging, bytes): (*mut u8, usize),
        first_mark: Mark,
        tell: &'a dyn Fn(usize),
    ) -> Transfers<'a, D> {
        let pieces = |first: usize| (first..first + PIECES).map(|i| staging.wrapping_add(i * bytes)).collect();
        let (coming, going) = (pieces(0), pieces(PIECES));
        let (queue, flying) = (VecDeque::new(), VecDeque::new());
        Transfers { device, bytes, coming, brought: 0, going, taken: 0, first_mark, queue, flying, tell }
    }

    /// Enqueues an upload. If the host memory is not page-locked, it may be overwritten when this returns.
    ///
    /// # Safety
    /// Source and target must remain valid until the lane has executed the copy.
    pub unsafe fn bring(&mut self, columns: Columns) -> Result<(), Error> {
        if columns.direct && columns.width > 0 && columns.count > 0 {
            return unsafe { self.device.copy(Lane::Bring, columns.bring()) };
        }
        for piece in columns.pieces(self.bytes) {
            let slot = self.brought % PIECES;
            self.brought += 1;
            let mark = self.first_mark + slot;
            while !self.device.passed(mark)? {
                if !unsafe { self.turn()? } {
                    self.device.wait(mark)?;
                }
            }
            let staged = piece.through(self.coming[slot]);
            unsafe {
                copy(Copy {
                    to: staged.host,
                    to_pitch: staged.host_pitch,
                    from: piece.host,
                    from_pitch: piece.host_pitch,
                    width: piece.width,
                    columns: piece.count,
                });
                self.device.copy(Lane::Bring, staged.bring())?;
            }
            self.device.record(mark, Lane::Bring)?;
        }
        Ok(())
    }

    /// Queues a download that starts after the mark is passed, and then calls `tell` with `number`. The queue is
    /// processed by later calls of [`Transfers::go_on`].
    pub fn take(&mut self, after: Mark, columns: impl IntoIterator<Item = Columns>, number: usize) {
        self.queue.push_back(Going::After(after));
        for columns in columns {
            self.queue.extend(columns.pieces(self.bytes).into_iter().map(Going::Piece));
        }
        self.queue.push_back(Going::Told(number));
    }

    /// Makes one step of the downloads. Returns false if none is possible without waiting.
    unsafe fn turn(&mut self) -> Result<bool, Error> {
        match self.flying.front() {
            Some(Flying::Told(_)) => {}
            Some(&Flying::Piece(mark, _)) if self.device.passed(mark)? => {}
            _ => return unsafe { self.start() },
        }
        match self.flying.pop_front() {
            Some(Flying::Piece(_, Some(piece))) => {
                // Pieces complete in the order of their slots.
                let slot = self.going[(self.taken - self.flights() - 1) % PIECES];
                let staged = piece.through(slot);
                let (to, to_pitch, width, columns) = (piece.host, piece.host_pitch, piece.width, piece.count);
                unsafe {
                    copy(Copy { to, to_pitch, from: staged.host, from_pitch: staged.host_pitch, width, columns })
                };
            }
            Some(Flying::Told(number)) => (self.tell)(number),
            _ => {}
        }
        Ok(true)
    }

    /// Number of pieces in flight.
    fn flights(&self) -> usize {
        self.flying.iter().filter(|one| matches!(one, Flying::Piece(..))).count()
    }

    /// Starts the next queued copy. Returns false if there is none, or no free piece of page-locked memory.
    unsafe fn start(&mut self) -> Result<bool, Error> {
        if self.flights() == PIECES {
            return Ok(false);
        }
        match self.queue.pop_front() {
            None => return Ok(false),
            Some(Going::After(mark)) => self.device.after(Lane::Take, mark)?,
            Some(Going::Told(number)) => self.flying.push_back(Flying::Told(number)),
            Some(Going::Piece(piece)) => {
                let slot = self.taken % PIECES;
                self.taken += 1;
                let through = if piece.direct { piece } else { piece.through(self.going[slot]) };
                unsafe { self.device.copy(Lane::Take, through.take())? };
                let mark = self.first_mark + PIECES + slot;
                self.device.record(mark, Lane::Take)?;
                self.flying.push_back(Flying::Piece(mark, (!piece.direct).then_some(piece)));
            }
        }
        Ok(true)
    }

    /// Makes some progress with the downloads, without waiting.
    ///
    /// # Safety
    /// The sources and targets of queued downloads must still be valid.
    pub unsafe fn go_on(&mut self) -> Result<(), Error> {
        for _ in 0..TURNS {
            if !unsafe { self.turn()? } {
                break;
            }
        }
        Ok(())
    }

    /// Waits until all downloads are complete.
    ///
    /// # Safety
    /// The sources and targets of queued downloads must still be valid.
    pub unsafe fn drain(&mut self) -> Result<(), Error> {
        loop {
            while unsafe { self.turn()? } {}
            match self.flying.front() {
                Some(&Flying::Piece(mark, _)) => self.device.wait(mark)?,
                _ => return Ok(()),
            }
        }
    }
}
