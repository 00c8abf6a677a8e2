//! Batched QR and LQ on host memory: carries out the chosen plan over the batch.

use super::batch::{self, Members};
use super::blocked::{self, BlockLayout};
use super::choice::{self, Algorithm, Choice, Distribution, choose, choose_among_others};
use super::interleaved::{self, Group, GroupLayout, Part, Tile};
use super::over_batch::{Task, Varying, one_by_one, over_batch};
use super::packed::{Columns, Re, leading};
use super::run::Run;
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::systems::is_valid;
use super::team::Team;
use super::unblocked;
use super::view::{Transform, View};
use crate::error::Error;
use crate::routine::{Gelqf, Geqrf};
use crate::scalar::Scalar;
use std::ops::Range;
use std::ptr::null_mut;

impl Run for Geqrf {
    unsafe fn run(&self) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { each(self) };
        }
        unsafe { run_as(self, &choose(self)?) }
    }
    fn explain(&self) -> Result<String, Error> {
        choice::explain(self)
    }
    fn candidates(&self) -> Result<String, Error> {
        choice::list(self)
    }
}

/// Factors members that have sizes of their own: one thread per member, or all threads on one large member after the
/// other.
unsafe fn each(p: &Geqrf) -> Result<(), Error> {
    // The largest sizes decide, before anything is written, whether the call is allowed. Members that this plan does
    // not support use another one.
    choose(&Geqrf { batch: 1, ..*p })?;
    let distribution = choice::distribute_large(choice::flops(p.dtype, p.m, p.n), p.batch, 1);
    let run = |p: &Geqrf| {
        let chosen = choose_among_others(p)?;
        let single_threaded = Distribution { threads: 1, threads_per_member: 1, grain: 1 };
        let choice = if distribution.threads_per_member > 1 {
            chosen
        } else {
            Choice { distribution: single_threaded, ..chosen }
        };
        unsafe { run_as(p, &choice) }
    };
    unsafe { one_by_one(p, distribution, Varying::member, run) }
}

impl Varying for Geqrf {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    unsafe fn member(&self, i: usize) -> Option<Geqrf> {
        let sizes = self.sizes?;
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        let (m, n, lda) = unsafe { sizes.nonempty_member(i, (self.m, self.n), info)? };
        let [a, tau] = [self.a, self.tau].map(|operand| operand.from_member(i as i64, self.dtype.bytes()));
        Some(Geqrf { m, n, lda, a, tau, info, batch: 1, sizes: None, ..*self })
    }
}

/// [`each`] for LQ.
unsafe fn each_lq(p: &Gelqf) -> Result<(), Error> {
    let of_all = p.of_adjoint(p.a, p.lda);
    choose(&Geqrf { batch: 1, sizes: None, ..of_all })?;
    let distribution = choice::distribute_large(choice::flops(p.dtype, of_all.m, of_all.n), p.batch, 1);
    let run = |p: &Gelqf| {
        let p = p.of_adjoint(p.a, p.lda);
        let chosen = choose_among_others(&p)?;
        let single_threaded = Distribution { threads: 1, threads_per_member: 1, grain: 1 };
        let choice = if distribution.threads_per_member > 1 {
            chosen
        } else {
            Choice { distribution: single_threaded, ..chosen }
        };
        unsafe { for_dtype!(p.dtype, T => run_typed::<T>(&p, Transform::ADJOINT, &choice)) }
    };
    unsafe { one_by_one(p, distribution, member_lq, run) }
}

/// Member i, or `None` if there is nothing to factor; its info code is set then.
unsafe fn member_lq(p: &Gelqf, i: usize) -> Option<Gelqf> {
    if !unsafe { is_valid(p, i) } {
        return None;
    }
    let (m, n, lda) = unsafe { p.sizes?.nonempty_member(i, (p.m, p.n), null_mut())? };
    let [a, tau] = [p.a, p.tau].map(|operand| operand.from_member(i as i64, p.dtype.bytes()));
    Some(Gelqf { m, n, lda, a, tau, info: null_mut(), batch: 1, sizes: None, ..*p })
}

/// LQ is the QR factorisation of A^H, so it suffices to transpose A on its way to the workspace and back.
impl Run for Gelqf {
    unsafe fn run(&self) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { each_lq(self) };
        }
        let p = self.of_adjoint(self.a, self.lda);
        unsafe { for_dtype!(p.dtype, T => run_typed::<T>(&p, Transform::ADJOINT, &choose(&p)?)) }
    }
    fn explain(&self) -> Result<String, Error> {
        choice::explain(&self.of_adjoint(self.a, self.lda))
    }
    fn candidates(&self) -> Result<String, Error> {
        choice::list(&self.of_adjoint(self.a, self.lda))
    }
}

/// Factors the batch according to `choice`.
pub unsafe fn run_as(p: &Geqrf, choice: &Choice) -> Result<(), Error> {
    unsafe {
        for_dtype!(p.dtype, T => run_typed::<T>(p, Transform::default(), choice)?);
        if !p.info.is_null() {
            p.info.write_bytes(0, p.batch as usize);
        }
        Ok(())
    }
}

/// The factorisation of m x n matrices, which are the caller's after `transform`.
struct Job<T> {
    transform: Transform,
    m: usize,
    n: usize,
    lda: usize,
    a: Members<T>,
    tau: Members<T>,
    algorithm: Algorithm,
    team: Team,
}

unsafe fn run_typed<T: Packed>(p: &Geqrf, transform: Transform, choice: &Choice) -> Result<(), Error> {
    let job = Job::<T> {
        transform,
        m: p.m as usize,
        n: p.n as usize,
        lda: p.lda as usize,
        a: Members::new(p.a),
        tau: Members::new(p.tau),
        algorithm: choice.algorithm,
        team: choice.distribution.team(choice.level),
    };
    unsafe { over_batch(&job, p.batch as usize, choice.level, choice.distribution) }
}

/// Offsets of the parts of one matrix's workspace, in real numbers.
struct Layout {
    ld: usize,
    block: BlockLayout,
    tau: usize,
    group: GroupLayout,
    bytes: usize,
}

impl Layout {
    /// `None` if the size overflows.
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
            Algorithm::Interleaved => GroupLayout::new::<P>(&mut arena, job.m, job.n, job.m.min(job.n))?,
            _ => GroupLayout::default(),
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

/// Factors the members of a group in the lanes of a tile. Returns the lanes that succeeded.
#[inline(always)]
unsafe fn factor_group<P: Pack>(job: &Job<P::S>, group: &Group, (a, tau): (Tile<P>, *mut Re<P>)) -> u32 {
    let (m, n, lda, transform) = (job.m, job.n, job.lda, job.transform);
    unsafe {
        let members = group.starts(&job.a);
        interleaved::load(&members, lda, transform, Part::Whole, m, n, a);
        let good = interleaved::factor(a, tau, m, n, n, group.lanes());
        interleaved::store(a, transform, m, n, &members, lda, good);
        interleaved::store_vector::<P>(tau, m.min(n), &group.starts(&job.tau), good);
        good
    }
}

#[inline(always)]
unsafe fn factor_range<P: Pack>(job: &Job<P::S>, range: Range<usize>, buffer: *mut u8)
where
    P::S: Packed,
{
    unsafe {
        // The caller has checked that the size does not overflow.
        let Some(layout) = Layout::new::<P>(job) else { return };
        let at = buffer.cast::<Re<P>>();
        let a = Columns::<P> { p: at, ld: layout.ld };
        let tau = at.add(layout.tau).cast::<P::S>();
        let block = layout.block.at::<P>(at, job.team);
        let interleaved = P::interleaves(job.algorithm == Algorithm::Interleaved);
        for group in Group::of::<P>(range, interleaved) {
            let mut left = group.lanes();
            if interleaved {
                left &= !factor_group::<P>(job, &group, layout.group.at(at));
            }
            for i in group.members(left) {
                let caller = View::<P::S> { p: job.a.member(i), ld: job.lda };
                job.team.pack(&caller, job.transform, job.m, job.n, a);
                match job.algorithm {
                    Algorithm::Interleaved | Algorithm::Unblocked => {
                        let one = Columns { p: block.v.p, ld: 0 };
                        unblocked::panel(a, job.m, 0, job.m.min(job.n), job.n, one, 0, tau);
                    }
                    Algorithm::Blocked { nb, inner } => blocked::blocked(a, job.m, job.n, nb, inner, &block, tau),
                }
                job.team.unpack(&caller, job.transform, job.m, job.n, a);
                let out = job.tau.member(i);
                for j in 0..job.m.min(job.n) {
                    batch::write::<P::S>(out.add(j * P::S::PARTS), *tau.add(j));
                }
            }
        }
    }
}
