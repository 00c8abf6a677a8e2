//! Matrix products over a batch: op(A) is packed, a part of its rows and terms at a time, and multiplied by what is read of
//! B element by element.

use super::batch::{Members, read};
use super::choice::{Way, share};
use super::ormqr::view;
use super::over_batch::{OverBatch, Task, over_batch};
use super::packed::{Columns, Re, leading};
use super::scratch::Arena;
use super::simd::{Lanes, Pack, Packed};
use super::view::{Turned, View};
use crate::error::Error;
use crate::routine::{Alpha, Gemm, Trans};
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// Columns of C that are computed at a time.
const COLUMNS: usize = 64;
/// Rows of op(A) that are packed at a time.
const ROWS: usize = 128;
/// Terms of the sums, likewise.
const TERMS: usize = 256;

/// The value of a scalar, wherever it is.
pub unsafe fn value<T: Scalar>(of: Alpha) -> T {
    match of {
        Alpha::Host(x) => T::new(T::Re::from_f64(x.re), T::Re::from_f64(x.im)),
        Alpha::Device(at) => unsafe { read::<T>(at.cast()) },
    }
}

/// alpha x + beta y; y is asked for only where beta is not zero. Real factors leave an infinity in one part out of the other.
#[inline(always)]
fn combined<P: Pack>(alpha: P::S, x: P, beta: P::S, y: impl FnOnce() -> P) -> P {
    let x = scaled(x, alpha);
    if beta == P::S::zero() { x } else { x.add(scaled(y(), beta)) }
}

#[inline(always)]
fn scaled<P: Pack>(x: P, by: P::S) -> P {
    if P::S::COMPLEX && by.im() != Default::default() {
        return x.mul(P::splat(by));
    }
    let by = P::V::splat(by.re());
    P::from_parts(x.re().mul(by), x.im().mul(by))
}

struct GemmTask<'a, T> {
    p: &'a Gemm,
    a: Members<T>,
    b: Members<T>,
    c: Members<T>,
    alpha: T,
    beta: T,
}

/// op(B)(l, j) of a member.
#[derive(Clone, Copy)]
struct Terms<T: Scalar> {
    p: *const T::Re,
    /// From a term to the next, and from a column.
    steps: [usize; 2],
    conjugated: bool,
}

impl<T: Scalar> Terms<T> {
    #[inline(always)]
    unsafe fn get(&self, l: usize, j: usize) -> T {
        let x = unsafe { read::<T>(self.p.add((l * self.steps[0] + j * self.steps[1]) * T::PARTS)) };
        if T::COMPLEX && self.conjugated { x.conj() } else { x }
    }
    #[inline(always)]
    unsafe fn from(self, l: usize, j: usize) -> Self {
        Terms { p: self.p.wrapping_add((l * self.steps[0] + j * self.steps[1]) * T::PARTS), ..self }
    }
}

/// A part of C, and what becomes of it.
struct Target<T: Scalar> {
    c: View<T>,
    rows: usize,
    alpha: T,
    beta: T,
}

impl<T: Scalar> Target<T> {
    /// R packs of rows from pack r on, of N columns from j on.
    #[inline(always)]
    unsafe fn tile<P: Pack<S = T>, const R: usize, const N: usize>(
        &self,
        (r, j): (usize, usize),
        a: Columns<P>,
        b: Terms<T>,
        terms: usize,
    ) {
        unsafe {
            let mut sums = [[P::zero(); N]; R];
            let (a, b) = (Columns::<P> { p: a.pack(r, 0), ld: a.ld }, b.from(0, j));
            for l in 0..terms {
                let mut y = [P::zero(); N];
                for (c, y) in y.iter_mut().enumerate() {
                    *y = P::splat(b.get(l, c));
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let x = P::load(a.pack(i, l));
                    for (sum, &y) in sums.iter_mut().zip(&y) {
                        *sum = sum.add_mul(x, y);
                    }
                }
            }
            for (i, sums) in sums.iter().enumerate() {
                let (row, count) = ((r + i) * P::L, P::L.min(self.rows - (r + i) * P::L));
                for (c, &sum) in sums.iter().enumerate() {
                    let at = self.c.column(j + c).add(row * T::PARTS);
                    combined(self.alpha, sum, self.beta, || P::load_elements(at, count)).store_elements(at, count);
                }
            }
        }
    }

    /// All packs of rows of N columns.
    #[inline(always)]
    unsafe fn strip<P: Pack<S = T>, const R: usize, const N: usize>(
        &self,
        j: usize,
        a: Columns<P>,
        b: Terms<T>,
        terms: usize,
    ) {
        let (packs, mut r) = (self.rows.div_ceil(P::L), 0);
        unsafe {
            while r + R <= packs {
                self.tile::<P, R, N>((r, j), a, b, terms);
                r += R;
            }
            if r + 2 <= packs {
                self.tile::<P, 2, N>((r, j), a, b, terms);
                r += 2;
            }
            if r < packs {
                self.tile::<P, 1, N>((r, j), a, b, terms);
            }
        }
    }

    #[inline(always)]
    unsafe fn strips<P: Pack<S = T>, const R: usize, const N: usize>(
        &self,
        columns: usize,
        a: Columns<P>,
        b: Terms<T>,
        terms: usize,
    ) {
        let mut j = 0;
        unsafe {
            while j + N <= columns {
                self.strip::<P, R, N>(j, a, b, terms);
                j += N;
            }
            if N > 4 && j + 4 <= columns {
                self.strip::<P, R, 4>(j, a, b, terms);
                j += 4;
            }
            while j < columns {
                self.strip::<P, R, 1>(j, a, b, terms);
                j += 1;
            }
        }
    }
}

impl<T: Packed> GemmTask<'_, T> {
    fn terms(&self) -> usize {
        if self.alpha == T::zero() { 0 } else { self.p.k as usize }
    }
    /// Parts of a member's columns that are computed one by one.
    fn parts(&self) -> usize {
        (self.p.n as usize).div_ceil(COLUMNS)
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize)> {
        let ld = leading::<P>((self.p.m as usize).min(ROWS))?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(self.terms().min(TERMS))?)?;
        Some((ld, arena.bytes()?))
    }
    #[inline(always)]
    unsafe fn part<P: Pack<S = T>>(&self, i: usize, columns: Range<usize>, packed: Columns<P>) {
        let (p, m, k) = (self.p, self.p.m as usize, self.terms());
        let [a0, b0, c0] = p.first.map(|first| first as isize * T::PARTS as isize);
        unsafe {
            let (a, b, c) = (view(&self.a, i, p.lda), view(&self.b, i, p.ldb), view(&self.c, i, p.ldc));
            let ldb = p.ldb as usize;
            let steps = if p.trans_b == Trans::N { [1, ldb] } else { [ldb, 1] };
            let b = Terms { p: b.p.wrapping_offset(b0).cast_const(), steps, conjugated: p.trans_b == Trans::C };
            let transposed = p.trans_a != Trans::N;
            let turned = Turned { transposed, conjugated: p.trans_a == Trans::C };
            for l in (0..k.max(1)).step_by(TERMS) {
                let (terms, beta) = (TERMS.min(k - l), if l == 0 { self.beta } else { T::real(T::Re::from_f64(1.0)) });
                for r in (0..m).step_by(ROWS) {
                    let rows = ROWS.min(m - r);
                    let from = if transposed { l + r * a.ld } else { r + l * a.ld };
                    let of_a = View::<T> { p: a.p.wrapping_offset(a0).wrapping_add(from * T::PARTS), ld: a.ld };
                    of_a.pack(turned, rows, terms, packed);
                    let of_c = c.p.wrapping_offset(c0).wrapping_add((r + columns.start * c.ld) * T::PARTS);
                    let target = Target { c: View { p: of_c, ld: c.ld }, rows, alpha: self.alpha, beta };
                    let (b, count) = (b.from(l, columns.start), columns.len());
                    // As many sums as there are registers for.
                    match (T::COMPLEX, P::V::MANY_REGISTERS) {
                        (false, true) if rows <= P::L => target.strips::<P, 1, 8>(count, packed, b, terms),
                        (false, true) => target.strips::<P, 4, 4>(count, packed, b, terms),
                        (true, true) => target.strips::<P, 2, 4>(count, packed, b, terms),
                        (false, false) => target.strips::<P, 2, 4>(count, packed, b, terms),
                        (true, false) => target.strips::<P, 1, 4>(count, packed, b, terms),
                    }
                }
            }
        }
    }
}

impl<T: Packed> Task<T> for GemmTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((ld, _)) = self.layout::<P>() else { return };
        let packed = Columns::<P> { p: buffer.cast(), ld };
        for part in range {
            let (i, first) = (part / self.parts(), part % self.parts() * COLUMNS);
            let end = (self.p.n as usize).min(first + COLUMNS);
            unsafe { self.part(i, first..end, packed) };
        }
    }
}

impl OverBatch for Gemm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let each = if self.dtype.is_complex() { 8.0 } else { 2.0 };
        each * self.m as f64 * self.n as f64 * self.k.max(1) as f64
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let (alpha, beta) = unsafe { (value(self.alpha), value(self.beta)) };
        let (a, b, c) = (Members::new(self.a), Members::new(self.b), Members::new(self.c));
        let task = GemmTask::<T> { p: self, a, b, c, alpha, beta };
        let (members, parts) = (self.batch as usize, task.parts());
        let share = match parts {
            1 => way.share,
            _ => share(self.flops() / parts as f64, (members * parts) as i64, 1),
        };
        unsafe { over_batch(&task, members * parts, way.level, share) }
    }
}
