//! Copying matrices from callers' memory into a tile and back: a transposition between members and elements.

use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, prefetch_for_write};
use super::super::view::Transform;
use super::group::{LanePointers, Re, Tile, V};
use crate::scalar::Scalar;

/// Which elements of a caller's matrix are read, in terms of its own rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All elements.
    Whole,
    /// On and above the diagonal.
    Upper,
    /// On and below the diagonal.
    Lower,
}

impl Part {
    /// The range of rows of column c that belong to the part, in a matrix with the given number of rows.
    #[inline(always)]
    pub fn rows(self, c: usize, rows: usize) -> (usize, usize) {
        match self {
            Part::Whole => (0, rows),
            Part::Upper => (0, rows.min(c + 1)),
            Part::Lower => (c, rows),
        }
    }
}

/// Transposes L x L numbers by log2(L) perfect shuffles.
#[inline(always)]
pub fn transpose<V: Lanes>(x: &mut [V; MAX_LANES]) {
    let mut round = 1;
    while round < V::L {
        let mut y = *x;
        let mut i = 0;
        while i < V::L / 2 {
            (y[2 * i], y[2 * i + 1]) = V::join(x[i], x[i + V::L / 2]);
            i += 1;
        }
        *x = y;
        round *= 2;
    }
}

/// Turns elements `offset..offset + count` (count <= L) of each lane's memory into `count` packs, `stride` packs apart.
#[inline(always)]
unsafe fn gather<P: Pack>(
    from: &LanePointers<Re<P>>,
    offset: usize,
    count: usize,
    conjugated: bool,
    to: *mut Re<P>,
    stride: usize,
) {
    unsafe {
        let mut re = [V::<P>::splat(Re::<P>::default()); MAX_LANES];
        let mut im = re;
        for l in 0..P::L {
            let x = P::load_elements(from[l].add(offset * P::S::PARTS), count);
            let x = if conjugated { x.conj() } else { x };
            (re[l], im[l]) = (x.re(), x.im());
        }
        transpose(&mut re);
        if P::S::COMPLEX {
            transpose(&mut im);
        }
        if count == P::L {
            for i in 0..P::L {
                P::from_parts(re[i], im[i]).store(to.add(i * stride * P::REALS));
            }
        } else {
            for i in 0..count {
                P::from_parts(re[i], im[i]).store(to.add(i * stride * P::REALS));
            }
        }
    }
}

/// The inverse of [`gather`], for the lanes in the mask. Packs from `filled` on are not read; their elements are stored
/// as 0.
#[inline(always)]
unsafe fn scatter<P: Pack>(
    from: *const Re<P>,
    stride: usize,
    filled: usize,
    to: &LanePointers<Re<P>>,
    offset: usize,
    count: usize,
    conjugated: bool,
    lanes: u32,
) {
    unsafe {
        let mut re = [V::<P>::splat(Re::<P>::default()); MAX_LANES];
        let mut im = re;
        for i in 0..P::L {
            if i < filled {
                let x = P::load(from.add(i * stride * P::REALS));
                let x = if conjugated { x.conj() } else { x };
                (re[i], im[i]) = (x.re(), x.im());
            }
        }
        transpose(&mut re);
        if P::S::COMPLEX {
            transpose(&mut im);
        }
        for l in 0..P::L {
            if lanes >> l & 1 == 1 {
                P::from_parts(re[l], im[l]).store_elements(to[l].add(offset * P::S::PARTS), count);
            }
        }
    }
}

/// How to traverse a caller's matrix and the tile together.
struct Traversal {
    /// The caller's rows.
    rows: usize,
    /// The caller's columns.
    columns: usize,
    /// Distance in the tile between rows of the caller's matrix, in packs.
    row_stride: usize,
    /// Distance in the tile between columns of the caller's matrix, in packs.
    column_stride: usize,
}

impl Traversal {
    #[inline(always)]
    fn new<P: Pack>(tile: Tile<P>, transform: Transform, m: usize, n: usize) -> Traversal {
        if transform.transposed {
            Traversal { rows: n, columns: m, row_stride: 1, column_stride: tile.ld }
        } else {
            Traversal { rows: m, columns: n, row_stride: tile.ld, column_stride: 1 }
        }
    }
}

/// Number of elements to move at a time from element `at` on. Long columns are moved up to the end of a cache line: if
/// the lanes' matrices are a power of two apart, they share cache sets that hold few of their lines, so a line should
/// be used up at once.
#[inline(always)]
fn chunk<P: Pack>(lanes: &LanePointers<Re<P>>, rows: usize, at: usize) -> usize {
    if rows < 2 * P::L {
        return P::L;
    }
    P::L - (lanes[0] as usize / size_of::<P::S>() + at) % P::L
}

/// Loads a part of each lane's matrix, which has m rows and n columns in the tile. The rest of the tile is left
/// unchanged.
#[inline(always)]
pub unsafe fn load<P: Pack>(
    from: &LanePointers<Re<P>>,
    ld: usize,
    transform: Transform,
    part: Part,
    m: usize,
    n: usize,
    to: Tile<P>,
) {
    let traversal = Traversal::new(to, transform, m, n);
    unsafe {
        P::V::call_out_of_line(Load::<P> { from, ld, conjugated: transform.conjugated, part, traversal, to: to.p })
    }
}

/// The body of [`load`], which is long, so it is compiled once for all routines.
struct Load<'a, P: Pack> {
    from: &'a LanePointers<Re<P>>,
    ld: usize,
    conjugated: bool,
    part: Part,
    traversal: Traversal,
    to: *mut Re<P>,
}

impl<P: Pack> OutOfLine for Load<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Load { from, ld, conjugated, part, traversal, to } = self;
        for c in 0..traversal.columns {
            let (mut r, end) = part.rows(c, traversal.rows);
            while r < end {
                let count = chunk::<P>(from, traversal.rows, r + c * ld).min(end - r);
                unsafe {
                    let to = to.add((r * traversal.row_stride + c * traversal.column_stride) * P::REALS);
                    gather::<P>(from, r + c * ld, count, conjugated, to, traversal.row_stride);
                }
                r += count;
            }
        }
    }
}

/// The inverse of [`load`], for the lanes whose bit is set.
#[inline(always)]
pub unsafe fn store<P: Pack>(
    from: Tile<P>,
    transform: Transform,
    m: usize,
    n: usize,
    to: &LanePointers<Re<P>>,
    ld: usize,
    lanes: u32,
) {
    unsafe { store_as(from, transform, StoreKind::Part(Part::Whole), m, n, to, ld, lanes) }
}

/// [`store`] for a part of n x n matrices; nothing else is written.
#[inline(always)]
pub unsafe fn store_triangle<P: Pack>(
    from: Tile<P>,
    transform: Transform,
    part: Part,
    n: usize,
    to: &LanePointers<Re<P>>,
    ld: usize,
    lanes: u32,
) {
    unsafe { store_as(from, transform, StoreKind::Part(part), n, n, to, ld, lanes) }
}

/// [`store`] to memory that was not read before, which is prefetched.
#[inline(always)]
pub unsafe fn store_prefetched<P: Pack>(
    from: Tile<P>,
    m: usize,
    n: usize,
    to: &LanePointers<Re<P>>,
    ld: usize,
    lanes: u32,
) {
    unsafe { store_as(from, Transform::default(), StoreKind::Prefetched { upper: false }, m, n, to, ld, lanes) }
}

/// Number of columns of m elements to prefetch ahead of the one that is stored; they take a small part of the cache.
#[inline(always)]
fn columns_ahead<P: Pack>(m: usize) -> usize {
    const BYTES: usize = 8 << 10;
    (BYTES / (P::L * m.max(1) * size_of::<P::S>())).max(2)
}

/// Prefetches the first columns of m x n matrices that will be stored by [`store_prefetched`], to overlap with
/// computation.
#[inline(always)]
pub fn prefetch_for_store<P: Pack>(to: &LanePointers<Re<P>>, ld: usize, m: usize, n: usize) {
    (0..n.min(columns_ahead::<P>(m))).for_each(|c| prefetch_column::<P>(to, ld, m, c));
}

/// Prefetches m elements of column c of each lane.
#[inline(always)]
fn prefetch_column<P: Pack>(to: &LanePointers<Re<P>>, ld: usize, m: usize, c: usize) {
    const LINE: usize = 64;
    let bytes = size_of::<P::S>();
    for p in &to[..P::L] {
        for at in (0..m * bytes).step_by(LINE) {
            prefetch_for_write(p.cast::<u8>().wrapping_add(c * ld * bytes + at));
        }
    }
}

/// Stores the tile's upper triangle, and zeros below it, to memory that was not read before.
#[inline(always)]
pub unsafe fn store_upper<P: Pack>(from: Tile<P>, m: usize, n: usize, to: &LanePointers<Re<P>>, ld: usize, lanes: u32) {
    unsafe { store_as(from, Transform::default(), StoreKind::Prefetched { upper: true }, m, n, to, ld, lanes) }
}

/// What is stored from a tile.
#[derive(Clone, Copy)]
enum StoreKind {
    /// A part; nothing else is written.
    Part(Part),
    /// Everything, to memory that was not read before; with zeros below the diagonal if `upper`.
    Prefetched { upper: bool },
}

#[inline(always)]
unsafe fn store_as<P: Pack>(
    from: Tile<P>,
    transform: Transform,
    kind: StoreKind,
    m: usize,
    n: usize,
    to: &LanePointers<Re<P>>,
    ld: usize,
    lanes: u32,
) {
    let traversal = Traversal::new(from, transform, m, n);
    unsafe {
        P::V::call_out_of_line(Store::<P> {
            from: from.p,
            kind,
            conjugated: transform.conjugated,
            traversal,
            to,
            ld,
            lanes,
        })
    }
}

/// The body of [`store`] and its variants, which is long, so it is compiled once for all routines.
struct Store<'a, P: Pack> {
    from: *const Re<P>,
    kind: StoreKind,
    conjugated: bool,
    traversal: Traversal,
    to: &'a LanePointers<Re<P>>,
    ld: usize,
    lanes: u32,
}

impl<P: Pack> OutOfLine for Store<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Store { from, kind, conjugated, traversal, to, ld, lanes } = self;
        for c in 0..traversal.columns {
            let (mut r, mut end, mut filled) = (0, traversal.rows, traversal.rows);
            match kind {
                StoreKind::Part(part) => (r, end) = part.rows(c, traversal.rows),
                StoreKind::Prefetched { upper } => {
                    let next = c + columns_ahead::<P>(traversal.rows);
                    if next < traversal.columns {
                        prefetch_column::<P>(to, ld, traversal.rows, next);
                    }
                    if upper {
                        filled = c + 1;
                    }
                }
            }
            while r < end {
                let count = chunk::<P>(to, traversal.rows, r + c * ld).min(end - r);
                unsafe {
                    let from = from.add((r * traversal.row_stride + c * traversal.column_stride) * P::REALS);
                    scatter::<P>(
                        from,
                        traversal.row_stride,
                        count.min(filled.saturating_sub(r)),
                        to,
                        r + c * ld,
                        count,
                        conjugated,
                        lanes,
                    );
                }
                r += count;
            }
        }
    }
}

/// Stores k elements of each lane from contiguous packs, for the lanes whose bit is set.
#[inline(always)]
pub unsafe fn store_vector<P: Pack>(from: *const Re<P>, k: usize, to: &LanePointers<Re<P>>, lanes: u32) {
    for i in (0..k).step_by(P::L) {
        let count = P::L.min(k - i);
        unsafe { scatter::<P>(from.add(i * P::REALS), 1, count, to, i, count, false, lanes) };
    }
}

/// The inverse of [`store_vector`].
#[inline(always)]
pub unsafe fn load_vector<P: Pack>(from: &LanePointers<Re<P>>, k: usize, to: *mut Re<P>) {
    for i in (0..k).step_by(P::L) {
        unsafe { gather::<P>(from, i, P::L.min(k - i), false, to.add(i * P::REALS), 1) };
    }
}
