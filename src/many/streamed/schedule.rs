//! Blocks dealt over devices, and the lanes of each device.

use super::device::{Device, Lane, Mark};
use super::layout::{BLOCKS, Dealt, Layout, PANELS, leading};
use super::method::{Brought, Codes, Method, Piece, Place, Region, Span};
use super::transfer::{Columns, PIECE, PIECES, Transfers};
use crate::failure::Failure;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use tephra_core::Error;
use tephra_core::backend::cpu::parts::Modes;
use tephra_core::host::signals::Blocked;

/// A matrix in host memory.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    pub p: *mut u8,
    pub ld: usize,
    /// It is page-locked.
    pub direct: bool,
}

/// What is to be done.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub method: &'a dyn Method,
    /// Columns that are dealt in blocks.
    pub n: usize,
    /// Columns from this one on are in blocks of their own, which are brought when the host says so; n: there are none.
    pub split: usize,
    /// What streams past the blocks, and the matrix of which they are: the same one for a factorisation.
    pub source: Host,
    pub target: Host,
    /// The side data of the source's columns, [`Method::side`] bytes each.
    pub side: *mut u8,
    /// A code for each block, 0 at first; not looked at if the method has none.
    pub codes: *mut i32,
    pub layout: Layout,
    pub devices: usize,
    pub beside: &'a dyn Beside,
}
// SAFETY: threads share the operands as the schedule says: a block is of one device, and others read it when it is told.
unsafe impl Sync for Problem<'_> {}

/// What goes on in host memory beside the devices, in other threads. Pieces are numbered as in [`Problem::pieces`].
pub trait Beside: Sync {
    /// A piece is in host memory again, finished.
    fn done(&self, piece: usize);
    /// Waits until a piece of the columns from `split` on may be brought; false: the host has stopped.
    fn may_begin(&self, piece: usize) -> bool;
    /// Whether the host has stopped.
    fn is_stopped(&self) -> bool;
    /// A device has stopped: there is nothing to wait for.
    fn stop(&self);
}

/// Nothing does.
pub struct Alone;

impl Beside for Alone {
    fn done(&self, _: usize) {}
    fn may_begin(&self, _: usize) -> bool {
        true
    }
    fn is_stopped(&self) -> bool {
        false
    }
    fn stop(&self) {}
}

/// Told how many steps of how many have been given to the devices; false cancels the call.
pub type Progress<'a> = &'a dyn Fn(usize, usize) -> bool;

/// Why a device does not go on: its own failure, or another's.
enum Stop {
    Failed(Failure),
    Elsewhere,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error.into())
    }
}

/// What devices tell each other.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    steps: AtomicUsize,
}

struct State {
    /// Blocks that are in host memory again.
    done: Vec<bool>,
    stopped: bool,
    /// The result is complete: a code has ended the factorisation.
    ended: bool,
}

impl Shared {
    fn new(blocks: usize) -> Shared {
        let state = State { done: vec![false; blocks], stopped: false, ended: false };
        Shared { state: Mutex::new(state), changed: Condvar::new(), steps: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is half done under the lock.
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

/// Stops the others if its thread ends otherwise than by coming to the end: by a panic, too.
struct Leaves<'a>(&'a Shared, &'a dyn Beside, bool);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        if !self.2 {
            self.0.stop();
            self.1.stop();
        }
    }
}

impl Problem<'_> {
    pub fn dealt(&self) -> Dealt {
        self.layout.dealt(self.n, self.split)
    }

    fn blocks(&self) -> usize {
        self.dealt().count()
    }

    /// The columns of a block, with the rows that a device needs.
    fn columns(&self, block: usize) -> Region {
        let columns = self.dealt().columns(block);
        let rows = self.method.rows_of(&columns);
        Region { row: rows.start, column: columns.start, rows: rows.len(), columns: columns.len() }
    }

    /// Pieces of a block, at most.
    fn per_block(&self) -> usize {
        self.layout.width.div_ceil(self.method.piece())
    }

    /// The pieces of a block, of its own columns.
    fn parts(&self, block: usize) -> impl Iterator<Item = Range<usize>> {
        let (columns, piece) = (self.dealt().columns(block).len(), self.method.piece().min(self.layout.width));
        (0..columns).step_by(piece).map(move |first| first..columns.min(first + piece))
    }

    /// All pieces in order: their numbers and columns.
    pub fn pieces(&self) -> Vec<(usize, Range<usize>)> {
        let of = |block: usize| {
            let first = self.dealt().columns(block).start;
            let number = block * self.per_block();
            let there = move |part: Range<usize>| first + part.start..first + part.end;
            self.parts(block).enumerate().map(move |(i, part)| (number + i, there(part)))
        };
        (0..self.blocks()).flat_map(of).collect()
    }

    /// Whether a span is on the device that has the block, of the last one there.
    fn resident(&self, span: &Span, block: usize) -> bool {
        span.block.is_some_and(|of| of + self.devices == block)
    }

    /// Steps of a block.
    fn steps(&self, block: usize) -> usize {
        let parts = |span: &Span| {
            if self.resident(span, block) { 1 } else { self.method.panels(*span, self.layout.panel).len() }
        };
        let spans = self.method.spans(&self.columns(block), &self.dealt());
        1 + spans.iter().map(parts).sum::<usize>()
    }

    fn copied(&self, of: &Host, region: &Region, place: Place) -> Columns {
        let element = self.method.dtype().bytes();
        Columns {
            host: of.p.wrapping_add((region.column * of.ld + region.row) * element),
            host_pitch: of.ld * element,
            there: place.p,
            there_pitch: place.ld * element,
            width: region.rows * element,
            count: region.columns,
            direct: of.direct,
        }
    }

    /// Bytes between host memory that is not page-locked and a place on the device.
    fn bytes(host: *mut u8, there: *mut u8, width: usize) -> Columns {
        Columns { host, host_pitch: width, there, there_pitch: width, width, count: 1, direct: false }
    }

    /// The side data of some columns.
    fn sides(&self, columns: Range<usize>, there: *mut u8) -> Columns {
        let each = self.method.side();
        Self::bytes(self.side.wrapping_add(columns.start * each), there, columns.len() * each)
    }

    /// The code of a block.
    fn code(&self, block: usize, there: *mut i32) -> Option<Columns> {
        let told = self.method.codes() != Codes::None;
        told.then(|| Self::bytes(self.codes.wrapping_add(block).cast(), there.cast(), size_of::<i32>()))
    }

    /// Whether the factorisation ends with a block, which is in host memory.
    fn ends(&self, block: usize) -> bool {
        // SAFETY: there is a code for each block where there are codes.
        self.method.codes() == Codes::End && unsafe { *self.codes.add(block) } != 0
    }

    /// Bytes of a piece of page-locked memory. Side data and codes always pass through it.
    fn piece(&self) -> usize {
        let columns = self.layout.width.min(self.n) * self.method.dtype().bytes();
        let all = self.source.direct && self.target.direct;
        Layout::piece(if all { PIECES * columns } else { leading(self.method.rows()) * columns }, PIECE)
    }
}

/// Marks of a device: panels that were used, and are there; blocks that were brought, were used by the next one; then those of the
/// transfers, and of the pieces that are done.
const USED: Mark = 0;
const THERE: Mark = USED + PANELS;
const BROUGHT: Mark = THERE + PANELS;
const FREE: Mark = BROUGHT + BLOCKS;
const TRANSFERS: Mark = FREE + BLOCKS;

/// The blocks of one device: every `problem.devices`-th from `number` on. `step` is told after each step, and may end it.
unsafe fn blocks_of<D: Device>(
    mut device: D,
    number: usize,
    problem: &Problem,
    shared: &Shared,
    step: &dyn Fn() -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (method, layout, dtype) = (problem.method, problem.layout, problem.method.dtype());
    let too_large = || Error::OutOfMemory("more bytes than can be counted".into());
    let places = layout.places(method, problem.blocks()).ok_or_else(too_large)?;
    let mine: Vec<usize> = (number..problem.blocks()).step_by(problem.devices).collect();
    if mine.is_empty() {
        return Ok(());
    }
    let room = device.room(places.total)?;
    let piece = problem.piece();
    let staging = device.staging(2 * PIECES * piece)?;
    let (per_block, done) = (problem.per_block(), TRANSFERS + Transfers::<D>::MARKS);
    device.marks(done + BLOCKS * per_block)?;
    let device = &device;
    let tell = |piece: usize| {
        let (block, i) = (piece / per_block, piece % per_block);
        problem.beside.done(piece);
        if i + 1 == problem.parts(block).count() {
            if problem.ends(block) { shared.end() } else { shared.done(block) }
        }
    };
    // What the host has a part in must wait for it.
    let allowed = |block: usize| {
        let waits = problem.columns(block).column >= problem.split;
        if waits && !problem.beside.may_begin(block * per_block) { Err(Stop::Elsewhere) } else { Ok(()) }
    };
    let mut transfers = Transfers::new(device, (staging, piece), TRANSFERS, &tell);
    let at = |start: usize| room.wrapping_add(start);
    let block_at = |b: usize| Place { p: at(places.blocks[b]), ld: leading(method.rows()) };
    let apply = |part: &Brought, columns: &Region, c: Place| {
        // SAFETY: the lane comes to it when everything is in its place.
        method.apply(part, columns, c).iter().try_for_each(|op| unsafe { device.run(op) })
    };
    let dealt = problem.dealt();
    let mut panels = 0;

    unsafe {
        let first = problem.columns(mine[0]);
        allowed(mine[0])?;
        transfers.bring(problem.copied(&problem.target, &first, block_at(0).at(dtype, first.row, 0)))?;
        device.record(BROUGHT, Lane::Bring)?;
        for (i, &block) in mine.iter().enumerate() {
            let (b, other) = (i % BLOCKS, (i + 1) % BLOCKS);
            let columns = problem.columns(block);
            let c = block_at(b);
            device.after(Lane::Compute, BROUGHT + b)?;
            for span in method.spans(&columns, &dealt) {
                if problem.resident(&span, block) {
                    let v = block_at(other).at(dtype, method.part(&span, &columns).row, 0);
                    let (side, sides) = (at(places.sides[other]), method.sides(&span, &dealt));
                    apply(&Brought { span: &span, v, side, sides }, &columns, c)?;
                    device.record(FREE + other, Lane::Compute)?;
                    step()?;
                    continue;
                }
                if let Some(of) = span.block {
                    if !shared.is_done(of) {
                        // Others may wait for what this device has done.
                        transfers.drain()?;
                    }
                    shared.wait_for(of)?;
                }
                for part in method.panels(span, layout.panel) {
                    let s = panels % PANELS;
                    panels += 1;
                    let (region, sides) = (method.part(&part, &columns), method.sides(&part, &dealt));
                    let v = Place { p: at(places.panels[s]), ld: leading(region.rows) };
                    let side = at(places.panel_sides[s]);
                    device.after(Lane::Bring, USED + s)?;
                    transfers.bring(problem.copied(&problem.source, &region, v))?;
                    transfers.bring(problem.sides(sides.clone(), side))?;
                    device.record(THERE + s, Lane::Bring)?;
                    device.after(Lane::Compute, THERE + s)?;
                    apply(&Brought { span: &part, v, side, sides }, &columns, c)?;
                    device.record(USED + s, Lane::Compute)?;
                    transfers.go_on()?;
                    step()?;
                }
            }
            let (side, code, mut finished) = (at(places.sides[b]), at(places.codes[b]).cast(), vec![]);
            let back = |transfers: &mut Transfers<D>, (number, mark, piece): (usize, Mark, Piece)| {
                let (first, there) =
                    (columns.column + piece.columns.start, c.at(dtype, columns.row, piece.columns.start));
                let region = Region { column: first, columns: piece.columns.len(), ..columns };
                let sides = (piece.sides > 0).then(|| {
                    let there = side.wrapping_add(piece.columns.start * method.side());
                    problem.sides(first..first + piece.sides, there)
                });
                let code = if piece.ops.is_empty() { None } else { problem.code(block, code) };
                let copies = [problem.copied(&problem.target, &region, there)].into_iter().chain(sides).chain(code);
                transfers.take(mark, copies, number);
            };
            if per_block > 1 {
                // Somebody waits for pieces: they go back while the next ones are asked for.
                transfers.drain()?;
            }
            for (i, part) in problem.parts(block).enumerate() {
                let (piece, mark) = (method.finish(&columns, part, c, side, code), done + b * per_block + i);
                piece.ops.iter().try_for_each(|op| device.run(op))?;
                device.record(mark, Lane::Compute)?;
                piece.rest.iter().try_for_each(|op| device.run(op))?;
                finished.push((block * per_block + i, mark, piece));
                if per_block > 1 {
                    finished.drain(..).for_each(|piece| back(&mut transfers, piece));
                    transfers.go_on()?;
                }
            }
            step()?;
            // The next block takes the place of the one before this one, which must be in host memory and used.
            if per_block == 1 {
                transfers.drain()?;
            }
            finished.drain(..).for_each(|piece| back(&mut transfers, piece));
            if let Some(&next) = mine.get(i + 1) {
                if problem.columns(next).column >= problem.split {
                    transfers.drain()?;
                    allowed(next)?;
                }
                device.after(Lane::Bring, FREE + other)?;
                let columns = problem.columns(next);
                let there = block_at(other).at(dtype, columns.row, 0);
                transfers.bring(problem.copied(&problem.target, &columns, there))?;
                device.record(BROUGHT + other, Lane::Bring)?;
            }
            transfers.go_on()?;
        }
        transfers.drain()?;
    }
    Ok(())
}

/// Does it on devices that are made each in a thread of its own, the first in the calling one.
///
/// # Safety
/// The operands are in host memory, as large as the method says, and nobody else uses them.
pub unsafe fn run<D: Device>(
    problem: &Problem,
    make: impl Fn(usize) -> Result<D, Error> + Sync,
    progress: Progress,
) -> Result<(), Failure> {
    let total = (0..problem.blocks()).map(|block| problem.steps(block)).sum::<usize>();
    let shared = Shared::new(problem.blocks());
    let count = || shared.steps.fetch_add(1, Ordering::Relaxed) + 1;
    let stopped = || if shared.lock().stopped || problem.beside.is_stopped() { Err(Stop::Elsewhere) } else { Ok(()) };
    let on = |number: usize, step: &dyn Fn() -> Result<(), Stop>| {
        let mut leaves = Leaves(&shared, problem.beside, false);
        let done = make(number).map_err(Stop::from);
        let done = done.and_then(|device| unsafe { blocks_of(device, number, problem, &shared, step) });
        leaves.2 = done.is_ok();
        done
    };
    let cancelled = || Failure::Callback("the progress function cancelled the call".into());
    // The last step is told when everything is done.
    let go_on =
        |done: usize| if done == total || progress(done, total) { Ok(()) } else { Err(Stop::Failed(cancelled())) };
    let modes = Modes::current();
    let outcomes = thread::scope(|scope| {
        let signals = Blocked::of_the_process();
        let other = |number: usize| {
            let (on, count, stopped) = (&on, &count, &stopped);
            let work = move || {
                modes.set();
                on(number, &|| {
                    count();
                    stopped()
                })
            };
            let spawned = thread::Builder::new().name(format!("tephra-device-{number}")).spawn_scoped(scope, work);
            spawned.map_err(|error| {
                shared.stop();
                problem.beside.stop();
                Stop::from(Error::OutOfMemory(format!("a thread for device {number}: {error}")))
            })
        };
        let others: Vec<_> = (1..problem.devices).map(other).collect();
        drop(signals);
        let own = on(0, &|| stopped().and_then(|()| go_on(count())));
        let joined = others
            .into_iter()
            .map(|thread| thread.and_then(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))));
        [own].into_iter().chain(joined).collect::<Vec<_>>()
    });
    let failed = outcomes.into_iter().filter_map(Result::err);
    // Of a device that only heard of another's failure there is nothing to say.
    match failed.reduce(|first, next| if matches!(first, Stop::Failed(_)) { first } else { next }) {
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
