//! Distribution of blocks over devices, and the work of each device's lanes.

use super::device::{Device, EventId, Lane};
use super::layout::{BLOCKS, Layout, PANELS, Partition, leading_dimension};
use super::method::{Codes, Method, Piece, RawView, Region, Span, Uploaded};
use super::transfer::{Columns, PIECE, PIECES, Transfers};
use crate::failure::Failure;
use crate::memory;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tephra_core::Error;
use tephra_core::backend::cpu::parts::Modes;
use tephra_core::host::threads;

/// A matrix in host memory.
#[derive(Clone, Copy, Debug)]
pub struct HostMatrix {
    pub p: *mut u8,
    pub ld: usize,
    /// Whether it is page-locked.
    pub pinned: bool,
}

/// A computation on the devices.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub method: &'a dyn Method,
    /// Number of columns that are split into blocks.
    pub n: usize,
    /// Columns from this one on are in blocks of their own, which may only be uploaded when `host_tasks` permits it. n
    /// if there are none.
    pub split: usize,
    /// The source, which streams past the blocks, and the target, which consists of the blocks. A factorisation has the
    /// same matrix as both.
    pub source: HostMatrix,
    pub target: HostMatrix,
    /// The side data of the source's columns, [`Method::side_bytes`] bytes each.
    pub side: *mut u8,
    /// A code per block, initially 0. Ignored if the method has no codes.
    pub codes: *mut i32,
    pub layout: Layout,
    pub devices: usize,
    pub host_tasks: &'a dyn HostTasks,
}
// SAFETY: the schedule keeps threads from conflicting accesses: one device writes a block, and others read it only
// after they are told that it is done.
unsafe impl Sync for Problem<'_> {}

/// Work that other threads do in host memory alongside the devices. Pieces are numbered as in [`Problem::pieces`].
pub trait HostTasks: Sync {
    /// Reports that a piece is finished and back in host memory.
    fn done(&self, piece: usize);
    /// Waits until a piece of the columns from `split` on may be uploaded. Returns false if the host has stopped.
    fn wait_until_allowed(&self, piece: usize) -> bool;
    /// Whether the host has stopped.
    fn is_stopped(&self) -> bool;
    /// Reports that a device has stopped, so that nobody waits for it.
    fn stop(&self);
}

/// No work alongside the devices.
pub struct NoHostTasks;

impl HostTasks for NoHostTasks {
    fn done(&self, _: usize) {}
    fn wait_until_allowed(&self, _: usize) -> bool {
        true
    }
    fn is_stopped(&self) -> bool {
        false
    }
    fn stop(&self) {}
}

/// Takes the number of steps given to the devices so far and their total. Returning false cancels the call.
pub type Progress<'a> = &'a dyn Fn(usize, usize) -> bool;

/// Why a device stops: its own failure, or a failure elsewhere.
enum Stop {
    Failed(Failure),
    Elsewhere,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error.into())
    }
}

/// State that the devices share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    steps: AtomicUsize,
}

struct State {
    /// Which blocks are finished and back in host memory.
    done: Vec<bool>,
    stopped: bool,
    /// The result is complete: a code has ended the factorisation.
    ended: bool,
}

impl Shared {
    fn new(blocks: usize) -> Result<Shared, Error> {
        let state = State { done: memory::filled(blocks, false)?, stopped: false, ended: false };
        Ok(Shared { state: Mutex::new(state), changed: Condvar::new(), steps: AtomicUsize::new(0) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No invariant is broken when a thread panics with the lock held, so poisoning is ignored.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn done(&self, block: usize) {
        self.lock().done[block] = true;
        self.changed.notify_all();
    }

    fn is_done(&self, block: usize) -> bool {
        self.lock().done[block]
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    fn end(&self) {
        self.lock().ended = true;
        self.stop();
    }

    fn wait_for(&self, block: usize) -> Result<(), Stop> {
        let mut state = self.lock();
        while !state.done[block] && !state.stopped {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped { Err(Stop::Elsewhere) } else { Ok(()) }
    }
}

/// Stops the other threads on drop, unless its flag says that this thread has completed. This also covers panics.
struct StopOnDrop<'a>(&'a Shared, &'a dyn HostTasks, bool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        if !self.2 {
            self.0.stop();
            self.1.stop();
        }
    }
}

impl Problem<'_> {
    pub fn partition(&self) -> Partition {
        self.layout.partition(self.n, self.split)
    }

    fn blocks(&self) -> usize {
        self.partition().count()
    }

    /// The columns of a block, over the rows that a device needs.
    fn columns(&self, block: usize) -> Region {
        let columns = self.partition().columns(block);
        let rows = self.method.rows_of(&columns);
        Region { row: rows.start, column: columns.start, rows: rows.len(), columns: columns.len() }
    }

    /// Maximum number of pieces of a block.
    fn pieces_per_block(&self) -> usize {
        self.layout.width.div_ceil(self.method.piece_width())
    }

    /// The pieces of a block, as columns relative to it.
    fn block_pieces(&self, block: usize) -> impl Iterator<Item = Range<usize>> {
        let (columns, piece) =
            (self.partition().columns(block).len(), self.method.piece_width().min(self.layout.width));
        (0..columns).step_by(piece).map(move |first| first..columns.min(first + piece))
    }

    /// All pieces in order, with their numbers and columns.
    pub fn pieces(&self) -> Result<Vec<(usize, Range<usize>)>, Error> {
        let of = |block: usize| {
            let first = self.partition().columns(block).start;
            let number = block * self.pieces_per_block();
            let absolute = move |part: Range<usize>| first + part.start..first + part.end;
            self.block_pieces(block).enumerate().map(move |(i, part)| (number + i, absolute(part)))
        };
        memory::collected((0..self.blocks()).flat_map(of))
    }

    /// Whether a span is still on the device from the last block computed there.
    fn resident(&self, span: &Span, block: usize) -> bool {
        span.block.is_some_and(|of| of + self.devices == block)
    }

    /// Number of steps of a block.
    fn steps(&self, block: usize) -> usize {
        let parts = |span: &Span| {
            if self.resident(span, block) { 1 } else { self.method.panels(*span, self.layout.panel).len() }
        };
        let spans = self.method.spans(&self.columns(block), &self.partition());
        1 + spans.iter().map(parts).sum::<usize>()
    }

    fn matrix_copy(&self, of: &HostMatrix, region: &Region, view: RawView) -> Columns {
        let element = self.method.dtype().bytes();
        Columns {
            host: of.p.wrapping_add((region.column * of.ld + region.row) * element),
            host_pitch: of.ld * element,
            device: view.p,
            device_pitch: view.ld * element,
            width: region.rows * element,
            count: region.columns,
            pinned: of.pinned,
        }
    }

    /// A copy of `width` bytes that is always staged.
    fn staged_copy(host: *mut u8, device: *mut u8, width: usize) -> Columns {
        Columns { host, host_pitch: width, device, device_pitch: width, width, count: 1, pinned: false }
    }

    /// A copy of the side data of these columns.
    fn side_copy(&self, columns: Range<usize>, device: *mut u8) -> Columns {
        let each = self.method.side_bytes();
        Self::staged_copy(self.side.wrapping_add(columns.start * each), device, columns.len() * each)
    }

    /// A copy of the code of a block, if the method has codes.
    fn code_copy(&self, block: usize, device: *mut i32) -> Option<Columns> {
        let has_codes = self.method.codes() != Codes::None;
        has_codes.then(|| Self::staged_copy(self.codes.wrapping_add(block).cast(), device.cast(), size_of::<i32>()))
    }

    /// Whether the factorisation ends with this block. The block must have been downloaded.
    fn ends(&self, block: usize) -> bool {
        // SAFETY: a method with codes has one per block.
        self.method.codes() == Codes::Stop && unsafe { *self.codes.add(block) } != 0
    }

    /// Size in bytes of a piece of page-locked memory. Side data and codes are always staged.
    fn staging_piece(&self) -> usize {
        let columns = self.layout.width.min(self.n) * self.method.dtype().bytes();
        let all = self.source.pinned && self.target.pinned;
        Layout::staging_piece(
            if all { PIECES * columns } else { leading_dimension(self.method.rows()) * columns },
            PIECE,
        )
    }
}

/// Numbers of a device's events: panels used and panels uploaded; blocks uploaded and blocks no longer in use by the
/// next one; then those of the transfers, and of finished pieces.
const PANEL_USED: EventId = 0;
const PANEL_UPLOADED: EventId = PANEL_USED + PANELS;
const BLOCK_UPLOADED: EventId = PANEL_UPLOADED + PANELS;
const BLOCK_FREE: EventId = BLOCK_UPLOADED + BLOCKS;
const TRANSFER_EVENTS: EventId = BLOCK_FREE + BLOCKS;

/// Computes the blocks of one device, every `problem.devices`-th from `number` on. Calls `step` after each step, which
/// may stop the computation.
unsafe fn blocks_of<D: Device>(
    mut device: D,
    number: usize,
    problem: &Problem,
    shared: &Shared,
    step: &dyn Fn() -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (method, layout, dtype) = (problem.method, problem.layout, problem.method.dtype());
    let too_large = || Error::OutOfMemory("more bytes than can be counted".into());
    let offsets = layout.offsets(method, problem.blocks()).ok_or_else(too_large)?;
    let mine = memory::collected((number..problem.blocks()).step_by(problem.devices))?;
    if mine.is_empty() {
        return Ok(());
    }
    let memory = device.alloc(offsets.total)?;
    let piece_bytes = problem.staging_piece();
    let staging = device.alloc_pinned(2 * PIECES * piece_bytes)?;
    let (pieces_per_block, done) = (problem.pieces_per_block(), TRANSFER_EVENTS + Transfers::<D>::EVENTS);
    device.create_events(done + BLOCKS * pieces_per_block)?;
    let device = &device;
    let report = |piece: usize| {
        let (block, i) = (piece / pieces_per_block, piece % pieces_per_block);
        problem.host_tasks.done(piece);
        if i + 1 == problem.block_pieces(block).count() {
            if problem.ends(block) { shared.end() } else { shared.done(block) }
        }
    };
    // Blocks to which the host contributes must wait for it.
    let allowed = |block: usize| {
        let waits = problem.columns(block).column >= problem.split;
        if waits && !problem.host_tasks.wait_until_allowed(block * pieces_per_block) {
            Err(Stop::Elsewhere)
        } else {
            Ok(())
        }
    };
    let mut transfers = Transfers::new(device, (staging, piece_bytes), TRANSFER_EVENTS, &report);
    let at = |start: usize| memory.wrapping_add(start);
    let block_at = |b: usize| RawView { p: at(offsets.blocks[b]), ld: leading_dimension(method.rows()) };
    let apply = |part: &Uploaded, columns: &Region, c: RawView| {
        // SAFETY: the lane executes it only once its operands have been uploaded.
        method.apply(part, columns, c).iter().try_for_each(|op| unsafe { device.run(op) })
    };
    let partition = problem.partition();
    let mut panels = 0;

    unsafe {
        let first = problem.columns(mine[0]);
        allowed(mine[0])?;
        transfers.upload(problem.matrix_copy(&problem.target, &first, block_at(0).at(dtype, first.row, 0)))?;
        device.record(BLOCK_UPLOADED, Lane::Upload)?;
        for (i, &block) in mine.iter().enumerate() {
            let (b, other) = (i % BLOCKS, (i + 1) % BLOCKS);
            let columns = problem.columns(block);
            let c = block_at(b);
            device.wait_event(Lane::Compute, BLOCK_UPLOADED + b)?;
            for span in method.spans(&columns, &partition) {
                if problem.resident(&span, block) {
                    let v = block_at(other).at(dtype, method.part(&span, &columns).row, 0);
                    let (side, side_columns) = (at(offsets.sides[other]), method.side_columns(&span, &partition));
                    apply(&Uploaded { span: &span, v, side, side_columns }, &columns, c)?;
                    device.record(BLOCK_FREE + other, Lane::Compute)?;
                    step()?;
                    continue;
                }
                if let Some(of) = span.block {
                    if !shared.is_done(of) {
                        // Other devices may be waiting for blocks that this one has computed but not yet downloaded.
                        transfers.drain()?;
                    }
                    shared.wait_for(of)?;
                }
                for part in method.panels(span, layout.panel) {
                    let s = panels % PANELS;
                    panels += 1;
                    let (region, side_columns) = (method.part(&part, &columns), method.side_columns(&part, &partition));
                    let v = RawView { p: at(offsets.panels[s]), ld: leading_dimension(region.rows) };
                    let side = at(offsets.panel_sides[s]);
                    device.wait_event(Lane::Upload, PANEL_USED + s)?;
                    transfers.upload(problem.matrix_copy(&problem.source, &region, v))?;
                    transfers.upload(problem.side_copy(side_columns.clone(), side))?;
                    device.record(PANEL_UPLOADED + s, Lane::Upload)?;
                    device.wait_event(Lane::Compute, PANEL_UPLOADED + s)?;
                    apply(&Uploaded { span: &part, v, side, side_columns }, &columns, c)?;
                    device.record(PANEL_USED + s, Lane::Compute)?;
                    transfers.make_progress()?;
                    step()?;
                }
            }
            let (side, code, mut finished) = (at(offsets.sides[b]), at(offsets.codes[b]).cast(), vec![]);
            let download = |transfers: &mut Transfers<D>, (number, event, piece): (usize, EventId, Piece)| {
                let (first, on_device) =
                    (columns.column + piece.columns.start, c.at(dtype, columns.row, piece.columns.start));
                let region = Region { column: first, columns: piece.columns.len(), ..columns };
                let side_copy = (piece.side_columns > 0).then(|| {
                    let on_device = side.wrapping_add(piece.columns.start * method.side_bytes());
                    problem.side_copy(first..first + piece.side_columns, on_device)
                });
                let code_copy = if piece.ops.is_empty() { None } else { problem.code_copy(block, code) };
                let matrix_copy = problem.matrix_copy(&problem.target, &region, on_device);
                let copies = [matrix_copy].into_iter().chain(side_copy).chain(code_copy);
                transfers.download(event, copies, number);
            };
            if pieces_per_block > 1 {
                // The host waits for single pieces, so each is downloaded while the next ones are being computed.
                transfers.drain()?;
            }
            for (i, part) in problem.block_pieces(block).enumerate() {
                let (piece, event) = (method.finish(&columns, part, c, side, code), done + b * pieces_per_block + i);
                piece.ops.iter().try_for_each(|op| device.run(op))?;
                device.record(event, Lane::Compute)?;
                piece.rest.iter().try_for_each(|op| device.run(op))?;
                finished.push((block * pieces_per_block + i, event, piece));
                if pieces_per_block > 1 {
                    finished.drain(..).for_each(|piece| download(&mut transfers, piece));
                    transfers.make_progress()?;
                }
            }
            step()?;
            // The next block overwrites the one before this one, which must therefore be in host memory and no longer
            // in use.
            if pieces_per_block == 1 {
                transfers.drain()?;
            }
            finished.drain(..).for_each(|piece| download(&mut transfers, piece));
            if let Some(&next) = mine.get(i + 1) {
                if problem.columns(next).column >= problem.split {
                    transfers.drain()?;
                    allowed(next)?;
                }
                device.wait_event(Lane::Upload, BLOCK_FREE + other)?;
                let columns = problem.columns(next);
                let on_device = block_at(other).at(dtype, columns.row, 0);
                transfers.upload(problem.matrix_copy(&problem.target, &columns, on_device))?;
                device.record(BLOCK_UPLOADED + other, Lane::Upload)?;
            }
            transfers.make_progress()?;
        }
        transfers.drain()?;
    }
    Ok(())
}

/// The error of a call whose progress callback has asked to stop.
pub fn cancelled() -> Failure {
    Failure::Callback("the progress function cancelled the call".into())
}

/// Runs a problem. Each device is created and driven in its own thread, the first one in the calling thread.
///
/// # Safety
/// The operands must be in host memory, with the sizes that the method gives, and nobody else may use them during the
/// call.
pub unsafe fn run<D: Device>(
    problem: &Problem,
    make: impl Fn(usize) -> Result<D, Error> + Sync,
    progress: Progress,
) -> Result<(), Failure> {
    let total = (0..problem.blocks()).map(|block| problem.steps(block)).sum::<usize>();
    let shared = Shared::new(problem.blocks())?;
    let count = || shared.steps.fetch_add(1, Ordering::Relaxed) + 1;
    let stopped =
        || if shared.lock().stopped || problem.host_tasks.is_stopped() { Err(Stop::Elsewhere) } else { Ok(()) };
    let on = |number: usize, step: &dyn Fn() -> Result<(), Stop>| {
        let mut guard = StopOnDrop(&shared, problem.host_tasks, false);
        let done = make(number).map_err(Stop::from);
        let done = done.and_then(|device| unsafe { blocks_of(device, number, problem, &shared, step) });
        guard.2 = done.is_ok();
        done
    };
    // The last step is reported only when everything is complete.
    let report =
        |done: usize| if done == total || progress(done, total) { Ok(()) } else { Err(Stop::Failed(cancelled())) };
    let modes = Modes::current();
    // Of the devices that stopped, the first one that failed itself: others have no error of their own to report.
    let outcome = Mutex::new(None);
    let ended = |number: usize, done: Result<(), Stop>| {
        let Err(stop) = done else { return };
        let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let replaces = match &*outcome {
            Some((first, Stop::Failed(_))) => matches!(stop, Stop::Failed(_)) && number < *first,
            _ => true,
        };
        if replaces {
            *outcome = Some((number, stop));
        }
    };
    let other = |number: usize| {
        modes.set();
        ended(
            number,
            on(number, &|| {
                count();
                stopped()
            }),
        );
    };
    threads::beside(problem.devices - 1, "tephra-device", &other, |others| {
        if others < problem.devices - 1 {
            shared.stop();
            problem.host_tasks.stop();
            ended(others + 1, Err(Error::OutOfMemory(format!("a thread for device {}", others + 1)).into()));
        }
        ended(0, on(0, &|| stopped().and_then(|()| report(count()))));
    });
    match outcome.into_inner().unwrap_or_else(PoisonError::into_inner).map(|(_, stop)| stop) {
        Some(Stop::Failed(failure)) => Err(failure),
        Some(Stop::Elsewhere) if !shared.lock().ended => {
            Err(Error::Internal("a device stopped without a reason".into()).into())
        }
        _ if progress(total, total) => Ok(()),
        _ => Err(cancelled()),
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
