//! A device for tests, whose lanes execute their work in a random order and pace that the events permit.

use super::device::{Copy, Device, EventId, Lane};
use std::cell::RefCell;
use std::collections::VecDeque;
use tephra_core::backend::cpu;
use tephra_core::face::call::{self, WorkspaceSource};
use tephra_core::{Error, Operation, Stream};

/// A pseudorandom number generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    pub fn number(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0
    }
}

enum Task {
    Copy(Copy),
    Run(Box<Operation>),
    /// Completes an event for the given time (an event may be recorded repeatedly).
    Record(EventId, usize),
    Wait(EventId, usize),
}

struct State {
    lanes: [VecDeque<Task>; 3],
    /// For each event, how often it was recorded and how often it was completed.
    events: Vec<(usize, usize)>,
    random: Random,
}

impl State {
    fn do_one(&mut self) -> bool {
        let may_go = |lane: &VecDeque<Task>| match lane.front() {
            None => false,
            Some(&Task::Wait(event, count)) => self.events[event].1 >= count,
            Some(_) => true,
        };
        let may: Vec<usize> = (0..3).filter(|&lane| may_go(&self.lanes[lane])).collect();
        if may.is_empty() {
            return false;
        }
        let lane = may[self.random.below(may.len())];
        match self.lanes[lane].pop_front() {
            // SAFETY: the schedule guarantees that the copy is valid, which is what these tests check.
            Some(Task::Copy(Copy { to, to_pitch, from, from_pitch, width, columns })) => unsafe {
                for j in 0..columns {
                    to.add(j * to_pitch).copy_from_nonoverlapping(from.add(j * from_pitch), width);
                }
            },
            Some(Task::Run(op)) => compute(&op),
            Some(Task::Record(event, count)) => self.events[event].1 = count,
            _ => {}
        }
        true
    }
}

/// Runs an operation on the CPU backend.
pub fn compute(op: &Operation) {
    let done = unsafe { call::run("test", cpu::runtime(), op, Stream(std::ptr::null_mut()), WorkspaceSource::Library) };
    assert_eq!(done, Ok(()));
}

/// A device that does nothing before it must.
pub struct Lazy {
    state: RefCell<State>,
    memory: Vec<Vec<u64>>,
}

impl Lazy {
    pub fn new(seed: usize) -> Lazy {
        let lanes = [VecDeque::new(), VecDeque::new(), VecDeque::new()];
        let state = RefCell::new(State { lanes, events: vec![], random: Random(seed as u64) });
        Lazy { state, memory: vec![] }
    }
}

impl Device for Lazy {
    fn alloc(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        // NaN in both precisions, so that reads of unwritten memory show up.
        self.memory.push(vec![u64::MAX; bytes.div_ceil(8)]);
        Ok(self.memory.last_mut().unwrap().as_mut_ptr().cast())
    }

    fn alloc_pinned(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        self.alloc(bytes)
    }

    fn create_events(&mut self, count: usize) -> Result<(), Error> {
        self.state.borrow_mut().events = vec![(0, 0); count];
        Ok(())
    }

    unsafe fn copy(&self, lane: Lane, copy: Copy) -> Result<(), Error> {
        self.state.borrow_mut().lanes[lane as usize].push_back(Task::Copy(copy));
        Ok(())
    }

    unsafe fn run(&self, op: &Operation) -> Result<(), Error> {
        self.state.borrow_mut().lanes[Lane::Compute as usize].push_back(Task::Run(Box::new(*op)));
        Ok(())
    }

    fn record(&self, event: EventId, lane: Lane) -> Result<(), Error> {
        let state = &mut *self.state.borrow_mut();
        state.events[event].0 += 1;
        state.lanes[lane as usize].push_back(Task::Record(event, state.events[event].0));
        Ok(())
    }

    fn wait_event(&self, lane: Lane, event: EventId) -> Result<(), Error> {
        let state = &mut *self.state.borrow_mut();
        state.lanes[lane as usize].push_back(Task::Wait(event, state.events[event].0));
        Ok(())
    }

    fn is_complete(&self, event: EventId) -> Result<bool, Error> {
        let state = &mut *self.state.borrow_mut();
        for _ in 0..state.random.below(4) {
            state.do_one();
        }
        Ok(state.events[event].0 == state.events[event].1)
    }

    fn synchronize(&self, event: EventId) -> Result<(), Error> {
        let state = &mut *self.state.borrow_mut();
        while state.events[event].0 != state.events[event].1 {
            assert!(state.do_one(), "event {event} is never complete");
        }
        Ok(())
    }
}

/// Like a real device, this one completes its work before it is destroyed.
impl Drop for Lazy {
    fn drop(&mut self) {
        while self.state.borrow_mut().do_one() {}
    }
}

/// A matrix of random numbers.
pub fn matrix(ld: usize, n: usize) -> Vec<f64> {
    let mut random = Random(7);
    (0..ld * n).map(|_| random.number()).collect()
}
