//! Small members that have sizes of their own, in the lanes of vectors.

use super::super::interleaved::{self, Part, Tile};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, Packed};
use super::super::small_members::{InLanes, LaneMatrices, Places, SmallGroup};
use super::super::view::Transform;
use super::interchanges::Pivots;
use super::lanes::Tiles;
use crate::routine::{Gesv, Getrf, Getri, Getrs, Operand, Trans};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The interchanges of a problem of one member; NULL if there are none.
#[inline(always)]
unsafe fn first(ipiv: Operand) -> *mut c_void {
    unsafe { Pivots::new(ipiv).member(0).cast() }
}

impl InLanes for Getrf {
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        // Lanes handle their pivots together and cannot replace them one by one.
        (self.small.threshold <= 0.0).then_some((self.m, self.n))
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        unsafe { Places::new(self.a, [self.m, self.n, self.lda], self.info).with_vector(first(self.ipiv)) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize> {
        small_layout::<P>(m, n, 0).map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        // The caller has checked that the size does not overflow.
        let Some((tiles, _)) = small_layout::<P>(group.most.0, group.most.1, 0) else { return group.lanes() };
        unsafe {
            let small = FactoredMembers::new(group, next, tiles.factors::<P>(buffer.cast()), self.pivoting);
            small.store(group, group.lanes());
        }
        0
    }
}

/// The workspace of a group of small members with right-hand sides, and its size. `None` if that overflows.
#[inline(always)]
fn small_layout<P: Pack>(m: usize, n: usize, nrhs: usize) -> Option<(Tiles, usize)> {
    let mut arena = Arena::new();
    let size = (interleaved::whole_blocks(m), interleaved::whole_blocks(n));
    Some((Tiles::new::<P>(&mut arena, size, nrhs)?, arena.bytes()?))
}

/// The factors of a group of small members.
struct FactoredMembers<P: Pack> {
    a: Tile<P>,
    /// Rows and columns of the tile.
    size: (usize, usize),
    /// The interchanges, counted from 0, those of a step contiguous over the lanes.
    pivots: *mut i32,
    /// The first zero pivot of each lane, counted from 1.
    zeros: [i32; MAX_LANES],
}

impl<P: Pack<S: Packed>> FactoredMembers<P> {
    /// Factors the group in the tile.
    #[inline(always)]
    unsafe fn new(
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        (a, pivots): (Tile<P>, *mut i32),
        pivoting: bool,
    ) -> Self {
        let size = (interleaved::whole_blocks(group.most.0), interleaved::whole_blocks(group.most.1));
        let mut factors = FactoredMembers { a, size, pivots, zeros: [0; MAX_LANES] };
        unsafe { P::V::call_out_of_line(FactorMembers { group, next, pivoting, factors: &mut factors }) };
        factors
    }
    /// Stores the factors, interchanges and codes of the lanes whose bit is set.
    #[inline(always)]
    unsafe fn store(&self, group: &SmallGroup<Re<P>>, lanes: u32) {
        let (&FactoredMembers { a, size: (m, n), pivots, ref zeros }, sizes) = (self, &group.of.sizes);
        unsafe {
            interleaved::store_each(a, Transform::default(), Part::Whole, m, n, &group.of.starts, sizes, lanes);
            for l in (0..group.count).filter(|l| lanes >> l & 1 == 1) {
                let (steps, to) = (sizes.rows[l].min(sizes.columns[l]) as usize, group.vectors[l].cast::<i32>());
                for c in 0..if to.is_null() { 0 } else { steps } {
                    *to.add(c) = *pivots.add(c * P::L + l) + 1;
                }
                group.set_info(l, if zeros[l] <= steps as i32 { zeros[l] } else { 0 });
            }
        }
    }
}

/// The body of [`FactoredMembers::new`], compiled once for its routines.
struct FactorMembers<'a, P: Pack> {
    group: &'a SmallGroup<Re<P>>,
    next: &'a SmallGroup<Re<P>>,
    pivoting: bool,
    factors: &'a mut FactoredMembers<P>,
}

impl<P: Pack<S: Packed>> OutOfLine for FactorMembers<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let FactorMembers { group, next, pivoting, factors } = self;
        let LaneMatrices { starts, sizes } = &group.of;
        let &mut FactoredMembers { a, size: (m, n), pivots, .. } = factors;
        unsafe {
            interleaved::load_each(starts, sizes, Transform::default(), Part::Whole, m, n, a);
            // What continues a matrix is 0 or NaN, and so never the pivot of one of its columns. In columns that
            // continue it, zeros make each row its own pivot. Ones save square matrices the zero pivots.
            a.continue_by_identity(m.min(n), &sizes.larger());
            let steps = interleaved::lu_steps(m, n);
            let mut prefetch = next.prefetch::<P::S>(Part::Whole, steps);
            let pivots = if pivoting { pivots } else { null_mut() };
            factors.zeros = interleaved::lu(a, m, n, pivots, &mut prefetch);
        }
    }
}

impl InLanes for Gesv {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.n, self.n, self.lda], self.info) };
        unsafe { places.with_vector(first(self.ipiv)).with_right(self.b, [self.n, self.nrhs, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        small_layout::<P>(n, n, self.nrhs as usize).map(|(_, bytes)| bytes)
    }
    /// Members with a diagonal element whose reciprocal is not a normal number are done alone.
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let (n, base) = (interleaved::whole_blocks(group.most.0), buffer.cast());
        // The caller has checked that the size does not overflow.
        let Some((tiles, _)) = small_layout::<P>(n, n, self.nrhs as usize) else { return group.lanes() };
        unsafe {
            let small = FactoredMembers::<P>::new(group, next, tiles.factors(base), true);
            // What follows a matrix may be NaN if it has infinities.
            small.a.make_identity_beyond(n, &group.of.sizes.rows);
            let without_reciprocals = interleaved::lanes_without_normal_reciprocal(small.a, n);
            let irregular = without_reciprocals & group.lanes();
            small.store(group, group.lanes() & !irregular);
            small.a.make_identity(n, without_reciprocals);
            tiles.solve_members::<P>(base, group, group.lanes() & !irregular, Trans::N, n);
            irregular
        }
    }
}

/// Loads the factors of a group of small members of at most n rows, which the identity continues, and their
/// interchanges. Returns the lanes with a diagonal element whose reciprocal is not a normal number, in which it loads
/// the identity.
#[inline(always)]
unsafe fn load_members<P: Pack<S: Packed>>(
    group: &SmallGroup<Re<P>>,
    n: usize,
    (a, pivots): (Tile<P>, *mut i32),
) -> u32 {
    let LaneMatrices { starts, sizes } = &group.of;
    unsafe {
        interleaved::load_each(starts, sizes, Transform::default(), Part::Whole, n, n, a);
        a.continue_by_identity(n, &sizes.rows);
        for l in 0..P::L {
            let (from, order) = (group.vectors[l].cast::<i32>(), sizes.rows[l] as usize);
            for c in 0..n {
                let exchanged = c < order && !from.is_null();
                *pivots.add(c * P::L + l) = if exchanged { *from.add(c) - 1 } else { c as i32 };
            }
        }
        interleaved::replace_irregular_by_identity(a, n) & group.lanes()
    }
}

impl InLanes for Getrs {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.n, self.n, self.lda], null_mut()) };
        unsafe { places.with_vector(first(self.ipiv)).with_right(self.b, [self.n, self.nrhs, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        let mut arena = Arena::<Re<P>>::new();
        Tiles::new::<P>(&mut arena, (n, n), self.nrhs as usize)?;
        arena.bytes()
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let ((n, _), mut arena, base) = (group.most, Arena::<Re<P>>::new(), buffer.cast());
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::new::<P>(&mut arena, (n, n), self.nrhs as usize) else { return group.lanes() };
        unsafe {
            let irregular = load_members::<P>(group, n, tiles.factors(base));
            tiles.solve_members::<P>(base, group, group.lanes() & !irregular, self.trans, n);
            irregular
        }
    }
}

impl InLanes for Getri {
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        Some((self.n, self.n))
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.n, self.n, self.lda], self.info) };
        unsafe { places.with_vector(first(self.ipiv)).with_right(self.c, [self.n, self.n, self.ldc]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        let mut arena = Arena::<Re<P>>::new();
        Tiles::with_inverses::<P>(&mut arena, interleaved::whole_blocks(n))?;
        arena.bytes()
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let (n, mut arena, base) = (interleaved::whole_blocks(group.most.0), Arena::<Re<P>>::new(), buffer.cast());
        // The caller has checked that the size does not overflow.
        let Some(tiles) = Tiles::with_inverses::<P>(&mut arena, n) else { return group.lanes() };
        unsafe {
            let irregular = load_members::<P>(group, n, tiles.factors(base));
            (0..group.count).filter(|l| irregular >> l & 1 == 0).for_each(|l| group.set_info(l, 0));
            tiles.invert_members::<P>(base, group, group.lanes() & !irregular, n);
            irregular
        }
    }
}
