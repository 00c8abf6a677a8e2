//! Execution of the tasks of a graph by any number of threads that call [`Execution::work`].

use super::graph::Graph;
use super::primitives::{Condvar, Mutex, MutexGuard};
use crate::memory;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::PoisonError;
use tephra_core::Error;

/// One execution of a graph.
///
/// A ready task that is not too far ahead goes to the next free thread: the one with the highest priority, and among
/// equals the earliest in sequence. Threads without a task sleep. Tasks that run on a device are external: the thread
/// that drives the device asks [`Execution::work_until_ready`] and reports [`Execution::complete_external`].
pub struct Execution<'a, E> {
    graph: &'a Graph,
    /// The successors of all tasks, one task's after another's, and where each task's begin. Side by side they are
    /// faster to read than the graph's lists.
    successors: Vec<u32>,
    starts: Vec<usize>,
    /// How many steps a task may be ahead of the first unfinished one.
    look_ahead: usize,
    state: Mutex<State<E>>,
    changed: Condvar,
}

/// All lists have their full capacity from the start, so tasks run without allocations, which could fail.
struct State<E> {
    ready: BinaryHeap<(i32, Reverse<u32>)>,
    /// Tasks that are finished and whose successors are yet to be released. Empty between calls.
    finished: Vec<u32>,
    waits: Vec<u32>,
    /// Number of unfinished tasks in each step.
    left: Vec<u32>,
    /// The tasks from this one on are too far ahead. Since steps never decrease, they are the last ones.
    ahead: u32,
    /// The first unfinished step.
    front: usize,
    done: usize,
    stopped: Option<Stopped<E>>,
}

enum Stopped<E> {
    Failed(E),
    Cancelled,
    Panicked(Box<dyn Any + Send>),
}

/// Why not all tasks were run.
#[derive(Debug, PartialEq)]
pub enum Stop<E> {
    /// A task failed. This is the first failure.
    Failed(E),
    /// The execution was cancelled.
    Cancelled,
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Stop::Failed(error)
    }
}

impl<'a, E> Execution<'a, E> {
    /// An execution in which tasks are at most `look_ahead` steps ahead of the first unfinished one. Fails if there is
    /// no memory for it.
    pub fn new(graph: &'a Graph, look_ahead: usize) -> Result<Self, Error> {
        let tasks = 0..graph.len() as u32;
        let mut left = memory::filled(graph.steps(), 0)?;
        tasks.clone().for_each(|task| left[graph.step(task)] += 1);
        let waits = memory::collected(tasks.clone().map(|task| graph.waits(task)))?;
        let mut successors = memory::reserved(waits.iter().map(|waits| *waits as usize).sum())?;
        let mut starts = memory::reserved(graph.len() + 1)?;
        for task in tasks.clone() {
            starts.push(successors.len());
            successors.extend(graph.successors(task));
        }
        starts.push(successors.len());
        let external = tasks.filter(|task| graph.is_external(*task)).count();
        let mut state = State {
            ready: BinaryHeap::from(memory::reserved(graph.len())?),
            finished: memory::reserved(1 + external)?,
            waits,
            left,
            ahead: 0,
            front: 0,
            done: 0,
            stopped: None,
        };
        state.advance(graph, look_ahead);
        Ok(Execution { graph, successors, starts, look_ahead, state: Mutex::new(state), changed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State<E>> {
        // No task runs with the lock held, so the state is consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs tasks until none is left or the execution stops. After each task, `progress` is called with the number of
    /// finished tasks; returning false cancels the execution.
    ///
    /// A panic stops the execution as well; [`Execution::finish`] resumes it.
    pub fn work(&self, run: impl FnMut(usize) -> Result<(), E>, progress: impl FnMut(usize) -> bool) {
        self.work_while(|state| state.done < self.graph.len(), run, progress);
    }

    /// Runs tasks until everything that an external task needs is finished. Returns false if the execution has stopped.
    pub fn work_until_ready(&self, task: usize, run: impl FnMut(usize) -> Result<(), E>) -> bool {
        self.work_while(|state| state.waits[task] > 1, run, |_| true);
        !self.is_stopped()
    }

    fn work_while(
        &self,
        is_left: impl Fn(&State<E>) -> bool,
        mut run: impl FnMut(usize) -> Result<(), E>,
        mut progress: impl FnMut(usize) -> bool,
    ) {
        let mut state = self.lock();
        while is_left(&state) && state.stopped.is_none() {
            let Some((_, Reverse(task))) = state.ready.pop() else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let outcome = catch_unwind(AssertUnwindSafe(|| run(task as usize)));
            state = self.lock();
            let stop = match outcome {
                Ok(Ok(())) => {
                    // This thread takes one of the newly ready tasks itself.
                    let ready = self.complete(&mut state, task);
                    (1..ready).for_each(|_| self.changed.notify_one());
                    None
                }
                Ok(Err(error)) => Some(Stopped::Failed(error)),
                Err(panic) => Some(Stopped::Panicked(panic)),
            };
            let done = state.done;
            let stop = match stop {
                None => {
                    drop(state);
                    let outcome = catch_unwind(AssertUnwindSafe(|| progress(done)));
                    state = self.lock();
                    match outcome {
                        Ok(true) => None,
                        Ok(false) => Some(Stopped::Cancelled),
                        Err(panic) => Some(Stopped::Panicked(panic)),
                    }
                }
                stop => stop,
            };
            state.stopped = state.stopped.take().or(stop);
        }
        self.changed.notify_all();
    }

    /// Reports that an external task is finished.
    pub fn complete_external(&self, task: usize) {
        let mut state = self.lock();
        state.waits[task] -= 1;
        if state.waits[task] == 0 {
            self.complete(&mut state, task as u32);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Stops the execution, because external tasks will no longer be run.
    pub fn stop_external(&self) {
        let mut state = self.lock();
        state.stopped.get_or_insert(Stopped::Cancelled);
        drop(state);
        self.changed.notify_all();
    }

    /// Whether the execution was stopped.
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped.is_some()
    }

    /// Releases the successors of a finished task. Returns how many tasks became ready.
    fn complete(&self, state: &mut State<E>, task: u32) -> usize {
        let before = state.ready.len();
        state.finished.push(task);
        while let Some(task) = state.finished.pop() {
            state.done += 1;
            state.left[self.graph.step(task)] -= 1;
            for &next in &self.successors[self.starts[task as usize]..self.starts[task as usize + 1]] {
                state.waits[next as usize] -= 1;
                match state.waits[next as usize] {
                    // This task was reported before.
                    0 if self.graph.is_external(next) => state.finished.push(next),
                    0 if next < state.ahead => state.ready.push((self.graph.priority(next), Reverse(next))),
                    // A thread may be waiting to begin this task.
                    1 if self.graph.is_external(next) => self.changed.notify_all(),
                    _ => {}
                }
            }
        }
        state.advance(self.graph, self.look_ahead);
        state.ready.len() - before
    }

    /// The outcome. Call it when all threads have returned.
    pub fn finish(self) -> Result<(), Stop<E>> {
        match self.state.into_inner().unwrap_or_else(PoisonError::into_inner).stopped {
            None => Ok(()),
            Some(Stopped::Failed(error)) => Err(Stop::Failed(error)),
            Some(Stopped::Cancelled) => Err(Stop::Cancelled),
            Some(Stopped::Panicked(panic)) => resume_unwind(panic),
        }
    }
}

impl<E> State<E> {
    /// Moves past finished steps, and releases tasks that are no longer too far ahead.
    fn advance(&mut self, graph: &Graph, look_ahead: usize) {
        while self.front < self.left.len() && self.left[self.front] == 0 {
            self.front += 1;
        }
        let last = self.front.saturating_add(look_ahead);
        while (self.ahead as usize) < graph.len() && graph.step(self.ahead) <= last {
            // An external task without waits is already finished.
            if self.waits[self.ahead as usize] == 0 && !graph.is_external(self.ahead) {
                self.ready.push((graph.priority(self.ahead), Reverse(self.ahead)));
            }
            self.ahead += 1;
        }
    }
}
