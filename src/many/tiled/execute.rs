//! The tasks of a graph, done by however many threads call [`Execution::work`].

use super::graph::Graph;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One run through a graph.
///
/// A task that is ready, and not too far ahead, goes to the next free thread, the highest priority first and among equals
/// the earliest in sequence. Threads that have nothing to do sleep. Tasks that a device does are told of from outside
/// ([`Execution::may_begin`], [`Execution::done_outside`]).
pub struct Execution<'a, E> {
    graph: &'a Graph,
    starts: Vec<usize>,
    successors: Vec<u32>,
    /// Steps that a task may be ahead of the first step that is not finished.
    ahead: usize,
    state: Mutex<State<E>>,
    changed: Condvar,
}

struct State<E> {
    ready: BinaryHeap<(i32, Reverse<u32>)>,
    /// Ready, but too far ahead; by step.
    parked: Vec<Vec<u32>>,
    waits: Vec<u32>,
    left: Vec<u32>,
    /// The first step that is not finished.
    front: usize,
    done: usize,
    stopped: Option<Stopped<E>>,
}

enum Stopped<E> {
    Failed(E),
    Cancelled,
    Panicked(Box<dyn Any + Send>),
}

/// Why not all tasks were done.
#[derive(Debug, PartialEq)]
pub enum Stop<E> {
    /// A task failed, the first one that did.
    Failed(E),
    /// It was cancelled.
    Cancelled,
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Stop::Failed(error)
    }
}

impl<'a, E> Execution<'a, E> {
    /// A run in which tasks are at most `ahead` steps ahead of the first one that is not finished.
    pub fn new(graph: &'a Graph, ahead: usize) -> Self {
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
        state.advance(graph, ahead);
        for task in 0..graph.len() as u32 {
            // One from outside waits for that, at least.
            if state.waits[task as usize] == 0 {
                state.add(graph, ahead, task);
            }
        }
        Execution { graph, starts, successors, ahead, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<E>> {
        // No task runs under the lock, so that nothing is half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until none is left or the run stops. After each, `go_on` is told how many are done: false cancels the run.
    ///
    /// A panic stops the run, too; [`Execution::finish`] goes on with it.
    pub fn work(&self, run: impl FnMut(usize) -> Result<(), E>, go_on: impl FnMut(usize) -> bool) {
        self.work_while(|state| state.done < self.graph.len(), run, go_on);
    }

    /// Does tasks until one from outside may begin, as all that it needs is done; false: the run has stopped.
    pub fn may_begin(&self, task: usize, run: impl FnMut(usize) -> Result<(), E>) -> bool {
        self.work_while(|state| state.waits[task] > 1, run, |_| true);
        !self.is_stopped()
    }

    fn work_while(
        &self,
        is_left: impl Fn(&State<E>) -> bool,
        mut run: impl FnMut(usize) -> Result<(), E>,
        mut go_on: impl FnMut(usize) -> bool,
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
                    // One of those that are ready now is for this thread.
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
                    let outcome = catch_unwind(AssertUnwindSafe(|| go_on(done)));
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

    /// A task from outside is done.
    pub fn done_outside(&self, task: usize) {
        let mut state = self.lock();
        state.waits[task] -= 1;
        if state.waits[task] == 0 {
            self.complete(&mut state, task as u32);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Who does the tasks from outside does no more: the run is over.
    pub fn stop_outside(&self) {
        let mut state = self.lock();
        state.stopped.get_or_insert(Stopped::Cancelled);
        drop(state);
        self.changed.notify_all();
    }

    /// Whether the run was stopped.
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped.is_some()
    }

    /// What follows a task; tells how many tasks became ready.
    fn complete(&self, state: &mut State<E>, task: u32) -> usize {
        let before = state.ready.len();
        let mut done = vec![task];
        while let Some(task) = done.pop() {
            state.done += 1;
            state.left[self.graph.step(task)] -= 1;
            for &next in &self.successors[self.starts[task as usize]..self.starts[task as usize + 1]] {
                state.waits[next as usize] -= 1;
                match (state.waits[next as usize], self.graph.is_outside(next)) {
                    (0, false) => state.add(self.graph, self.ahead, next),
                    // It was told of before.
                    (0, true) => done.push(next),
                    // Somebody may wait to begin it.
                    (1, true) => self.changed.notify_all(),
                    _ => {}
                }
            }
        }
        state.advance(self.graph, self.ahead);
        state.ready.len() - before
    }

    /// How it went, when all threads are back.
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
    /// A task that waits for no other any more.
    fn add(&mut self, graph: &Graph, ahead: usize, task: u32) {
        let step = graph.step(task);
        if step > self.front.saturating_add(ahead) {
            self.parked[step].push(task);
        } else {
            self.ready.push((graph.priority(task), Reverse(task)));
        }
    }

    /// Passes the steps that are finished, and lets in what is no longer too far ahead.
    fn advance(&mut self, graph: &Graph, ahead: usize) {
        while self.front < self.left.len() && self.left[self.front] == 0 {
            self.front += 1;
            let step = self.front.saturating_add(ahead);
            for task in self.parked.get_mut(step).map(std::mem::take).unwrap_or_default() {
                self.ready.push((graph.priority(task), Reverse(task)));
            }
        }
    }
}

#[cfg(test)]
#[path = "execute_tests.rs"]
mod tests;
