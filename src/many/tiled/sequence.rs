//! The tile algorithms as sequences of tasks, and those done by the backend's threads.

use super::execute::{Execution, Stop};
use super::graph::Graph;
use super::kernels::{self, Form, Part, Scratch};
use super::tiles::{HEAD, Tiles};
use crate::trace::{self, Span};
use std::thread;
use std::time::Instant;
use tephra_core::Error;
use tephra_core::backend::cpu::parts::{self, Modes};
use tephra_core::host::signals::Blocked;
use tephra_core::scalar::Scalar;

/// Columns of C that a task of an application has.
const WIDTH: usize = 128;

/// A task: step k, tile row i, tile column j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// T of stacked tiles.
    Larft {
        k: usize,
    },
    Geqrt {
        k: usize,
    },
    Unmqr {
        k: usize,
        j: usize,
    },
    Tsqrt {
        k: usize,
        i: usize,
    },
    Tsmqr {
        k: usize,
        i: usize,
        j: usize,
    },
    /// Columns of an identity matrix.
    Unit {
        j: usize,
    },
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Larft { .. } => "larft",
            Task::Geqrt { .. } => "geqrt",
            Task::Unmqr { .. } => "unmqr",
            Task::Tsqrt { .. } => "tsqrt",
            Task::Tsmqr { .. } => "tsmqr",
            Task::Unit { .. } => "laset",
        }
    }
}

/// Told after each task of the calling thread and at the end, how many are done of how many; false cancels the call.
pub type Progress<'a> = &'a dyn Fn(usize, usize) -> bool;

/// Memory of a matrix, which tasks share as the graph says.
pub(super) struct Shared<T>(pub Part<T>);
// SAFETY: what a task uses of it no other one uses at the same time, unless both read.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub fn part(&self) -> Part<T> {
        self.0
    }
}

/// The priority of a task that others of the next step wait for.
const FIRST: i32 = i32::MAX;

fn later(j: usize) -> i32 {
    -i32::try_from(j).unwrap_or(i32::MAX)
}

/// The factorisation. Of a tile on the diagonal, what is below its diagonal is a resource of its own: it is read when R above it
/// is written again.
fn factorisation(tiles: &Tiles) -> (Vec<Task>, Graph) {
    let (mut graph, mut tasks) = (Graph::default(), Vec::new());
    let (upper, lower) = (|i, j| 2 * tiles.number(i, j), |k| 2 * tiles.number(k, k) + 1);
    for k in 0..tiles.steps() {
        let step = k as u32;
        let mut add = |task, priority, reads: &[usize], writes: &[usize]| {
            graph.add(step, priority, reads, writes);
            tasks.push(task);
        };
        add(Task::Geqrt { k }, FIRST, &[], &[upper(k, k), lower(k)]);
        for j in k + 1..tiles.columns() {
            add(Task::Unmqr { k, j }, later(j), &[lower(k)], &[upper(k, j)]);
        }
        for i in k + 1..tiles.rows() {
            add(Task::Tsqrt { k, i }, FIRST, &[], &[upper(k, k), upper(i, k)]);
            for j in k + 1..tiles.columns() {
                add(Task::Tsmqr { k, i, j }, later(j), &[upper(i, k)], &[upper(k, j), upper(i, j)]);
            }
        }
    }
    (tasks, graph)
}

/// op(Q) C for C of so many columns; `unit`: C becomes the first columns of the identity before.
fn application(tiles: &Tiles, form: Form, n: usize, unit: bool) -> (Vec<Task>, Graph) {
    let (mut graph, mut tasks) = (Graph::default(), Vec::new());
    let (steps, columns) = (tiles.steps(), n.div_ceil(WIDTH));
    // Stacked tiles use all of their rows.
    let rows = if tiles.stacked { 1 } else { tiles.rows() };
    let of = |i, j| i + j * rows;
    let mut add = |step: usize, task, reads: &[usize], writes: &[usize]| {
        graph.add(step as u32, 0, reads, writes);
        tasks.push(task);
    };
    if unit {
        for j in 0..columns {
            add(0, Task::Unit { j }, &[], &(0..rows).map(|i| of(i, j)).collect::<Vec<_>>());
        }
    }
    for step in 0..steps {
        let k = if form == Form::Adjoint { step } else { steps - 1 - step };
        // Of an identity matrix, columns before those of this step have nothing that it changes.
        let first = if unit { k * tiles.nb / WIDTH } else { 0 };
        let t = rows * columns + k;
        if tiles.stacked {
            add(step, Task::Larft { k }, &[], &[t]);
        }
        for j in first..columns {
            match form {
                _ if tiles.stacked => add(step, Task::Unmqr { k, j }, &[t], &[of(0, j)]),
                Form::Adjoint => {
                    add(step, Task::Unmqr { k, j }, &[], &[of(k, j)]);
                    (k + 1..rows).for_each(|i| add(step, Task::Tsmqr { k, i, j }, &[], &[of(k, j), of(i, j)]));
                }
                Form::Plain => {
                    (k + 1..rows).rev().for_each(|i| add(step, Task::Tsmqr { k, i, j }, &[], &[of(k, j), of(i, j)]));
                    add(step, Task::Unmqr { k, j }, &[], &[of(k, j)]);
                }
            }
        }
    }
    (tasks, graph)
}

/// Work by the calling thread, and help by so many others, or as many as the system gives, which have its floating-point modes and
/// are made for it. The backend's own are not kept from other calls for as long as one of these takes.
pub(super) fn by_threads<R>(helpers: usize, help: impl Fn(usize) + Sync, own: impl FnOnce() -> R) -> R {
    let modes = Modes::current();
    thread::scope(|scope| {
        let signals = Blocked::of_the_process();
        for i in 1..=helpers {
            let help = &help;
            let help = move || {
                modes.set();
                help(i);
            };
            if thread::Builder::new().name(format!("tephra-tiled-{i}")).spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        drop(signals);
        own()
    })
}

/// Takes part in a run as the so-many-th thread: `part` is handed what does a task, with memory for tiles of nb rows and columns.
pub(super) fn take_part<T: Scalar, R>(
    tiles: &Tiles,
    thread: usize,
    name: impl Fn(usize) -> &'static str,
    run: impl Fn(usize, &mut Scratch<T>) -> Result<(), Error>,
    part: impl FnOnce(&mut dyn FnMut(usize) -> Result<(), Error>) -> R,
) -> R {
    let (mut scratch, mut spans) = (None, vec![]);
    let result = part(&mut |task: usize| {
        if scratch.is_none() {
            scratch = Some(Scratch::new(tiles.nb, tiles.ib)?);
        }
        let start = trace::on().then(Instant::now);
        let done = scratch.as_mut().map_or(Ok(()), |scratch| run(task, scratch));
        if let Some(start) = start {
            let (name, lane) = (name(task).into(), format!("thread {thread:03}"));
            spans.push(Span { name, lane, start, duration: start.elapsed() });
        }
        done
    });
    if !spans.is_empty() {
        trace::add(spans);
    }
    result
}

/// Does a sequence by as many threads as the CPU backend has.
fn carry_out<T: Scalar>(
    tiles: &Tiles,
    (tasks, graph): &(Vec<Task>, Graph),
    ahead: usize,
    progress: Progress,
    run: impl Fn(Task, &mut Scratch<T>) -> Result<(), Error> + Sync,
) -> Result<(), Stop<Error>> {
    let (execution, total) = (Execution::new(graph, ahead), tasks.len());
    let name = |task: usize| tasks[task].name();
    let run = |task: usize, scratch: &mut Scratch<T>| run(tasks[task], scratch);
    let help = |thread: usize| take_part(tiles, thread, name, run, |work| execution.work(work, |_| true));
    by_threads(parts::count().min(total).saturating_sub(1), help, || {
        let go_on = |done: usize| done == total || progress(done, total);
        take_part(tiles, 0, name, run, |work| execution.work(work, go_on));
    });
    execution.finish()?;
    // The last task is told of here, whoever did it, and where the others did all of them.
    if total == 0 || progress(total, total) { Ok(()) } else { Err(Stop::Cancelled) }
}

/// Factors A.
///
/// # Safety
/// A is m x n, T as large as `tiles` says; nobody else uses them. Likewise below.
pub unsafe fn factor<T: Scalar>(
    tiles: &Tiles,
    a: Part<T>,
    t: *mut T,
    ahead: usize,
    progress: Progress,
) -> Result<(), Stop<Error>> {
    unsafe { factor_by(&factorisation(tiles), tiles, a, t, ahead, progress) }
}

unsafe fn factor_by<T: Scalar>(
    sequence: &(Vec<Task>, Graph),
    tiles: &Tiles,
    a: Part<T>,
    t: *mut T,
    ahead: usize,
    progress: Progress,
) -> Result<(), Stop<Error>> {
    let (a, t) = (Shared(a), Shared(Part { p: t, ld: tiles.ib }));
    for (i, x) in tiles.head().into_iter().enumerate() {
        unsafe { t.part().at(i, 0).set(0, 0, real(x)) };
    }
    carry_out(tiles, sequence, ahead, progress, |task, scratch| {
        let tile = |i: usize, j: usize| a.part().at(i * tiles.nb, j * tiles.nb);
        let t = |i, k| t.part().at(tiles.t(i, k), 0);
        let (height, width) = (|i: usize| tiles.row(i).len(), |j: usize| tiles.column(j).len());
        // SAFETY: tasks that run at the same time use different tiles, or both read; see the kernels for the diagonal ones.
        unsafe {
            match task {
                Task::Geqrt { k } => kernels::geqrt(height(k), width(k), tile(k, k), t(k, k), scratch),
                Task::Unmqr { k, j } => {
                    let sizes = [height(k), width(j), height(k).min(width(k))];
                    kernels::unmqr(Form::Adjoint, sizes, tile(k, k), t(k, k), tile(k, j), scratch)
                }
                Task::Tsqrt { k, i } => kernels::tsqrt(height(i), width(k), tile(k, k), tile(i, k), t(i, k), scratch),
                Task::Tsmqr { k, i, j } => {
                    let (sizes, c) = ([height(i), width(j), width(k)], [tile(k, j), tile(i, j)]);
                    kernels::tsmqr(Form::Adjoint, sizes, tile(i, k), t(i, k), c, scratch)
                }
                Task::Larft { .. } | Task::Unit { .. } => Ok(()),
            }
        }
    })
}

pub(super) fn real<T: Scalar>(x: f64) -> T {
    T::real(<T::Re as tephra_core::scalar::Real>::from_f64(x))
}

/// Room for so many elements.
pub(super) fn room<T: Scalar>(elements: usize) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    room.try_reserve_exact(elements)
        .map_err(|_| Error::OutOfMemory(format!("{elements} elements of host memory for one matrix")))?;
    room.resize(elements, T::zero());
    Ok(room)
}

/// C := op(Q) C, n columns, with Q of as many columns as `tiles` has; `unit`: of the first n columns of the identity instead.
pub unsafe fn apply<T: Scalar>(
    tiles: &Tiles,
    form: Form,
    a: Part<T>,
    t: *mut T,
    (n, c): (usize, Part<T>),
    unit: bool,
) -> Result<(), Stop<Error>> {
    unsafe { apply_by(&application(tiles, form, n, unit), tiles, form, a, t, (n, c)) }
}

unsafe fn apply_by<T: Scalar>(
    sequence: &(Vec<Task>, Graph),
    tiles: &Tiles,
    form: Form,
    a: Part<T>,
    t: *mut T,
    (n, c): (usize, Part<T>),
) -> Result<(), Stop<Error>> {
    // Of stacked tiles there are scalar factors.
    let mut room = room::<T>(if tiles.stacked { tiles.ib * tiles.steps() * tiles.nb } else { 0 })?;
    let formed = Shared(Part { p: room.as_mut_ptr(), ld: tiles.ib });
    let (a, t, c) = (Shared(a), Shared(Part { p: t, ld: tiles.ib }), Shared(c));
    carry_out(tiles, sequence, usize::MAX, &|_, _| true, |task, scratch| {
        let tile = |i: usize, j: usize| a.part().at(i * tiles.nb, j * tiles.nb);
        let (below, formed) = (|k: usize| tiles.m - k * tiles.nb, |k: usize| formed.part().at(0, k * tiles.nb));
        let reflectors = |k: usize| tiles.row(k).len().min(tiles.column(k).len());
        let tau = |k: usize| t.part().at(HEAD + k * tiles.nb, 0);
        let t = |i, k| t.part().at(tiles.t(i, k), 0);
        let part = |i: usize, j: usize| c.part().at(i * tiles.nb, j * WIDTH);
        let width = |j: usize| WIDTH.min(n - j * WIDTH);
        // SAFETY: tasks that run at the same time use different parts of C, and all of them only read A and T.
        unsafe {
            match task {
                Task::Larft { k } => kernels::larft(below(k), reflectors(k), tile(k, k), tau(k), formed(k), tiles.ib),
                Task::Unmqr { k, j } if tiles.stacked => {
                    let sizes = [below(k), width(j), reflectors(k)];
                    kernels::unmqr_stacked(form, sizes, tile(k, k), formed(k), part(k, j), scratch)
                }
                Task::Unmqr { k, j } => {
                    let sizes = [tiles.row(k).len(), width(j), reflectors(k)];
                    kernels::unmqr(form, sizes, tile(k, k), t(k, k), part(k, j), scratch)
                }
                Task::Tsmqr { k, i, j } => {
                    let sizes = [tiles.row(i).len(), width(j), tiles.column(k).len()];
                    kernels::tsmqr(form, sizes, tile(i, k), t(i, k), [part(k, j), part(i, j)], scratch)
                }
                Task::Unit { j } => {
                    for column in j * WIDTH..j * WIDTH + width(j) {
                        for i in 0..tiles.m {
                            c.part().set(i, column, if i == column { T::one() } else { T::zero() });
                        }
                    }
                    Ok(())
                }
                Task::Geqrt { .. } | Task::Tsqrt { .. } => Ok(()),
            }
        }
    })
}

#[cfg(test)]
#[path = "sequence_tests.rs"]
mod tests;
