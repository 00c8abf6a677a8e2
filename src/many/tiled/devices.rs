//! Tile QR by devices, alone or together with the host's cores (seed paper 002).
//!
//! Devices have the first columns and the host's cores the last ones. On a device the tiles of a column are stacked: what `geqrt`
//! and `tsqrt` do to them one after the other is one QR, and `unmqr` and `tsmqr` of all columns to their right are one block
//! reflector, so that the reflectors are LAPACK's. Such a piece of the matrix is one task of the graph, with the hazards of all that
//! it stands for. Pieces stream through the devices as [`crate::streamed`] says; as soon as one is in host memory again, cores apply
//! it to their columns, each to a stripe of them. What is left of these at the end, where they have rows below all pieces, is one
//! more piece.

use super::calls::stopped;
use super::execute::{Execution, Stop};
use super::graph::Graph;
use super::kernels::{self, Form, Part};
use super::rates;
use super::sequence::{self, Shared, by_threads, real, room, take_part};
use super::tiles::{HEAD, Tiles};
use crate::batches::Home;
use crate::failure::Failure;
use crate::streamed::calls::Options;
use crate::streamed::qr::Factor;
use crate::streamed::schedule::{Beside, Problem};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Range;
use tephra_core::Error;
use tephra_core::backend::{self, Kind, Runtime, cpu::parts};
use tephra_core::scalar::Scalar;

/// Columns of a stripe: at least, at most, and how many stripes there are between.
pub(super) const STRIPE: (usize, usize, usize) = (8, 64, 32);
/// Pieces of the devices' columns, which cores wait for, and the least columns of one.
const PIECES: (usize, usize) = (8, 512);
/// Columns of a piece are multiples of it, as blocks are.
const GRAIN: usize = 128;

/// A task of the host's.
#[derive(Clone, Debug)]
enum Task {
    /// A device's.
    Piece,
    /// T of some reflectors.
    Larft(Range<usize>),
    /// Some reflectors applied to a stripe.
    Unmqr(Range<usize>, usize),
}

impl Task {
    fn name(&self) -> &'static str {
        match self {
            Task::Piece => "piece",
            Task::Larft(_) => "larft",
            Task::Unmqr(..) => "unmqr",
        }
    }
}

/// The columns that the host's cores have, from `first` to `end`, in stripes.
#[derive(Clone, Copy)]
pub(super) struct Stripes {
    first: usize,
    end: usize,
    pub width: usize,
}

impl Stripes {
    pub fn of(first: usize, end: usize) -> Stripes {
        let (least, most, count) = STRIPE;
        Stripes { first, end, width: (end - first).div_ceil(count).next_multiple_of(least).min(most) }
    }

    pub fn count(&self) -> usize {
        (self.end - self.first).div_ceil(self.width)
    }

    fn columns(&self, j: usize) -> Range<usize> {
        let first = self.first + j * self.width;
        first..self.end.min(first + self.width)
    }
}

/// The sequence: pieces as they are numbered, in order, and what cores do after each. Tells the tasks of the pieces, too.
fn tasks(
    tiles: &Tiles,
    stripes: &Stripes,
    pieces: &[(usize, Range<usize>)],
) -> (Vec<Task>, Graph, BTreeMap<usize, usize>) {
    let (mut graph, mut tasks, mut numbers) = (Graph::default(), Vec::new(), BTreeMap::new());
    let reflectors = stripes.first.min(tiles.m).min(tiles.n);
    let (of_stripe, of_t) = (|j: usize| pieces.len() + j, pieces.len() + stripes.count());
    let stripes_all: Vec<usize> = (0..stripes.count()).map(of_stripe).collect();
    let mut applied = 0;
    for (i, (number, columns)) in pieces.iter().enumerate() {
        let step = (applied / tiles.nb) as u32;
        let (before, mut writes) = ((0..i).collect::<Vec<_>>(), vec![i]);
        if columns.start >= stripes.first {
            writes.extend(&stripes_all);
        }
        numbers.insert(*number, graph.add_outside(step, &before, &writes));
        tasks.push(Task::Piece);
        let there = columns.end.min(reflectors);
        while applied < there && (applied + tiles.nb <= there || there == reflectors) {
            let (k, step) = (applied..reflectors.min(applied + tiles.nb), applied / tiles.nb);
            let t = of_t + step;
            graph.add(step as u32, 0, &[i], &[t]);
            tasks.push(Task::Larft(k.clone()));
            for j in 0..stripes.count() {
                graph.add(step as u32, 0, &[i, t], &[of_stripe(j)]);
                tasks.push(Task::Unmqr(k.clone(), j));
            }
            applied = k.end;
        }
    }
    (tasks, graph, numbers)
}

/// The host's part, as devices see it.
struct Cores<'a> {
    execution: &'a Execution<'a, Error>,
    pieces: &'a BTreeMap<usize, usize>,
    /// Does tasks until one that is given may begin.
    help: &'a (dyn Fn(usize) -> bool + Sync),
}

impl Beside for Cores<'_> {
    fn done(&self, piece: usize) {
        self.execution.done_outside(self.pieces[&piece]);
    }
    fn may_begin(&self, piece: usize) -> bool {
        // Who waits helps: there may be no other threads.
        (self.help)(self.pieces[&piece])
    }
    fn is_stopped(&self) -> bool {
        self.execution.is_stopped()
    }
    fn stop(&self) {
        self.execution.stop_outside();
    }
}

/// Factors by devices, for which `run` is called, the columns before `problem.split`, and beside them by so many threads. `end`: the
/// columns of the matrix.
///
/// # Safety
/// The problem is a QR of A, whose scalar factors are in host memory; nobody else uses them.
unsafe fn beside<T: Scalar>(
    problem: &Problem,
    tiles: &Tiles,
    end: usize,
    (ahead, threads): (usize, usize),
    run: impl FnOnce(&Problem) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stripes = Stripes::of(problem.split, end);
    let (tasks, graph, pieces) = tasks(tiles, &stripes, &problem.pieces());
    let execution = Execution::new(&graph, ahead);
    let mut room = room::<T>(tiles.ib * problem.split.min(tiles.m))?;
    let t = Shared(Part { p: room.as_mut_ptr(), ld: tiles.ib });
    let a = Shared(Part::<T> { p: problem.source.p.cast(), ld: problem.source.ld });
    let tau = Shared(Part::<T> { p: problem.side.cast(), ld: 1 });
    let work = |task: usize, scratch: &mut kernels::Scratch<T>| {
        let v = |k: usize| a.part().at(k, k);
        // SAFETY: pieces that are done are only read, and a stripe is one task's at a time.
        unsafe {
            match &tasks[task] {
                Task::Piece => Ok(()),
                Task::Larft(k) => {
                    let (m, first) = (tiles.m - k.start, k.start);
                    kernels::larft(m, k.len(), v(first), tau.part().at(first, 0), t.part().at(0, first), tiles.ib)
                }
                Task::Unmqr(k, j) => {
                    let (columns, first) = (stripes.columns(*j), k.start);
                    let (sizes, c) = ([tiles.m - first, columns.len(), k.len()], a.part().at(first, columns.start));
                    kernels::unmqr_stacked(Form::Adjoint, sizes, v(first), t.part().at(0, first), c, scratch)
                }
            }
        }
    };
    let name = |task: usize| tasks[task].name();
    let help = |thread: usize| take_part(tiles, thread, name, work, |work| execution.work(work, |_| true));
    let until = |task: usize| take_part(tiles, threads + 1 + task, name, work, |work| execution.may_begin(task, work));
    let cores = Cores { execution: &execution, pieces: &pieces, help: &until };
    let done = by_threads(threads, help, || {
        let done = run(&Problem { beside: &cores, ..*problem });
        if done.is_err() {
            execution.stop_outside();
        } else {
            // What is left, and all of it where there are no other threads.
            help(0);
        }
        done
    });
    match execution.finish() {
        // What devices say then is that the host stopped.
        Err(Stop::Failed(error)) => Err(error.into()),
        Err(Stop::Cancelled) | Ok(()) => done,
    }
}

/// Where a factorisation is done.
pub struct Way<'a> {
    pub options: &'a Options,
    /// Columns, the last ones, that the host's cores have; negative: by measured rates.
    pub host_columns: i64,
    /// Steps that cores may be ahead of the first that is not finished.
    pub ahead: usize,
}

/// Threads of the host beside those that serve devices.
fn threads(devices: &[i32]) -> usize {
    parts::count().saturating_sub(devices.len()).max(1)
}

impl Way<'_> {
    /// How many columns are the cores', so that the others are whole inner blocks.
    fn columns<T: Scalar>(
        &self,
        tiles: &Tiles,
        runtime: &'static dyn Runtime,
        devices: &[i32],
    ) -> Result<usize, Failure> {
        let (options, m, n) = (self.options, tiles.m, tiles.n);
        let wanted = match usize::try_from(self.host_columns) {
            _ if runtime.kind() == Kind::Cpu => n,
            Ok(columns) => columns,
            Err(_) => {
                let _home = Home::of(runtime)?;
                let most = (options.memory(runtime, devices)?, threads(devices));
                rates::host_columns::<T>(options.own.name, runtime, devices, most, [m, n])?
            }
        };
        let ib = tiles.stacked().ib;
        Ok(if wanted == 0 { 0 } else { n - n.saturating_sub(wanted) / ib * ib })
    }

    /// The same by itself.
    pub fn host_columns<T: Scalar>(&self, tiles: &Tiles) -> Result<usize, Failure> {
        let runtime = backend::current()?;
        let devices = self.options.devices(runtime)?;
        if tiles.m == 0 || tiles.n == 0 { Ok(0) } else { self.columns::<T>(tiles, runtime, &devices) }
    }

    /// Factors A with tiles of which T is told by `tiles`, or stacked ones; tells which. Without a device all is the host's.
    ///
    /// # Safety
    /// A is m x n, T as large as `tiles` says; nobody else uses them.
    pub unsafe fn factor<T: Scalar>(&self, tiles: &Tiles, a: Part<T>, t: *mut T) -> Result<Tiles, Failure> {
        let (options, m, n) = (self.options, tiles.m, tiles.n);
        let runtime = backend::current()?;
        let devices = options.devices(runtime)?;
        let (stacked, threads) = (tiles.stacked(), threads(&devices));
        let split = n - self.columns::<T>(tiles, runtime, &devices)?;
        if split == 0 {
            let tell = |done: usize, total: usize| options.tell(done, total);
            unsafe { sequence::factor(tiles, a, t, self.ahead, &tell) }.map_err(stopped)?;
            return Ok(*tiles);
        }
        // What the host has of a matrix without rows below the pieces is finished by it.
        let columns = if split < m { n } else { split };
        let piece = match split {
            _ if split == n => usize::MAX,
            _ => (split / PIECES.0).max(PIECES.1).next_multiple_of(GRAIN),
        };
        let method = Factor { dtype: T::DTYPE, m, n: columns, split, piece };
        let (matrix, tau) = ((a.p.cast::<c_void>(), a.ld as i64), t.wrapping_add(HEAD).cast());
        let operands = (matrix, matrix, columns as i64);
        let problem = options.problem(runtime, &devices, &method, operands, split as i64, tau)?;
        // The host's part, where it has one, is the last step.
        let (all, own) = (Cell::new(0), usize::from(split < n));
        let tell = |done: usize, total: usize| {
            all.set(total + own);
            options.tell(done, all.get())
        };
        let run = |problem: &Problem| unsafe { options.carry_out(runtime, &devices, problem, &tell) };
        if split == n {
            run(&problem)?;
        } else {
            unsafe { beside::<T>(&problem, &stacked, n, (self.ahead, threads), run)? };
            if !options.tell(all.get(), all.get()) {
                return Err(stopped(Stop::Cancelled));
            }
        }
        for (i, x) in stacked.head().into_iter().enumerate() {
            unsafe { Part { p: t, ld: 1 }.set(i, 0, real(x)) };
        }
        Ok(stacked)
    }
}

#[cfg(test)]
#[path = "devices_tests.rs"]
mod tests;
