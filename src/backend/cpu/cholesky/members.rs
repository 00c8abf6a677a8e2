//! Small members that have sizes of their own, in the lanes of vectors.

use super::super::interleaved::{self, Part, Tile};
use super::super::packed::Re;
use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, Packed};
use super::super::small_members::{InLanes, LaneMatrices, Places, SmallGroup};
use super::super::view::{Transform, View};
use super::lanes::{BACK, FORWARD, Tiles};
use super::{rotate_to_real_diagonal, to_lower};
use crate::routine::{Posv, Potrf, Potri, Potrs, Uplo};
use crate::scalar::Scalar;
use std::ptr::null_mut;

/// Loads the triangles of a group of small members, with real diagonals; the identity continues them to order n.
#[inline(always)]
unsafe fn load_members<P: Pack<S: Packed>>(group: &SmallGroup<Re<P>>, uplo: Uplo, n: usize, to: Tile<P>) {
    let (LaneMatrices { starts, sizes }, (transform, part)) = (&group.of, to_lower(uplo));
    unsafe {
        interleaved::load_each(starts, sizes, transform, part, n, n, to);
        for j in 0..if P::S::COMPLEX { n } else { 0 } {
            to.make_real(j, j);
        }
        to.continue_by_identity(n, &sizes.rows);
    }
}

/// [`load_members`] for factors, whose diagonals need not be real.
#[inline(always)]
unsafe fn load_factors_of_members<P: Pack<S: Packed>>(group: &SmallGroup<Re<P>>, uplo: Uplo, n: usize, to: Tile<P>) {
    unsafe { load_members(group, uplo, n, to) };
    for l in 0..if P::S::COMPLEX { group.count } else { 0 } {
        // Lanes without a member repeat the last one.
        let lanes = if l + 1 == group.count { u32::MAX << l } else { 1 << l };
        let a = View { p: group.of.starts[l], ld: group.of.sizes.ld[l] as usize };
        let order = group.of.sizes.rows[l] as usize;
        unsafe { rotate_to_real_diagonal::<P::S>(a, uplo, order, |r, j, x| to.put(r, j, lanes, x)) };
    }
}

impl InLanes for Potrf {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        unsafe { Places::new(self.a, [self.n, self.n, self.lda], self.info) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        Tiles::new::<P>(interleaved::whole_blocks(n), 0).map(|tiles| tiles.bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let n = interleaved::whole_blocks(group.most.0);
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::new::<P>(n, 0) else { return group.lanes() };
        unsafe { factor_members::<P>(group, next, self.uplo, (tiles.at::<P>(buffer).0, n)) };
        0
    }
}

/// Factors a group of small members in a tile of order n. Returns the lanes that failed.
#[inline(always)]
unsafe fn factor_members<P: Pack<S: Packed>>(
    group: &SmallGroup<Re<P>>,
    next: &SmallGroup<Re<P>>,
    uplo: Uplo,
    (a, n): (Tile<P>, usize),
) -> u32 {
    let mut failed = 0;
    unsafe { P::V::call_out_of_line(FactorMembers { group, next, uplo, a, n, failed: &mut failed }) };
    failed
}

/// The body of [`factor_members`], compiled once for its routines.
struct FactorMembers<'a, P: Pack> {
    group: &'a SmallGroup<Re<P>>,
    next: &'a SmallGroup<Re<P>>,
    uplo: Uplo,
    a: Tile<P>,
    n: usize,
    failed: &'a mut u32,
}

impl<P: Pack<S: Packed>> OutOfLine for FactorMembers<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let FactorMembers { group, next, uplo, a, n, failed } = self;
        let (LaneMatrices { starts, sizes }, (transform, part)) = (&group.of, to_lower(uplo));
        unsafe {
            load_members(group, uplo, n, a);
            let steps = interleaved::cholesky_steps(n);
            let prefetch = next.prefetch::<P::S>(part, steps);
            let failures = interleaved::cholesky(a, n, prefetch);
            interleaved::store_each(a, transform, part, n, n, starts, sizes, group.lanes());
            for l in 0..group.count {
                let place = failures.first_bad_pivot[l];
                group.set_info(l, if place <= sizes.rows[l] as i32 { place } else { 0 });
            }
            *failed = failures.lanes;
        }
    }
}

impl InLanes for Posv {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.n, self.n, self.lda], self.info) };
        unsafe { places.with_right(self.b, [self.n, self.nrhs, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        Tiles::new::<P>(interleaved::whole_blocks(n), self.nrhs as usize).map(|tiles| tiles.bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let n = interleaved::whole_blocks(group.most.0);
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::new::<P>(n, self.nrhs as usize) else { return group.lanes() };
        unsafe {
            let (a, x) = tiles.at::<P>(buffer);
            let failures = factor_members::<P>(group, next, self.uplo, (a, n));
            // What follows a matrix may be NaN if it has infinities.
            a.make_identity_beyond(n, &group.of.sizes.rows);
            a.make_identity(n, failures);
            solve_members(group, group.lanes() & !failures, (a, n), x);
        }
        0
    }
}

impl InLanes for Potrs {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.n, self.n, self.lda], null_mut()) };
        unsafe { places.with_right(self.b, [self.n, self.nrhs, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        Tiles::new::<P>(n, self.nrhs as usize).map(|tiles| tiles.bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let (n, _) = group.most;
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::new::<P>(n, self.nrhs as usize) else { return group.lanes() };
        unsafe {
            let (a, x) = tiles.at::<P>(buffer);
            load_factors_of_members(group, self.uplo, n, a);
            solve_members(group, group.lanes(), (a, n), x);
        }
        0
    }
}

impl InLanes for Potri {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        unsafe { Places::new(self.a, [self.n, self.n, self.lda], self.info) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        Tiles::new::<P>(n, 0).map(|tiles| tiles.bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let (n, LaneMatrices { starts, sizes }, (transform, part)) = (group.most.0, &group.of, to_lower(self.uplo));
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::new::<P>(n, 0) else { return group.lanes() };
        unsafe {
            let (a, _) = tiles.at::<P>(buffer);
            load_factors_of_members(group, self.uplo, n, a);
            let (mut singular, mut places) = (0, [0; MAX_LANES]);
            for j in (0..n).rev() {
                let zeros = a.zeros(j, j);
                singular |= zeros;
                places.iter_mut().enumerate().filter(|(l, _)| zeros >> l & 1 == 1).for_each(|(_, p)| *p = j as i32 + 1);
            }
            (0..group.count).for_each(|l| group.set_info(l, places[l]));
            a.make_identity(n, singular);
            interleaved::invert_cholesky(a, n, Some(&sizes.rows));
            interleaved::store_each(a, transform, part, n, n, starts, sizes, group.lanes() & !singular);
        }
        0
    }
}

/// [`super::lanes::solve`] for a group of small members, whose right-hand sides are [`SmallGroup::right`]. The identity
/// must continue their triangles to order n.
#[inline(always)]
unsafe fn solve_members<P: Pack<S: Packed>>(
    group: &SmallGroup<Re<P>>,
    lanes: u32,
    (l, n): (Tile<P>, usize),
    x: Tile<P>,
) {
    unsafe { P::V::call_out_of_line(SolveMembers { group, lanes, l, n, x }) }
}

/// The body of [`solve_members`], compiled once for its routines.
struct SolveMembers<'a, P: Pack> {
    group: &'a SmallGroup<Re<P>>,
    lanes: u32,
    l: Tile<P>,
    n: usize,
    x: Tile<P>,
}

impl<P: Pack<S: Packed>> OutOfLine for SolveMembers<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let SolveMembers { group, lanes, l, n, x } = self;
        let (untransformed, columns) = (Transform::default(), group.sides());
        let LaneMatrices { starts, sizes } = &group.right;
        unsafe {
            interleaved::load_each(starts, sizes, untransformed, Part::Whole, n, columns, x);
            interleaved::solve(l, FORWARD, n, x, columns, interleaved::divide_by_real, true);
            // Infinities times the zeros below a triangle are NaN.
            x.clear_beyond(n, columns, &group.of.sizes.rows);
            interleaved::solve(l, BACK, n, x, columns, interleaved::divide_by_real, true);
            interleaved::store_each(x, untransformed, Part::Whole, n, columns, starts, sizes, lanes);
        }
    }
}
