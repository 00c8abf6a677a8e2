//! Execution of the tasks of a graph by any number of threads that call [`Execution::work`].

use super::graph::Graph;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One execution of a graph.
///
/// A ready task that is not too far ahead goes to the next free thread: the one with the highest priority, and among
/// equals the earliest in sequence. Threads without a task sleep. Tasks that run on a device are external: the thread
/// that drives the device asks [`Execution::work_until_ready`] and reports [`Execution::complete_external`].
pub struct Execution<'a, E> {
    graph: &'a Graph,
    starts: Vec<usize>,
    successors: Vec<u32>,
    /// How many steps a task may be ahead of the first unfinished one.
    look_ahead: usize,
    state: Mutex<State<E>>,
    changed: Condvar,
}

struct State<E> {
    ready: BinaryHeap<(i32, Reverse<u32>)>,
    /// Ready tasks that are too far ahead, by step.
    parked: Vec<Vec<u32>>,
    waits: Vec<u32>,
    left: Vec<u32>,
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
    /// An execution in which tasks are at most `look_ahead` steps ahead of the first unfinished one.
    pub fn new(graph: &'a Graph, look_ahead: usize) -> Self {
        let (starts, successors) = graph.successors();
        let left = graph.in_steps();
        let mut state = State {
            ready: BinaryHeap::new(),
            parked: vec![Vec::new(); left.len()],
            waits: graph.waits.clone(),
            left,
            front: 0,
            done: 0,
            stopped: None,
        };
        state.advance(graph, look_ahead);
        for task in 0..graph.len() as u32 {
            // External tasks are excluded, since they have at least one wait, for their report.
            if state.waits[task as usize] == 0 {
                state.add(graph, look_ahead, task);
            }
        }
        Execution { graph, starts, successors, look_ahead, state: Mutex::new(state), changed: Condvar::new() }
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
        let mut done = vec![task];
        while let Some(task) = done.pop() {
            state.done += 1;
            state.left[self.graph.step(task)] -= 1;
            for &next in &self.successors[self.starts[task as usize]..self.starts[task as usize + 1]] {
                state.waits[next as usize] -= 1;
                match (state.waits[next as usize], self.graph.is_external(next)) {
                    (0, false) => state.add(self.graph, self.look_ahead, next),
                    // This task was reported before.
                    (0, true) => done.push(next),
                    // A thread may be waiting to begin this task.
                    (1, true) => self.changed.notify_all(),
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
    /// Adds a task that has no more waits.
    fn add(&mut self, graph: &Graph, look_ahead: usize, task: u32) {
        let step = graph.step(task);
        if step > self.front.saturating_add(look_ahead) {
            self.parked[step].push(task);
        } else {
            self.ready.push((graph.priority(task), Reverse(task)));
        }
    }

    /// Moves past finished steps, and releases tasks that are no longer too far ahead.
    fn advance(&mut self, graph: &Graph, look_ahead: usize) {
        while self.front < self.left.len() && self.left[self.front] == 0 {
            self.front += 1;
            let step = self.front.saturating_add(look_ahead);
            for task in self.parked.get_mut(step).map(std::mem::take).unwrap_or_default() {
                self.ready.push((graph.priority(task), Reverse(task)));
            }
        }
    }
}

#[cfg(test)]
#[path = "execute_tests.rs"]
mod tests;
