//! Ranks that are threads of this process. Each has a device, or on the CPU backend a share of the rows.

use super::nccl::Nccl;
use super::staged::{HostCollectives, Staged};
use super::{Context, RECORD, Transport};
use crate::failure::Failure;
use crate::memory::{collected, filled, reserve, reserved};
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, Instant};
use tephra_core::Error;
use tephra_core::backend::{Kind, Runtime};

/// How long a rank polls for the others before it sleeps.
const POLL_TIME: Duration = Duration::from_micros(50);

/// A rendezvous: each rank deposits a message and reads those of all ranks.
struct Rendezvous {
    size: usize,
    /// The message of each rank. Only that rank writes it, and not while others may be reading it.
    messages: Vec<RwLock<Message>>,
    state: Mutex<State>,
    changed: Condvar,
}

/// What a rank deposits.
struct Message {
    /// Kept between rounds, so that the room made for a message is there whatever was exchanged before it.
    bytes: Vec<u8>,
    /// False if the rank had no memory for its message.
    there: bool,
}

#[derive(Default)]
struct State {
    /// Which ranks have deposited their message.
    arrived: Vec<bool>,
    /// Set when all messages are there, until every rank has read them.
    complete: bool,
    received: usize,
    /// Set when a rank has timed out, so that ranks that arrive later do not wait as well.
    broken: bool,
}

fn broken() -> Failure {
    Failure::Communication("a rank did not arrive in time, at this or an earlier call".into())
}

impl Rendezvous {
    /// There is room for each rank's record from the beginning.
    fn new(size: usize) -> Result<Arc<Rendezvous>, Error> {
        let mut messages = reserved(size)?;
        for _ in 0..size {
            messages.push(RwLock::new(Message { bytes: reserved(size_of::<[u64; RECORD]>())?, there: false }));
        }
        let state = Mutex::new(State { arrived: filled(size, false)?, ..State::default() });
        Ok(Arc::new(Rendezvous { size, messages, state, changed: Condvar::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for `ready`, at most until the time `until`.
    fn wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        until: Instant,
        ready: impl Fn(&State) -> bool,
    ) -> Result<MutexGuard<'a, State>, Failure> {
        let asked = Instant::now();
        loop {
            // A rank that is late to take what has arrived gets it, even if another rank has timed out since.
            if ready(&state) {
                return Ok(state);
            }
            if state.broken {
                return Err(broken());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let missing = state.arrived.iter().position(|arrived| !arrived);
                state.broken = true;
                self.changed.notify_all();
                let who = missing.map_or("a rank".into(), |rank| format!("rank {rank}"));
                return Err(Failure::Communication(format!("{who} did not arrive in time")));
            }
            // Ranks that arrive at about the same time meet without a system call, which would take as long as a small
            // call.
            if asked.elapsed() < POLL_TIME {
                drop(state);
                std::thread::yield_now();
                state = self.lock();
                continue;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// This rank's message, to be changed.
    fn message(&self, rank: usize) -> RwLockWriteGuard<'_, Message> {
        self.messages[rank].write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deposits the message that `write` appends to an empty list, and passes those of all ranks to `take`, in order. A
    /// rank without memory for its message takes part as well, so that the others need not wait for it, and returns its
    /// own error.
    fn exchange(
        &self,
        rank: usize,
        timeout: Duration,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
        mut take: impl FnMut(usize, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let until = Instant::now() + timeout;
        // Until then, other ranks may be reading this rank's previous message.
        let open = |state: &State| !state.broken && !state.complete && !state.arrived[rank];
        drop(self.wait(self.lock(), until, open)?);
        let mut message = self.message(rank);
        message.bytes.clear();
        let own = write(&mut message.bytes);
        message.there = own.is_ok();
        drop(message);
        let mut state = self.lock();
        if state.broken {
            return Err(broken());
        }
        state.arrived[rank] = true;
        if state.arrived.iter().all(|&arrived| arrived) {
            state.complete = true;
            self.changed.notify_all();
        }
        drop(self.wait(state, until, |state| state.complete)?);
        let taken = self.messages.iter().enumerate().try_for_each(|(rank, message)| {
            let message = message.read().unwrap_or_else(PoisonError::into_inner);
            match message.there {
                true => take(rank, &message.bytes),
                false => Err(Failure::Communication(format!("rank {rank} has no memory for its message"))),
            }
        });
        let mut state = self.lock();
        state.received += 1;
        if state.received == self.size {
            (state.received, state.complete) = (0, false);
            state.arrived.fill(false);
            self.changed.notify_all();
        }
        drop(state);
        own.map_err(Failure::from).and(taken)
    }
}

/// One rank's access to the rendezvous.
struct Participant {
    rank: usize,
    rendezvous: Arc<Rendezvous>,
}

fn copy(to: &mut Vec<u8>, from: &[u8]) -> Result<(), Error> {
    reserve(to, from.len())?;
    to.extend_from_slice(from);
    Ok(())
}

fn copy_of_same_size(to: &mut [u8], from: &[u8]) -> Result<(), Failure> {
    if to.len() != from.len() {
        return Err(Failure::Communication("the ranks' messages have different sizes".into()));
    }
    to.copy_from_slice(from);
    Ok(())
}

impl HostCollectives for Participant {
    fn make_room(&self, bytes: usize) -> Result<(), Error> {
        // Other ranks may still have to read the previous message, which stays.
        let room = &mut self.rendezvous.message(self.rank).bytes;
        reserve(room, bytes.saturating_sub(room.len()))
    }

    fn gather(&self, mine: &[u8], all: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let bytes = mine.len();
        let take = |rank: usize, message: &[u8]| copy_of_same_size(&mut all[rank * bytes..][..bytes], message);
        self.rendezvous.exchange(self.rank, timeout, |room| copy(room, mine), take)
    }

    fn broadcast(&self, buffer: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let Participant { rank, rendezvous } = self;
        if *rank == 0 {
            return rendezvous.exchange(0, timeout, |room| copy(room, buffer), |_, _| Ok(()));
        }
        let take = |rank: usize, message: &[u8]| if rank == 0 { copy_of_same_size(buffer, message) } else { Ok(()) };
        rendezvous.exchange(*rank, timeout, |_| Ok(()), take)
    }
}

/// Threads that agree through a rendezvous, and whose devices exchange messages through NCCL.
struct Devices {
    participant: Staged<Participant>,
    nccl: Nccl,
}

impl Transport for Devices {
    fn waits_on_the_device(&self) -> bool {
        true
    }
    fn agree(&self, context: &Context, mine: &[u8], all: &mut [u8]) -> Result<(), Failure> {
        self.participant.collectives().gather(mine, all, context.timeout)
    }
    unsafe fn gather(
        &self,
        context: &Context,
        send: *const c_void,
        receive: *mut c_void,
        bytes: usize,
    ) -> Result<(), Failure> {
        unsafe { self.nccl.gather(context, send, receive, bytes) }
    }
    unsafe fn broadcast(&self, context: &Context, buffer: *mut c_void, bytes: usize) -> Result<(), Failure> {
        unsafe { self.nccl.broadcast(context, buffer, bytes) }
    }
}

/// Creates a transport for each rank. If NCCL is unavailable, or if several ranks share a device, messages pass through
/// host memory.
pub fn create_all(runtime: &'static dyn Runtime, devices: &[c_int]) -> Result<Vec<Box<dyn Transport>>, Failure> {
    let size = devices.len();
    let rendezvous = Rendezvous::new(size)?;
    let participant = |rank| Staged::new(Participant { rank, rendezvous: rendezvous.clone() }, size);
    let mut distinct = collected(devices.iter().copied())?;
    distinct.sort_unstable();
    distinct.dedup();
    let connected = if runtime.kind() == Kind::Cuda && distinct.len() == size && size > 1 {
        Nccl::create_all(runtime, devices)?
    } else {
        None
    };
    let mut transports: Vec<Box<dyn Transport>> = reserved(size)?;
    match connected {
        Some(nccl) => {
            for (rank, nccl) in nccl.into_iter().enumerate() {
                transports.push(Box::new(Devices { participant: participant(rank), nccl }));
            }
        }
        None => {
            for rank in 0..size {
                transports.push(Box::new(participant(rank)));
            }
        }
    }
    Ok(transports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::Cell;

    fn participants(size: usize) -> Vec<Participant> {
        let rendezvous = Rendezvous::new(size).unwrap();
        (0..size).map(|rank| Participant { rank, rendezvous: rendezvous.clone() }).collect()
    }

    #[test]
    fn each_round_has_its_own_parcels() {
        let participants = participants(5);
        std::thread::scope(|scope| {
            for participant in participants {
                scope.spawn(move || {
                    for round in 0..2000u32 {
                        if (round as usize * 7 + participant.rank * 3).is_multiple_of(11) {
                            std::thread::yield_now();
                        }
                        let mine = [round.to_le_bytes(), (participant.rank as u32).to_le_bytes()].concat();
                        let mut all = vec![0; 8 * 5];
                        participant.gather(&mine, &mut all, Duration::from_secs(20)).unwrap();
                        for (rank, message) in all.chunks_exact(8).enumerate() {
                            assert_eq!(message, [round.to_le_bytes(), (rank as u32).to_le_bytes()].concat());
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn who_waits_in_vain_is_told_and_so_are_all_later_ones() {
        let participants = participants(3);
        let short = Duration::from_millis(50);
        let failures: Vec<_> = std::thread::scope(|scope| {
            let come = |participant: &'static str, place: usize| {
                let other = Participant { rank: place, rendezvous: participants[0].rendezvous.clone() };
                scope.spawn(move || (participant, other.gather(&[1], &mut [0; 3], short)))
            };
            [come("a", 0), come("b", 2)].map(|thread| thread.join().unwrap().1.unwrap_err()).into()
        });
        assert!(failures.iter().any(|f| f.to_string() == "rank 1 did not arrive in time"), "{failures:?}");
        let started = Instant::now();
        participants[1].gather(&[1], &mut [0; 3], Duration::from_secs(60)).unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_all() {
        let [one, another]: [Participant; 2] = participants(2).try_into().ok().unwrap();
        std::thread::scope(|scope| {
            let other = scope.spawn(move || another.gather(&[1, 2], &mut [0; 4], Duration::from_secs(20)));
            one.gather(&[1], &mut [0; 2], Duration::from_secs(20)).unwrap_err();
            other.join().unwrap().unwrap_err();
        });
    }

    #[test]
    fn who_has_no_memory_for_its_message_takes_part() {
        let [one, another]: [Participant; 2] = participants(2).try_into().ok().unwrap();
        let wait = Duration::from_secs(20);
        std::thread::scope(|scope| {
            let other = scope.spawn(move || {
                let refuse = |_: &mut Vec<u8>| Err(Error::OutOfMemory("none".into()));
                let failure = another.rendezvous.exchange(1, wait, refuse, |_, _| Ok(())).unwrap_err();
                assert!(matches!(failure, Failure::Library(Error::OutOfMemory(_))));
                another.gather(&[2], &mut [0; 2], wait)
            });
            let failure = one.gather(&[1], &mut [0; 2], wait).unwrap_err();
            assert_eq!(failure.to_string(), "rank 1 has no memory for its message");
            // Both can be used again.
            let mut all = [0; 2];
            one.gather(&[1], &mut all, wait).unwrap();
            other.join().unwrap().unwrap();
            assert_eq!(all, [1, 2]);
        });
    }

    #[test]
    fn the_room_for_a_message_outlasts_the_agreement() {
        const SMALL: usize = size_of::<[u64; RECORD]>();
        const LARGE: usize = 100_000;
        let wait = Duration::from_secs(20);
        std::thread::scope(|scope| {
            for participant in participants(2) {
                scope.spawn(move || {
                    let record = [participant.rank as u8; SMALL];
                    let (mut records, mut all) = ([0; 2 * SMALL], vec![0; 2 * LARGE]);
                    let (mine, mut result) = (vec![7; LARGE], vec![participant.rank as u8; LARGE]);
                    participant.make_room(LARGE).unwrap();
                    let before = ALLOCATIONS.get();
                    participant.gather(&record, &mut records, wait).unwrap();
                    participant.gather(&mine, &mut all, wait).unwrap();
                    participant.broadcast(&mut result, wait).unwrap();
                    assert_eq!(ALLOCATIONS.get() - before, 0);
                    assert!(records[..SMALL] == [0; SMALL] && records[SMALL..] == [1; SMALL]);
                    assert!(all == [7; 2 * LARGE] && result == [0; LARGE]);
                });
            }
        });
    }

    thread_local! {
        /// How often this thread has allocated memory.
        static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    }

    struct Counting;

    // SAFETY: every call goes to the system's allocator; only a counter is added.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            ALLOCATIONS.set(ALLOCATIONS.get() + 1);
            // SAFETY: the requirements are passed on to the caller.
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
            // SAFETY: the requirements are passed on to the caller.
            unsafe { System.dealloc(p, layout) }
        }
    }

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;
}
