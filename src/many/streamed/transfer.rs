//! Copies between a matrix in host memory and a device. Memory that is not page-locked is staged in pieces that are,
//! and the pieces form a pipeline so that host and device rarely wait for each other.

use super::device::{Copy, Device, EventId, Lane};
use std::collections::VecDeque;
use tephra_core::Error;
use tephra_core::backend::cpu::parts;

/// Number of pieces of page-locked memory in each direction.
pub const PIECES: usize = 4;
/// Maximum size of a piece in bytes: enough to amortise the start of a copy.
pub const PIECE: usize = 16 << 20;
/// Maximum number of download steps per call of [`Transfers::make_progress`], so that the device gets its next work in
/// time.
const MAX_STEPS: usize = 8;

/// `count` columns of `width` bytes in host memory and on the device.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    pub host: *mut u8,
    pub host_pitch: usize,
    pub device: *mut u8,
    pub device_pitch: usize,
    pub width: usize,
    pub count: usize,
    /// Whether the host memory is page-locked.
    pub pinned: bool,
}

impl Columns {
    fn upload(&self) -> Copy {
        let &Columns { host, host_pitch, device, device_pitch, width, count, .. } = self;
        Copy { to: device, to_pitch: device_pitch, from: host, from_pitch: host_pitch, width, columns: count }
    }

    fn download(&self) -> Copy {
        let &Columns { host, host_pitch, device, device_pitch, width, count, .. } = self;
        Copy { to: host, to_pitch: host_pitch, from: device, from_pitch: device_pitch, width, columns: count }
    }

    /// The same columns, with the host memory replaced by a contiguous staging buffer.
    fn staged_in(&self, piece: *mut u8) -> Columns {
        Columns { host: piece, host_pitch: self.width, ..*self }
    }

    fn part(&self, (row, rows): (usize, usize), (column, columns): (usize, usize)) -> Columns {
        Columns {
            host: self.host.wrapping_add(column * self.host_pitch + row),
            device: self.device.wrapping_add(column * self.device_pitch + row),
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
        if self.pinned {
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
enum Queued {
    /// Makes the following copies wait for an event of the device.
    Wait(EventId),
    Piece(Columns),
    /// Calls `report` with this number once all copies before it are complete.
    Report(usize),
}

/// Downloads in flight.
enum InFlight {
    /// Once the event is complete, copies the staged piece to its target. `None` if it was not staged.
    Piece(EventId, Option<Columns>),
    Report(usize),
}

/// The transfers of a device.
pub struct Transfers<'a, D> {
    device: &'a D,
    bytes: usize,
    upload_pieces: Vec<*mut u8>,
    uploads: usize,
    download_pieces: Vec<*mut u8>,
    downloads: usize,
    first_event: EventId,
    queue: VecDeque<Queued>,
    in_flight: VecDeque<InFlight>,
    report: &'a dyn Fn(usize),
}

impl<'a, D: Device> Transfers<'a, D> {
    /// Number of events that the transfers use, from `first_event` on.
    pub const EVENTS: usize = 2 * PIECES;

    /// `staging` must have twice [`PIECES`] pieces of `bytes` bytes.
    pub fn new(
        device: &'a D,
        (staging, bytes): (*mut u8, usize),
        first_event: EventId,
        report: &'a dyn Fn(usize),
    ) -> Transfers<'a, D> {
        let pieces = |first: usize| (first..first + PIECES).map(|i| staging.wrapping_add(i * bytes)).collect();
        let (upload_pieces, download_pieces) = (pieces(0), pieces(PIECES));
        let (queue, in_flight) = (VecDeque::new(), VecDeque::new());
        Transfers {
            device,
            bytes,
            upload_pieces,
            uploads: 0,
            download_pieces,
            downloads: 0,
            first_event,
            queue,
            in_flight,
            report,
        }
    }

    /// Enqueues an upload. If the host memory is not page-locked, it may be overwritten when this returns.
    ///
    /// # Safety
    /// Source and target must remain valid until the lane has executed the copy.
    pub unsafe fn upload(&mut self, columns: Columns) -> Result<(), Error> {
        if columns.pinned && columns.width > 0 && columns.count > 0 {
            return unsafe { self.device.copy(Lane::Upload, columns.upload()) };
        }
        for piece in columns.pieces(self.bytes) {
            let slot = self.uploads % PIECES;
            self.uploads += 1;
            let event = self.first_event + slot;
            while !self.device.is_complete(event)? {
                if !unsafe { self.step()? } {
                    self.device.synchronize(event)?;
                }
            }
            let staged = piece.staged_in(self.upload_pieces[slot]);
            unsafe {
                copy(Copy {
                    to: staged.host,
                    to_pitch: staged.host_pitch,
                    from: piece.host,
                    from_pitch: piece.host_pitch,
                    width: piece.width,
                    columns: piece.count,
                });
                self.device.copy(Lane::Upload, staged.upload())?;
            }
            self.device.record(event, Lane::Upload)?;
        }
        Ok(())
    }

    /// Queues a download that starts after the event is complete, and then calls `report` with `number`. The queue is
    /// processed by later calls of [`Transfers::make_progress`].
    pub fn download(&mut self, after: EventId, columns: impl IntoIterator<Item = Columns>, number: usize) {
        self.queue.push_back(Queued::Wait(after));
        for columns in columns {
            self.queue.extend(columns.pieces(self.bytes).into_iter().map(Queued::Piece));
        }
        self.queue.push_back(Queued::Report(number));
    }

    /// Performs one step of the downloads. Returns false if none is possible without waiting.
    unsafe fn step(&mut self) -> Result<bool, Error> {
        match self.in_flight.front() {
            Some(InFlight::Report(_)) => {}
            Some(&InFlight::Piece(event, _)) if self.device.is_complete(event)? => {}
            _ => return unsafe { self.start() },
        }
        match self.in_flight.pop_front() {
            Some(InFlight::Piece(_, Some(piece))) => {
                // Pieces complete in the order of their slots.
                let slot = self.download_pieces[(self.downloads - self.pieces_in_flight() - 1) % PIECES];
                let staged = piece.staged_in(slot);
                let (to, to_pitch, width, columns) = (piece.host, piece.host_pitch, piece.width, piece.count);
                unsafe {
                    copy(Copy { to, to_pitch, from: staged.host, from_pitch: staged.host_pitch, width, columns })
                };
            }
            Some(InFlight::Report(number)) => (self.report)(number),
            _ => {}
        }
        Ok(true)
    }

    /// Number of pieces in flight.
    fn pieces_in_flight(&self) -> usize {
        self.in_flight.iter().filter(|one| matches!(one, InFlight::Piece(..))).count()
    }

    /// Starts the next queued copy. Returns false if there is none, or no free piece of page-locked memory.
    unsafe fn start(&mut self) -> Result<bool, Error> {
        if self.pieces_in_flight() == PIECES {
            return Ok(false);
        }
        match self.queue.pop_front() {
            None => return Ok(false),
            Some(Queued::Wait(event)) => self.device.wait_event(Lane::Download, event)?,
            Some(Queued::Report(number)) => self.in_flight.push_back(InFlight::Report(number)),
            Some(Queued::Piece(piece)) => {
                let slot = self.downloads % PIECES;
                self.downloads += 1;
                let columns = if piece.pinned { piece } else { piece.staged_in(self.download_pieces[slot]) };
                unsafe { self.device.copy(Lane::Download, columns.download())? };
                let event = self.first_event + PIECES + slot;
                self.device.record(event, Lane::Download)?;
                self.in_flight.push_back(InFlight::Piece(event, (!piece.pinned).then_some(piece)));
            }
        }
        Ok(true)
    }

    /// Makes some progress with the downloads, without waiting.
    ///
    /// # Safety
    /// The sources and targets of queued downloads must still be valid.
    pub unsafe fn make_progress(&mut self) -> Result<(), Error> {
        for _ in 0..MAX_STEPS {
            if !unsafe { self.step()? } {
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
            while unsafe { self.step()? } {}
            match self.in_flight.front() {
                Some(&InFlight::Piece(event, _)) => self.device.synchronize(event)?,
                _ => return Ok(()),
            }
        }
    }
}
