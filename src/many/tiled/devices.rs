//! Tile QR on devices, alone or together with the host's cores (after Kurzak, Nath, Du and Dongarra).
//!
//! The devices take the first columns and the cores the last ones. On a device the tiles of a column are stacked: the
//! sequence of `geqrt` and `tsqrt` on them becomes one QR, and `unmqr` and `tsmqr` on all columns to their right become
//! one block reflector, so the reflectors are LAPACK's. Such a piece of the matrix is one task of the graph, with the
//! hazards of all tasks that it stands for. Pieces stream through the devices as in [`crate::streamed`]. As soon as one
//! is back in host memory, the cores apply it to their own columns, which are divided into stripes. If these have rows
//! below all pieces, their remaining factorisation is one more piece.

use super::calls::stop_to_failure;
use super::execute::{Execution, Stop};
use super::graph::Graph;
use super::kernels::{self, Form, MatrixView};
use super::rates;
use super::sequence::{self, Shared, participate, real, with_helpers};
use super::tiles::{HEAD, Tiles};
use crate::batches::RestoreDevice;
use crate::failure::Failure;
use crate::memory::{self, filled, push};
use crate::streamed::calls::Options;
use crate::streamed::qr::Factor;
use crate::streamed::schedule::{HostTasks, Problem};
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;
use tephra_core::Error;
use tephra_core::backend::{self, Kind, Runtime, cpu::parts};
use tephra_core::scalar::Scalar;

/// Minimum and maximum number of columns of a stripe, and the number of stripes to aim for within these limits.
pub(super) const STRIPE: (usize, usize, usize) = (8, 64, 32);
/// Number of pieces to divide the devices' columns into, since the cores wait for pieces, and the minimum number of
/// columns of a piece.
const PIECES: (usize, usize) = (8, 512);
/// The number of columns of a piece is a multiple of this, like that of a block.
const GRAIN: usize = 128;

/// A task of the graph.
#[derive(Clone, Debug)]
enum Task {
    /// A device's task.
    Piece,
    /// Forms T for a range of reflectors.
    Larft(Range<usize>),
    /// Applies a range of reflectors to a stripe.
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

/// The columns of the host's cores, from `first` to `end`, divided into stripes.
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

/// Tasks, their dependencies, and the task of each piece, with the piece's number in front, which ascends.
type Sequence = (Vec<Task>, Graph, Vec<[usize; 2]>);

/// The sequence of tasks: the pieces in order, and the cores' tasks after each.
fn tasks(tiles: &Tiles, stripes: &Stripes, pieces: &[(usize, Range<usize>)]) -> Result<Sequence, Error> {
    let (mut graph, mut tasks, mut numbers) = (Graph::default(), Vec::new(), memory::reserved(pieces.len())?);
    let reflectors = stripes.first.min(tiles.m).min(tiles.n);
    let (of_stripe, of_t) = (|j: usize| pieces.len() + j, pieces.len() + stripes.count());
    // A piece comes after those before it, and the last one after what is done to the stripes.
    let before = memory::collected(0..pieces.len())?;
    let mut writes = memory::collected([0].into_iter().chain((0..stripes.count()).map(of_stripe)))?;
    let mut applied = 0;
    for (i, (number, columns)) in pieces.iter().enumerate() {
        let step = (applied / tiles.nb) as u32;
        writes[0] = i;
        let written = if columns.start >= stripes.first { &writes[..] } else { &writes[..1] };
        numbers.push([*number, graph.add_external(step, &before[..i], written)?]);
        push(&mut tasks, Task::Piece)?;
        let there = columns.end.min(reflectors);
        while applied < there && (applied + tiles.nb <= there || there == reflectors) {
            let (k, step) = (applied..reflectors.min(applied + tiles.nb), applied / tiles.nb);
            let t = of_t + step;
            graph.add(step as u32, 0, &[i], &[t])?;
            push(&mut tasks, Task::Larft(k.clone()))?;
            for j in 0..stripes.count() {
                graph.add(step as u32, 0, &[i, t], &[of_stripe(j)])?;
                push(&mut tasks, Task::Unmqr(k.clone(), j))?;
            }
            applied = k.end;
        }
    }
    Ok((tasks, graph, numbers))
}

/// The host's part, as the devices see it.
struct Cores<'a> {
    execution: &'a Execution<'a, Error>,
    pieces: &'a [[usize; 2]],
    /// Runs tasks until the given one may begin.
    help: &'a (dyn Fn(usize) -> bool + Sync),
}

impl Cores<'_> {
    fn task(&self, piece: usize) -> usize {
        self.pieces[self.pieces.partition_point(|[number, _]| *number < piece)][1]
    }
}

impl HostTasks for Cores<'_> {
    fn done(&self, piece: usize) {
        self.execution.complete_external(self.task(piece));
    }
    fn wait_until_allowed(&self, piece: usize) -> bool {
        // The waiting thread helps, because there may be no other threads.
        (self.help)(self.task(piece))
    }
    fn is_stopped(&self) -> bool {
        self.execution.is_stopped()
    }
    fn stop(&self) {
        self.execution.stop_external();
    }
}

/// Factors the columns before `problem.split` on devices, through `run`, and the columns from there to `end` alongside
/// on `threads` threads.
///
/// # Safety
/// The problem must be a QR factorisation of A, with the scalar factors in host memory, and nobody else may use them.
unsafe fn factor_with_host<T: Scalar>(
    problem: &Problem,
    tiles: &Tiles,
    end: usize,
    (look_ahead, threads): (usize, usize),
    run: impl FnOnce(&Problem) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stripes = Stripes::of(problem.split, end);
    let (tasks, graph, pieces) = tasks(tiles, &stripes, &problem.pieces()?)?;
    let execution = Execution::new(&graph, look_ahead)?;
    let mut memory = filled(tiles.ib * problem.split.min(tiles.m), T::zero())?;
    let t = Shared(MatrixView { p: memory.as_mut_ptr(), ld: tiles.ib });
    let a = Shared(MatrixView::<T> { p: problem.source.p.cast(), ld: problem.source.ld });
    let tau = Shared(MatrixView::<T> { p: problem.side.cast(), ld: 1 });
    let work = |task: usize, scratch: &mut kernels::Scratch<T>| {
        let v = |k: usize| a.view().at(k, k);
        // SAFETY: finished pieces are only read, and only one task at a time writes a stripe.
        unsafe {
            match &tasks[task] {
                Task::Piece => Ok(()),
                Task::Larft(k) => {
                    let (m, first) = (tiles.m - k.start, k.start);
                    kernels::larft(m, k.len(), v(first), tau.view().at(first, 0), t.view().at(0, first), tiles.ib)
                }
                Task::Unmqr(k, j) => {
                    let (columns, first) = (stripes.columns(*j), k.start);
                    let (sizes, c) = ([tiles.m - first, columns.len(), k.len()], a.view().at(first, columns.start));
                    kernels::unmqr_stacked(Form::Adjoint, sizes, v(first), t.view().at(0, first), c, scratch)
                }
            }
        }
    };
    let name = |task: usize| tasks[task].name();
    let help = |thread: usize| participate(tiles, thread, name, work, |work| execution.work(work, |_| true));
    let until =
        |task: usize| participate(tiles, threads + 1 + task, name, work, |work| execution.work_until_ready(task, work));
    let cores = Cores { execution: &execution, pieces: &pieces, help: &until };
    let done = with_helpers(threads, help, || {
        let done = run(&Problem { host_tasks: &cores, ..*problem });
        if done.is_err() {
            execution.stop_external();
        } else {
            // Completes the remaining tasks, or all of them if there are no other threads.
            help(0);
        }
        done
    });
    match execution.finish() {
        // In this case the devices only report that the host stopped.
        Err(Stop::Failed(error)) => Err(error.into()),
        Err(Stop::Cancelled) | Ok(()) => done,
    }
}

/// A factorisation on devices.
pub struct DeviceFactorisation<'a> {
    pub options: &'a Options,
    /// Number of columns, from the last one, for the host's cores. If negative, the number follows from measured rates.
    pub host_columns: i64,
    /// How many steps the cores may be ahead of the first unfinished one.
    pub look_ahead: usize,
}

/// Number of the host's threads, apart from those that drive devices.
fn threads(devices: &[i32]) -> usize {
    parts::count().saturating_sub(devices.len()).max(1)
}

impl DeviceFactorisation<'_> {
    /// Number of columns for the cores, rounded so that the devices' columns are whole inner blocks.
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
                let _restore = RestoreDevice::new(runtime)?;
                let most = (options.bytes_per_device(runtime, devices)?, threads(devices));
                rates::host_columns::<T>(options.own.name, runtime, devices, most, [m, n])?
            }
        };
        let ib = tiles.stacked().ib;
        Ok(if wanted == 0 { 0 } else { n - n.saturating_sub(wanted) / ib * ib })
    }

    /// The number of columns that [`DeviceFactorisation::factor`] would give to the cores.
    pub fn host_columns<T: Scalar>(&self, tiles: &Tiles) -> Result<usize, Failure> {
        let runtime = backend::current()?;
        let devices = self.options.devices(runtime)?;
        if tiles.m == 0 || tiles.n == 0 { Ok(0) } else { self.columns::<T>(tiles, runtime, &devices) }
    }

    /// Factors A and returns the tiles that describe T: `tiles` if the host has all columns, otherwise stacked ones. On
    /// the CPU backend the host has all columns.
    ///
    /// # Safety
    /// A must be m x n, and T as large as `tiles` says; nobody else may use them during the call.
    pub unsafe fn factor<T: Scalar>(&self, tiles: &Tiles, a: MatrixView<T>, t: *mut T) -> Result<Tiles, Failure> {
        let (options, m, n) = (self.options, tiles.m, tiles.n);
        let runtime = backend::current()?;
        let devices = options.devices(runtime)?;
        let (stacked, threads) = (tiles.stacked(), threads(&devices));
        let split = n - self.columns::<T>(tiles, runtime, &devices)?;
        if split == 0 {
            let tell = |done: usize, total: usize| options.report_progress(done, total);
            unsafe { sequence::factor(tiles, a, t, self.look_ahead, &tell) }.map_err(stop_to_failure)?;
            return Ok(*tiles);
        }
        // If the matrix has no rows below the pieces, the host's columns need no further factorisation.
        let columns = if split < m { n } else { split };
        let piece = match split {
            _ if split == n => usize::MAX,
            _ => (split / PIECES.0).max(PIECES.1).next_multiple_of(GRAIN),
        };
        let method = Factor { dtype: T::DTYPE, m, n: columns, split, piece };
        let (matrix, tau) = ((a.p.cast::<c_void>(), a.ld as i64), t.wrapping_add(HEAD).cast());
        let operands = (matrix, matrix, columns as i64);
        let problem = options.problem(runtime, &devices, &method, operands, split as i64, tau)?;
        // The host's part, if any, is reported as the last step.
        let (all, own) = (Cell::new(0), usize::from(split < n));
        let tell = |done: usize, total: usize| {
            all.set(total + own);
            options.report_progress(done, all.get())
        };
        let run = |problem: &Problem| unsafe { options.run_on_devices(runtime, &devices, problem, &tell) };
        if split == n {
            run(&problem)?;
        } else {
            unsafe { factor_with_host::<T>(&problem, &stacked, n, (self.look_ahead, threads), run)? };
            if !options.report_progress(all.get(), all.get()) {
                return Err(stop_to_failure(Stop::Cancelled));
            }
        }
        for (i, x) in stacked.head().into_iter().enumerate() {
            unsafe { MatrixView { p: t, ld: 1 }.set(i, 0, real(x)) };
        }
        Ok(stacked)
    }
}

#[cfg(test)]
#[path = "devices_tests.rs"]
mod tests;
