//! Batched matrix products. Small matrices are multiplied in place ([`super::tile`]). If the columns of op(A) are rows
//! in memory or far apart, op(A) is copied first, a block of its rows and terms at a time.

use super::batch::{Members, is_missing, of_member, read};
use super::choice::Execution;
use super::interleaved::transpose;
use super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run_parts};
use super::packed::Re;
use super::scratch::Arena;
use super::simd::{Lanes, MAX_LANES, Pack, Packed};
use super::threads;
use super::tile::{Left, OperandPrefetch, Right, Target, product, tile, tile_height, transposed_tile};
use super::view::View;
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Alpha, Gemm, Trans};
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// Columns of C that are computed at a time.
const COLUMNS: usize = 64;
/// Bytes of a column of op(A) that are copied at a time: whole tiles of three vectors, and with all terms a part of a
/// second-level cache.
const COLUMN_BYTES: usize = 1536;
/// Terms of the sums that are copied at a time.
const TERMS: usize = 256;
/// Bytes from the first to the last element up to which A is multiplied in place: about the first-level cache.
const IN_PLACE_BYTES: usize = 64 << 10;
/// Columns of C up to which copying A does not pay off, unless it has to be transposed.
const FEW_COLUMNS: usize = 8;
/// Bytes of a member that are prefetched: smaller ones are left to the hardware prefetcher, larger ones do not fit in
/// the second-level cache.
const MIN_PREFETCH_BYTES: usize = 4 << 10;
const MAX_PREFETCH_BYTES: usize = 512 << 10;

/// The value of a scalar in host or device memory.
pub unsafe fn value<T: Scalar>(of: Alpha) -> T {
    match of {
        Alpha::Host(x) => T::new(T::Re::from_f64(x.re), T::Re::from_f64(x.im)),
        Alpha::Device(at) => unsafe { read::<T>(at.cast()) },
    }
}

pub struct GemmTask<'a, T: Scalar> {
    p: &'a Gemm,
    a: Members<T>,
    b: Members<T>,
    c: Members<T>,
    alpha: T,
    beta: T,
    operands: ProductOperands,
    /// Rows of C that are computed at a time.
    rows: usize,
    /// Bytes of the next member's A, B and C to prefetch while one is computed.
    fetched: [usize; 3],
    /// The matrices that follow the last member's, if there are any.
    next: Option<[*mut T::Re; 3]>,
}

/// Copies columns of op(A) into tiles, as [`Left::packed`] describes them. `rows` rows are filled up to whole vectors.
#[inline(always)]
unsafe fn pack_tiles<P: Pack>(from: View<P::S>, rows: usize, terms: usize, to: *mut Re<P>) {
    let numbers = rows * P::S::PARTS;
    let vectors = numbers.div_ceil(P::V::L);
    for l in 0..terms {
        let (column, mut done) = (unsafe { from.column(l) }, 0);
        while vectors - done > 4 && P::V::L > 1 {
            unsafe {
                let (from, to) = (column.add(done * P::V::L), to.add((done * terms + l * 3) * P::V::L));
                let (x, y, z) = (P::V::load(from), P::V::load(from.add(P::V::L)), P::V::load(from.add(2 * P::V::L)));
                x.store(to);
                y.store(to.add(P::V::L));
                z.store(to.add(2 * P::V::L));
            }
            done += 3;
        }
        while done < vectors {
            let height = tile_height::<P>(vectors - done);
            for r in 0..height {
                let at = (done + r) * P::V::L;
                unsafe {
                    let x = P::V::load_first(column.add(at), P::V::L.min(numbers - at));
                    x.store(to.add((done * terms + l * height + r) * P::V::L));
                }
            }
            done += height;
        }
    }
}

/// The place of a vector of rows among packed tiles: its offset in numbers, and the distance to the next term.
#[inline(always)]
fn place<P: Pack>(vector: usize, tile: &mut (usize, usize), vectors: usize, terms: usize) -> (usize, usize) {
    if vector == tile.0 + tile.1 {
        *tile = (vector, tile_height::<P>(vectors - vector));
    }
    ((tile.0 * terms + vector - tile.0) * P::V::L, tile.1 * P::V::L)
}

/// [`pack_tiles`] for the transpose of A, which is read along its columns, the rows of op(A).
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn pack_tiles_transposed<P: Pack>(from: View<P::S>, rows: usize, terms: usize, to: *mut Re<P>) {
    let vectors = (rows * P::S::PARTS).div_ceil(P::V::L);
    // The tile of the next vector: the vectors before it, and its height.
    let mut tile = (0, tile_height::<P>(vectors));
    for i in (0..rows).step_by(P::L) {
        let (count, vector) = (P::L.min(rows - i), i * P::S::PARTS / P::V::L);
        let (first, first_step) = place::<P>(vector, &mut tile, vectors, terms);
        // Complex numbers take a second vector, unless they fill half of the last one.
        let two = P::S::COMPLEX && vector + 1 < vectors;
        let (second, second_step) =
            if two { place::<P>(vector + 1, &mut tile, vectors, terms) } else { (first, first_step) };
        for l in (0..terms).step_by(P::L) {
            let few = P::L.min(terms - l);
            let mut re = [P::V::splat(Re::<P>::default()); MAX_LANES];
            let mut im = re;
            unsafe {
                let at = from.p.wrapping_add((l + i * from.ld) * P::S::PARTS);
                let step = from.ld * P::S::PARTS;
                if count == P::L && few == P::L {
                    for e in 0..P::L {
                        let x = P::load_elements(at.wrapping_add(e * step), P::L);
                        (re[e], im[e]) = (x.re(), x.im());
                    }
                } else {
                    for e in 0..count {
                        let x = P::load_elements(at.wrapping_add(e * step), few);
                        (re[e], im[e]) = (x.re(), x.im());
                    }
                }
                transpose(&mut re);
                if P::S::COMPLEX {
                    transpose(&mut im);
                }
                let (mut x, mut y) = (to.add(first + l * first_step), to.add(second + l * second_step));
                for e in 0..P::L {
                    if e == few {
                        break;
                    }
                    if P::S::COMPLEX {
                        let (even, odd) = P::V::join(re[e], im[e]);
                        if two {
                            odd.store(y);
                        }
                        even.store(x);
                    } else {
                        re[e].store(x);
                    }
                    x = x.wrapping_add(first_step);
                    y = y.wrapping_add(second_step);
                }
            }
        }
    }
}

/// Rows of op(A) that are copied at a time.
const fn rows_copied<T>() -> usize {
    COLUMN_BYTES / size_of::<T>()
}

/// Rows of C that are computed at a time. Each thread copies what it needs of A, so if there are few columns for each,
/// rows are divided, too: neighbouring columns can then share a copy.
fn rows_per_part<T: Scalar>(p: &Gemm, operands: &ProductOperands) -> usize {
    let (m, columns) = (p.m as usize, (p.n as usize).div_ceil(COLUMNS));
    // A product of so few columns stays on the calling thread, on which tiled QR depends.
    let threads = if operands.in_place || columns < 2 { 1 } else { threads::count() };
    if threads < 2 {
        return m.max(1);
    }
    // About four ranges of four parts for each thread.
    let parts = columns.saturating_mul(p.batch as usize);
    let least = rows_copied::<T>() / 2;
    m.div_ceil((16 * threads).div_ceil(parts.max(1))).next_multiple_of(least).min(m)
}

/// The shape of the operands of a product, and how they are read.
pub struct ProductOperands {
    trans: [Trans; 2],
    ld: [usize; 2],
    /// 0 if they are not read.
    terms: usize,
    /// Whether op(A) is multiplied in place, without a copy.
    in_place: bool,
}

impl ProductOperands {
    /// op(A) with m rows and `terms` columns, and op(B) with n columns.
    pub fn new<T: Scalar>(trans: [Trans; 2], ld: [i64; 2], m: i64, n: i64, terms: i64) -> Self {
        let near = n as usize <= FEW_COLUMNS || span::<T>(m, terms, ld[0]) <= IN_PLACE_BYTES;
        let in_place = terms == 0 || trans[0] == Trans::N && near;
        ProductOperands { trans, ld: [ld[0] as usize, ld[1] as usize], terms: terms as usize, in_place }
    }
    /// Whether they are read at all.
    pub fn read(&self) -> bool {
        self.terms > 0
    }
    /// Reserves space for a copy of part of op(A), for products of at most `rows` rows.
    #[inline(always)]
    pub fn reserve_workspace<P: Pack>(&self, arena: &mut Arena<Re<P>>, rows: usize) -> Option<usize> {
        let numbers = (rows.min(rows_copied::<P::S>()) * P::S::PARTS).next_multiple_of(P::V::L);
        arena.part(if self.in_place { 0 } else { numbers * self.terms.min(TERMS) })
    }
    /// Computes the given rows and columns of a product from operands that start at `a` and `b`. `c` starts at the
    /// first of these rows, and column.
    #[inline(always)]
    pub unsafe fn multiply<P: Pack>(
        &self,
        [a, b]: [*mut Re<P>; 2],
        rows: Range<usize>,
        columns: Range<usize>,
        c: Target<P::S>,
        copy: *mut Re<P>,
        prefetch: &mut OperandPrefetch,
    ) {
        let ([trans_a, trans_b], [lda, ldb], k) = (self.trans, self.ld, self.terms);
        let steps = if trans_b == Trans::N { [1, ldb] } else { [ldb, 1] };
        let b = Right::<P::S> { p: b, steps, conjugated: trans_b == Trans::C }.from(0, columns.start);
        let few_rows = if self.in_place { rows.len().max(1) } else { rows_copied::<P::S>() };
        for l in (0..k.max(1)).step_by(TERMS) {
            let terms = TERMS.min(k - l);
            let beta = if l == 0 { c.beta } else { P::S::one() };
            for r in rows.clone().step_by(few_rows) {
                let count = few_rows.min(rows.end - r);
                let at = if trans_a == Trans::N { r + l * lda } else { l + r * lda };
                let from = View::<P::S> { p: a.wrapping_add(at * P::S::PARTS), ld: lda };
                let conjugated = trans_a == Trans::C;
                let mut left = Left { p: from.p.cast_const(), ld: lda, conjugated, packed: false };
                unsafe {
                    if !self.in_place {
                        match trans_a {
                            Trans::N => pack_tiles::<P>(from, count, terms, copy),
                            _ => pack_tiles_transposed::<P>(from, count, terms, copy),
                        }
                        (left.p, left.packed) = (copy.cast_const(), true);
                    }
                    let c = Target { beta, ..c.from(r - rows.start, 0) };
                    product::<P>((count, columns.len(), terms), left, b.from(l, 0), c, prefetch);
                }
            }
        }
    }
}

impl<T: Packed> GemmTask<'_, T> {
    unsafe fn new(p: &Gemm) -> GemmTask<'_, T> {
        let (alpha, beta) = unsafe { (value(p.alpha), value(p.beta)) };
        let (a, b, c) = (Members::new(p.a), Members::new(p.b), Members::new(p.c));
        let terms = if alpha == T::zero() { 0 } else { p.k };
        let fetched = if terms > 0 { fetched::<T>(p) } else { [0; 3] };
        // Without terms the product is zero even if alpha is infinite.
        let alpha = if terms == 0 { T::zero() } else { alpha };
        let operands = ProductOperands::new::<T>([p.trans_a, p.trans_b], [p.lda, p.ldb], p.m, p.n, terms);
        let rows = (p.m as usize).max(1);
        GemmTask { p, a, b, c, alpha, beta, operands, rows, fetched, next: None }
    }
    /// Number of parts that a member is divided into: of its columns, and perhaps of its rows.
    fn parts(&self) -> usize {
        (self.p.m as usize).div_ceil(self.rows) * self.p.parts()
    }
    /// Addresses of a member's matrices.
    #[inline(always)]
    unsafe fn starts(&self, i: usize) -> [*mut T::Re; 3] {
        let [a, b, c] = self.p.first;
        if !self.operands.read() {
            // A and B may be missing.
            let c = unsafe { self.c.member(i) }.wrapping_offset(c as isize * T::PARTS as isize);
            return [c; 3];
        }
        let at =
            |first: i64, of: &Members<T>| unsafe { of.member(i) }.wrapping_offset(first as isize * T::PARTS as isize);
        [at(a, &self.a), at(b, &self.b), at(c, &self.c)]
    }
}

/// Members with few columns and at most a vector of rows in C: one tile each, with the same size for the whole batch.
impl<T: Packed> GemmTask<'_, T> {
    /// Whether members are that small. A product of two real transposes is the transpose of a product of the stored
    /// matrices, whose columns become the lanes of a vector.
    #[inline(always)]
    fn is_tile<P: Pack<S = T>>(&self) -> bool {
        let most = if P::V::MANY_REGISTERS { 8 } else { 8 / T::PARTS };
        let most = if self.is_transposed() { most.min(P::L) } else { most };
        let (rows, columns) = self.sides();
        P::L > 1
            && self.operands.read()
            && (self.operands.in_place && self.operands.terms <= TERMS || self.is_transposed())
            && rows * T::PARTS <= P::V::L
            && (1..=most).contains(&columns)
    }

    /// Whether the tile is the transpose of C.
    #[inline(always)]
    fn is_transposed(&self) -> bool {
        !T::COMPLEX && self.operands.trans.iter().all(|trans| *trans != Trans::N)
    }

    /// Rows and columns of the tile.
    #[inline(always)]
    fn sides(&self) -> (usize, usize) {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        if self.is_transposed() { (n, m) } else { (m, n) }
    }

    #[inline(always)]
    unsafe fn tiles<P: Pack<S = T>>(&self, range: Range<usize>) {
        macro_rules! by_columns {
            ($($n:literal)*) => {
                match (T::COMPLEX, self.sides().1) {
                    $((false, $n) => unsafe { self.tiles_of::<P, $n, $n>(range) },
                    (true, $n) => unsafe { self.tiles_of::<P, $n, { 2 * $n }>(range) },)*
                    _ => {}
                }
            };
        }
        by_columns!(1 2 3 4 5 6 7 8);
    }

    /// [`GemmTask::tiles`] for N columns with S sums.
    #[inline(always)]
    unsafe fn tiles_of<P: Pack<S = T>, const N: usize, const S: usize>(&self, range: Range<usize>) {
        let ProductOperands { trans: [_, trans_b], ld: [lda, ldb], terms, .. } = self.operands;
        let (rows, ldc, is_transposed) = (self.sides().0 * T::PARTS, self.p.ldc as usize, self.is_transposed());
        let steps = if trans_b == Trans::N { [1, ldb] } else { [ldb, 1] };
        for i in range {
            unsafe {
                let [a, b, c] = self.starts(i);
                let c = Target { p: c, ld: ldc, alpha: self.alpha, beta: self.beta };
                let mut prefetch = OperandPrefetch::of([c.p; 3], [0; 3]);
                if is_transposed {
                    let left = Left { p: b.cast_const(), ld: ldb, conjugated: false, packed: false };
                    let right = Right { p: a, steps: [1, lda], conjugated: false };
                    transposed_tile::<P, N>(rows, terms, left, right, c, &mut prefetch);
                } else {
                    let left = Left { p: a.cast_const(), ld: lda, conjugated: false, packed: false };
                    let right = Right { p: b, steps, conjugated: trans_b == Trans::C };
                    tile::<P, 1, N, S, true>(rows, terms, left, right, c, &mut prefetch);
                }
            }
        }
    }
}

/// Bytes of a member's A, B and C, if they are to be prefetched.
#[inline(always)]
fn fetched<T>(p: &Gemm) -> [usize; 3] {
    let stored = |trans, rows, columns, ld| match trans {
        Trans::N => span::<T>(rows, columns, ld),
        _ => span::<T>(columns, rows, ld),
    };
    let spans = [stored(p.trans_a, p.m, p.k, p.lda), stored(p.trans_b, p.k, p.n, p.ldb), span::<T>(p.m, p.n, p.ldc)];
    let total = spans[0].saturating_add(spans[1]).saturating_add(spans[2]);
    if (MIN_PREFETCH_BYTES..=MAX_PREFETCH_BYTES).contains(&total) { spans } else { [0; 3] }
}

/// Bytes from the first to the last element of a matrix.
#[inline(always)]
fn span<T>(rows: i64, columns: i64, ld: i64) -> usize {
    let elements = ((columns - 1).max(0) as usize).saturating_mul(ld as usize).saturating_add(rows as usize);
    elements.saturating_mul(size_of::<T>())
}

impl<T: Packed> Task<T> for GemmTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        let mut arena = Arena::<Re<P>>::new();
        self.operands.reserve_workspace::<P>(&mut arena, self.p.m as usize)?;
        arena.bytes()
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        if self.is_tile::<P>() {
            return unsafe { self.tiles::<P>(range) };
        }
        let (parts, column_parts) = (self.parts(), self.p.parts());
        let member = |part| if parts == 1 { part } else { part / parts };
        let (m, n, last) = (self.p.m as usize, self.p.n as usize, member(range.end - 1));
        let mut part = range.start;
        while part < range.end {
            let i = member(part);
            // Adjacent parts of the same rows are computed together, with one copy of A.
            let (row, first) = ((part - i * parts) / column_parts, (part - i * parts) % column_parts);
            let end = column_parts.min(first + range.end - part);
            let (rows, columns) =
                (row * self.rows..m.min((row + 1) * self.rows), first * COLUMNS..n.min(end * COLUMNS));
            unsafe {
                let next = match self.next {
                    Some(next) if i == last => next,
                    _ => self.starts((i + 1).min(last)),
                };
                let mut prefetch = OperandPrefetch::of(next, self.fetched);
                let [a, b, c] = self.starts(i);
                let c = Target { p: c, ld: self.p.ldc as usize, alpha: self.alpha, beta: self.beta };
                let c = c.from(rows.start, columns.start);
                self.operands.multiply::<P>([a, b], rows, columns, c, buffer.cast(), &mut prefetch);
            }
            part += end - first;
        }
    }
}

impl Varying for Gemm {
    /// Member i, if its sizes are valid, it has elements, and no matrix that it needs is NULL.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Gemm> {
        let [m, n, k, lda, ldb, ldc] = unsafe { self.sizes?.member(i) };
        let rows = |trans, untransposed, transposed| if trans == Trans::N { untransposed } else { transposed };
        let valid = (1..=self.m).contains(&m)
            && (1..=self.n).contains(&n)
            && (0..=self.k).contains(&k)
            && is_valid_ld(lda, rows(self.trans_a, m, k))
            && is_valid_ld(ldb, rows(self.trans_b, k, n))
            && is_valid_ld(ldc, m);
        if !valid {
            return None;
        }
        let [a, b, c] = of_member([self.a, self.b, self.c], i, self.dtype);
        // If A and B are not read, they may be missing.
        let read = k > 0 && !self.alpha.is_zero();
        let (k, alpha, a, b) = if read { (k, self.alpha, a, b) } else { (0, Alpha::ZERO, c, c) };
        if unsafe { is_missing(&a) || is_missing(&b) || is_missing(&c) } {
            return None;
        }
        Some(Gemm { m, n, k, alpha, a, lda, b, ldb, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl OneByOne for Gemm {
    type Task<'a, T: Packed> = GemmTask<'a, T>;
    const LOOKS_AHEAD: bool = true;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<GemmTask<'_, T>> {
        Some(unsafe { GemmTask::new(self) })
    }
    /// A member's columns are divided.
    fn parts(&self) -> usize {
        (self.n as usize).div_ceil(COLUMNS)
    }
    #[inline(always)]
    unsafe fn look_ahead<T: Packed>(task: &mut GemmTask<'_, T>, next: &Gemm) {
        let next = unsafe { GemmTask::<T>::new(next) };
        (task.fetched, task.next) = (next.fetched, Some(unsafe { next.starts(0) }));
    }
}

impl OverBatch for Gemm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let each = if self.dtype.is_complex() { 8.0 } else { 2.0 };
        each * self.m as f64 * self.n as f64 * self.k.max(1) as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let mut task = unsafe { GemmTask::<T>::new(self) };
        task.rows = rows_per_part::<T>(self, &task.operands);
        unsafe { run_parts(self, &task, task.parts(), execution) }
    }
}
