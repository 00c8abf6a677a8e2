//! Ranks that are threads of this process. Each has a device, or on the CPU backend a share of the rows.

use super::nccl::Nccl;
use super::staged::{HostCollectives, Staged};
use super::{Context, Transport};
use crate::failure::Failure;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tephra_core::backend::{Kind, Runtime};

/// How long a rank polls for the others before it sleeps.
const POLL_TIME: Duration = Duration::from_micros(50);

/// A rendezvous: each rank deposits a message and receives those of all ranks.
struct Rendezvous {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    messages: Vec<Vec<u8>>,
    /// Which ranks have deposited their message.
    arrived: Vec<bool>,
    /// The messages of all ranks, until every rank has received them.
    complete: Option<Arc<Vec<Vec<u8>>>>,
    received: usize,
    /// Set when a rank has timed out, so that ranks that arrive later do not wait as well.
    broken: bool,
}

fn broken() -> Failure {
    Failure::Communication("a rank did not arrive in time, at this or an earlier call".into())
}

impl Rendezvous {
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

    fn exchange(&self, rank: usize, mine: Vec<u8>, timeout: Duration) -> Result<Arc<Vec<Vec<u8>>>, Failure> {
        let until = Instant::now() + timeout;
        let open = |state: &State| state.broken || (state.complete.is_none() && !state.arrived[rank]);
        let mut state = self.wait(self.lock(), until, open)?;
        if state.broken {
            return Err(broken());
        }
        state.messages[rank] = mine;
        state.arrived[rank] = true;
        if state.arrived.iter().all(|&arrived| arrived) {
            let empty = vec![vec![]; self.size];
            state.complete = Some(Arc::new(std::mem::replace(&mut state.messages, empty)));
            self.changed.notify_all();
        }
        let mut state = self.wait(state, until, |state| state.complete.is_some())?;
        let all = state.complete.clone().ok_or(Failure::Communication("the meeting was lost".into()))?;
        state.received += 1;
        if state.received == self.size {
            (state.received, state.complete) = (0, None);
            state.arrived.fill(false);
            self.changed.notify_all();
        }
        Ok(all)
    }
}

/// One rank's access to the rendezvous.
struct Participant {
    rank: usize,
    rendezvous: Arc<Rendezvous>,
}

impl HostCollectives for Participant {
    fn gather(&self, mine: &[u8], all: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let messages = self.rendezvous.exchange(self.rank, mine.to_vec(), timeout)?;
        if messages.iter().any(|message| message.len() != mine.len()) {
            return Err(Failure::Communication("the ranks' messages have different sizes".into()));
        }
        all.chunks_exact_mut(mine.len()).zip(&*messages).for_each(|(to, from)| to.copy_from_slice(from));
        Ok(())
    }

    fn broadcast(&self, buffer: &mut [u8], timeout: Duration) -> Result<(), Failure> {
        let mine = if self.rank == 0 { buffer.to_vec() } else { vec![] };
        let messages = self.rendezvous.exchange(self.rank, mine, timeout)?;
        if messages[0].len() != buffer.len() {
            return Err(Failure::Communication("the ranks' messages have different sizes".into()));
        }
        buffer.copy_from_slice(&messages[0]);
        Ok(())
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
    let state = State { messages: vec![vec![]; size], arrived: vec![false; size], ..State::default() };
    let rendezvous = Arc::new(Rendezvous { size, state: Mutex::new(state), changed: Condvar::new() });
    let participant = |rank| Staged::new(Participant { rank, rendezvous: rendezvous.clone() }, size);
    let mut distinct = devices.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let connected = if runtime.kind() == Kind::Cuda && distinct.len() == size && size > 1 {
        Nccl::create_all(runtime, devices)?
    } else {
        None
    };
    Ok(match connected {
        Some(nccl) => nccl
            .into_iter()
            .enumerate()
            .map(|(rank, nccl)| Box::new(Devices { participant: participant(rank), nccl }) as Box<dyn Transport>)
            .collect(),
        None => (0..size).map(|rank| Box::new(participant(rank)) as Box<dyn Transport>).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn participants(size: usize) -> Vec<Participant> {
        let state = State { messages: vec![vec![]; size], arrived: vec![false; size], ..State::default() };
        let rendezvous = Arc::new(Rendezvous { size, state: Mutex::new(state), changed: Condvar::new() });
        (0..size).map(|rank| Participant { rank, rendezvous: rendezvous.clone() }).collect()
    }

    #[test]
    fn each_round_has_its_own_parcels() {
        let participants = participants(5);
        std::thread::scope(|scope| {
            for participant in &participants {
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
                let participants = &participants;
                scope.spawn(move || (participant, participants[place].gather(&[1], &mut [0; 3], short)))
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
        let participants = participants(2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| participants[1].gather(&[1, 2], &mut [0; 4], Duration::from_secs(20)));
            participants[0].gather(&[1], &mut [0; 2], Duration::from_secs(20)).unwrap_err();
            other.join().unwrap().unwrap_err();
        });
    }
}
