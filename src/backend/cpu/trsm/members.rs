//! Small members that have sizes of their own, in the lanes of vectors.

use super::super::gemm::value;
use super::super::interleaved::{self, GroupLayout, Part, Tile};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
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
        layout::<P>(order, sides).map(|(_, _, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let SmallGroup { most: (n, sides), of: LaneMatrices { starts, sizes }, right, .. } = group;
        let (n, sides, of_a, unit) = (*n, *sides, Transform::default(), self.diag == Diag::Unit);
        let of_b = Transform { transposed: self.side == Side::Right, conjugated: false };
        let part = if self.uplo == Uplo::Upper { Part::Upper } else { Part::Lower };
        // The caller has checked that the size does not overflow.
        let Some((a, x, _)) = layout::<P>(n, sides) else { return group.lanes() };
        unsafe {
            let (a, x): (Tile<P>, Tile<P>) = (a.at(buffer.cast()).0, x.at(buffer.cast()).0);
            let alpha = value::<P::S>(self.alpha);
            interleaved::load_each(starts, sizes, of_a, part, n, n, a);
            a.continue_by_identity(n, &sizes.rows);
            let irregular = prepare_diagonal(a, n, unit) & group.lanes();
            interleaved::load_each(&right.starts, &right.sizes, of_b, Part::Whole, n, sides, x);
            if alpha != P::S::one() {
                x.scale(n, sides, alpha);
                // An infinite alpha times the zeros that continue B is NaN.
                x.clear_beyond(n, sides, &sizes.rows);
            }
            substitute(a, triangle(self, self.trans == Trans::C), n, x, sides, true);
            let solved = group.lanes() & !irregular;
            interleaved::store_each(x, of_b, Part::Whole, n, sides, &right.starts, &right.sizes, solved);
            irregular
        }
    }
}
