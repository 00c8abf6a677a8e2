//! The pool of helper threads. A call posts a job that lives on its own stack, so posting allocates nothing, and the
//! call does not wait for helpers that have not joined by the time the work is done.

use crate::host::signals::BlockedSignals;
use crate::host::threads;
use std::alloc::{Layout, alloc, dealloc};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The helper threads of one process.
pub struct ThreadPool {
    /// Fork generation of the process that owns the threads.
    pub generation: u32,
    /// Number of helper threads.
    size: AtomicUsize,
    /// Open slots over all jobs. Written under the lock; read without it as a hint.
    open_slots: AtomicUsize,
    /// Calls that will soon post further jobs, see [`ThreadPool::stay_awake`].
    busy_calls: AtomicUsize,
    queue: Mutex<JobQueue>,
    /// Wakes sleeping helpers when a job opens slots.
    job_available: Condvar,
}

/// The list of posted jobs. The lock is held only to find, take and leave a slot, never while work is done.
struct JobQueue {
    first: *mut Job,
    /// Helpers that wait on `job_available`.
    sleeping: usize,
}

// SAFETY: a job in the list is alive, since its owner removes it and waits for its helpers before it goes out of scope.
unsafe impl Send for JobQueue {}

/// One call's work. All fields except `help` are accessed under the lock; `running_helpers` may also be read without it
/// as a hint.
struct Job {
    help: *const (dyn Fn() + Sync),
    /// Slots still open to helpers.
    open_slots: usize,
    /// Helpers currently running `help`.
    running_helpers: AtomicUsize,
    /// Whether a helper panicked.
    failed: bool,
    /// Signalled when the last helper leaves.
    helpers_done: Condvar,
    next: *mut Job,
}

/// Number of times a waiting thread yields before it sleeps, so that a series of small calls finds the helpers awake.
const YIELDS_BEFORE_SLEEP: usize = 32;
/// The same during a call that posts one job after another: about a millisecond.
const YIELDS_OF_BUSY_CALL: usize = 2000;

impl ThreadPool {
    /// Allocates a pool with no threads. Returns `None` if the allocation fails.
    pub fn new(generation: u32) -> Option<*mut ThreadPool> {
        // SAFETY: the layout is not empty, and the whole ThreadPool is written before the pointer is returned.
        unsafe {
            let pool = alloc(Layout::new::<ThreadPool>()).cast::<ThreadPool>();
            let queue = Mutex::new(JobQueue { first: ptr::null_mut(), sleeping: 0 });
            let [size, open_slots, busy_calls] = [const { AtomicUsize::new(0) }; 3];
            (!pool.is_null()).then(|| {
                let job_available = Condvar::new();
                pool.write(ThreadPool { generation, size, open_slots, busy_calls, queue, job_available });
                pool
            })
        }
    }

    /// # Safety
    ///
    /// `pool` must come from [`ThreadPool::new`], must never have had threads, and must not be used afterwards.
    pub unsafe fn free(pool: *mut ThreadPool) {
        // SAFETY: the caller guarantees that nobody else uses it.
        unsafe {
            ptr::drop_in_place(pool);
            dealloc(pool.cast(), Layout::new::<ThreadPool>());
        }
    }

    /// Starts `wanted` threads, or as many as the system grants. Signals are blocked meanwhile, and the helpers inherit
    /// the mask: the program's signals must go to its own threads, which may block them or wait for them after the
    /// helpers have been created.
    pub fn start(&'static self, wanted: usize) {
        extern "C" fn run(pool: *mut libc::c_void) -> *mut libc::c_void {
            // SAFETY: this is `self` of the call below; a pool with threads is never freed.
            unsafe { &*pool.cast::<ThreadPool>() }.run_helper()
        }
        let _signals = BlockedSignals::of_the_process();
        for i in 0..wanted {
            let pool = ptr::from_ref(self).cast_mut().cast();
            // SAFETY: a pool with threads is never freed.
            if unsafe { threads::start(run, pool, true, format_args!("tephra-cpu-{i}")) }.is_none() {
                return;
            }
            self.size.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.size.load(Ordering::Relaxed) == 0
    }

    /// Runs `work` on this thread, and `help` on at most `helpers` helpers that join before `work` is over. Returns
    /// when all of them are done.
    pub fn run_with_helpers(&self, helpers: usize, work: impl FnOnce(), help: &(dyn Fn() + Sync)) {
        // SAFETY: this function does not return before every helper has left the job, so the borrow outlives its users.
        let help = unsafe { std::mem::transmute::<&(dyn Fn() + Sync), *const (dyn Fn() + Sync)>(help) };
        let running_helpers = AtomicUsize::new(0);
        let mut job = Job {
            help,
            open_slots: helpers,
            running_helpers,
            failed: false,
            helpers_done: Condvar::new(),
            next: ptr::null_mut(),
        };
        let job = &raw mut job;
        self.post(job);
        /// Retires the job even if `work` panics, because the helpers use what it borrows.
        struct RetireOnDrop<'a>(&'a ThreadPool, *mut Job);
        impl Drop for RetireOnDrop<'_> {
            fn drop(&mut self) {
                self.0.retire(self.1);
            }
        }
        let guard = RetireOnDrop(self, job);
        work();
        drop(guard);
        // SAFETY: every helper has left the job.
        if unsafe { (*job).failed } {
            panic_any("a helper thread panicked");
        }
    }

    /// Makes waiting threads poll for longer before they sleep, until the guard is dropped. For calls that post many
    /// short jobs: waking a thread may take longer than one of these.
    pub fn stay_awake(&self) -> StayAwake<'_> {
        self.busy_calls.fetch_add(1, Ordering::Relaxed);
        StayAwake(self)
    }

    /// Polls `done`, yielding in between, for as long as a thread should wait before it sleeps.
    fn poll(&self, done: impl Fn() -> bool) {
        for turn in 0..YIELDS_OF_BUSY_CALL {
            if done() || turn >= YIELDS_BEFORE_SLEEP && self.busy_calls.load(Ordering::Relaxed) == 0 {
                return;
            }
            std::thread::yield_now();
        }
    }

    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Appends a job to the list and wakes as many helpers as it can use.
    fn post(&self, job: *mut Job) {
        let mut queue = self.lock();
        let mut end = &raw mut queue.first;
        // SAFETY: jobs in the list are alive, and are changed only under the lock.
        let open_slots = unsafe {
            while !(*end).is_null() {
                end = &raw mut (**end).next;
            }
            *end = job;
            (*job).open_slots
        };
        self.open_slots.fetch_add(open_slots, Ordering::Relaxed);
        let sleeping = queue.sleeping;
        drop(queue);
        if open_slots >= sleeping {
            self.job_available.notify_all();
        } else {
            (0..open_slots).for_each(|_| self.job_available.notify_one());
        }
    }

    /// Removes a job from the list and waits for the helpers inside it.
    fn retire(&self, job: *mut Job) {
        let mut queue = self.lock();
        let mut at = &raw mut queue.first;
        // SAFETY: as in `post`; the caller guarantees that this job is in the list.
        unsafe {
            while *at != job {
                at = &raw mut (**at).next;
            }
            *at = (*job).next;
            self.open_slots.fetch_sub((*job).open_slots, Ordering::Relaxed);
            (*job).open_slots = 0;
        }
        // SAFETY: the job belongs to the caller; these references cover only fields with interior mutability.
        let (running_helpers, helpers_done) = unsafe { (&(*job).running_helpers, &(*job).helpers_done) };
        if running_helpers.load(Ordering::Relaxed) > 0 {
            drop(queue);
            self.poll(|| running_helpers.load(Ordering::Relaxed) == 0);
            // The last helper may still hold the lock and use the job.
            queue = self.lock();
        }
        while running_helpers.load(Ordering::Relaxed) > 0 {
            queue = helpers_done.wait(queue).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Takes a slot in the first job that has one.
    fn take_slot(&self, queue: &JobQueue) -> Option<*mut Job> {
        let mut job = queue.first;
        // SAFETY: as in `post`.
        unsafe {
            while !job.is_null() && (*job).open_slots == 0 {
                job = (*job).next;
            }
            if job.is_null() {
                return None;
            }
            (*job).open_slots -= 1;
            (*job).running_helpers.fetch_add(1, Ordering::Relaxed);
        }
        self.open_slots.fetch_sub(1, Ordering::Relaxed);
        Some(job)
    }

    /// The main loop of a helper.
    fn run_helper(&self) -> ! {
        let mut queue = self.lock();
        loop {
            if let Some(job) = self.take_slot(&queue) {
                drop(queue);
                // SAFETY: the job's owner waits until this slot is left.
                let done = catch_unwind(AssertUnwindSafe(|| unsafe { (*(*job).help)() }));
                queue = self.lock();
                // SAFETY: as above, until the lock is released.
                unsafe {
                    (*job).failed |= done.is_err();
                    if (*job).running_helpers.fetch_sub(1, Ordering::Relaxed) == 1 {
                        (*job).helpers_done.notify_one();
                    }
                }
                continue;
            }
            drop(queue);
            self.poll(|| self.open_slots.load(Ordering::Relaxed) > 0);
            queue = self.lock();
            if self.open_slots.load(Ordering::Relaxed) == 0 {
                queue.sleeping += 1;
                queue = self.job_available.wait(queue).unwrap_or_else(|e| e.into_inner());
                queue.sleeping -= 1;
            }
        }
    }
}

/// See [`ThreadPool::stay_awake`].
pub struct StayAwake<'a>(&'a ThreadPool);

impl Drop for StayAwake<'_> {
    fn drop(&mut self) {
        self.0.busy_calls.fetch_sub(1, Ordering::Relaxed);
    }
}
