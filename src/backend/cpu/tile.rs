//! The register tile that matrix products are made of: C := alpha op(A) op(B) + beta C for a few vectors of rows and a
//! few columns, whose sums stay in registers over all terms.
//!
//! Operands are used in the caller's layout, so that small matrices need no copy. A complex matrix is treated as a real
//! one with twice the rows: A times the real parts of op(B) gives a sum s, A times the imaginary parts a sum t, and the
//! product is s + i t.

use super::interleaved::transpose;
use super::packed::Re;
use super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, prefetch_for_write, prefetch_l2};
use crate::scalar::{Real, Scalar};

/// op(A). The elements of a column are contiguous, in all rows or, if it is packed, in the rows of each tile.
pub struct Left<T: Scalar> {
    /// Element (0, 0).
    pub p: *const T::Re,
    /// Leading dimension in elements. Not used if A is packed.
    pub ld: usize,
    /// Whether A is conjugated.
    pub conjugated: bool,
    /// Whether the rows of each tile ([`tile_height`]) are contiguous: column by column, filled up to whole vectors, and
    /// tile after tile.
    pub packed: bool,
}

/// op(B), with arbitrary strides.
pub struct Right<T: Scalar> {
    /// Element (0, 0).
    pub p: *const T::Re,
    /// Distance in elements between rows, and between columns.
    pub steps: [usize; 2],
    /// Whether B is conjugated.
    pub conjugated: bool,
}

/// C, and the scalars of the update.
pub struct Target<T: Scalar> {
    /// Element (0, 0).
    pub p: *mut T::Re,
    /// Leading dimension in elements.
    pub ld: usize,
    /// Scales the product.
    pub alpha: T,
    /// Scales the previous C, which is not read if this is 0.
    pub beta: T,
}

macro_rules! copied {
    ($($name:ident)*) => {$(
        impl<T: Scalar> Clone for $name<T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T: Scalar> Copy for $name<T> {}
    )*};
}
copied!(Left Right Target);

impl<T: Scalar> Left<T> {
    /// The tile of `height` vectors of `lanes` numbers that follows `done` vectors.
    #[inline(always)]
    fn tile(self, done: usize, height: usize, lanes: usize, terms: usize) -> Self {
        match self.packed {
            true => Left { p: self.p.wrapping_add(done * lanes * terms), ld: height * lanes / T::PARTS, ..self },
            false => Left { p: self.p.wrapping_add(done * lanes), ..self },
        }
    }
}
impl<T: Scalar> Right<T> {
    /// The part that starts at element (l, j).
    #[inline(always)]
    pub fn from(self, l: usize, j: usize) -> Self {
        Right { p: self.p.wrapping_add((l * self.steps[0] + j * self.steps[1]) * T::PARTS), ..self }
    }
}
impl<T: Scalar> Target<T> {
    #[inline(always)]
    fn after(self, numbers: usize) -> Self {
        Target { p: self.p.wrapping_add(numbers), ..self }
    }
    /// The part that starts at element (i, j).
    #[inline(always)]
    pub fn from(self, i: usize, j: usize) -> Self {
        Target { p: self.p.wrapping_add((i + j * self.ld) * T::PARTS), ..self }
    }
}

/// The operands of later products, prefetched into the second-level cache while the current one is computed. One line
/// is fetched per term of a tile, which keeps the memory system evenly busy.
pub struct OperandPrefetch {
    /// The rest of each matrix: address and bytes.
    left: [(*const u8, usize); 3],
}

const LINE: usize = 64;

/// Terms from which on a tile's part of C is prefetched while the sums are formed. With fewer, this takes longer than it
/// saves.
const PREFETCH_TERMS: usize = 32;

impl OperandPrefetch {
    /// Three matrices of the given sizes in bytes.
    #[inline(always)]
    pub fn of<R>(starts: [*mut R; 3], [x, y, z]: [usize; 3]) -> OperandPrefetch {
        let [a, b, c] = starts;
        OperandPrefetch { left: [(a.cast_const().cast(), x), (b.cast_const().cast(), y), (c.cast_const().cast(), z)] }
    }
    /// Returns the address of the next `lines` cache lines to fetch. When all have been fetched, earlier ones are
    /// returned again.
    #[inline(always)]
    fn next_lines(&mut self, lines: usize) -> *const u8 {
        let bytes = lines * LINE;
        let [(p, left), second, third] = self.left;
        if left <= bytes {
            self.left = [second, third, (p, 0)];
        } else {
            self.left[0] = (p.wrapping_add(bytes), left - bytes);
        }
        p
    }
}

/// C := alpha op(A) op(B) + beta C, where C has the given rows and columns, in tiles that fill the registers.
///
/// # Safety
/// The operands must describe valid memory, and C must not overlap A or B.
#[inline(always)]
pub unsafe fn product<P: Pack>(
    (rows, columns, terms): (usize, usize, usize),
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &mut OperandPrefetch,
) {
    unsafe { P::V::call_out_of_line(Product::<P> { size: (rows, columns, terms), a, b, c, prefetch }) }
}

/// A product, which is compiled once for all routines that contain one.
struct Product<'a, P: Pack> {
    size: (usize, usize, usize),
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &'a mut OperandPrefetch,
}

impl<P: Pack> OutOfLine for Product<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Product { size, a, b, c, prefetch } = self;
        unsafe {
            match (P::S::COMPLEX, P::V::MANY_REGISTERS) {
                (false, true) => strips::<P, 8, 8>(size, a, b, c, prefetch),
                (false, false) => strips::<P, 4, 4>(size, a, b, c, prefetch),
                (true, true) => strips::<P, 4, 8>(size, a, b, c, prefetch),
                (true, false) => strips::<P, 2, 4>(size, a, b, c, prefetch),
            }
        }
    }
}

/// [`product`], N columns at a time, with S sums per vector of rows.
#[inline(always)]
unsafe fn strips<P: Pack, const N: usize, const S: usize>(
    (rows, columns, terms): (usize, usize, usize),
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &mut OperandPrefetch,
) {
    let mut j = 0;
    unsafe {
        while j + N <= columns {
            strip::<P, N, S>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            j += N;
        }
        if N > 4 && j + 4 <= columns {
            strip::<P, 4, 4>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            j += 4;
        }
        if N > 2 && j + 2 <= columns {
            if P::S::COMPLEX {
                strip::<P, 2, 4>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            } else {
                strip::<P, 2, 2>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            }
            j += 2;
        }
        if j < columns {
            if P::S::COMPLEX {
                strip::<P, 1, 2>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            } else {
                strip::<P, 1, 1>(rows, terms, a, b.from(0, j), c.from(0, j), prefetch);
            }
        }
    }
}

/// Number of vectors of rows in the next tile when `left` are left.
#[inline(always)]
pub fn tile_height<P: Pack>(left: usize) -> usize {
    match left {
        // With one lane, a complex number takes two vectors.
        _ if P::V::L == 1 => 2.min(left),
        // One tile of three vectors beats two plus one, and two plus two beats three plus one.
        3 | 5.. => 3,
        _ => 2.min(left),
    }
}

/// All rows of N columns.
#[inline(always)]
unsafe fn strip<P: Pack, const N: usize, const S: usize>(
    rows: usize,
    terms: usize,
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &mut OperandPrefetch,
) {
    let numbers = rows * P::S::PARTS;
    let (vectors, mut done) = (numbers.div_ceil(P::V::L), 0);
    // Numbers in the last vector. A tile that does not contain it takes whole vectors.
    let last = numbers - vectors.saturating_sub(1) * P::V::L;
    let whole = P::V::L;
    // The heights are those of `tile_height`, by which A is packed; loops of one height each are faster.
    unsafe {
        while P::V::L > 1 && vectors - done > 4 {
            let (a, c) = (a.tile(done, 3, whole, terms), c.after(done * whole));
            tile::<P, 3, N, S, false>(whole, terms, a, b, c, prefetch);
            done += 3;
        }
        while vectors - done > 2 && tile_height::<P>(vectors - done) == 2 {
            let (a, c) = (a.tile(done, 2, whole, terms), c.after(done * whole));
            tile::<P, 2, N, S, false>(whole, terms, a, b, c, prefetch);
            done += 2;
        }
        let left = vectors - done;
        let (a, c) = (a.tile(done, left, whole, terms), c.after(done * whole));
        // Narrow strips are rare: they all use the CUT variant, which saves code.
        match (left, last == whole && S == if P::V::MANY_REGISTERS { 8 } else { 4 }) {
            (3, true) if P::V::L > 1 => tile::<P, 3, N, S, false>(whole, terms, a, b, c, prefetch),
            (3, false) if P::V::L > 1 => tile::<P, 3, N, S, true>(last, terms, a, b, c, prefetch),
            (2, true) => tile::<P, 2, N, S, false>(whole, terms, a, b, c, prefetch),
            (2, false) => tile::<P, 2, N, S, true>(last, terms, a, b, c, prefetch),
            (1, true) => tile::<P, 1, N, S, false>(whole, terms, a, b, c, prefetch),
            (1, false) => tile::<P, 1, N, S, true>(last, terms, a, b, c, prefetch),
            _ => {}
        }
    }
}

/// A tile of R vectors of rows and N columns, with S = N P::S::PARTS sums per vector. If CUT, only `last` numbers of
/// the last vector exist.
///
/// Loops use indices because iterators over vectors are separate functions, compiled without the instruction set.
#[inline(always)]
pub unsafe fn tile<P: Pack, const R: usize, const N: usize, const S: usize, const CUT: bool>(
    last: usize,
    terms: usize,
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &mut OperandPrefetch,
) {
    unsafe {
        if terms >= PREFETCH_TERMS {
            let mut j = 0;
            while j < N {
                let mut r = 0;
                while r < R {
                    prefetch_for_write(c.p.wrapping_add(j * c.ld * P::S::PARTS + r * P::V::L));
                    r += 1;
                }
                j += 1;
            }
        }
        let sums = sums::<P, R, S, CUT>(last, terms, a, b, prefetch);
        let mut j = 0;
        while j < N {
            let column = c.p.add(j * c.ld * P::S::PARTS);
            let mut x = sums[j * P::S::PARTS];
            if P::S::COMPLEX {
                let t = times_i(sums[j * P::S::PARTS + P::S::PARTS - 1]);
                let mut r = 0;
                while r < R {
                    x[r] = if a.conjugated != b.conjugated { x[r].sub(t[r]) } else { x[r].add(t[r]) };
                    r += 1;
                }
                if a.conjugated {
                    x = conjugated(x);
                }
            }
            put::<P, R, CUT>(x, column, last, c);
            j += 1;
        }
    }
}

/// C := alpha (A op(B))^T + beta C for real numbers, where C has N rows and `rows` columns, at most a vector of them.
#[inline(always)]
pub unsafe fn transposed_tile<P: Pack, const N: usize>(
    rows: usize,
    terms: usize,
    a: Left<P::S>,
    b: Right<P::S>,
    c: Target<P::S>,
    prefetch: &mut OperandPrefetch,
) {
    unsafe {
        let sums = sums::<P, 1, N, true>(rows, terms, a, b, prefetch);
        let mut x = [P::V::splat(Re::<P>::default()); MAX_LANES];
        let mut j = 0;
        while j < N {
            x[j] = sums[j][0];
            j += 1;
        }
        transpose(&mut x);
        let mut i = 0;
        while i < rows {
            put::<P, 1, true>([x[i]], c.p.add(i * c.ld), N, c);
            i += 1;
        }
    }
}

/// Accumulates the sums of a tile.
#[inline(always)]
unsafe fn sums<P: Pack, const R: usize, const S: usize, const CUT: bool>(
    last: usize,
    terms: usize,
    a: Left<P::S>,
    b: Right<P::S>,
    prefetch: &mut OperandPrefetch,
) -> [[P::V; R]; S] {
    unsafe {
        let mut sums = [[P::V::splat(Re::<P>::default()); R]; S];
        let (mut left, mut right) = (a.p, b.p);
        let (down, across) = (b.steps[0] * P::S::PARTS, b.steps[1] * P::S::PARTS);
        let mut fetched = prefetch.next_lines(terms);
        for _ in 0..terms {
            prefetch_l2(fetched);
            fetched = fetched.wrapping_add(LINE);
            let mut x = [P::V::splat(Re::<P>::default()); R];
            let mut r = 0;
            while r < R {
                x[r] = load::<P::V, R, CUT>(left, r, last);
                r += 1;
            }
            let mut s = 0;
            while s < S {
                let y = P::V::splat(*right.add(s / P::S::PARTS * across + s % P::S::PARTS));
                let mut r = 0;
                while r < R {
                    sums[s][r] = sums[s][r].add_mul(x[r], y);
                    r += 1;
                }
                s += 1;
            }
            left = left.wrapping_add(a.ld * P::S::PARTS);
            right = right.wrapping_add(down);
        }
        sums
    }
}

/// column := alpha x + beta column, for R vectors. If CUT, only `last` numbers of the last one exist.
#[inline(always)]
unsafe fn put<P: Pack, const R: usize, const CUT: bool>(
    x: [P::V; R],
    column: *mut Re<P>,
    last: usize,
    c: Target<P::S>,
) {
    unsafe {
        let mut x = scaled::<P, R>(x, c.alpha);
        if c.beta != P::S::zero() {
            let mut y = [P::V::splat(Re::<P>::default()); R];
            let mut r = 0;
            while r < R {
                y[r] = load::<P::V, R, CUT>(column, r, last);
                r += 1;
            }
            y = scaled::<P, R>(y, c.beta);
            let mut r = 0;
            while r < R {
                x[r] = x[r].add(y[r]);
                r += 1;
            }
        }
        let mut r = 0;
        while r < R {
            let at = column.add(r * P::V::L);
            if CUT && r + 1 == R {
                x[r].store_first(at, last)
            } else {
                x[r].store(at)
            }
            r += 1;
        }
    }
}

/// Loads vector r of R. If CUT, only `last` numbers of the last one exist.
#[inline(always)]
unsafe fn load<V: Lanes, const R: usize, const CUT: bool>(p: *const V::R, r: usize, last: usize) -> V {
    unsafe { if CUT && r + 1 == R { V::load_first(p.add(r * V::L), last) } else { V::load(p.add(r * V::L)) } }
}

/// -1 in the lanes of real parts, 1 in those of imaginary parts, as two vectors.
#[inline(always)]
fn signs<V: Lanes>() -> (V, V) {
    let (minus, plus) = (V::splat(V::R::from_f64(-1.0)), V::splat(V::R::from_f64(1.0)));
    V::join(minus, plus)
}

/// i x, for R vectors of complex numbers.
#[inline(always)]
fn times_i<V: Lanes, const R: usize>(x: [V; R]) -> [V; R] {
    let mut y = x;
    let mut r = 0;
    while r < R {
        // With one lane, a complex number takes two vectors.
        let (swapped, sign) = match V::L {
            1 => (x[(r ^ 1) % R], if r % 2 == 0 { signs::<V>().0 } else { signs::<V>().1 }),
            _ => (x[r].swapped(), signs::<V>().0),
        };
        y[r] = swapped.mul(sign);
        r += 1;
    }
    y
}

/// The complex conjugates of R vectors of complex numbers.
#[inline(always)]
fn conjugated<V: Lanes, const R: usize>(x: [V; R]) -> [V; R] {
    let mut y = x;
    let zero = V::splat(V::R::default());
    let mut r = 0;
    while r < R {
        let sign = if V::L == 1 && r % 2 == 1 { signs::<V>().1 } else { signs::<V>().0 };
        y[r] = x[r].mul(zero.sub(sign));
        r += 1;
    }
    y
}

/// Multiplies R vectors by a scalar. A real scalar keeps an infinity in one part out of the other.
#[inline(always)]
fn scaled<P: Pack, const R: usize>(x: [P::V; R], by: P::S) -> [P::V; R] {
    if by == P::S::one() {
        return x;
    }
    let (re, mut y) = (P::V::splat(by.re()), x);
    let mut r = 0;
    while r < R {
        y[r] = x[r].mul(re);
        r += 1;
    }
    if P::S::COMPLEX && by.im() != Re::<P>::default() {
        let (im, t) = (P::V::splat(by.im()), times_i(x));
        let mut r = 0;
        while r < R {
            y[r] = y[r].add_mul(t[r], im);
            r += 1;
        }
    }
    y
}
