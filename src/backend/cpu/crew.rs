//! Helper threads, and how a call gets their help: it posts a job that lies on its own stack, so that nothing is allocated
//! and no helper that comes late is waited for.

use crate::host::signals::Blocked;
use std::alloc::{Layout, alloc, dealloc};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The helpers of one process.
pub struct Crew {
    /// Of the process whose threads they are.
    pub generation: u32,
    /// How many there are.
    size: AtomicUsize,
    /// Places of all jobs that a helper may take: changed under the lock, and looked at without it.
    open: AtomicUsize,
    posted: Mutex<Posted>,
    /// There is a place, for a helper that sleeps.
    come: Condvar,
}

/// What callers want done. The lock is held to find, take and leave a place, never while there is work.
struct Posted {
    first: *mut Job,
    /// Helpers that wait for `come`.
    asleep: usize,
}

// SAFETY: the jobs are others' only while these have a place, which their owners wait for.
unsafe impl Send for Posted {}

/// A call's work. All but `help` is read and written under the lock; `inside` may be looked at without it.
struct Job {
    help: *const (dyn Fn() + Sync),
    /// Helpers that may still come.
    places: usize,
    /// Helpers that are at it.
    inside: AtomicUsize,
    /// A helper panicked.
    failed: bool,
    /// The last helper has left.
    left: Condvar,
    next: *mut Job,
}

/// How often a thread lets others run before it sleeps. Whoever makes one small call after another finds helpers awake.
const TURNS: usize = 32;

/// As std's threads have it.
const STACK: usize = 2 << 20;

impl Crew {
    /// One without threads yet, from the heap; `None`: there is no memory.
    pub fn new(generation: u32) -> Option<*mut Crew> {
        // SAFETY: the layout is not empty, and the memory becomes a whole Crew.
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
    /// It is of [`Crew::new`], and has never had threads.
    pub unsafe fn free(crew: *mut Crew) {
        // SAFETY: nobody else has it.
        unsafe {
            ptr::drop_in_place(crew);
            dealloc(crew.cast(), Layout::new::<Crew>());
        }
    }

    /// Starts as many threads as are wanted, or as the system gives. The program's signals are for its own threads, which
    /// may block them or wait for them when the helpers are here already.
    pub fn start(&'static self, wanted: usize) {
        extern "C" fn run(crew: *mut libc::c_void) -> *mut libc::c_void {
            // SAFETY: of the call below, and never freed once it has threads.
            unsafe { &*crew.cast::<Crew>() }.serve()
        }
        let _signals = Blocked::of_the_process();
        for i in 0..wanted {
            // SAFETY: pthreads' own objects, made before they are used. (std's threads end a process without memory.)
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

    /// Calls `work` here, and `help` in at most so many helpers that come before `work` is over. Returns when all have
    /// ended.
    pub fn together(&self, helpers: usize, work: impl FnOnce(), help: &(dyn Fn() + Sync)) {
        // SAFETY: the job is gone when this returns, and then no helper has it.
        let help = unsafe { std::mem::transmute::<&(dyn Fn() + Sync), *const (dyn Fn() + Sync)>(help) };
        let inside = AtomicUsize::new(0);
        let mut job = Job { help, places: helpers, inside, failed: false, left: Condvar::new(), next: ptr::null_mut() };
        let job = &raw mut job;
        self.post(job);
        /// Also when `work` panics: helpers have what it borrows.
        struct Post<'a>(&'a Crew, *mut Job);
        impl Drop for Post<'_> {
            fn drop(&mut self) {
                self.0.retire(self.1);
            }
        }
        let post = Post(self, job);
        work();
        drop(post);
        // SAFETY: no helper has it any more.
        if unsafe { (*job).failed } {
            panic_any("a helper thread panicked");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Posted> {
        self.posted.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Behind the others.
    fn post(&self, job: *mut Job) {
        let mut posted = self.lock();
        let mut end = &raw mut posted.first;
        // SAFETY: jobs in the list are alive, and changed under the lock alone.
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

    /// Takes a job from the list and waits for those that are at it.
    fn retire(&self, job: *mut Job) {
        let mut posted = self.lock();
        let mut at = &raw mut posted.first;
        // SAFETY: as in `post`; this job is in the list.
        unsafe {
            while *at != job {
                at = &raw mut (**at).next;
            }
            *at = (*job).next;
            self.open.fetch_sub((*job).places, Ordering::Relaxed);
            (*job).places = 0;
        }
        // SAFETY: the caller's own; nothing else of it is touched through these.
        let (inside, left) = unsafe { (&(*job).inside, &(*job).left) };
        if inside.load(Ordering::Relaxed) > 0 {
            drop(posted);
            awaited(|| inside.load(Ordering::Relaxed) == 0);
            // The last helper may have the lock and the job yet.
            posted = self.lock();
        }
        while inside.load(Ordering::Relaxed) > 0 {
            posted = left.wait(posted).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// A place in the first job that has one.
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

    /// A helper's life.
    fn serve(&self) -> ! {
        let mut posted = self.lock();
        loop {
            if let Some(job) = self.take(&posted) {
                drop(posted);
                // SAFETY: its owner waits for this place to be left.
                let done = catch_unwind(AssertUnwindSafe(|| unsafe { (*(*job).help)() }));
                posted = self.lock();
                // SAFETY: the same, until the lock is given back.
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

/// As tools show a thread.
#[cfg(target_os = "linux")]
fn name(thread: libc::pthread_t, number: usize) {
    use std::io::Write;
    let mut text = [0; 16]; // with a zero at its end
    if write!(&mut text[..15], "tephra-cpu-{number}").is_ok() {
        // SAFETY: a thread that never ends, and a string.
        unsafe { libc::pthread_setname_np(thread, text.as_ptr().cast()) };
    }
}

/// Looks for something to come about, for some microseconds.
fn awaited(done: impl Fn() -> bool) {
    for _ in 0..TURNS {
        if done() {
            return;
        }
        std::thread::yield_now();
    }
}
