//! C := C op(Q) for a Q of low order. Rows of C lie along the vectors, where its transpose would fill little of them,
//! and the reflectors are applied one by one.

use super::choice::Distribution;
use super::over_batch::{Task, parallel_for};
use super::simd::{Level, MAX_LANES, Pack, Packed};
use super::view::View;
use crate::routine::Trans;
use crate::scalar::Scalar;
use std::ops::Range;

/// Largest order of Q.
pub const MAX_ORDER: usize = 16;
/// Packs of rows that are processed together.
const PACKS: usize = 4;
/// Rows that a thread takes at a time.
const ROWS: usize = PACKS * MAX_LANES;

/// Reflectors that are applied from the right, one after another.
pub struct ThinQ<T: Scalar> {
    /// Vector j in the order of application: the first element that is not zero, the elements, and the factor.
    steps: [(usize, [T; MAX_ORDER], T); MAX_ORDER],
    count: usize,
    order: usize,
}

/// C, as it is and without alignment.
struct Strips<'a, T: Scalar> {
    q: &'a ThinQ<T>,
    c: (*mut T::Re, usize),
    rows: usize,
}

impl<T: Packed> ThinQ<T> {
    /// op(Q) of k reflectors of the given order, whose vectors are below the diagonal of `v`.
    #[inline(always)]
    pub unsafe fn new(v: &View<T>, tau: &View<T>, order: usize, k: usize, trans: Trans) -> Self {
        let mut steps = [(0, [T::zero(); MAX_ORDER], T::zero()); MAX_ORDER];
        for (j, step) in steps.iter_mut().enumerate().take(k) {
            // (I - tau v v^H)^H has the conjugate of tau, and the transpose that of v.
            let first = if trans == Trans::N { j } else { k - 1 - j };
            let factor = unsafe { tau.get(first, 0) };
            (step.0, step.2) = (first, if trans == Trans::C { factor.conj() } else { factor });
            step.1[first] = T::one();
            for (c, x) in step.1.iter_mut().enumerate().take(order).skip(first + 1) {
                let element = unsafe { v.get(c, first) };
                *x = if trans == Trans::T { element.conj() } else { element };
            }
        }
        ThinQ { steps, count: k, order }
    }

    /// Applies it to C of the given rows.
    pub unsafe fn apply(&self, c: &View<T>, rows: usize, level: Level, threads: usize) {
        let total = rows.div_ceil(ROWS);
        // Operations that justify another thread.
        let threads = threads.min(4 * rows * self.order * self.count / 500_000).max(1);
        let distribution = Distribution { threads, threads_per_member: 1, grain: total.div_ceil(3 * threads) };
        unsafe { parallel_for::<T, _>(&Strips { q: self, c: (c.p, c.ld), rows }, total, level, distribution) };
    }
}

impl<T: Packed> Task<T> for Strips<'_, T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (mut row, end) = (range.start * ROWS, self.rows.min(range.end * ROWS));
        let c = View::<T> { p: self.c.0, ld: self.c.1 };
        unsafe {
            while P::L > 1 && row + PACKS * P::L <= end {
                strip::<P, PACKS>(self.q, &c, row, P::L);
                row += PACKS * P::L;
            }
            while row < end {
                strip::<P, 1>(self.q, &c, row, P::L.min(end - row));
                row += P::L;
            }
        }
    }
}

/// Processes N packs of rows from `row` on, of which the last has `count` elements.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn strip<P: Pack, const N: usize>(q: &ThinQ<P::S>, c: &View<P::S>, row: usize, count: usize) {
    let mut x = [[P::zero(); N]; MAX_ORDER];
    let at = |j: usize, i: usize| c.p.wrapping_add((row + i * P::L + j * c.ld) * P::S::PARTS);
    unsafe {
        for j in 0..q.order {
            for i in 0..N {
                x[j][i] = P::load_elements(at(j, i), count);
            }
        }
        for s in 0..q.count {
            let (first, v, factor) = &q.steps[s];
            let mut dots = [P::zero(); N];
            for j in *first..q.order {
                let by = P::splat(v[j]);
                for i in 0..N {
                    dots[i] = dots[i].add_mul(x[j][i], by);
                }
            }
            for i in 0..N {
                dots[i] = dots[i].mul(P::splat(*factor));
            }
            for j in *first..q.order {
                let by = P::splat(v[j].conj());
                for i in 0..N {
                    x[j][i] = x[j][i].sub_mul(dots[i], by);
                }
            }
        }
        for j in 0..q.order {
            for i in 0..N {
                x[j][i].store_elements(at(j, i), count);
            }
        }
    }
}
