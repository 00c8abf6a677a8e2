//! Executing a routine over the batch: host threads, workspace, and one entry point per instruction set.

use super::choice::{
    Algorithm, Distribution, Execution, INTERLEAVED_BEST, INTERLEAVED_LIMIT, distribute, distribute_large, lanes, level,
};
use super::run::Run;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Baseline, Isa, Lanes, Level, OutOfLine, Pack, Packed};
use super::{scratch, threads};
use crate::error::Error;
use crate::plan;
use crate::routine::Routine;
use crate::routine::bounds::Bounds;
use parking_lot::Mutex;
use std::marker::PhantomData;
use std::ops::Range;

/// A routine that is done member by member with an [`Execution`]. Others, such as geqrf, which chooses among several
/// algorithms, implement [`Run`] directly.
pub trait OverBatch: Routine {
    /// Whether several threads may share one large member.
    const SHARED: bool = true;
    /// Floating-point operations of one member.
    fn flops(&self) -> f64;
    /// Elements of one member's working memory when members are interleaved. `None` if they never are.
    fn elements(&self) -> Option<i64> {
        None
    }
    /// Number of elements of a matrix up to which interleaving is faster, for vectors of `lanes` lanes.
    fn interleaved_best(&self, _level: Level, lanes: i64) -> i64 {
        INTERLEAVED_BEST * lanes
    }
    /// Executes the routine as `execution` says.
    ///
    /// # Safety
    /// As [`Run::run`], for elements of type `T`.
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error>;
}

impl<R: OverBatch> Run for R {
    unsafe fn run(&self) -> Result<(), Error> {
        unsafe { self.run_with(&execution(self)) }
    }
    unsafe fn run_with(&self, execution: &Execution) -> Result<(), Error> {
        unsafe { for_dtype!(self.dtype(), T => self.run_as::<T>(execution)) }
    }
    fn explain(&self) -> Result<String, Error> {
        Ok(explain_execution(self))
    }
}

/// Whether to interleave the members: if that is fastest, or if no other plan candidate is allowed.
fn interleaves<R: OverBatch>(p: &R, level: Level) -> bool {
    let Some(elements) = p.elements() else { return false };
    let lanes = lanes(p.dtype(), level) as i64;
    if lanes < 2 || !plan::allowed(Algorithm::Interleaved.name()) {
        return false;
    }
    let best = elements <= p.interleaved_best(level, lanes) && (p.batch() > lanes / 2 || plan::batch_invariant());
    let only = || !["unblocked", "blocked"].iter().any(|name| plan::allowed(name));
    best || elements <= INTERLEAVED_LIMIT && only()
}

/// Chooses how to execute a routine.
pub fn execution<R: OverBatch>(p: &R) -> Execution {
    let (level, interleaved) = (level(), interleaves(p, level()));
    let multiple = if interleaved { lanes(p.dtype(), level) } else { 1 };
    let by = if R::SHARED { distribute_large } else { distribute };
    Execution { level, distribution: by(p.flops(), p.batch(), multiple), interleaved }
}

/// How threads take members that have sizes of their own: one thread each, even where few equal members would share
/// all threads one after the other, because the largest size says little about the others.
pub fn distribute_members<R: OverBatch>(p: &R) -> Distribution {
    distribute(p.flops(), p.batch(), 1)
}

/// How the calling thread executes a problem of one member without lanes.
pub fn singly() -> Execution {
    let distribution = Distribution { threads: 1, threads_per_member: 1, grain: 1 };
    Execution { level: level(), distribution, interleaved: false }
}

/// How the calling thread executes a routine when it is one of several threads, each of which has members of its own.
pub fn single_threaded<R: OverBatch>(p: &R) -> Execution {
    Execution { distribution: Distribution { threads: 1, threads_per_member: 1, grain: 1 }, ..execution(p) }
}

/// Describes the chosen execution in words.
pub fn explain_execution<R: OverBatch>(p: &R) -> String {
    let how = if interleaves(p, level()) { "interleaved" } else { "one member at a time" };
    format!("backend: cpu ({}), {how}: {}", level().name(), p.name())
}

/// The work done on the members of a batch. Methods with a pack parameter are compiled once per instruction set, so
/// they must be `#[inline(always)]`.
pub trait Task<T: Packed> {
    /// Bytes of workspace per thread, none unless defined. `None` if the size overflows.
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Some(0)
    }
    /// Processes a range of the batch, with `buffer` of that size as workspace.
    ///
    /// # Safety
    /// The CPU must have the pack's instruction set, and no other thread may access these members.
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8);
}

/// A task that several threads use at once.
pub struct Shared<'a, J>(pub &'a J);

// SAFETY: tasks are plain data (problems with the addresses of their operands), and threads work on disjoint members.
unsafe impl<J> Sync for Shared<'_, J> {}

impl<J> Shared<'_, J> {
    /// The task itself.
    pub fn get(&self) -> &J {
        self.0
    }
}

/// Processes members 0..batch.
///
/// # Safety
/// The task's operands must be valid, and its fields plain data.
pub unsafe fn over_batch<T: Packed, J: Task<T>>(
    task: &J,
    batch: usize,
    level: Level,
    distribution: Distribution,
) -> Result<(), Error> {
    let (entry, bytes) = (entry::<T, J>(level), bytes_of(task, level).ok_or_else(overflow)?);
    let (failure, shared) = (Mutex::new(None), Shared(task));
    // A team that shares one matrix gets its work in many short pieces.
    let _awake = (distribution.threads_per_member > 1).then(threads::stay_awake);
    threads::for_ranges(batch, distribution.grain, distribution.threads, |range| {
        // SAFETY: the CPU has the level's instructions, and ranges are disjoint.
        if let Err(e) = scratch::with(bytes.max(1), |buffer| unsafe { entry(shared.get(), range, buffer) }) {
            *failure.lock() = Some(e);
        }
    });
    failure.into_inner().map_or(Ok(()), Err)
}

fn overflow() -> Error {
    Error::OutOfMemory("a matrix that does not fit the address space".into())
}

/// Bytes of workspace that the task needs with an instruction set. `None` if the size overflows.
#[inline(never)]
fn bytes_of<T: Packed, J: Task<T>>(task: &J, level: Level) -> Option<usize> {
    match level {
        Level::Baseline => task.bytes::<T::Pack<Baseline>>(),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => task.bytes::<T::Pack<Avx2>>(),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => task.bytes::<T::Pack<Avx512>>(),
    }
}

type Entry<J> = unsafe fn(&J, Range<usize>, *mut u8);

/// The task's entry point for an instruction set.
fn entry<T: Packed, J: Task<T>>(level: Level) -> Entry<J> {
    match level {
        Level::Baseline => enter::<T, J, Baseline>,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => enter::<T, J, Avx2>,
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => enter::<T, J, Avx512>,
    }
}

/// Processes 0..total of a task that needs no workspace.
///
/// # Safety
/// As [`over_batch`].
pub unsafe fn parallel_for<T: Packed, J: Task<T>>(task: &J, total: usize, level: Level, distribution: Distribution) {
    let (entry, shared) = (entry::<T, J>(level), Shared(task));
    if distribution.threads < 2 {
        // SAFETY: the CPU has the level's instructions, and the caller vouches for the operands.
        return unsafe { entry(task, 0..total, std::ptr::null_mut()) };
    }
    threads::for_ranges(total, distribution.grain, distribution.threads, |range| {
        // SAFETY: the CPU has the level's instructions, and ranges are disjoint.
        unsafe { entry(shared.get(), range, std::ptr::null_mut()) };
    });
}

/// [`over_batch`] with the given execution.
///
/// # Safety
/// As [`over_batch`].
pub unsafe fn run<T: Packed, J: Task<T>>(task: &J, batch: i64, execution: &Execution) -> Result<(), Error> {
    unsafe { over_batch(task, batch as usize, execution.level, execution.distribution) }
}

/// [`run`] for a task that divides each member into parts, which threads take as if they were members.
///
/// # Safety
/// As [`over_batch`].
pub unsafe fn run_parts<T: Packed, R: OverBatch>(
    p: &R,
    task: &impl Task<T>,
    parts: usize,
    execution: &Execution,
) -> Result<(), Error> {
    let all = p.batch() as usize * parts;
    let distribution = match parts {
        1 => execution.distribution,
        _ => distribute(p.flops() / parts as f64, all as i64, 1),
    };
    unsafe { over_batch(task, all, execution.level, distribution) }
}

/// A routine whose members may have sizes of their own.
pub trait Varying: Sized {
    /// The problem of member i, if it is valid and not empty. `bounds`: those of the routine, if it has some.
    ///
    /// # Safety
    /// As [`Run::run`].
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Self>;
    /// The same for a member that is known to be valid and not empty. Routines that have bounds define it.
    ///
    /// # Safety
    /// As [`Run::run`].
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Self> {
        unsafe { self.member(i, &Bounds::NONE) }
    }
}

/// A routine that does members of sizes of their own one after the other, each by the task of a uniform batch.
pub trait OneByOne: OverBatch + Varying {
    /// The work of a uniform batch.
    type Task<'a, T: Packed>: Task<T>
    where
        Self: 'a;
    /// Whether the next member is prefetched during a member of some size.
    const LOOKS_AHEAD: bool = false;
    /// The work on a problem of one member, for elements of type T. `None` if it has no task.
    ///
    /// # Safety
    /// As [`Run::run`].
    unsafe fn task<T: Packed>(&self) -> Option<Self::Task<'_, T>>;
    /// Number of parts into which a task divides the problem.
    fn parts(&self) -> usize {
        1
    }
    /// Lets a task prefetch another problem of one member.
    ///
    /// # Safety
    /// As [`Run::run`].
    unsafe fn look_ahead<T: Packed>(_: &mut Self::Task<'_, T>, _: &Self) {}
}

/// Operations of a member from which it is run as a batch of its own, which may use several threads.
const LARGE_MEMBER: f64 = 1e7;
/// Operations of a member from which prefetching the next one pays off.
const LOOK_AHEAD: f64 = 1e4;
/// Bytes of workspace with which small members begin.
const SMALL_WORKSPACE: usize = 4 << 10;

/// Processes members that have sizes of their own, each as a problem by itself. What a call does once is not repeated
/// for every member: these may take no longer than that.
///
/// # Safety
/// As [`Run::run`], for the problem of every member.
pub unsafe fn one_by_one<T: Packed, R: OneByOne>(p: &R, distribution: Distribution) -> Result<(), Error> {
    let (failure, all) = (Mutex::new(None), Shared(p));
    threads::for_ranges(p.batch() as usize, distribution.grain, distribution.threads, |range| {
        let note = |e| *failure.lock() = Some(e);
        let (mut left, mut bytes) = (range, SMALL_WORKSPACE);
        while left.start < left.end {
            // The outer buffer, because large members use the other one.
            // SAFETY: the caller vouches for the operands; ranges are disjoint.
            let more = scratch::with_outer(bytes, |buffer| unsafe {
                some_members::<T, R>(all.get(), &mut left, (buffer, bytes), &note)
            });
            bytes = more.unwrap_or_else(|e| {
                note(e);
                left.start += 1;
                SMALL_WORKSPACE
            });
        }
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Processes members from the beginning of `left` on, and removes them from it, until one needs more workspace than
/// there is. Returns the bytes that it needs.
unsafe fn some_members<T: Packed, R: OneByOne>(
    p: &R,
    left: &mut Range<usize>,
    (buffer, bytes): (*mut u8, usize),
    note: &impl Fn(Error),
) -> usize {
    let (level, bounds) = (level(), p.bounds().unwrap_or(Bounds::NONE));
    while left.start < left.end {
        let i = left.start;
        let Some(member) = (unsafe { p.member(i, &bounds) }) else {
            left.start += 1;
            continue;
        };
        let flops = member.flops();
        let task = if flops < LARGE_MEMBER { unsafe { member.task::<T>() } } else { None };
        let Some(mut task) = task else {
            left.start += 1;
            if let Err(e) = unsafe { member.run_as::<T>(&single_threaded(&member)) } {
                note(e);
            }
            continue;
        };
        match bytes_of(&task, level) {
            Some(needed) if needed > bytes => return needed,
            Some(_) => {}
            None => {
                note(overflow());
                left.start += 1;
                continue;
            }
        }
        left.start += 1;
        let next = if R::LOOKS_AHEAD && flops > LOOK_AHEAD && left.start < left.end {
            unsafe { p.member(left.start, &bounds) }
        } else {
            None
        };
        unsafe {
            if let Some(next) = &next {
                R::look_ahead::<T>(&mut task, next);
            }
            entry::<T, R::Task<'_, T>>(level)(&task, 0..member.parts(), buffer);
        }
    }
    0
}

/// A range of a task's members.
struct MemberRange<'a, J, P> {
    task: &'a J,
    range: Range<usize>,
    buffer: *mut u8,
    pack: PhantomData<P>,
}

impl<P: Pack<S: Packed>, J: Task<P::S>> OutOfLine for MemberRange<'_, J, P> {
    #[inline(always)]
    unsafe fn run(self) {
        unsafe { self.task.range::<P>(self.range, self.buffer) }
    }
}

unsafe fn enter<T: Packed, J: Task<T>, I: Isa>(task: &J, range: Range<usize>, buffer: *mut u8) {
    let members = MemberRange::<J, T::Pack<I>> { task, range, buffer, pack: PhantomData };
    unsafe { <T::Pack<I> as Pack>::V::call_out_of_line(members) }
}
