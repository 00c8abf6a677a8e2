//! Small members that have sizes of their own, in the lanes of vectors.

use super::super::geqrf::small_layout;
use super::super::interleaved::{self, OwnSizes, Part};
use super::super::packed::Re;
use super::super::simd::{Lanes, Pack, Packed};
use super::super::small_members::{InLanes, LaneMatrices, Places, SIDES, SmallGroup};
use super::super::view::Transform;
use super::lanes::{OfMembers, Solve, multiply_by_q, route};
use crate::routine::Gels;

impl InLanes for Gels {
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        (self.nrhs <= SIDES as i64).then_some((self.m.max(self.n), self.m.min(self.n)))
    }
    /// A wide matrix is transposed on its way to the tile.
    #[inline(always)]
    fn apart(&self) -> bool {
        self.m < self.n
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let places = unsafe { Places::new(self.a, [self.m, self.n, self.lda], self.info) };
        unsafe { places.with_right(self.b, [self.m.max(self.n), self.nrhs, self.ldb]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize> {
        small_layout::<P>(m, n + SIDES.min(self.nrhs as usize)).map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        next: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let SmallGroup { most: size, of: LaneMatrices { starts, sizes }, right, .. } = group;
        let (&(m, n), sides, untransformed) = (size, group.sides(), Transform::default());
        // The members are all wide or all tall.
        let (transform, least_squares) = route(sizes.rows[0] < sizes.columns[0], self.trans);
        let columns = sizes.smaller();
        // The caller has checked that the size does not overflow.
        let Some((layout, _)) = small_layout::<P>(m, n + sides) else { return group.lanes() };
        unsafe {
            let (f, tau) = layout.at::<P>(buffer.cast());
            let x = f.starting_at(n);
            interleaved::load_each(starts, sizes, transform, Part::Whole, m, n, f);
            let (rows, of_b) = match least_squares {
                true => (m, right.sizes),
                false => (n, OwnSizes { rows: columns, ..right.sizes }),
            };
            interleaved::load_each(&right.starts, &of_b, untransformed, Part::Whole, rows, sides, x);
            let prefetch = next.prefetch::<P::S>(Part::Whole, n);
            let of_members = Some(OfMembers { columns, ends: sizes.ends(), prefetch });
            let mut solved = group.lanes();
            let size = (m, n);
            P::V::call_out_of_line(Solve { f, tau, size, sides, least_squares, of_members, lanes: &mut solved });
            if solved != 0 {
                interleaved::store_each(f, transform, Part::Whole, m, n, starts, sizes, solved);
                multiply_by_q(f, tau, size, sides, least_squares);
                // Reflectors of the others may have changed signs of zeros.
                x.make_zeros_positive(m, sides);
                let (starts, sizes) = (&right.starts, &right.sizes);
                interleaved::store_each(x, untransformed, Part::Whole, m, sides, starts, sizes, solved);
            }
            for l in 0..group.count {
                group.set_info(l, 0);
            }
            group.lanes() & !solved
        }
    }
}
