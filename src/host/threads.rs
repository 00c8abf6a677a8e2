//! Threads by pthreads: those of the standard library end the process if there is no memory for them.

use crate::signals::BlockedSignals;
use std::any::Any;
use std::ffi::c_void;
use std::fmt::Arguments;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Enough for all of the library's functions, which keep large data on the heap.
const STACK_BYTES: usize = 2 << 20;

/// What a thread runs.
pub type Run = extern "C" fn(*mut c_void) -> *mut c_void;

/// Starts a thread with default modes and the calling thread's blocked signals. Returns `None` if the system refuses.
/// A thread that is not `detached` must be joined. Names of more than 15 bytes are cut off.
///
/// # Safety
/// `run` may be called in another thread with this argument.
pub unsafe fn start(run: Run, argument: *mut c_void, detached: bool, name: Arguments) -> Option<libc::pthread_t> {
    // SAFETY: all pthread objects are initialised before they are used.
    unsafe {
        let (mut attributes, mut thread) = (std::mem::zeroed(), std::mem::zeroed());
        if libc::pthread_attr_init(&mut attributes) != 0 {
            return None;
        }
        let kind = if detached { libc::PTHREAD_CREATE_DETACHED } else { libc::PTHREAD_CREATE_JOINABLE };
        libc::pthread_attr_setdetachstate(&mut attributes, kind);
        libc::pthread_attr_setstacksize(&mut attributes, STACK_BYTES);
        let code = libc::pthread_create(&mut thread, &attributes, run, argument);
        libc::pthread_attr_destroy(&mut attributes);
        if code != 0 {
            return None;
        }
        set_name(thread, name);
        Some(thread)
    }
}

/// The thread must not have ended, or not have been joined.
fn set_name(thread: libc::pthread_t, name: Arguments) {
    let mut text = [0; 16]; // zero-terminated
    let mut rest = &mut text[..15];
    _ = std::io::Write::write_fmt(&mut rest, name);
    #[cfg(target_os = "linux")]
    // SAFETY: the caller guarantees the thread, and `text` is a zero-terminated string.
    unsafe {
        libc::pthread_setname_np(thread, text.as_ptr().cast())
    };
}

struct Shared<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    number: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

extern "C" fn run(shared: *mut c_void) -> *mut c_void {
    // SAFETY: `beside` joins this thread before its `Shared` ends.
    let shared = unsafe { &*shared.cast::<Shared>() };
    let number = shared.number.fetch_add(1, Ordering::Relaxed);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (shared.work)(number))) {
        shared.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
    }
    ptr::null_mut()
}

/// Joins the threads, also if the calling thread panics.
struct Joined(Vec<libc::pthread_t>);

impl Drop for Joined {
    fn drop(&mut self) {
        for &thread in &self.0 {
            // SAFETY: each thread was started as one to join, and is joined here alone.
            unsafe { libc::pthread_join(thread, ptr::null_mut()) };
        }
    }
}

/// Runs `work` in `wanted` other threads, or in as many as the system grants, with the numbers from 1 on, and meanwhile
/// `own` on the calling thread, with the number of the others. Returns when all are done; a panic in one of them is
/// resumed. The program's signals go to its own threads.
pub fn beside<R>(wanted: usize, name: &str, work: &(dyn Fn(usize) + Sync), own: impl FnOnce(usize) -> R) -> R {
    let shared = Shared { work, number: AtomicUsize::new(1), panic: Mutex::new(None) };
    let mut threads = Joined(Vec::new());
    if threads.0.try_reserve_exact(wanted).is_ok() {
        let _signals = BlockedSignals::of_the_process();
        let argument = ptr::from_ref(&shared).cast_mut().cast();
        // SAFETY: `shared` outlives the threads, which `threads` joins.
        let start = |i| unsafe { start(run, argument, false, format_args!("{name}-{i}")) };
        threads.0.extend((1..=wanted).map_while(start));
    }
    let done = own(threads.0.len());
    drop(threads);
    match shared.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(panic) => resume_unwind(panic),
        None => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_number() {
        let seen = AtomicUsize::new(0);
        let others = beside(5, "of-a-test", &|i| _ = seen.fetch_add(1 << (8 * i), Ordering::Relaxed), |others| others);
        assert_eq!((others, seen.into_inner()), (5, 0x0101_0101_0100));
    }

    #[test]
    fn a_panic_is_passed_on_when_all_are_done() {
        let ended = AtomicUsize::new(0);
        let work = |i: usize| {
            ended.fetch_add(1, Ordering::Relaxed);
            assert!(i != 2, "the second");
        };
        let passed_on = catch_unwind(AssertUnwindSafe(|| beside(3, "of-a-test", &work, |_| ())));
        assert_eq!(passed_on.unwrap_err().downcast_ref::<&str>(), Some(&"the second"));
        assert_eq!(ended.into_inner(), 3);
    }
}
