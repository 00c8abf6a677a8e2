//! The workspace of factorisations in lanes, and solves and inverses there.

use super::super::batch::Members;
use super::super::interleaved::{self, Group, GroupLayout, Part, Tile, Triangle};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::view::Transform;
use crate::routine::Trans;

/// Right-hand sides that are solved at a time.
const CHUNK: usize = 32;

/// Offsets of a group's matrices, right-hand sides and interchanges.
#[derive(Default)]
pub struct Tiles {
    a: GroupLayout,
    x: GroupLayout,
    pivots: usize,
    inverse: Option<Inverse>,
}

/// Additional offsets for inverses: a copy of some of L's columns, and each lane's permutation.
#[derive(Clone, Copy)]
struct Inverse {
    copy: usize,
    permutation: usize,
}

impl Tiles {
    /// Space for m x n matrices. `None` if the size overflows.
    #[inline(always)]
    pub fn new<P: Pack>(arena: &mut Arena<Re<P>>, (m, n): (usize, usize), nrhs: usize) -> Option<Tiles> {
        let a = GroupLayout::new::<P>(arena, m, n, 0)?;
        let x = GroupLayout::new::<P>(arena, n, nrhs.min(CHUNK), 0)?;
        // In units of numbers, none of which is smaller than an int.
        Some(Tiles { a, x, pivots: arena.part(m.min(n).checked_mul(P::L)?)?, inverse: None })
    }
    /// Space for n x n matrices and [`Tiles::invert`].
    #[inline(always)]
    pub fn with_inverses<P: Pack>(arena: &mut Arena<Re<P>>, n: usize) -> Option<Tiles> {
        let tiles = Tiles::new::<P>(arena, (n, n), 0)?;
        let copy = arena.part(interleaved::packs_to_invert(n)?.checked_mul(P::REALS)?)?;
        let permutation = arena.part(n.checked_mul(P::L)?)?;
        Some(Tiles { inverse: Some(Inverse { copy, permutation }), ..tiles })
    }
    /// The matrices, and the interchanges, those of a step contiguous over the lanes.
    #[inline(always)]
    pub unsafe fn factors<P: Pack>(&self, base: *mut Re<P>) -> (Tile<P>, *mut i32) {
        unsafe { (self.a.at(base).0, base.wrapping_add(self.pivots).cast()) }
    }

    /// Solves op(A) X = B for the members whose bit is set, given the factors of order n and their interchanges.
    #[inline(always)]
    pub unsafe fn solve<T: Packed, P: Pack<S = T>>(
        &self,
        base: *mut Re<P>,
        group: &Group,
        lanes: u32,
        op: Trans,
        n: usize,
        (b, ldb): (&Members<T>, usize),
        nrhs: usize,
    ) {
        let untransformed = Transform::default();
        let lower = Triangle { upper: false, transposed: op != Trans::N, conjugated: op == Trans::C };
        let upper = Triangle { upper: true, ..lower };
        unsafe {
            let ((a, pivots), x) = (self.factors::<P>(base), self.x.at::<P>(base).0);
            if T::COMPLEX {
                interleaved::reciprocals(a, n);
            }
            let mut members = group.starts(b);
            for first in (0..nrhs).step_by(CHUNK) {
                let count = CHUNK.min(nrhs - first);
                interleaved::load(&members, ldb, untransformed, Part::Whole, n, count, x);
                if op == Trans::N {
                    interleaved::exchange(x, count, 0..n, pivots);
                    interleaved::solve(a, lower, n, x, count, |x, _| x);
                }
                // The triangle of U or of its transpose.
                let of_u = if op == Trans::N { upper } else { lower };
                if T::COMPLEX {
                    interleaved::solve(a, of_u, n, x, count, interleaved::times_reciprocal);
                } else {
                    interleaved::solve(a, of_u, n, x, count, interleaved::divide_by_real);
                }
                if op != Trans::N {
                    interleaved::solve(a, upper, n, x, count, |x, _| x);
                    (0..n).rev().for_each(|c| interleaved::exchange(x, count, c..c + 1, pivots));
                }
                interleaved::store(x, untransformed, n, count, &members, ldb, lanes);
                for p in &mut members {
                    // Not dereferenced after the last chunk.
                    *p = p.wrapping_add(CHUNK * ldb * T::PARTS);
                }
            }
        }
    }

    /// Inverts the members whose bit is set, given the factors of order n and their interchanges. Overwrites the
    /// factors.
    #[inline(always)]
    pub unsafe fn invert<T: Packed, P: Pack<S = T>>(
        &self,
        base: *mut Re<P>,
        group: &Group,
        lanes: u32,
        n: usize,
        (c, ldc): (&Members<T>, usize),
    ) {
        let Some(Inverse { copy, permutation }) = self.inverse else { return };
        unsafe {
            let ((a, pivots), order) = (self.factors::<P>(base), base.wrapping_add(permutation).cast::<i32>());
            interleaved::invert(a, n, base.wrapping_add(copy));
            // Row exchanges of A become column exchanges of its inverse, so each lane stores each column at its own
            // place.
            for l in 0..P::L {
                (0..n).for_each(|j| *order.add(j * P::L + l) = j as i32);
                for j in 0..n {
                    let other = *pivots.add(j * P::L + l) as usize;
                    order.add(j * P::L + l).swap(order.add(other * P::L + l));
                }
            }
            let members = group.starts(c);
            for j in 0..n {
                let mut columns = members;
                for (l, column) in columns.iter_mut().enumerate().take(P::L) {
                    let at = *order.add(j * P::L + l) as usize;
                    *column = column.wrapping_add(at * ldc * T::PARTS);
                }
                interleaved::store(a.starting_at(j), Transform::default(), n, 1, &columns, ldc, lanes);
            }
        }
    }
}
