//! Cleaning up at the end of a thread, without the destructors of thread-locals: registering one of these allocates,
//! and the C library ends the process if that fails.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

/// A function that runs at the end of each thread that asked for it. Other functions that run there may call the library again, so it may have to
/// run more than once.
pub struct ThreadExit {
    run: unsafe extern "C" fn(*mut c_void),
    /// The pthread key plus one, or 0 before the first use.
    key: AtomicU32,
}

impl ThreadExit {
    /// Nothing is created before the first [`ThreadExit::ask`].
    pub const fn new(run: unsafe extern "C" fn(*mut c_void)) -> ThreadExit {
        ThreadExit { run, key: AtomicU32::new(0) }
    }

    /// Makes the function run at the end of the calling thread. Returns false if the process has no more keys or no
    /// memory.
    pub fn ask(&'static self) -> bool {
        // The function does not run for a null value.
        // SAFETY: the key was created and is never deleted, and nobody reads through the value.
        self.key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, ptr::dangling()) } == 0)
    }

    fn key(&self) -> Option<libc::pthread_key_t> {
        let known = self.key.load(Ordering::Acquire);
        if known != 0 {
            return Some(known - 1);
        }
        let mut made = 0;
        // SAFETY: `made` is valid for a write.
        if unsafe { libc::pthread_key_create(&mut made, Some(self.run)) } != 0 {
            return None;
        }
        match self.key.compare_exchange(0, made + 1, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(made),
            Err(other) => {
                // SAFETY: another thread was faster, and nobody else knows this key.
                unsafe { libc::pthread_key_delete(made) };
                Some(other - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    static RUNS: AtomicUsize = AtomicUsize::new(0);
    static EXIT: ThreadExit = ThreadExit::new(count);

    unsafe extern "C" fn count(_: *mut c_void) {
        RUNS.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn it_runs_in_threads_that_asked() {
        let threads: Vec<_> =
            (0..8usize).map(|i| std::thread::spawn(move || i.is_multiple_of(2) || EXIT.ask())).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
        assert_eq!(RUNS.load(Ordering::Relaxed), 4);
    }
}
