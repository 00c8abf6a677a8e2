//! Batched QR with column pivoting, column by column, with downdated norms.

use super::batch::{Members, of_member};
use super::choice::{self, Execution};
use super::householder::divide_unvectorised;
use super::lu::Pivots;
use super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run};
use super::packed::{Columns, Re, get, leading};
use super::scratch::Arena;
use super::simd::{Lanes, OutOfLine, Pack, Packed};
use super::unblocked::panel;
use super::view::{Transform, view};
use crate::error::Error;
use crate::routine::Geqp3;
use crate::routine::bounds::Bounds;
use crate::scalar::{Real, Scalar};
use std::ops::Range;

pub struct Geqp3Task<'a, T> {
    p: &'a Geqp3,
    a: Members<T>,
    jpvt: Pivots,
    tau: Members<T>,
}

/// Offsets of the parts of one matrix's workspace.
struct Layout {
    ld: usize,
    v: usize,
    norms: usize,
    tau: usize,
    bytes: usize,
}

impl Layout {
    #[inline(always)]
    fn new<P: Pack>(m: usize, n: usize) -> Option<Layout> {
        let ld = leading::<P>(m)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(n)?)?;
        let v = arena.part(ld)?;
        let norms = arena.part(n.checked_mul(2)?)?;
        let tau = arena.part(m.min(n).checked_mul(P::S::PARTS)?)?;
        Some(Layout { ld, v, norms, tau, bytes: arena.bytes()? })
    }
}

impl<T: Packed> Task<T> for Geqp3Task<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Layout::new::<P>(self.p.m as usize, self.p.n as usize).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        let Some(layout) = Layout::new::<P>(m, n) else { return };
        let base = buffer.cast::<Re<P>>();
        unsafe {
            let (a, tau) = (Columns::<P> { p: base, ld: layout.ld }, base.add(layout.tau).cast::<T>());
            for i in range {
                let (member, jpvt) = (view(&self.a, i, self.p.lda), self.jpvt.member(i));
                member.pack(Transform::default(), m, n, a);
                factor_pivoted(a, (m, n), jpvt, base.add(layout.v), base.add(layout.norms), tau);
                member.unpack(Transform::default(), m, n, a);
                let scalars = view(&self.tau, i, 1);
                (0..m.min(n)).for_each(|k| scalars.set(k, 0, *tau.add(k)));
                if !self.p.info.is_null() {
                    self.p.info.add(i).write(0);
                }
            }
        }
    }
}

/// Factors packed A P, m x n (LAPACK `?geqp3`). `jpvt` holds n ints, in and out as in LAPACK; `v` (a packed column) and
/// `norms` (2 n real numbers) are workspace; tau has min(m, n) elements.
#[inline(always)]
pub unsafe fn factor_pivoted<P: Pack>(
    a: Columns<P>,
    (m, n): (usize, usize),
    jpvt: *mut i32,
    v: *mut Re<P>,
    norms: *mut Re<P>,
    tau: *mut P::S,
) {
    unsafe { P::V::call_out_of_line(Pivoted::<P> { a, m, n, jpvt, v, norms, tau }) }
}

/// The body of [`factor_pivoted`], compiled once for its routines.
struct Pivoted<P: Pack> {
    a: Columns<P>,
    m: usize,
    n: usize,
    jpvt: *mut i32,
    v: *mut Re<P>,
    norms: *mut Re<P>,
    tau: *mut P::S,
}

impl<P: Pack> OutOfLine for Pivoted<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Pivoted { a, m, n, jpvt, v, norms: norm, tau } = self;
        let v = Columns::<P> { p: v, ld: 0 };
        unsafe {
            let whole = norm.add(n);
            let fixed = move_fixed_first(a, (m, n), jpvt);
            for k in 0..m.min(n) {
                if k == fixed {
                    for j in k..n {
                        *norm.add(j) = column_norm::<P>(a.column(j), k, m);
                        *whole.add(j) = *norm.add(j);
                    }
                }
                if k >= fixed {
                    let p = (k + 1..n).fold(k, |p, j| if larger(*norm.add(j), *norm.add(p)) { j } else { p });
                    if p != k {
                        exchange(a, m, k, p);
                        jpvt.add(k).swap(jpvt.add(p));
                        *norm.add(p) = *norm.add(k);
                        *whole.add(p) = *whole.add(k);
                    }
                }
                panel(a, m, k, 1, n, v, k / P::L, tau);
                if k < fixed {
                    continue;
                }
                for j in k + 1..n {
                    let (norm, whole) = (norm.add(j), whole.add(j));
                    match downdated(*norm, *whole, get::<P>(a.column(j), k)) {
                        Some(left) => *norm = left,
                        None => {
                            *norm = column_norm::<P>(a.column(j), k + 1, m);
                            *whole = *norm;
                        }
                    }
                }
            }
        }
    }
}

/// Moves the columns that the caller has fixed to the front, initialises `jpvt` with the permutation and returns their
/// number.
#[inline(always)]
unsafe fn move_fixed_first<P: Pack>(a: Columns<P>, (m, n): (usize, usize), jpvt: *mut i32) -> usize {
    let mut fixed = 0;
    for j in 0..n {
        unsafe {
            let chosen = *jpvt.add(j) != 0;
            *jpvt.add(j) = j as i32 + 1;
            if chosen {
                if j != fixed {
                    exchange(a, m, j, fixed);
                    jpvt.add(j).swap(jpvt.add(fixed));
                }
                fixed += 1;
            }
        }
    }
    fixed
}

/// Exchanges two packed columns.
#[inline(always)]
unsafe fn exchange<P: Pack>(a: Columns<P>, m: usize, i: usize, j: usize) {
    for r in 0..m.div_ceil(P::L) {
        unsafe {
            let (p, q) = (a.pack(r, i), a.pack(r, j));
            let (x, y) = (P::load(p), P::load(q));
            y.store(p);
            x.store(q);
        }
    }
}

/// Compares so that a NaN is larger than any number.
#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> bool {
    a > b || (a.is_nan() && !b.is_nan())
}

/// The norm of a column without the element that has just become R's, given its previous norm and the one last computed
/// in full. `None` if too little of that is left to be accurate. Source: LAPACK `?laqp2`, LAPACK Working Note 176.
#[inline(always)]
fn downdated<T: Scalar>(norm: T::Re, whole: T::Re, gone: T) -> Option<T::Re> {
    let (zero, one, half) = (T::Re::default(), T::Re::from_f64(1.0), T::Re::from_f64(0.5));
    if norm == zero {
        return Some(norm);
    }
    let square = T::new(divide_unvectorised(gone.re(), norm), divide_unvectorised(gone.im(), norm)).abs_squared();
    let left = if square > one { zero } else { one - square }; // a NaN is kept
    let rest = divide_unvectorised(norm, whole);
    if left * rest * rest <= (T::Re::EPSILON * half).sqrt() { None } else { Some(norm * left.sqrt()) }
}

/// The norm of rows `from..m` of a packed column.
#[inline(always)]
unsafe fn column_norm<P: Pack>(column: *const Re<P>, from: usize, m: usize) -> Re<P> {
    if from >= m {
        return Re::<P>::default();
    }
    let (top, zero) = (from / P::L, P::V::splat(Re::<P>::default()));
    let load = |r: usize| unsafe { P::load(column.add(r * P::REALS)) };
    let mut squares = load(top).zero_below(from % P::L).add_squares(zero);
    for r in top + 1..m.div_ceil(P::L) {
        squares = load(r).add_squares(squares);
    }
    let (sum, (low, high)) = (squares.sum(), Re::<P>::SQUARES_IN_RANGE);
    if sum >= low && sum <= high { sum.sqrt() } else { unsafe { column_norm_scaled::<P>(column, from, m) } }
}

/// [`column_norm`] for any content, scaled by a power of two.
#[cold]
#[inline(never)]
unsafe fn column_norm_scaled<P: Pack>(column: *const Re<P>, from: usize, m: usize) -> Re<P> {
    let element = |r: usize| unsafe { get::<P>(column, r) };
    let mut largest = Re::<P>::default();
    for r in from..m {
        for part in [element(r).re().abs(), element(r).im().abs()] {
            largest = if larger(part, largest) { part } else { largest };
        }
    }
    if largest == Re::<P>::default() || !largest.is_finite() {
        return largest;
    }
    let (e, mut squares) = (largest.exponent(), Re::<P>::default());
    for r in from..m {
        let x = element(r);
        squares += P::S::new(x.re().scale_by_power(-e), x.im().scale_by_power(-e)).abs_squared();
    }
    squares.sqrt().scale_by_power(e)
}

impl Varying for Geqp3 {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Geqp3> {
        let sizes = self.sizes?;
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        let (m, n, lda) = unsafe { sizes.nonempty_member(i, (self.m, self.n), info)? };
        let [a, tau] = of_member([self.a, self.tau], i, self.dtype);
        let jpvt = self.jpvt.from_member(i as i64, size_of::<i32>());
        Some(Geqp3 { m, n, lda, a, jpvt, tau, info, batch: 1, sizes: None, ..*self })
    }
}

impl OneByOne for Geqp3 {
    type Task<'a, T: Packed> = Geqp3Task<'a, T>;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Geqp3Task<'_, T>> {
        let (a, jpvt, tau) = (Members::new(self.a), Pivots::new(self.jpvt), Members::new(self.tau));
        Some(Geqp3Task { p: self, a, jpvt, tau })
    }
}

impl OverBatch for Geqp3 {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        choice::flops(self.dtype, self.m, self.n)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let task = unsafe { self.task::<T>() };
        task.map_or(Ok(()), |task| unsafe { run(&task, self.batch, execution) })
    }
}
