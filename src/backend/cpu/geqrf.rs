//! Batched QR on host memory: a choice carried out over the batch.

use super::batch::{self, Members};
use super::blocked::{self, Block, GROUP};
use super::choice::{Algorithm, Choice, choose};
use super::interleaved::{self, Starts};
use super::packed::Columns;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Baseline, Isa, Level, Pack, Packed};
use super::{scratch, threads, unblocked};
use crate::error::Error;
use crate::problem::{Dtype, Geqrf};
use crate::scalar::{C32, C64, Scalar};
use parking_lot::Mutex;
use std::ops::Range;

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
            Algorithm::Blocked { nb, .. } => nb,
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
                        unblocked::panel(a, job.m, 0, job.m.min(job.n), job.n, one, 0, tau);
                    }
                    Algorithm::Blocked { nb, inner } => blocked::blocked(a, job.m, job.n, nb, inner, &block, tau),
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
