//! Batched matrix-vector products.

use super::batch::{Members, of_member, read, write};
use super::choice::Execution;
use super::gemm::value;
use super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run};
use super::packed::Re;
use super::scratch::Arena;
use super::simd::{Lanes, Pack, Packed};
use super::tile::{Left, OperandPrefetch, Right, Target, tile};
use super::view::{View, view};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Gemv, Trans};
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// A vector with an arbitrary increment.
struct Vector<T: Scalar> {
    p: *mut T::Re,
    /// Distance between elements in real numbers.
    step: isize,
}

impl<T: Scalar> Vector<T> {
    /// With a negative increment, element 0 is the last one in memory, as in BLAS.
    fn new(p: *mut T::Re, length: usize, inc: i64) -> Self {
        let step = inc as isize * T::PARTS as isize;
        let first = if inc < 0 { step.wrapping_mul(1 - length as isize) } else { 0 };
        Vector { p: p.wrapping_offset(first), step }
    }
    #[inline(always)]
    fn at(&self, i: usize) -> *mut T::Re {
        self.p.wrapping_offset(self.step * i as isize)
    }
}

/// x times a scalar. If that is real, an infinity in one part does not affect the other.
#[inline(always)]
fn scaled<T: Scalar>(x: T, by: T) -> T {
    if by.im() == Default::default() { x.scaled(by.re()) } else { by * x }
}

pub struct GemvTask<'a, T> {
    p: &'a Gemv,
    a: Members<T>,
    x: Members<T>,
    y: Members<T>,
    alpha: T,
    beta: T,
}

impl<T: Packed> GemvTask<'_, T> {
    /// Elements of x and of y.
    #[inline(always)]
    fn lengths(&self) -> [usize; 2] {
        let [of_x, of_y] = self.p.lengths();
        [of_x as usize, of_y as usize]
    }
    /// Offset of a copy of y, which follows one of x, and the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize)> {
        let [of_x, of_y] = self.lengths();
        let mut arena = Arena::<Re<P>>::new();
        arena.part(of_x.checked_mul(T::PARTS)?)?;
        let y = arena.part(of_y.checked_mul(T::PARTS)?)?;
        Some((y, arena.bytes()?))
    }
    /// y(i) := sum + beta y(i)
    #[inline(always)]
    unsafe fn put(&self, y: &Vector<T>, i: usize, sum: T) {
        unsafe {
            let now = if self.beta == T::zero() { sum } else { sum + scaled(read(y.at(i)), self.beta) };
            write(y.at(i), now);
        }
    }

    /// y := alpha A x + beta y for contiguous vectors, with the sums of a few vectors of rows in registers.
    #[inline(always)]
    unsafe fn columns<P: Pack<S = T>>(&self, a: &View<T>, x: *mut T::Re, y: *mut T::Re, beta: T) {
        let terms = if self.alpha == T::zero() { 0 } else { self.p.n as usize };
        let numbers = self.p.m as usize * T::PARTS;
        let (vectors, mut done) = (numbers.div_ceil(P::V::L), 0);
        let last = numbers - (vectors - 1) * P::V::L;
        let right = Right::<T> { p: x, steps: [1, 0], conjugated: false };
        let mut prefetch = OperandPrefetch::of([x; 3], [0; 3]);
        macro_rules! tiles {
            ($rows:literal, $cut:literal) => {{
                let at = done * P::V::L;
                let left = Left::<T> { p: a.p.wrapping_add(at), ld: a.ld, conjugated: false, packed: false };
                let to = Target::<T> { p: y.wrapping_add(at), ld: 0, alpha: self.alpha, beta };
                if T::COMPLEX {
                    tile::<P, $rows, 1, 2, $cut>(last, terms, left, right, to, &mut prefetch);
                } else {
                    tile::<P, $rows, 1, 1, $cut>(last, terms, left, right, to, &mut prefetch);
                }
                done += $rows;
            }};
        }
        unsafe {
            while vectors - done > 8 && !T::COMPLEX && P::L > 1 {
                tiles!(8, false);
            }
            while vectors - done > 4 {
                tiles!(4, false);
            }
            match (vectors - done, last == P::V::L) {
                (4, true) => tiles!(4, false),
                (4, false) => tiles!(4, true),
                (3, _) => tiles!(3, true),
                (2, true) => tiles!(2, false),
                (2, false) => tiles!(2, true),
                _ => tiles!(1, true),
            }
        }
        debug_assert_eq!(done, vectors);
    }

    /// y := alpha op(A) x + beta y for a transposing op and contiguous x.
    #[inline(always)]
    unsafe fn rows<P: Pack<S = T>>(&self, a: &View<T>, x: *const T::Re, y: &Vector<T>) {
        let (m, n) = (if self.alpha == T::zero() { 0 } else { self.p.m as usize }, self.p.n as usize);
        let mut j = 0;
        unsafe {
            while j < n {
                let few = if n - j < 4 { 1 } else { 4 };
                let sums = match few {
                    4 => dots::<P, 4>(a, m, j, x, self.p.trans == Trans::C),
                    _ => [dots::<P, 1>(a, m, j, x, self.p.trans == Trans::C)[0]; 4],
                };
                for (c, sum) in sums.into_iter().enumerate().take(few) {
                    self.put(y, j + c, scaled(sum, self.alpha));
                }
                j += few;
            }
        }
    }
}

/// The dot products of N columns from column j on, of m elements, with x.
///
/// A complex column is treated as a real one: one sum is of products of two real or two imaginary parts, the other of
/// those of different parts. Real numbers have two sums to hide the latency.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn dots<P: Pack, const N: usize>(
    a: &View<P::S>,
    m: usize,
    j: usize,
    x: *const Re<P>,
    conjugated: bool,
) -> [P::S; N] {
    let (numbers, zero) = (m * P::S::PARTS, P::V::splat(Re::<P>::default()));
    let (mut same, mut other, mut done) = ([[zero; 2]; N], [[zero; 2]; N], 0);
    // With one lane, a complex number takes two vectors.
    let vectors = if P::S::COMPLEX && P::V::L > 1 { 1 } else { 2 };
    unsafe {
        while done + vectors * P::V::L <= numbers {
            let mut of_x = [P::V::load(x.add(done)); 2];
            of_x[1] = P::V::load(x.add(done + (vectors - 1) * P::V::L));
            let swapped = if P::V::L == 1 { [of_x[1], of_x[0]] } else { [of_x[0].swapped(), of_x[1].swapped()] };
            for c in 0..N {
                for v in 0..vectors {
                    let of_a = P::V::load(a.column(j + c).add(done + v * P::V::L));
                    same[c][v] = same[c][v].add_mul(of_a, of_x[v]);
                    if P::S::COMPLEX {
                        other[c][v] = other[c][v].add_mul(of_a, swapped[v]);
                    }
                }
            }
            done += vectors * P::V::L;
        }
        while done < numbers {
            let count = P::V::L.min(numbers - done);
            let of_x = P::V::load_first(x.add(done), count);
            for c in 0..N {
                let of_a = P::V::load_first(a.column(j + c).add(done), count);
                same[c][0] = same[c][0].add_mul(of_a, of_x);
                if P::S::COMPLEX {
                    other[c][0] = other[c][0].add_mul(of_a, of_x.swapped());
                }
            }
            done += count;
        }
    }
    let mut sums = [P::S::zero(); N];
    for c in 0..N {
        sums[c] = match P::S::COMPLEX {
            true => P::S::new(together(same[c], !conjugated), together(other[c], conjugated)),
            false => P::S::new(same[c][0].add(same[c][1]).sum(), Default::default()),
        };
    }
    sums
}

/// The sum of the numbers of the first vector, of which every other one is subtracted if `alternating`. Numbers of a
/// single lane alternate between the two vectors.
#[inline(always)]
fn together<V: Lanes>([x, y]: [V; 2], alternating: bool) -> V::R {
    let (plus, minus) = (V::splat(V::R::from_f64(1.0)), V::splat(V::R::from_f64(-1.0)));
    match (V::L, alternating) {
        (1, true) => x.sub(y).sum(),
        (1, false) => x.add(y).sum(),
        (_, true) => x.mul(V::join(plus, minus).0).sum(),
        _ => x.sum(),
    }
}

impl<T: Packed> Task<T> for GemvTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((start, _)) = self.layout::<P>() else { return };
        let [length_x, length_y] = self.lengths();
        let (of_x, of_y) = (buffer.cast::<T::Re>(), buffer.cast::<T::Re>().wrapping_add(start));
        let [a0, x0, y0] = self.p.first;
        // Without `map`, which would be a call for every member of a batch with sizes of their own.
        let reals = |elements: i64| elements as isize * T::PARTS as isize;
        for i in range {
            unsafe {
                let a = view(&self.a, i, self.p.lda);
                let a = View::<T> { p: a.p.wrapping_offset(reals(a0)), ..a };
                let x = Vector::<T>::new(self.x.member(i).wrapping_offset(reals(x0)), length_x, self.p.incx);
                let y = Vector::<T>::new(self.y.member(i).wrapping_offset(reals(y0)), length_y, self.p.incy);
                let mut dense = x.p;
                if self.p.incx != 1 && self.alpha != T::zero() {
                    (0..length_x).for_each(|i| write(of_x.add(i * T::PARTS), read::<T>(x.at(i))));
                    dense = of_x;
                }
                match (self.p.trans == Trans::N, self.p.incy == 1) {
                    (false, _) => self.rows::<P>(&a, dense, &y),
                    (true, true) => self.columns::<P>(&a, dense, y.p, self.beta),
                    (true, false) => {
                        // A copy of y, so that bits do not depend on its increment.
                        let copy = |i: usize| of_y.wrapping_add(i * T::PARTS);
                        if self.beta != T::zero() {
                            (0..length_y).for_each(|i| write(copy(i), read::<T>(y.at(i))));
                        }
                        self.columns::<P>(&a, dense, of_y, self.beta);
                        (0..length_y).for_each(|i| write(y.at(i), read::<T>(copy(i))));
                    }
                }
            }
        }
    }
}

impl Varying for Gemv {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Gemv> {
        let [m, n, lda, incx, incy] = unsafe { self.sizes?.member(i) };
        let valid =
            (1..=self.m).contains(&m) && (1..=self.n).contains(&n) && is_valid_ld(lda, m) && incx != 0 && incy != 0;
        if !valid {
            return None;
        }
        let [a, x, y] = of_member([self.a, self.x, self.y], i, self.dtype);
        Some(Gemv { m, n, a, lda, x, incx, y, incy, sizes: None, batch: 1, ..*self })
    }
}

impl OneByOne for Gemv {
    type Task<'a, T: Packed> = GemvTask<'a, T>;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<GemvTask<'_, T>> {
        let (alpha, beta) = unsafe { (value(self.alpha), value(self.beta)) };
        let (a, x, y) = (Members::new(self.a), Members::new(self.x), Members::new(self.y));
        Some(GemvTask { p: self, a, x, y, alpha, beta })
    }
}

impl OverBatch for Gemv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        (if self.dtype.is_complex() { 8.0 } else { 2.0 }) * self.m as f64 * self.n as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let task = unsafe { self.task::<T>() };
        task.map_or(Ok(()), |task| unsafe { run(&task, self.batch, execution) })
    }
}
