//! Signals that are kept from a thread for a while.

use std::io::{Error, ErrorKind};
use std::mem::MaybeUninit;
use std::ptr;

/// Signals that the calling thread does not take while this is here. Threads that it starts meanwhile never do.
pub struct Blocked {
    signals: libc::sigset_t,
    /// What the thread blocked before; `None`: the mask could not be changed.
    before: Option<libc::sigset_t>,
}

impl Blocked {
    /// One signal.
    pub fn only(signal: i32) -> Blocked {
        let mut signals = MaybeUninit::uninit();
        // SAFETY: the set is written before it is read.
        Blocked::new(unsafe {
            libc::sigemptyset(signals.as_mut_ptr());
            libc::sigaddset(signals.as_mut_ptr(), signal);
            signals.assume_init()
        })
    }

    /// All signals that are sent to a process, for one of its threads to take. Not those of a thread's own faults, and not
    /// the profiler's, which counts what each thread does.
    pub fn of_the_process() -> Blocked {
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
        Blocked::new(unsafe {
            libc::sigfillset(signals.as_mut_ptr());
            for signal in OF_A_THREAD {
                libc::sigdelset(signals.as_mut_ptr(), signal);
            }
            signals.assume_init()
        })
    }

    fn new(signals: libc::sigset_t) -> Blocked {
        let mut before = MaybeUninit::uninit();
        // SAFETY: the mask that was is read only where it was written.
        let before = unsafe {
            let done = libc::pthread_sigmask(libc::SIG_BLOCK, &signals, before.as_mut_ptr()) == 0;
            done.then(|| before.assume_init())
        };
        Blocked { signals, before }
    }

    /// Takes one of these signals from the thread, if one waits for it; nothing comes of it.
    pub fn discard(&self) {
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: plain values.
        while self.before.is_some()
            && unsafe { libc::sigtimedwait(&self.signals, ptr::null_mut(), &at_once) } < 0
            && Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: a mask of this thread.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
        }
    }
}

/// Whether a signal waits for the calling thread, or its process, to take it.
pub fn pending(signal: i32) -> bool {
    let mut set = MaybeUninit::uninit();
    // SAFETY: read only where it was written.
    unsafe { libc::sigpending(set.as_mut_ptr()) == 0 && libc::sigismember(set.as_ptr(), signal) == 1 }
}
