//! Batched QR and LQ on host memory: carries out the chosen plan over the batch.

use super::batch::{self, Members, of_member};
use super::blocked::{self, BlockLayout};
use super::choice::{self, Algorithm, Choice, Distribution, choose, choose_among_others};
use super::interleaved::{self, Group, GroupLayout, OwnSizes, Part, Tile};
use super::over_batch::{Task, Varying, over_batch};
use super::packed::{Columns, Re, leading};
use super::run::Run;
use super::scratch::Arena;
use super::simd::{MAX_LANES, Pack, Packed};
use super::small_members::{self, Alone, InLanes, LaneMatrices, Places, SmallGroup};
use super::systems::is_valid;
use super::team::Team;
use super::unblocked;
use super::view::{Transform, View};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::{Gelqf, Geqrf};
use crate::scalar::{Real, Scalar};
use std::ops::Range;
use std::ptr::null_mut;

impl Run for Geqrf {
    unsafe fn run(&self) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { each(self, self) };
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
/// other. `of_all` is the QR factorisation of all of them, of which only the largest sizes matter.
unsafe fn each<R: InLanes>(p: &R, of_all: &Geqrf) -> Result<(), Error> {
    // The largest sizes decide, before anything is written, whether the call is allowed. Members that this plan does
    // not support use another one.
    choose(&Geqrf { batch: 1, sizes: None, ..*of_all })?;
    let distribution = choice::distribute_large(choice::flops(of_all.dtype, of_all.m, of_all.n), of_all.batch, 1);
    unsafe { for_dtype!(of_all.dtype, T => small_members::process::<T, R>(p, distribution)) }
}

/// The plan for one member in a call that distributes its members like this.
fn choice_for_member(p: &Geqrf, distribution: Distribution) -> Result<Choice, Error> {
    let chosen = choose_among_others(p)?;
    let single_threaded = Distribution { threads: 1, threads_per_member: 1, grain: 1 };
    Ok(if distribution.threads_per_member > 1 { chosen } else { Choice { distribution: single_threaded, ..chosen } })
}

impl Varying for Geqrf {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Geqrf> {
        let sizes = self.sizes?;
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        let (m, n, lda) = unsafe { sizes.nonempty_member(i, (self.m, self.n), info)? };
        let [a, tau] = of_member([self.a, self.tau], i, self.dtype);
        Some(Geqrf { m, n, lda, a, tau, info, batch: 1, sizes: None, ..*self })
    }
}

impl InLanes for Geqrf {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        unsafe { Places::new(self.a, [self.m, self.n, self.lda], self.info).with_vector(self.tau.first()) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize> {
        small_layout::<P>(m, n).map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        unsafe { factor_small::<P>(group, next, Transform::default(), buffer) }
    }
}

impl Alone for Geqrf {
    fn gains(&self, lanes: usize) -> bool {
        choice::interleaving_gains(self, lanes as i64)
    }
    unsafe fn alone<T: Packed>(&self, distribution: Distribution) -> Result<(), Error> {
        unsafe { run_as(self, &choice_for_member(self, distribution)?) }
    }
}

impl Varying for Gelqf {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    #[inline(always)]
    unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<Gelqf> {
        unsafe { if is_valid(self, i, bounds) { self.known_member(i) } else { None } }
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Gelqf> {
        let (m, n, lda) = unsafe { self.sizes?.nonempty_member(i, (self.m, self.n), null_mut())? };
        let [a, tau] = of_member([self.a, self.tau], i, self.dtype);
        Some(Gelqf { m, n, lda, a, tau, info: null_mut(), batch: 1, sizes: None, ..*self })
    }
}

impl InLanes for Gelqf {
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        Some((self.n, self.m))
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        // The codes have been set.
        unsafe { Places::new(self.a, [self.m, self.n, self.lda], null_mut()).with_vector(self.tau.first()) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize> {
        small_layout::<P>(m, n).map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        unsafe { factor_small::<P>(group, next, Transform::ADJOINT, buffer) }
    }
}

impl Alone for Gelqf {
    fn gains(&self, lanes: usize) -> bool {
        choice::interleaving_gains(&self.of_adjoint(self.a, self.lda), lanes as i64)
    }
    unsafe fn alone<T: Packed>(&self, distribution: Distribution) -> Result<(), Error> {
        let p = self.of_adjoint(self.a, self.lda);
        unsafe { run_typed::<T>(&p, Transform::ADJOINT, &choice_for_member(&p, distribution)?) }
    }
}

/// Offsets of a group of small members, and the size of the workspace. `None` if the size overflows.
#[inline(always)]
pub fn small_layout<P: Pack>(m: usize, n: usize) -> Option<(GroupLayout, usize)> {
    let mut arena = Arena::new();
    Some((GroupLayout::new::<P>(&mut arena, m, n, m.min(n))?, arena.bytes()?))
}

/// Factors a group of small members, which are the callers' matrices after `transform`. Returns the lanes that did not
/// succeed.
#[inline(always)]
unsafe fn factor_small<P: Pack>(
    group: &SmallGroup<Re<P>>,
    next: &SmallGroup<Re<P>>,
    transform: Transform,
    buffer: *mut u8,
) -> u32 {
    let SmallGroup { most: (m, n), of: LaneMatrices { starts, sizes }, vectors, .. } = group;
    let (m, n) = (*m, *n);
    let steps = OwnSizes { rows: sizes.smaller(), columns: [1; MAX_LANES], ..OwnSizes::NONE };
    let most_steps = steps.rows.into_iter().max().unwrap_or(0) as usize;
    // The caller has checked that the size does not overflow.
    let Some((layout, _)) = small_layout::<P>(m, n) else { return group.lanes() };
    unsafe {
        let (a, tau) = layout.at::<P>(buffer.cast());
        interleaved::load_each(starts, sizes, transform, Part::Whole, m, n, a);
        // What continues a member stays zero if nothing overflows.
        let large = !a.squares_up_to(m, n, Re::<P>::SQUARES_IN_RANGE.1) & interleaved::all_lanes::<P>();
        if large != 0 {
            a.clear_lanes(m, n, large);
        }
        let prefetch = next.prefetch::<P::S>(Part::Whole, most_steps);
        let good = interleaved::factor_each(a, tau, m, most_steps, n, group.lanes() & !large, &sizes.ends(), prefetch);
        interleaved::store_each(a, transform, Part::Whole, m, n, starts, sizes, good);
        interleaved::store_vector_each::<P>(tau, most_steps, &vectors.map(|vector| vector.cast()), &steps, good);
        for l in 0..group.count {
            group.set_info(l, 0);
        }
        group.lanes() & !good
    }
}

/// LQ is the QR factorisation of A^H, so it suffices to transpose A on its way to the workspace and back.
impl Run for Gelqf {
    unsafe fn run(&self) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { each(self, &self.of_adjoint(self.a, self.lda)) };
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
