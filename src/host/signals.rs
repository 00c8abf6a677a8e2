//! Temporary blocking of signals, and of cancellation, in a thread.

use std::ffi::c_int;
use std::io::{Error, ErrorKind};
use std::mem::MaybeUninit;
use std::ptr;

/// Signals that are blocked in the calling thread while this value lives. Threads started in the meantime keep them
/// blocked.
pub struct BlockedSignals {
    /// The thread's previous mask. `None` if the mask could not be changed.
    previous_mask: Option<libc::sigset_t>,
}

fn set_of(signals: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is written before it is read.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for &signal in signals {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

impl BlockedSignals {
    /// Blocks these signals.
    pub fn these(signals: &[i32]) -> BlockedSignals {
        BlockedSignals::new(set_of(signals))
    }

    /// Blocks all signals that can be sent to a process for any of its threads to handle. Excludes those that a
    /// thread's own faults raise, and SIGPROF, which profilers use to sample each thread.
    pub fn of_the_process() -> BlockedSignals {
        const OF_A_THREAD: [i32; 8] = [
            libc::SIGABRT,
            libc::SIGBUS,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGPROF,
            libc::SIGSEGV,
            libc::SIGSYS,
            libc::SIGTRAP,
        ];
        let mut signals = MaybeUninit::uninit();
        // SAFETY: the set is written before it is read.
        BlockedSignals::new(unsafe {
            libc::sigfillset(signals.as_mut_ptr());
            for signal in OF_A_THREAD {
                libc::sigdelset(signals.as_mut_ptr(), signal);
            }
            signals.assume_init()
        })
    }

    fn new(signals: libc::sigset_t) -> BlockedSignals {
        let mut previous_mask = MaybeUninit::uninit();
        // SAFETY: `previous_mask` is read only if the call succeeded and wrote it.
        let previous_mask = unsafe {
            let done = libc::pthread_sigmask(libc::SIG_BLOCK, &signals, previous_mask.as_mut_ptr()) == 0;
            done.then(|| previous_mask.assume_init())
        };
        BlockedSignals { previous_mask }
    }

    /// Discards one of these signals if it is pending.
    pub fn discard(&self, signal: i32) {
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let set = set_of(&[signal]);
        // SAFETY: the set and the timeout are valid for reads.
        while self.previous_mask.is_some()
            && unsafe { libc::sigtimedwait(&set, ptr::null_mut(), &at_once) } < 0
            && Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        if let Some(previous_mask) = &self.previous_mask {
            // SAFETY: `previous_mask` is a mask that this thread had.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, previous_mask, ptr::null_mut()) };
        }
    }
}

unsafe extern "C" {
    /// POSIX's function, which the libc crate lacks.
    fn pthread_setcancelstate(state: c_int, previous: *mut c_int) -> c_int;
}

/// `PTHREAD_CANCEL_DISABLE` of Linux's C libraries.
const CANCEL_DISABLE: c_int = 1;

/// The calling thread cannot be cancelled while this value lives. A thread is cancelled by unwinding its stack, at
/// calls such as `write` and `open`, and the process ends if the stack has Rust functions on it.
pub struct NotCancelled {
    previous_state: c_int,
}

impl NotCancelled {
    /// From here on.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> NotCancelled {
        let mut previous_state = CANCEL_DISABLE;
        // SAFETY: `previous_state` is valid for a write.
        unsafe { pthread_setcancelstate(CANCEL_DISABLE, &mut previous_state) };
        NotCancelled { previous_state }
    }
}

impl Drop for NotCancelled {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: this is a state that the thread had.
        unsafe { pthread_setcancelstate(self.previous_state, ptr::null_mut()) };
    }
}

/// Whether a signal is pending for the calling thread or its process.
pub fn pending(signal: i32) -> bool {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is read only if the call succeeded and wrote it.
    unsafe { libc::sigpending(set.as_mut_ptr()) == 0 && libc::sigismember(set.as_ptr(), signal) == 1 }
}
