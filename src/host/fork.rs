//! What a fork leaves in the child: the thread that called it, and every lock as the other threads had it then.
//!
//! So nothing that a child needs is behind a lock that another thread could hold at a fork. Our own tables are atomics.
//! What takes other libraries' locks (the dynamic linker's, those of the driver's set-up) is done [`undisturbed`].

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering};

/// Recursive, as what is done under it may fork itself: the driver starts programs when it is set up.
struct Lock(UnsafeCell<MaybeUninit<libc::pthread_mutex_t>>);
// SAFETY: only the functions of pthreads touch it.
unsafe impl Sync for Lock {}

static LOCK: Lock = Lock(UnsafeCell::new(MaybeUninit::zeroed()));
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Changes in each child of a fork: what was made under another number belongs to the parent's threads.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Runs `f` while no other thread can fork, nor run anything else of this kind.
pub fn undisturbed<R>(f: impl FnOnce() -> R) -> R {
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            // SAFETY: made at load; in a child that `f` itself forked, it is free already, which is an error code.
            unsafe { libc::pthread_mutex_unlock(LOCK.0.get().cast()) };
        }
    }
    // SAFETY: made at load.
    unsafe { libc::pthread_mutex_lock(LOCK.0.get().cast()) };
    let _held = Held;
    f()
}

extern "C" fn before() {
    // SAFETY: made at load.
    unsafe { libc::pthread_mutex_lock(LOCK.0.get().cast()) };
}

extern "C" fn in_parent() {
    // SAFETY: locked by `before` in this thread.
    unsafe { libc::pthread_mutex_unlock(LOCK.0.get().cast()) };
}

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    // The owner in the mutex is the parent's thread, so it cannot be unlocked here: it is made anew.
    make_lock();
}

fn make_lock() {
    // SAFETY: nobody holds or waits for the lock: at load, or with no other thread in the process.
    unsafe {
        let mut attributes = MaybeUninit::uninit();
        libc::pthread_mutexattr_init(attributes.as_mut_ptr());
        libc::pthread_mutexattr_settype(attributes.as_mut_ptr(), libc::PTHREAD_MUTEX_RECURSIVE);
        libc::pthread_mutex_init(LOCK.0.get().cast(), attributes.as_ptr());
        libc::pthread_mutexattr_destroy(attributes.as_mut_ptr());
    }
}

extern "C" fn at_load() {
    make_lock();
    // SAFETY: the handlers only touch what is above.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}

/// Run by the dynamic linker: a handler that was set at first need could be missing in a child of that moment.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 in the exit status of a child that `body` ran in.
    fn in_a_child(body: impl FnOnce() -> bool) -> i32 {
        // SAFETY: the child only runs `body` and leaves by _exit.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(20); // a child that waits for its parent's threads must not outlive the test
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
        assert_eq!(in_a_child(|| undisturbed(|| generation() != here)), 1 << 8);
        assert_eq!(in_a_child(|| generation() == here), 0);
    }

    #[test]
    fn forks_inside_and_beside_do_not_hang() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        undisturbed(|| std::hint::black_box(0));
                    }
                });
            }
            for _ in 0..50 {
                assert_eq!(in_a_child(|| undisturbed(|| true)), 1 << 8);
                assert_eq!(undisturbed(|| in_a_child(|| undisturbed(|| true))), 1 << 8);
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
