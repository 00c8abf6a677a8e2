//! The pool of helper threads. A call posts a job that lives on its own stack, so posting allocates nothing, and the
//! call does not wait for helpers that have not joined by the time the work is done.

use crate::host::signals::Blocked;
use std::alloc::{Layout, alloc, dealloc};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The helper threads of one process.
pub struct Crew {
    /// Fork generation of the process that owns the threads.
    pub generation: u32,
    /// Number of helper threads.
    size: AtomicUsize,
    /// Open slots over all jobs. Written under the lock; read without it as a hint.
    open: AtomicUsize,
    posted: Mutex<Posted>,
    /// Wakes sleeping helpers when a job opens slots.
    come: Condvar,
}

/// The list of posted jobs. The lock is held only to find, take and leave a slot, never while work is done.
struct Posted {
    first: *mut Job,
    /// Helpers that wait on `come`.
    asleep: usize,
}

// SAFETY: a job in the list is alive, since its owner removes it and waits for its helpers before it goes out of scope.
unsafe impl Send for Posted {}

/// One call's work. All fields except `help` are accessed under the lock; `inside` may also be read without it as a
/// hint.
struct Job {
    help: *const (dyn Fn() + Sync),
    /// Slots still open to helpers.
    places: usize,
    /// Helpers currently running `help`.
    inside: AtomicUsize,
    /// Whether a helper panicked.
    failed: bool,
    /// Signalled when the last helper leaves.
    left: Condvar,
    next: *mut Job,
}

/// Number of times a waiting thread yields before it sleeps, so that a series of small calls finds the helpers awake.
const TURNS: usize = 32;

/// Stack size of a helper in bytes; the default of std's threads.
const STACK: usize = 2 << 20;

impl Crew {
    /// Allocates a pool with no threads. Returns `None` if the allocation fails.
    pub fn new(generation: u32) -> Option<*mut Crew> {
        // SAFETY: the layout is not empty, and the whole Crew is written before the pointer is returned.
        unsafe {
            let crew = alloc(Layout::new::<Crew>()).cast::<Crew>();
            let posted = Mutex::new(Posted { first: ptr::null_mut(), asleep: 0 });
            let (size, open) = (AtomicUsize::new(0), AtomicUsize::new(0));
            (!crew.is_null()).then(|| {
                crew.write(Crew { generation, size, open, posted, come: Condvar::new() });
                crew
            })
        }
    }

    /// # Safety
    ///
    /// `crew` must come from [`Crew::new`], must never have had threads, and must not be used afterwards.
    pub unsafe fn free(crew: *mut Crew) {
        // SAFETY: the caller guarantees that nobody else uses it.
        unsafe {
            ptr::drop_in_place(crew);
            dealloc(crew.cast(), Layout::new::<Crew>());
        }
    }

    /// Starts `wanted` threads, or as many as the system grants. Signals are blocked meanwhile, and the helpers inherit
    /// the mask: the program's signals must go to its own threads, which may block them or wait for them after the
    /// helpers have been created.
    pub fn start(&'static self, wanted: usize) {
        extern "C" fn run(crew: *mut libc::c_void) -> *mut libc::c_void {
            // SAFETY: this is `self` of the call below; a crew with threads is never freed.
            unsafe { &*crew.cast::<Crew>() }.serve()
        }
        let _signals = Blocked::of_the_process();
        for i in 0..wanted {
            // SAFETY: all pthread objects are initialised before they are used. (Not std::thread: it aborts when memory
            // runs out.)
            unsafe {
                let mut attributes = std::mem::zeroed();
                if libc::pthread_attr_init(&mut attributes) != 0 {
                    return;
                }
                libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED);
                libc::pthread_attr_setstacksize(&mut attributes, STACK);
                let (mut thread, crew) = (std::mem::zeroed(), ptr::from_ref(self).cast_mut().cast());
                let code = libc::pthread_create(&mut thread, &attributes, run, crew);
                libc::pthread_attr_destroy(&mut attributes);
                if code != 0 {
                    return;
                }
                self.size.fetch_add(1, Ordering::Relaxed);
                #[cfg(target_os = "linux")]
                name(thread, i);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.size.load(Ordering::Relaxed) == 0
    }

    /// Runs `work` on this thread, and `help` on at most `helpers` helpers that join before `work` is over. Returns
    /// when all of them are done.
    pub fn together(&self, helpers: usize, work: impl FnOnce(), help: &(dyn Fn() + Sync)) {
        // SAFETY: this function does not return before every helper has left the job, so the borrow outlives its users.
        let help = unsafe { std::mem::transmute::<&(dyn Fn() + Sync), *const (dyn Fn() + Sync)>(help) };
        let inside = AtomicUsize::new(0);
        let mut job = Job { help, places: helpers, inside, failed: false, left: Condvar::new(), next: ptr::null_mut() };
        let job = &raw mut job;
        self.post(job);
        /// Retires the job even if `work` panics, because the helpers use what it borrows.
        struct Post<'a>(&'a Crew, *mut Job);
        impl Drop for Post<'_> {
            fn drop(&mut self) {
                self.0.retire(self.1);
            }
        }
        let post = Post(self, job);
        work();
        drop(post);
        // SAFETY: every helper has left the job.
        if unsafe { (*job).failed } {
            panic_any("a helper thread panicked");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Posted> {
        self.posted.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Appends a job to the list and wakes as many helpers as it can use.
    fn post(&self, job: *mut Job) {
        let mut posted = self.lock();
        let mut end = &raw mut posted.first;
        // SAFETY: jobs in the list are alive, and are changed only under the lock.
        let places = unsafe {
            while !(*end).is_null() {
                end = &raw mut (**end).next;
            }
            *end = job;
            (*job).places
        };
        self.open.fetch_add(places, Ordering::Relaxed);
        let asleep = posted.asleep;
        drop(posted);
        if places >= asleep {
            self.come.notify_all();
        } else {
            (0..places).for_each(|_| self.come.notify_one());
        }
    }

    /// Removes a job from the list and waits for the helpers inside it.
    fn retire(&self, job: *mut Job) {
        let mut posted = self.lock();
        let mut at = &raw mut posted.first;
        // SAFETY: as in `post`; the caller guarantees that this job is in the list.
        unsafe {
            while *at != job {
                at = &raw mut (**at).next;
            }
            *at = (*job).next;
            self.open.fetch_sub((*job).places, Ordering::Relaxed);
            (*job).places = 0;
        }
        // SAFETY: the job belongs to the caller; these references cover only fields with interior mutability.
        let (inside, left) = unsafe { (&(*job).inside, &(*job).left) };
        if inside.load(Ordering::Relaxed) > 0 {
            drop(posted);
            awaited(|| inside.load(Ordering::Relaxed) == 0);
            // The last helper may still hold the lock and use the job.
            posted = self.lock();
        }
        while inside.load(Ordering::Relaxed) > 0 {
            posted = left.wait(posted).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Takes a slot in the first job that has one.
    fn take(&self, posted: &Posted) -> Option<*mut Job> {
        let mut job = posted.first;
        // SAFETY: as in `post`.
        unsafe {
            while !job.is_null() && (*job).places == 0 {
                job = (*job).next;
            }
            if job.is_null() {
                return None;
            }
            (*job).places -= 1;
            (*job).inside.fetch_add(1, Ordering::Relaxed);
        }
        self.open.fetch_sub(1, Ordering::Relaxed);
        Some(job)
    }

    /// The main loop of a helper.
    fn serve(&self) -> ! {
        let mut posted = self.lock();
        loop {
            if let Some(job) = self.take(&posted) {
                drop(posted);
                // SAFETY: the job's owner waits until this slot is left.
                let done = catch_unwind(AssertUnwindSafe(|| unsafe { (*(*job).help)() }));
                posted = self.lock();
                // SAFETY: as above, until the lock is released.
                unsafe {
                    (*job).failed |= done.is_err();
                    if (*job).inside.fetch_sub(1, Ordering::Relaxed) == 1 {
                        (*job).left.notify_one();
                    }
                }
                continue;
            }
            drop(posted);
            awaited(|| self.open.load(Ordering::Relaxed) > 0);
            posted = self.lock();
            if self.open.load(Ordering::Relaxed) == 0 {
                posted.asleep += 1;
                posted = self.come.wait(posted).unwrap_or_else(|e| e.into_inner());
                posted.asleep -= 1;
            }
        }
    }
}

/// Sets the name under which tools show the thread.
#[cfg(target_os = "linux")]
fn name(thread: libc::pthread_t, number: usize) {
    use std::io::Write;
    let mut text = [0; 16]; // zero-terminated
    if write!(&mut text[..15], "tephra-cpu-{number}").is_ok() {
        // SAFETY: helpers never end, and `text` is a zero-terminated string.
        unsafe { libc::pthread_setname_np(thread, text.as_ptr().cast()) };
    }
}

/// Polls `done` for a few microseconds, yielding in between.
fn awaited(done: impl Fn() -> bool) {
    for _ in 0..TURNS {
        if done() {
            return;
        }
        std::thread::yield_now();
    }
}
