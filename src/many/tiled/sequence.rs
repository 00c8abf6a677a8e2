//! The tile algorithms as sequences of tasks, and their execution by threads.

use super::execute::{Execution, Stop};
use super::graph::Graph;
use super::kernels::{self, Form, MatrixView, Scratch};
use super::tiles::{HEAD, Tiles};
use crate::memory::{self, filled, push};
use crate::trace::{self, Lane, Span};
use std::time::Instant;
use tephra_core::Error;
use tephra_core::backend::cpu::parts::{self, Modes};
use tephra_core::host::threads;
use tephra_core::scalar::Scalar;

/// Number of columns of C per task when Q is applied.
const WIDTH: usize = 128;

/// A task, for step k, tile row i and tile column j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Forms T of stacked tiles.
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
    /// Sets columns of C to those of the identity.
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

/// Called after each task of the calling thread and at the end, with the number of finished tasks and their total.
/// Returning false cancels the call.
pub type Progress<'a> = &'a dyn Fn(usize, usize) -> bool;

/// A matrix that tasks share according to the graph.
pub(super) struct Shared<T>(pub MatrixView<T>);
// SAFETY: no two tasks use the same part at the same time, unless both only read it.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub fn view(&self) -> MatrixView<T> {
        self.0
    }
}

/// The priority of tasks that tasks of the next step wait for.
const FIRST: i32 = i32::MAX;

fn later(j: usize) -> i32 {
    -i32::try_from(j).unwrap_or(i32::MAX)
}

/// The factorisation. In a diagonal tile, the part below the diagonal is a resource of its own, because it is read
/// while R above it is updated.
fn factorisation(tiles: &Tiles) -> Result<(Vec<Task>, Graph), Error> {
    let (mut graph, mut tasks) = (Graph::default(), Vec::new());
    let (upper, lower) = (|i, j| 2 * tiles.number(i, j), |k| 2 * tiles.number(k, k) + 1);
    for k in 0..tiles.steps() {
        let step = k as u32;
        let mut add = |task, priority, reads: &[usize], writes: &[usize]| {
            graph.add(step, priority, reads, writes)?;
            push(&mut tasks, task)
        };
        add(Task::Geqrt { k }, FIRST, &[], &[upper(k, k), lower(k)])?;
        for j in k + 1..tiles.columns() {
            add(Task::Unmqr { k, j }, later(j), &[lower(k)], &[upper(k, j)])?;
        }
        for i in k + 1..tiles.rows() {
            add(Task::Tsqrt { k, i }, FIRST, &[], &[upper(k, k), upper(i, k)])?;
            for j in k + 1..tiles.columns() {
                add(Task::Tsmqr { k, i, j }, later(j), &[upper(i, k)], &[upper(k, j), upper(i, j)])?;
            }
        }
    }
    Ok((tasks, graph))
}

/// C := op(Q) C for an n-column C. If `unit`, C is first set to the first columns of the identity.
fn application(tiles: &Tiles, form: Form, n: usize, unit: bool) -> Result<(Vec<Task>, Graph), Error> {
    let (mut graph, mut tasks) = (Graph::default(), Vec::new());
    let (steps, columns) = (tiles.steps(), n.div_ceil(WIDTH));
    // A task on stacked tiles uses all rows below its step.
    let rows = if tiles.stacked { 1 } else { tiles.rows() };
    let of = |i, j| i + j * rows;
    let mut add = |step: usize, task, reads: &[usize], writes: &[usize]| {
        graph.add(step as u32, 0, reads, writes)?;
        push(&mut tasks, task)
    };
    if unit {
        let mut column = memory::collected(0..rows)?;
        for j in 0..columns {
            column.iter_mut().enumerate().for_each(|(i, tile)| *tile = of(i, j));
            add(0, Task::Unit { j }, &[], &column)?;
        }
    }
    for step in 0..steps {
        let k = if form == Form::Adjoint { step } else { steps - 1 - step };
        // Columns of the identity before those of this step are not changed by it.
        let first = if unit { k * tiles.nb / WIDTH } else { 0 };
        let t = rows * columns + k;
        if tiles.stacked {
            add(step, Task::Larft { k }, &[], &[t])?;
        }
        for j in first..columns {
            match form {
                _ if tiles.stacked => add(step, Task::Unmqr { k, j }, &[t], &[of(0, j)])?,
                Form::Adjoint => {
                    add(step, Task::Unmqr { k, j }, &[], &[of(k, j)])?;
                    for i in k + 1..rows {
                        add(step, Task::Tsmqr { k, i, j }, &[], &[of(k, j), of(i, j)])?;
                    }
                }
                Form::Plain => {
                    for i in (k + 1..rows).rev() {
                        add(step, Task::Tsmqr { k, i, j }, &[], &[of(k, j), of(i, j)])?;
                    }
                    add(step, Task::Unmqr { k, j }, &[], &[of(k, j)])?;
                }
            }
        }
    }
    Ok((tasks, graph))
}

/// Runs `own` on the calling thread, and `help` on up to `helpers` other threads with the same floating-point modes.
/// The threads are created for the call, so that the backend's thread pool stays available to other calls for its
/// duration.
pub(super) fn with_helpers<R>(helpers: usize, help: impl Fn(usize) + Sync, own: impl FnOnce() -> R) -> R {
    let modes = Modes::current();
    let help = |i| {
        modes.set();
        help(i);
    };
    threads::beside(helpers, "tephra-tiled", &help, |_| own())
}

/// Takes part in an execution as thread number `thread`. `work` receives a function that runs a task, with scratch
/// memory for the tiles.
pub(super) fn participate<T: Scalar, R>(
    tiles: &Tiles,
    thread: usize,
    name: impl Fn(usize) -> &'static str,
    run: impl Fn(usize, &mut Scratch<T>) -> Result<(), Error>,
    work: impl FnOnce(&mut dyn FnMut(usize) -> Result<(), Error>) -> R,
) -> R {
    let (mut scratch, mut spans) = (None, vec![]);
    let result = work(&mut |task: usize| {
        if scratch.is_none() {
            scratch = Some(Scratch::new(tiles.nb, tiles.ib)?);
        }
        let start = trace::on().then(Instant::now);
        let done = scratch.as_mut().map_or(Ok(()), |scratch| run(task, scratch));
        if let Some(start) = start {
            let (name, lane) = (name(task), Lane::Thread(thread));
            push(&mut spans, Span { name, lane, start, duration: start.elapsed() })?;
        }
        done
    });
    if !spans.is_empty() {
        trace::add(spans);
    }
    result
}

/// Runs a sequence on as many threads as the CPU backend uses.
fn execute<T: Scalar>(
    tiles: &Tiles,
    (tasks, graph): &(Vec<Task>, Graph),
    look_ahead: usize,
    progress: Progress,
    run: impl Fn(Task, &mut Scratch<T>) -> Result<(), Error> + Sync,
) -> Result<(), Stop<Error>> {
    let (execution, total) = (Execution::new(graph, look_ahead)?, tasks.len());
    let name = |task: usize| tasks[task].name();
    let run = |task: usize, scratch: &mut Scratch<T>| run(tasks[task], scratch);
    let help = |thread: usize| participate(tiles, thread, name, run, |work| execution.work(work, |_| true));
    with_helpers(parts::count().min(total).saturating_sub(1), help, || {
        let report = |done: usize| done == total || progress(done, total);
        participate(tiles, 0, name, run, |work| execution.work(work, report));
    });
    execution.finish()?;
    // The last task is reported here, because any thread may have run it.
    if total == 0 || progress(total, total) { Ok(()) } else { Err(Stop::Cancelled) }
}

/// Factors A.
///
/// # Safety
/// A must be m x n, and T as large as `tiles` says; nobody else may use them during the call.
pub unsafe fn factor<T: Scalar>(
    tiles: &Tiles,
    a: MatrixView<T>,
    t: *mut T,
    look_ahead: usize,
    progress: Progress,
) -> Result<(), Stop<Error>> {
    unsafe { factor_by(&factorisation(tiles)?, tiles, a, t, look_ahead, progress) }
}

unsafe fn factor_by<T: Scalar>(
    sequence: &(Vec<Task>, Graph),
    tiles: &Tiles,
    a: MatrixView<T>,
    t: *mut T,
    look_ahead: usize,
    progress: Progress,
) -> Result<(), Stop<Error>> {
    let (a, t) = (Shared(a), Shared(MatrixView { p: t, ld: tiles.ib }));
    for (i, x) in tiles.head().into_iter().enumerate() {
        unsafe { t.view().at(i, 0).set(0, 0, real(x)) };
    }
    execute(tiles, sequence, look_ahead, progress, |task, scratch| {
        let tile = |i: usize, j: usize| a.view().at(i * tiles.nb, j * tiles.nb);
        let t = |i, k| t.view().at(tiles.t(i, k), 0);
        let (height, width) = (|i: usize| tiles.row(i).len(), |j: usize| tiles.column(j).len());
        // SAFETY: concurrent tasks use different tiles or only read them; the kernels document which part of a diagonal
        // tile they use.
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

/// C := op(Q) C for n columns, where Q has as many reflectors as `tiles` has columns. If `unit`, C is first set to the
/// first n columns of the identity.
///
/// # Safety
/// A must be m x k and C m x n, and T as [`factor`] left it; nobody else may use them during the call.
pub unsafe fn apply<T: Scalar>(
    tiles: &Tiles,
    form: Form,
    a: MatrixView<T>,
    t: *mut T,
    (n, c): (usize, MatrixView<T>),
    unit: bool,
) -> Result<(), Stop<Error>> {
    unsafe { apply_by(&application(tiles, form, n, unit)?, tiles, form, a, t, (n, c)) }
}

unsafe fn apply_by<T: Scalar>(
    sequence: &(Vec<Task>, Graph),
    tiles: &Tiles,
    form: Form,
    a: MatrixView<T>,
    t: *mut T,
    (n, c): (usize, MatrixView<T>),
) -> Result<(), Stop<Error>> {
    // For stacked tiles, T holds scalar factors only.
    let mut memory = filled(if tiles.stacked { tiles.ib * tiles.steps() * tiles.nb } else { 0 }, T::zero())?;
    let formed = Shared(MatrixView { p: memory.as_mut_ptr(), ld: tiles.ib });
    let (a, t, c) = (Shared(a), Shared(MatrixView { p: t, ld: tiles.ib }), Shared(c));
    execute(tiles, sequence, usize::MAX, &|_, _| true, |task, scratch| {
        let tile = |i: usize, j: usize| a.view().at(i * tiles.nb, j * tiles.nb);
        let (below, formed) = (|k: usize| tiles.m - k * tiles.nb, |k: usize| formed.view().at(0, k * tiles.nb));
        let reflectors = |k: usize| tiles.row(k).len().min(tiles.column(k).len());
        let tau = |k: usize| t.view().at(HEAD + k * tiles.nb, 0);
        let t = |i, k| t.view().at(tiles.t(i, k), 0);
        let block = |i: usize, j: usize| c.view().at(i * tiles.nb, j * WIDTH);
        let width = |j: usize| WIDTH.min(n - j * WIDTH);
        // SAFETY: concurrent tasks use different parts of C, and all of them only read A and T.
        unsafe {
            match task {
                Task::Larft { k } => kernels::larft(below(k), reflectors(k), tile(k, k), tau(k), formed(k), tiles.ib),
                Task::Unmqr { k, j } if tiles.stacked => {
                    let sizes = [below(k), width(j), reflectors(k)];
                    kernels::unmqr_stacked(form, sizes, tile(k, k), formed(k), block(k, j), scratch)
                }
                Task::Unmqr { k, j } => {
                    let sizes = [tiles.row(k).len(), width(j), reflectors(k)];
                    kernels::unmqr(form, sizes, tile(k, k), t(k, k), block(k, j), scratch)
                }
                Task::Tsmqr { k, i, j } => {
                    let sizes = [tiles.row(i).len(), width(j), tiles.column(k).len()];
                    kernels::tsmqr(form, sizes, tile(i, k), t(i, k), [block(k, j), block(i, j)], scratch)
                }
                Task::Unit { j } => {
                    for column in j * WIDTH..j * WIDTH + width(j) {
                        for i in 0..tiles.m {
                            c.view().set(i, column, if i == column { T::one() } else { T::zero() });
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
