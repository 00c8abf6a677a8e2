//! Small members that have sizes of their own, in the lanes of vectors.

use super::super::gemm::value;
use super::super::interleaved::{self, GroupLayout, Part, Tile, Triangle};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Lanes, OutOfLine, Pack, Packed};
use super::super::small_members::{InLanes, LaneMatrices, Places, SmallGroup};
use super::super::view::Transform;
use super::{prepare_diagonal, substitute, triangle};
use crate::routine::{Diag, Side, Trans, Trsm, Uplo};
use crate::scalar::Scalar;
use std::ptr::null_mut;

/// Where the tiles of a group are, and the size of the workspace. `None` if the size overflows.
#[inline(always)]
fn layout<P: Pack>(order: usize, sides: usize) -> Option<(GroupLayout, GroupLayout, usize)> {
    let mut arena = Arena::<Re<P>>::new();
    let a = GroupLayout::new::<P>(&mut arena, order, order, 0)?;
    Some((a, GroupLayout::new::<P>(&mut arena, order, sides, 0)?, arena.bytes()?))
}

impl InLanes for Trsm {
    /// An alpha of zero sets B to zero without reading A or B.
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        let (order, sides) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        (!self.alpha.is_zero()).then_some((order, sides))
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let (order, _) = self.side.order(self.m, self.n);
        let places = unsafe { Places::new(self.a, [order, order, self.lda], null_mut()) };
        unsafe { places.with_right(self.b, [self.m, self.n, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, order: usize, sides: usize) -> Option<usize> {
        small_bytes::<P>(order, sides)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let of_b = Transform { transposed: self.side == Side::Right, conjugated: false };
        unsafe { SmallSystems::new(self, of_b).solve::<P>(group, buffer) }
    }
}

/// Bytes of workspace for systems of at most this order. `None` if the size overflows.
#[inline(always)]
pub fn small_bytes<P: Pack>(order: usize, sides: usize) -> Option<usize> {
    layout::<P>(order, sides).map(|(_, _, bytes)| bytes)
}

/// How to solve the systems of a group.
pub struct SmallSystems<T> {
    triangle: Triangle,
    part: Part,
    unit: bool,
    alpha: T,
    of_b: Transform,
}

impl<T: Packed> SmallSystems<T> {
    /// Systems like this one, of which `of_b` transforms the right-hand sides.
    #[inline(always)]
    pub unsafe fn new(p: &Trsm, of_b: Transform) -> Self {
        SmallSystems {
            triangle: triangle(p, p.trans == Trans::C),
            part: if p.uplo == Uplo::Upper { Part::Upper } else { Part::Lower },
            unit: p.diag == Diag::Unit,
            alpha: unsafe { value(p.alpha) },
            of_b,
        }
    }
    /// Solves the systems of a group, whose right-hand sides are [`SmallGroup::right`]. Returns the lanes with a
    /// diagonal element whose reciprocal is not a normal number, in which it does nothing.
    #[inline(always)]
    pub unsafe fn solve<P: Pack<S = T>>(self, group: &SmallGroup<Re<P>>, buffer: *mut u8) -> u32 {
        let mut irregular = group.lanes();
        unsafe { P::V::call_out_of_line(SolveSmall::<P> { systems: self, group, buffer, irregular: &mut irregular }) };
        irregular
    }
}

/// The body of [`SmallSystems::solve`], compiled once for its routines.
struct SolveSmall<'a, P: Pack> {
    systems: SmallSystems<P::S>,
    group: &'a SmallGroup<Re<P>>,
    buffer: *mut u8,
    irregular: &'a mut u32,
}

impl<P: Pack<S: Packed>> OutOfLine for SolveSmall<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let SolveSmall { systems: SmallSystems { triangle, part, unit, alpha, of_b }, group, buffer, irregular } = self;
        let SmallGroup { most: (n, sides), of: LaneMatrices { starts, sizes }, right, .. } = group;
        let (n, sides, of_a) = (*n, *sides, Transform::default());
        // The caller has checked that the size does not overflow.
        let Some((a, x, _)) = layout::<P>(n, sides) else { return };
        unsafe {
            let (a, x): (Tile<P>, Tile<P>) = (a.at(buffer.cast()).0, x.at(buffer.cast()).0);
            interleaved::load_each(starts, sizes, of_a, part, n, n, a);
            a.continue_by_identity(n, &sizes.rows);
            *irregular = prepare_diagonal(a, n, unit) & group.lanes();
            interleaved::load_each(&right.starts, &right.sizes, of_b, Part::Whole, n, sides, x);
            if alpha != P::S::one() {
                x.scale(n, sides, alpha);
                // An infinite alpha times the zeros that continue B is NaN.
                x.clear_beyond(n, sides, &sizes.rows);
            }
            substitute(a, triangle, n, x, sides, true);
            let solved = group.lanes() & !*irregular;
            interleaved::store_each(x, of_b, Part::Whole, n, sides, &right.starts, &right.sizes, solved);
        }
    }
}
