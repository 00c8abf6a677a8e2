//! trtri: inverses of triangles, either many small ones at once, one in each lane of a vector, or one after another in
//! packed form. An upper triangle is loaded and stored as its adjoint.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::cholesky::packed;
use super::super::interleaved::{self, Group, GroupLayout, Part, Tile};
use super::super::lu::triangles::{Shape, TriangleKind, solve};
use super::super::over_batch::{OverBatch, Task, run};
use super::super::packed::{Columns, Re, get, leading, set};
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::view::{Transform, View, view};
use crate::error::Error;
use crate::routine::{Diag, Trtri, Uplo};
use std::ops::Range;

struct Inverse<'a, T> {
    p: &'a Trtri,
    members: Members<T>,
    interleaved: bool,
}

/// Offsets of a matrix, or a group's, and of the inverse; packed columns are `ld` apart.
struct Layout {
    group: GroupLayout,
    ld: usize,
    x: usize,
    bytes: usize,
}

/// Columns of an inverse that are computed at a time.
const GROUP: usize = 8;

impl<T: Packed> Inverse<'_, T> {
    fn n(&self) -> usize {
        self.p.n as usize
    }
    fn unit(&self) -> bool {
        self.p.diag == Diag::Unit
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (mut arena, n) = (Arena::<Re<P>>::new(), self.n());
        if P::interleaves(self.interleaved) {
            // The additional row saves the diagonals that must not change.
            let group = GroupLayout::new::<P>(&mut arena, n.checked_add(1)?, n, 0)?;
            return Some(Layout { group, ld: 0, x: 0, bytes: arena.bytes()? });
        }
        let ld = leading::<P>(n)?;
        arena.part(ld.checked_mul(n)?)?;
        let x = arena.part(ld.checked_mul(n)?)?;
        Some(Layout { group: GroupLayout::default(), ld, x, bytes: arena.bytes()? })
    }
    /// Stores the info code of member i: the position of the first zero on its diagonal.
    unsafe fn set_info(&self, i: usize, zero: Option<usize>) {
        if !self.p.info.is_null() {
            unsafe { self.p.info.add(i).write(zero.map_or(0, |j| j as i32 + 1)) };
        }
    }

    /// Inverts the members of a group in the lanes of a tile.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, a: Tile<P>) {
        let (n, ld) = (self.n(), self.p.lda as usize);
        let (transform, part) = match self.p.uplo {
            Uplo::Lower => (Transform::default(), Part::Lower),
            Uplo::Upper => (Transform::ADJOINT, Part::Upper),
        };
        unsafe {
            let starts = group.starts(&self.members);
            interleaved::load(&starts, ld, transform, part, n, n, a);
            let mut singular = 0;
            for j in (0..n).rev() {
                if self.unit() {
                    a.copy((j, j), (n, j));
                    a.put(j, j, u32::MAX, T::one());
                } else {
                    let zeros = a.zeros(j, j);
                    singular |= zeros;
                    group.members(zeros & group.lanes()).for_each(|i| self.set_info(i, Some(j)));
                }
            }
            let regular = group.lanes() & !singular;
            group.members(regular).for_each(|i| self.set_info(i, None));
            a.make_identity(n, singular);
            interleaved::invert_lower(a, n, interleaved::reciprocal, P::mul);
            for j in 0..if self.unit() { n } else { 0 } {
                a.copy((n, j), (j, j));
            }
            interleaved::store_triangle(a, transform, part, n, &starts, ld, regular);
        }
    }

    /// A diagonal element of the packed triangle.
    #[inline(always)]
    unsafe fn diagonal(&self, a: &View<T>, j: usize) -> T {
        let d = unsafe { a.get(j, j) };
        if self.p.uplo == Uplo::Upper { d.conj() } else { d }
    }

    /// Inverts member i.
    #[inline(always)]
    unsafe fn member<P: Pack<S = T>>(&self, i: usize, a: Columns<P>, x: Columns<P>) {
        let (n, triangle) = (self.n(), TriangleKind { shape: Shape::Lower, unit: self.unit() });
        unsafe {
            let member = view(&self.members, i, self.p.lda);
            packed::load(&member, self.p.uplo, n, a);
            for j in 0..n {
                set::<P>(a.column(j), j, if triangle.unit { T::one() } else { self.diagonal(&member, j) });
            }
            let zero = packed::zero(a, n);
            self.set_info(i, zero);
            if zero.is_some() {
                return;
            }
            for j in (0..n).step_by(GROUP) {
                let (columns, count) = (x.starting_at(j), GROUP.min(n - j));
                for c in 0..count {
                    (0..n.div_ceil(P::L)).for_each(|r| P::zero().store(columns.pack(r, c)));
                    set::<P>(columns.column(c), j + c, T::one());
                }
                solve(triangle, a, n, columns, count, j);
            }
            for j in 0..n {
                let own = if triangle.unit { self.diagonal(&member, j) } else { get::<P>(x.column(j), j) };
                set::<P>(x.column(j), j, own);
            }
            packed::store(x, &member, self.p.uplo, n);
        }
    }
}

impl<T: Packed> Task<T> for Inverse<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let (base, ld) = (buffer.cast::<Re<P>>(), layout.ld);
        let interleaved = P::interleaves(self.interleaved);
        for group in Group::of::<P>(range, interleaved) {
            unsafe {
                if interleaved {
                    self.group::<P>(&group, layout.group.at(base).0);
                    continue;
                }
                let x = Columns { p: base.wrapping_add(layout.x), ld };
                group.members(1).for_each(|i| self.member::<P>(i, Columns { p: base, ld }, x));
            }
        }
    }
}

impl OverBatch for Trtri {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let n = self.n as f64;
        n * n * n / 3.0
    }
    /// As for Cholesky factorisations, whose triangles are loaded and stored in the same way.
    fn elements(&self) -> Option<i64> {
        Some(self.n.checked_mul(self.n)? / 4)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let task = Inverse::<T> { p: self, members: Members::new(self.a), interleaved: execution.interleaved };
        unsafe { run(&task, self.batch, execution) }
    }
}
