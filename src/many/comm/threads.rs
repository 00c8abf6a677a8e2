//! Ranks that are threads of this process. Each has a device, or on the CPU backend a share of the rows.

use super::nccl::Nccl;
use super::staged::{HostCollectives, Staged};
use super::{Context, Transport};
use crate::failure::Failure;
use crate::memory::{collected, filled, reserve, reserved};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tephra_core::Error;
use tephra_core::backend::{Kind, Runtime};

/// How long a rank polls for the others before it sleeps.
const POLL_TIME: Duration = Duration::from_micros(50);

/// A rendezvous: each rank deposits a message and receives those of all ranks.
struct Rendezvous {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// What a rank deposits: `None` if it had no memory for its message.
type Message = Option<Arc<Vec<u8>>>;

#[derive(Default)]
struct State {
    messages: Vec<Message>,
    /// Which ranks have deposited their message.
    arrived: Vec<bool>,
    /// Set when all messages are there, until every rank has received them.
    complete: bool,
    received: usize,
    /// Set when a rank has timed out, so that ranks that arrive later do not wait as well.
    broken: bool,
}

fn broken() -> Failure {
    Failure::Communication("a rank did not arrive in time, at this or an earlier call".into())
}

impl Rendezvous {
    fn new(size: usize) -> Result<Arc<Rendezvous>, Error> {
        let (messages, arrived) = (filled(size, None)?, filled(size, false)?);
        let state = State { messages, arrived, ..State::default() };
        Ok(Arc::new(Rendezvous { size, state: Mutex::new(state), changed: Condvar::new() }))
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

    /// Deposits this rank's message, and appends those of all ranks to `all`, an empty list with room for them. A rank
    /// without memory for its message takes part as well, so that the others need not wait for it, and returns its own
    /// error.
    fn exchange(
        &self,
        rank: usize,
        mine: Result<Vec<u8>, Error>,
        timeout: Duration,
        all: &mut Vec<Message>,
    ) -> Result<(), Failure> {
        let until = Instant::now() + timeout;
        let (mine, own) = match mine {
            Ok(message) => (Some(Arc::new(message)), Ok(())),
            Err(error) => (None, Err(error)),
        };
        let open = |state: &State| state.broken || (!state.complete && !state.arrived[rank]);
        let mut state = self.wait(self.lock(), until, open)?;
        if state.broken {
            return Err(broken());
        }
        state.messages[rank] = mine;
        state.arrived[rank] = true;
        if state.arrived.iter().all(|&arrived| arrived) {
            state.complete = true;
            self.changed.notify_all();
        }
        let mut state = self.wait(state, until, |state| state.complete)?;
        all.extend_from_slice(&state.messages);
        state.received += 1;
        if state.received == self.size {
            (state.received, state.complete) = (0, false);
            state.arrived.fill(false);
            state.messages.fill(None);
            self.changed.notify_all();
        }
        drop(state);
        own.map_err(Failure::from)
    }
}

/// One rank's access to the rendezvous.
struct Participant {
    rank: usize,
    rendezvous: Arc<Rendezvous>,
    /// Room for this rank's next message.
    room: Cell<Vec<u8>>,
    /// Room for the messages of all ranks, empty between calls.
    list: Cell<Vec<Message>>,
}

impl Participant {
    fn new(rank: usize, rendezvous: &Arc<Rendezvous>) -> Result<Participant, Error> {
        let list = Cell::new(reserved(rendezvous.size)?);
        Ok(Participant { rank, rendezvous: rendezvous.clone(), room: Cell::default(), list })
    }

    fn copy(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut copy = self.room.take();
        reserve(&mut copy, message.len())?;
        copy.extend_from_slice(message);
        Ok(copy)
    }

    /// Exchanges messages, and passes those of all ranks to `take`, in order.
    fn exchange(
        &self,
        mine: Result<Vec<u8>, Error>,
        timeout: Duration,
        mut take: impl FnMut(usize, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut list = self.list.take();
        let done = self.rendezvous.exchange(self.rank, mine, timeout, &mut list);
        let done = done.and_then(|()| {
            list.iter().enumerate().try_for_each(|(rank, message)| match message {
                Some(message) => take(rank, message),
                None => Err(Failure::Communication(format!("rank {rank} has no memory for its message"))),
            })
        });
        list.clear();
        self.list.set(list);
        done
    }
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
        let mut room = self.room.take();
        let made = reserve(&mut room, bytes);
        self.room.set(room);
        made
    }

    fn gather(&self, mine: &[u8], all: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let bytes = mine.len();
        let take = |rank: usize, message: &[u8]| copy_of_same_size(&mut all[rank * bytes..][..bytes], message);
        self.exchange(self.copy(mine), timeout, take)
    }

    fn broadcast(&self, buffer: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let mine = if self.rank == 0 { self.copy(buffer) } else { Ok(vec![]) };
        let take = |rank: usize, message: &[u8]| if rank == 0 { copy_of_same_size(buffer, message) } else { Ok(()) };
        self.exchange(mine, timeout, take)
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
    let participant = |rank| Ok::<_, Error>(Staged::new(Participant::new(rank, &rendezvous)?, size));
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
                transports.push(Box::new(Devices { participant: participant(rank)?, nccl }));
            }
        }
        None => {
            for rank in 0..size {
                transports.push(Box::new(participant(rank)?));
            }
        }
    }
    Ok(transports)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn participants(size: usize) -> Vec<Participant> {
        let rendezvous = Rendezvous::new(size).unwrap();
        (0..size).map(|rank| Participant::new(rank, &rendezvous).unwrap()).collect()
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
                let other = Participant::new(place, &participants[0].rendezvous).unwrap();
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
                let failure =
                    another.exchange(Err(Error::OutOfMemory("none".into())), wait, |_, _| Ok(())).unwrap_err();
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
}
