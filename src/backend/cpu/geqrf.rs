//! Batched QR on host memory: which algorithm, on which instruction set, by how many threads; and running it.

use super::batch::{self, Members};
use super::factor::{self, Block, Columns, GROUP};
use super::interleaved::{self, Starts};
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Baseline, Isa, Level, Pack, Packed};
use super::{scratch, threads};
use crate::error::Error;
use crate::plan;
use crate::problem::{Dtype, Geqrf};
use crate::scalar::{C32, C64, Scalar};
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::ops::Range;

/// How one matrix is factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One matrix in each lane of a vector; those out of safe range unblocked.
    Interleaved,
    /// Column by column.
    Unblocked,
    /// Panels of `nb` columns and a block reflector for the rest.
    Blocked {
        /// Columns in a panel.
        nb: usize,
    },
}

impl Algorithm {
    /// Its name as a plan candidate.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Interleaved => "interleaved",
            Algorithm::Unblocked => "unblocked",
            Algorithm::Blocked { .. } => "blocked",
        }
    }
}

/// Everything that is decided before a batch is factored.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// How one matrix is factored.
    pub algorithm: Algorithm,
    /// The instructions used.
    pub level: Level,
    /// Threads that share the batch.
    pub threads: usize,
    /// Matrices a thread takes at a time.
    pub grain: usize,
}

static LEVEL: Lazy<Level> = Lazy::new(Level::detect);

/// Floating-point operations of one factorisation, by LAPACK's count.
pub fn flops(dtype: Dtype, m: i64, n: i64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let (mults, adds) = if m >= n {
        let common = m * n * n - n * n * n / 3.0;
        (common + m * n + n * n / 2.0 + n * 23.0 / 6.0, common + n * n / 2.0 + n * 5.0 / 6.0)
    } else {
        let common = n * m * m - m * m * m / 3.0;
        (common + 2.0 * n * m - m * m / 2.0 + m * 23.0 / 6.0, common + n * m - m * m / 2.0 + m * 5.0 / 6.0)
    };
    if dtype.is_complex() { 6.0 * mults + 2.0 * adds } else { mults + adds }
}

/// Elements of a vector's one lane.
fn lanes(dtype: Dtype, level: Level) -> usize {
    let bytes = match level {
        Level::Baseline => 16,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => 32,
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => 64,
    };
    bytes / if dtype.is_complex() { dtype.bytes() / 2 } else { dtype.bytes() }
}

/// The candidates in order of preference, and whether each can take the shape; the first that is able and allowed is
/// taken.
fn candidates(p: &Geqrf, level: Level) -> [(Algorithm, bool); 3] {
    let k = p.m.min(p.n);
    let lanes = lanes(p.dtype, level) as i64;
    let elements = p.m.saturating_mul(p.n);
    let interleaved = (Algorithm::Interleaved, p.batch > lanes / 2 && elements <= INTERLEAVED_LIMIT);
    let blocked = (Algorithm::Blocked { nb: if k >= 256 { 32 } else { 16 } }, true);
    let unblocked = (Algorithm::Unblocked, true);
    let [first, second] = if k > 48 { [blocked, unblocked] } else { [unblocked, blocked] };
    if elements <= INTERLEAVED_BEST * lanes { [interleaved, first, second] } else { [first, second, interleaved] }
}

/// Elements of a matrix up to which interleaving wins, per lane (the more lanes, the less a short column fills one).
const INTERLEAVED_BEST: i64 = 144;
/// Elements up to which a group of interleaved matrices may be made at all.
const INTERLEAVED_LIMIT: i64 = 1 << 16;

/// The plan of a shape: the first candidate that is allowed.
pub fn choose(p: &Geqrf) -> Result<Choice, Error> {
    let all = candidates(p, *LEVEL);
    let chosen = all.iter().find(|(a, able)| *able && plan::allowed(a.name()));
    let Some(&(algorithm, _)) = chosen else {
        let names = all.map(|(a, _)| a.name()).join(", ");
        return Err(Error::NotSupported(format!(
            "no allowed plan candidate can take this shape; the CPU has: {names}"
        )));
    };
    let each = flops(p.dtype, p.m, p.n).max(1.0);
    // Waking a helper costs about as much as this many operations, and a range should cost much more than an atomic.
    const HELPER: f64 = 2e5;
    const RANGE: f64 = 1e5;
    let worthwhile = (each * p.batch as f64 / HELPER) as usize + 1;
    let threads = threads::count().min(worthwhile).min(p.batch.max(1) as usize);
    let fair = (p.batch as usize / (threads * 4)).max(1);
    let grain = ((RANGE / each) as usize + 1).max(fair.min(1024)).min(p.batch as usize / threads + 1);
    let grain = grain.next_multiple_of(if algorithm == Algorithm::Interleaved { lanes(p.dtype, *LEVEL) } else { 1 });
    Ok(Choice { algorithm, level: *LEVEL, threads, grain })
}

/// The plan in words.
pub fn explain(p: &Geqrf) -> Result<String, Error> {
    let choice = choose(p)?;
    let mut text = format!("backend: cpu ({}, {} lanes)\n", choice.level.name(), lanes(p.dtype, choice.level));
    for (a, able) in candidates(p, choice.level) {
        let verdict = match () {
            _ if a == choice.algorithm => "taken",
            _ if !plan::allowed(a.name()) => "not allowed",
            _ if !able => "declines",
            _ => "not needed",
        };
        let size = if let Algorithm::Blocked { nb } = a { format!(" nb={nb}") } else { String::new() };
        text += &format!("candidate {}{size}: {verdict}\n", a.name());
    }
    text += &format!("threads: {}, {} matrices at a time", choice.threads, choice.grain);
    Ok(text)
}

/// Factors the batch; arguments were checked.
pub unsafe fn run(p: &Geqrf) -> Result<(), Error> {
    unsafe { run_as(p, &choose(p)?) }
}

/// Factors the batch as told.
pub unsafe fn run_as(p: &Geqrf, choice: &Choice) -> Result<(), Error> {
    unsafe {
        match p.dtype {
            Dtype::S => run_typed::<f32>(p, choice)?,
            Dtype::D => run_typed::<f64>(p, choice)?,
            Dtype::C => run_typed::<C32>(p, choice)?,
            Dtype::Z => run_typed::<C64>(p, choice)?,
        }
        if !p.info.is_null() {
            p.info.write_bytes(0, p.batch as usize);
        }
        Ok(())
    }
}

/// The problem in native sizes.
struct Job<T> {
    m: usize,
    n: usize,
    lda: usize,
    a: Members<T>,
    tau: Members<T>,
    algorithm: Algorithm,
}

/// Factors a range of the batch in a buffer of [`Layout`]'s size.
type Entry<T> = unsafe fn(&Job<T>, Range<usize>, *mut u8);

unsafe fn run_typed<T: Packed>(p: &Geqrf, choice: &Choice) -> Result<(), Error> {
    let job = Job::<T> {
        m: p.m as usize,
        n: p.n as usize,
        lda: p.lda as usize,
        a: Members::new(p.a),
        tau: Members::new(p.tau),
        algorithm: choice.algorithm,
    };
    let (entry, layout): (Entry<T>, _) = match choice.level {
        Level::Baseline => (range_baseline::<T>, Layout::new::<T::Pack<Baseline>>(&job)),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => (range_avx2::<T>, Layout::new::<T::Pack<Avx2>>(&job)),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => (range_avx512::<T>, Layout::new::<T::Pack<Avx512>>(&job)),
    };
    let too_big = || Error::OutOfMemory(format!("a {} x {} matrix does not fit the address space", p.m, p.n));
    let bytes = layout.ok_or_else(too_big)?.bytes;
    let failure = Mutex::new(None);
    threads::for_ranges(p.batch as usize, choice.grain, choice.threads, |range| {
        // SAFETY: the CPU has the level's instructions, and ranges are disjoint.
        if let Err(e) = scratch::with(bytes, |buffer| unsafe { entry(&job, range, buffer) }) {
            *failure.lock() = Some(e);
        }
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Where the parts of one matrix's working memory start, in real numbers.
struct Layout {
    ld: usize,
    ld_small: usize,
    v: usize,
    t: usize,
    w: usize,
    y: usize,
    t_plain: usize,
    tau: usize,
    group: usize,
    bytes: usize,
}

impl Layout {
    /// `None`: the size overflows.
    #[inline(always)]
    fn new<P: Pack>(job: &Job<P::S>) -> Option<Layout> {
        let packs = job.m.div_ceil(P::L);
        // An odd distance between columns keeps them out of each other's cache sets.
        let packs = if packs % 8 == 0 { packs + 1 } else { packs };
        let ld = packs.checked_mul(P::REALS)?;
        let nb = match job.algorithm {
            Algorithm::Interleaved | Algorithm::Unblocked => 1,
            Algorithm::Blocked { nb } => nb,
        };
        let ld_small = nb.div_ceil(P::L) * P::REALS;
        let line = 64 / size_of::<<P::S as Scalar>::Re>();
        let mut end = 0usize;
        let mut part = |numbers: usize| -> Option<usize> {
            let start = end;
            end = start.checked_add(numbers)?.checked_next_multiple_of(line)?;
            Some(start)
        };
        part(ld.checked_mul(job.n)?)?;
        let v = part(ld.checked_mul(nb)?)?;
        let t = part(ld_small * nb)?;
        let w = part(ld_small * GROUP)?;
        let y = part(ld_small * GROUP)?;
        let t_plain = part(nb * nb * P::S::PARTS)?;
        let tau = part(job.m.min(job.n) * P::S::PARTS)?;
        let group = match job.algorithm {
            Algorithm::Interleaved => part(interleaved::packs(job.m, job.n)?.checked_mul(P::REALS)?)?,
            _ => 0,
        };
        let bytes = end.checked_mul(size_of::<<P::S as Scalar>::Re>())?;
        Some(Layout { ld, ld_small, v, t, w, y, t_plain, tau, group, bytes })
    }
}

unsafe fn range_baseline<T: Packed>(job: &Job<T>, range: Range<usize>, buffer: *mut u8) {
    unsafe { factor_range::<T, Baseline>(job, range, buffer) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn range_avx2<T: Packed>(job: &Job<T>, range: Range<usize>, buffer: *mut u8) {
    unsafe { factor_range::<T, Avx2>(job, range, buffer) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq")]
unsafe fn range_avx512<T: Packed>(job: &Job<T>, range: Range<usize>, buffer: *mut u8) {
    unsafe { factor_range::<T, Avx512>(job, range, buffer) }
}

#[inline(always)]
unsafe fn factor_range<T: Packed, I: Isa>(job: &Job<T>, range: Range<usize>, buffer: *mut u8) {
    unsafe {
        // The size was computed without overflow by the caller.
        let Some(layout) = Layout::new::<T::Pack<I>>(job) else { return };
        let at = buffer.cast::<T::Re>();
        let a = Columns::<T::Pack<I>> { p: at, ld: layout.ld };
        let tau = at.add(layout.tau).cast::<T>();
        let small = |start: usize| Columns { p: at.add(start), ld: layout.ld_small };
        let block = Block {
            v: Columns { p: at.add(layout.v), ld: layout.ld },
            t: small(layout.t),
            w: small(layout.w),
            y: small(layout.y),
            t_plain: at.add(layout.t_plain).cast::<T>(),
        };
        // Members of a group, and those that are left for the kernels of one matrix.
        let step = if job.algorithm == Algorithm::Interleaved { T::Pack::<I>::L } else { 1 };
        for first in range.clone().step_by(step) {
            let members = step.min(range.end - first);
            let mut left = u32::MAX >> (32 - members);
            if job.algorithm == Algorithm::Interleaved {
                // Lanes without a member of their own repeat the last one.
                let member = |l: usize| first + l.min(members - 1);
                let a: Starts<T::Re> = std::array::from_fn(|l| job.a.member(member(l)));
                let tau: Starts<T::Re> = std::array::from_fn(|l| job.tau.member(member(l)));
                left = interleaved::factor::<T::Pack<I>>(&a, job.lda, &tau, job.m, job.n, left, at.add(layout.group));
            }
            while left != 0 {
                let i = first + left.trailing_zeros() as usize;
                left &= left - 1;
                let member = job.a.member(i);
                for j in 0..job.n {
                    batch::pack::<T::Pack<I>>(member.add(j * job.lda * T::PARTS), at.add(j * layout.ld), job.m);
                }
                match job.algorithm {
                    Algorithm::Interleaved | Algorithm::Unblocked => {
                        let one = Columns { p: block.v.p, ld: 0 };
                        factor::panel(a, job.m, 0, job.m.min(job.n), job.n, one, tau);
                    }
                    Algorithm::Blocked { nb } => factor::blocked(a, job.m, job.n, nb, &block, tau),
                }
                for j in 0..job.n {
                    batch::unpack::<T::Pack<I>>(at.add(j * layout.ld), member.add(j * job.lda * T::PARTS), job.m);
                }
                let out = job.tau.member(i);
                for j in 0..job.m.min(job.n) {
                    batch::write::<T>(out.add(j * T::PARTS), *tau.add(j));
                }
            }
        }
    }
}
