//! The workspace of factorisations in lanes, and solves and inverses there.

use super::super::batch::Members;
use super::super::interleaved::{self, Group, GroupLayout, Part, Tile, Triangle};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, Packed};
use super::super::small_members::{LaneMatrices, SIDES, SmallGroup};
use super::super::view::Transform;
use crate::routine::Trans;
use crate::scalar::Scalar;

/// Right-hand sides that are solved at a time.
const CHUNK: usize = SIDES;

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
        unsafe {
            let (factors, x) = (self.factors::<P>(base), self.x.at::<P>(base).0);
            if T::COMPLEX {
                interleaved::reciprocals(factors.0, n);
            }
            let mut members = group.starts(b);
            for first in (0..nrhs).step_by(CHUNK) {
                let count = CHUNK.min(nrhs - first);
                interleaved::load(&members, ldb, untransformed, Part::Whole, n, count, x);
                substitute(factors, op, n, x, count, None);
                interleaved::store(x, untransformed, n, count, &members, ldb, lanes);
                for p in &mut members {
                    // Not dereferenced after the last chunk.
                    *p = p.wrapping_add(CHUNK * ldb * T::PARTS);
                }
            }
        }
    }

    /// [`Tiles::solve`] for a group of small members, whose right-hand sides are [`SmallGroup::right`]. The identity
    /// must continue their factors to order n.
    #[inline(always)]
    pub unsafe fn solve_members<P: Pack<S: Packed>>(
        &self,
        base: *mut Re<P>,
        group: &SmallGroup<Re<P>>,
        lanes: u32,
        op: Trans,
        n: usize,
    ) {
        unsafe {
            let (factors, x) = (self.factors::<P>(base), self.x.at::<P>(base).0);
            P::V::call_out_of_line(SolveMembers { factors, x, group, lanes, op, n });
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
            interleaved::invert(a, n, base.wrapping_add(copy), None);
            order_columns::<P>(pivots, n, order);
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

    /// [`Tiles::invert`] for a group of small members, whose inverses are stored to [`SmallGroup::right`]. The identity
    /// must continue their factors to order n.
    #[inline(always)]
    pub unsafe fn invert_members<P: Pack<S: Packed>>(
        &self,
        base: *mut Re<P>,
        group: &SmallGroup<Re<P>>,
        lanes: u32,
        n: usize,
    ) {
        let Some(Inverse { copy, permutation }) = self.inverse else { return };
        let LaneMatrices { starts, sizes } = &group.right;
        unsafe {
            let ((a, pivots), order) = (self.factors::<P>(base), base.wrapping_add(permutation).cast::<i32>());
            interleaved::invert(a, n, base.wrapping_add(copy), Some(&group.of.sizes.rows));
            order_columns::<P>(pivots, n, order);
            for j in 0..n {
                let (mut columns, mut one) = (*starts, *sizes);
                for (l, column) in columns.iter_mut().enumerate().take(P::L) {
                    one.columns[l] = u32::from((j as u32) < sizes.columns[l]);
                    let at = *order.add(j * P::L + l) as usize;
                    *column = column.wrapping_add(at * sizes.ld[l] as usize * P::S::PARTS);
                }
                let column = a.starting_at(j);
                interleaved::store_each(column, Transform::default(), Part::Whole, n, 1, &columns, &one, lanes);
            }
        }
    }
}

/// The body of [`Tiles::solve_members`], compiled once for its routines.
struct SolveMembers<'a, P: Pack> {
    factors: (Tile<P>, *mut i32),
    x: Tile<P>,
    group: &'a SmallGroup<Re<P>>,
    lanes: u32,
    op: Trans,
    n: usize,
}

impl<P: Pack<S: Packed>> OutOfLine for SolveMembers<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let SolveMembers { factors, x, group, lanes, op, n } = self;
        let (untransformed, columns) = (Transform::default(), group.sides());
        let LaneMatrices { starts, sizes } = &group.right;
        unsafe {
            if P::S::COMPLEX {
                interleaved::reciprocals(factors.0, n);
            }
            interleaved::load_each(starts, sizes, untransformed, Part::Whole, n, columns, x);
            substitute(factors, op, n, x, columns, Some(&group.of.sizes.rows));
            interleaved::store_each(x, untransformed, Part::Whole, n, columns, starts, sizes, lanes);
        }
    }
}

/// Solves op(A) X = B in a tile of `count` right-hand sides. For complex A, the factors hold the reciprocals of U's
/// diagonal. `own`: the orders of the matrices, if the identity continues them to order n. That has no effect on the
/// solutions.
#[inline(always)]
unsafe fn substitute<P: Pack>(
    (a, pivots): (Tile<P>, *mut i32),
    op: Trans,
    n: usize,
    x: Tile<P>,
    count: usize,
    own: Option<&[u32; MAX_LANES]>,
) {
    let lower = Triangle { upper: false, transposed: op != Trans::N, conjugated: op == Trans::C };
    let (upper, each) = (Triangle { upper: true, ..lower }, own.is_some());
    // No closures: they would be compiled without the instruction set.
    unsafe {
        if op == Trans::N {
            interleaved::exchange(x, count, 0..n, pivots);
            interleaved::solve(a, lower, n, x, count, undivided, each);
        } else {
            with_u(a, lower, n, x, count, each);
        }
        if let Some(orders) = own {
            // Infinities times the zeros below a triangle are NaN.
            x.clear_beyond(n, count, orders);
        }
        if op == Trans::N {
            with_u(a, upper, n, x, count, each);
        } else {
            interleaved::solve(a, upper, n, x, count, undivided, each);
            let mut c = n;
            while c > 0 {
                c -= 1;
                interleaved::exchange(x, count, c..c + 1, pivots);
            }
        }
    }
}

/// Solves with U or its transpose; `each`: see [`interleaved::solve`].
#[inline(always)]
unsafe fn with_u<P: Pack>(a: Tile<P>, triangle: Triangle, n: usize, x: Tile<P>, count: usize, each: bool) {
    unsafe {
        if P::S::COMPLEX {
            interleaved::solve(a, triangle, n, x, count, interleaved::times_reciprocal, each);
        } else {
            interleaved::solve(a, triangle, n, x, count, interleaved::divide_by_real, each);
        }
    }
}

/// Division by a unit diagonal.
#[inline(always)]
fn undivided<P: Pack>(x: P, _: P) -> P {
    x
}

/// Row exchanges of A become column exchanges of its inverse, so each lane stores each column at its own place: `order`.
#[inline(always)]
unsafe fn order_columns<P: Pack>(pivots: *const i32, n: usize, order: *mut i32) {
    for l in 0..P::L {
        unsafe {
            (0..n).for_each(|j| *order.add(j * P::L + l) = j as i32);
            for j in 0..n {
                let other = *pivots.add(j * P::L + l) as usize;
                order.add(j * P::L + l).swap(order.add(other * P::L + l));
            }
        }
    }
}
