//! Batched QR on host memory: a choice carried out over the batch.

use super::batch::{self, Members};
use super::blocked::{self, BlockLayout};
use super::choice::{Algorithm, Choice, choose};
use super::interleaved::{self, Starts};
use super::over_batch::{Task, over_batch};
use super::packed::{Columns, Re, leading};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::unblocked;
use crate::error::Error;
use crate::problem::{Dtype, Geqrf};
use crate::scalar::{C32, C64, Scalar};
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

unsafe fn run_typed<T: Packed>(p: &Geqrf, choice: &Choice) -> Result<(), Error> {
    let job = Job::<T> {
        m: p.m as usize,
        n: p.n as usize,
        lda: p.lda as usize,
        a: Members::new(p.a),
        tau: Members::new(p.tau),
        algorithm: choice.algorithm,
    };
    unsafe { over_batch(&job, p.batch as usize, choice.level, choice.share) }
}

/// Where the parts of one matrix's working memory start, in real numbers.
struct Layout {
    ld: usize,
    block: BlockLayout,
    tau: usize,
    group: usize,
    bytes: usize,
}

impl Layout {
    /// `None`: the size overflows.
    #[inline(always)]
    fn new<P: Pack>(job: &Job<P::S>) -> Option<Layout> {
        let ld = leading::<P>(job.m)?;
        let nb = match job.algorithm {
            Algorithm::Interleaved | Algorithm::Unblocked => 1,
            Algorithm::Blocked { nb, .. } => nb,
        };
        let mut arena = Arena::new();
        arena.part(ld.checked_mul(job.n)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, nb)?;
        let tau = arena.part(job.m.min(job.n) * P::S::PARTS)?;
        let group = match job.algorithm {
            Algorithm::Interleaved => arena.part(interleaved::packs(job.m, job.n)?.checked_mul(P::REALS)?)?,
            _ => 0,
        };
        Some(Layout { ld, block, tau, group, bytes: arena.bytes()? })
    }
}

impl<T: Packed> Task<T> for Job<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Layout::new::<P>(self).map(|layout| layout.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        unsafe { factor_range::<P>(self, range, buffer) }
    }
}

#[inline(always)]
unsafe fn factor_range<P: Pack>(job: &Job<P::S>, range: Range<usize>, buffer: *mut u8) {
    unsafe {
        // The size was computed without overflow by the caller.
        let Some(layout) = Layout::new::<P>(job) else { return };
        let at = buffer.cast::<Re<P>>();
        let a = Columns::<P> { p: at, ld: layout.ld };
        let tau = at.add(layout.tau).cast::<P::S>();
        let block = layout.block.at::<P>(at);
        // Members of a group, and those that are left for the kernels of one matrix.
        let step = if job.algorithm == Algorithm::Interleaved { P::L } else { 1 };
        for first in range.clone().step_by(step) {
            let members = step.min(range.end - first);
            let mut left = u32::MAX >> (32 - members);
            if job.algorithm == Algorithm::Interleaved {
                // Lanes without a member of their own repeat the last one.
                let member = |l: usize| first + l.min(members - 1);
                let a: Starts<Re<P>> = std::array::from_fn(|l| job.a.member(member(l)));
                let tau: Starts<Re<P>> = std::array::from_fn(|l| job.tau.member(member(l)));
                left = interleaved::factor::<P>(&a, job.lda, &tau, job.m, job.n, left, at.add(layout.group));
            }
            while left != 0 {
                let i = first + left.trailing_zeros() as usize;
                left &= left - 1;
                let member = job.a.member(i);
                for j in 0..job.n {
                    batch::pack::<P>(member.add(j * job.lda * P::S::PARTS), at.add(j * layout.ld), job.m);
                }
                match job.algorithm {
                    Algorithm::Interleaved | Algorithm::Unblocked => {
                        let one = Columns { p: block.v.p, ld: 0 };
                        unblocked::panel(a, job.m, 0, job.m.min(job.n), job.n, one, 0, tau);
                    }
                    Algorithm::Blocked { nb, inner } => blocked::blocked(a, job.m, job.n, nb, inner, &block, tau),
                }
                for j in 0..job.n {
                    batch::unpack::<P>(at.add(j * layout.ld), member.add(j * job.lda * P::S::PARTS), job.m);
                }
                let out = job.tau.member(i);
                for j in 0..job.m.min(job.n) {
                    batch::write::<P::S>(out.add(j * P::S::PARTS), *tau.add(j));
                }
            }
        }
    }
}
