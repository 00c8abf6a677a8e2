//! Protection against forks. A forked child has only the thread that called fork, and every lock in the state in which
//! the parent's other threads held it.
//!
//! Therefore nothing that a child needs is protected by a lock that another thread could hold during a fork: our own
//! tables are atomics, and calls that take other libraries' locks (those of the dynamic linker, or of the driver's
//! initialisation) run [`with_fork_lock`].

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering};

/// The mutex is recursive because the code that runs under it may fork: the driver starts programs when it is
/// initialised.
struct Lock(UnsafeCell<MaybeUninit<libc::pthread_mutex_t>>);
// SAFETY: the mutex is only accessed through pthread functions.
unsafe impl Sync for Lock {}

static LOCK: Lock = Lock(UnsafeCell::new(MaybeUninit::zeroed()));
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Changes in every forked child. Anything created under another number belongs to the parent's threads.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Runs `f` while no other thread can fork or run another such function.
pub fn with_fork_lock<R>(f: impl FnOnce() -> R) -> R {
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            // SAFETY: the mutex was initialised at load. In a child that `f` itself forked it is already unlocked, and
            // the call returns an error.
            unsafe { libc::pthread_mutex_unlock(LOCK.0.get().cast()) };
        }
    }
    // SAFETY: the mutex was initialised at load.
    unsafe { libc::pthread_mutex_lock(LOCK.0.get().cast()) };
    let _held = Held;
    f()
}

extern "C" fn before_fork() {
    // SAFETY: the mutex was initialised at load.
    unsafe { libc::pthread_mutex_lock(LOCK.0.get().cast()) };
}

extern "C" fn after_fork_in_parent() {
    // SAFETY: this thread locked the mutex in `before_fork`.
    unsafe { libc::pthread_mutex_unlock(LOCK.0.get().cast()) };
}

extern "C" fn after_fork_in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    // The owner recorded in the mutex is the parent's thread, so it cannot be unlocked here and is initialised anew.
    init_lock();
}

fn init_lock() {
    // SAFETY: no thread holds the mutex or waits for it: either the library is being loaded, or this is the only
    // thread.
    unsafe {
        let mut attributes = MaybeUninit::uninit();
        libc::pthread_mutexattr_init(attributes.as_mut_ptr());
        libc::pthread_mutexattr_settype(attributes.as_mut_ptr(), libc::PTHREAD_MUTEX_RECURSIVE);
        libc::pthread_mutex_init(LOCK.0.get().cast(), attributes.as_ptr());
        libc::pthread_mutexattr_destroy(attributes.as_mut_ptr());
    }
}

extern "C" fn at_load() {
    init_lock();
    // SAFETY: the handlers only touch the statics above.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(after_fork_in_child)) };
}

/// The dynamic linker runs this when it loads the library. If the handlers were registered on first use instead, a fork
/// at that moment could give a child without them.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `body` in a forked child. The exit status has 1 in its second byte if `body` returned true.
    fn in_a_child(body: impl FnOnce() -> bool) -> i32 {
        // SAFETY: the child only runs `body` and leaves by `_exit`.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(20); // a child that waits for threads of its parent must not outlive the test
                libc::_exit(body().into());
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        }
    }

    #[test]
    fn a_child_counts_on_and_can_take_the_lock() {
        let here = generation();
        assert_eq!(in_a_child(|| with_fork_lock(|| generation() != here)), 1 << 8);
        assert_eq!(in_a_child(|| generation() == here), 0);
    }

    #[test]
    fn forks_inside_and_beside_do_not_hang() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        with_fork_lock(|| std::hint::black_box(0));
                    }
                });
            }
            for _ in 0..50 {
                assert_eq!(in_a_child(|| with_fork_lock(|| true)), 1 << 8);
                assert_eq!(with_fork_lock(|| in_a_child(|| with_fork_lock(|| true))), 1 << 8);
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
