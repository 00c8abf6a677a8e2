//! Copying matrices from callers' memory into a tile and back: a transposition between members and elements.

use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, array_of, prefetch_for_write};
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

/// Where the lanes' matrices have their elements, in terms of callers' rows and columns.
trait Places: Copy {
    /// What [`Places::elements`] returns.
    type Elements: Elements;
    /// Up to `count` elements of each lane's matrix, from (r, c) downwards.
    fn elements<P: Pack>(self, r: usize, c: usize, count: usize) -> Self::Elements;
    /// Number of elements to move at a time from (r, c) on, see [`chunk`].
    fn chunk<P: Pack>(self, lanes: &LanePointers<Re<P>>, rows: usize, r: usize, c: usize) -> usize;
}

/// A few consecutive elements of each lane's matrix.
trait Elements: Copy {
    /// Elements from the matrix's start to the first of them.
    fn offset(&self, lane: usize) -> usize;
    /// Their number.
    fn count(&self, lane: usize) -> usize;
}

/// All matrices have the same size and this leading dimension.
#[derive(Clone, Copy)]
struct SamePlaces {
    ld: usize,
}

#[derive(Clone, Copy)]
struct SameElements {
    offset: usize,
    count: usize,
}

impl Places for SamePlaces {
    type Elements = SameElements;
    #[inline(always)]
    fn elements<P: Pack>(self, r: usize, c: usize, count: usize) -> SameElements {
        SameElements { offset: c.wrapping_mul(self.ld).wrapping_add(r), count }
    }
    #[inline(always)]
    fn chunk<P: Pack>(self, lanes: &LanePointers<Re<P>>, rows: usize, r: usize, c: usize) -> usize {
        chunk::<P>(lanes, rows, c.wrapping_mul(self.ld).wrapping_add(r))
    }
}

impl Elements for SameElements {
    #[inline(always)]
    fn offset(&self, _: usize) -> usize {
        self.offset
    }
    #[inline(always)]
    fn count(&self, _: usize) -> usize {
        self.count
    }
}

/// The sizes of each lane's matrix, in terms of callers' rows and columns.
#[derive(Clone, Copy)]
pub struct OwnSizes {
    /// Rows.
    pub rows: [u32; MAX_LANES],
    /// Columns.
    pub columns: [u32; MAX_LANES],
    /// Leading dimensions, which are negative if columns are in reverse order.
    pub ld: [i32; MAX_LANES],
}

impl OwnSizes {
    /// No sizes.
    pub const NONE: OwnSizes = OwnSizes { rows: [0; MAX_LANES], columns: [0; MAX_LANES], ld: [0; MAX_LANES] };
    /// The smaller one of each matrix's two sizes.
    #[inline(always)]
    pub fn smaller(&self) -> [u32; MAX_LANES] {
        array_of(|l| self.rows[l].min(self.columns[l]))
    }
    /// The larger one of each matrix's two sizes.
    #[inline(always)]
    pub fn larger(&self) -> [u32; MAX_LANES] {
        array_of(|l| self.rows[l].max(self.columns[l]))
    }
    /// From which step of QR on nothing of each matrix is below the diagonal and to its right: a square one's last step
    /// is not one.
    #[inline(always)]
    pub fn ends(&self) -> [u32; MAX_LANES] {
        let (smaller, larger) = (self.smaller(), self.larger());
        array_of(|l| smaller[l].min(larger[l].saturating_sub(1)))
    }
    /// Rows, columns and leading dimension, if they are the same in all lanes.
    #[inline(always)]
    fn common<P: Pack>(&self) -> Option<(usize, usize, usize)> {
        let mut differences = 0;
        for l in 1..P::L {
            differences |= self.rows[l] ^ self.rows[0];
            differences |= self.columns[l] ^ self.columns[0];
            differences |= u32::from(self.ld[l] != self.ld[0]);
        }
        (differences == 0).then_some((self.rows[0] as usize, self.columns[0] as usize, self.ld[0] as usize))
    }
}

#[derive(Clone, Copy)]
struct OwnElements {
    offsets: [u64; MAX_LANES],
    counts: [u32; MAX_LANES],
}

impl Places for &OwnSizes {
    type Elements = OwnElements;
    #[inline(always)]
    fn elements<P: Pack>(self, r: usize, c: usize, count: usize) -> OwnElements {
        let mut elements = OwnElements { offsets: [0; MAX_LANES], counts: [0; MAX_LANES] };
        let (r, c, count) = (r as u32, c as u32, count as u32);
        for l in 0..P::L {
            let below = self.rows[l].saturating_sub(r).min(count);
            elements.counts[l] = if c < self.columns[l] { below } else { 0 };
            elements.offsets[l] = u64::from(c).wrapping_mul(self.ld[l] as u64).wrapping_add(u64::from(r));
        }
        elements
    }
    #[inline(always)]
    fn chunk<P: Pack>(self, _: &LanePointers<Re<P>>, _: usize, _: usize, _: usize) -> usize {
        P::L
    }
}

impl Elements for OwnElements {
    #[inline(always)]
    fn offset(&self, lane: usize) -> usize {
        self.offsets[lane] as usize
    }
    #[inline(always)]
    fn count(&self, lane: usize) -> usize {
        self.counts[lane] as usize
    }
}

/// Turns the given elements of each lane's matrix into `count` packs (count <= L), `stride` packs apart. Where a matrix
/// has fewer elements there are zeros.
#[inline(always)]
unsafe fn gather<P: Pack>(
    from: &LanePointers<Re<P>>,
    elements: impl Elements,
    count: usize,
    conjugated: bool,
    to: *mut Re<P>,
    stride: usize,
) {
    unsafe {
        let mut re = [V::<P>::splat(Re::<P>::default()); MAX_LANES];
        let mut im = re;
        for l in 0..P::L {
            // Wrapping, because a lane may have no such elements; nothing is loaded then.
            let start = from[l].wrapping_add(elements.offset(l).wrapping_mul(P::S::PARTS));
            let x = P::load_elements(start, elements.count(l));
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
    elements: impl Elements,
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
                let start = to[l].wrapping_add(elements.offset(l).wrapping_mul(P::S::PARTS));
                P::from_parts(re[l], im[l]).store_elements(start, elements.count(l));
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
    P::L - (lanes[0] as usize / size_of::<P::S>()).wrapping_add(at) % P::L
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
    let (conjugated, traversal, to) = (transform.conjugated, Traversal::new(to, transform, m, n), to.p);
    unsafe { P::V::call_out_of_line(Load::<P, _> { from, places: SamePlaces { ld }, conjugated, part, traversal, to }) }
}

/// [`load`] for matrices of sizes of their own, none of which is larger than m x n in the tile; zeros continue them to
/// that size.
#[inline(always)]
pub unsafe fn load_each<P: Pack>(
    from: &LanePointers<Re<P>>,
    sizes: &OwnSizes,
    transform: Transform,
    part: Part,
    m: usize,
    n: usize,
    to: Tile<P>,
) {
    if let Some((rows, columns, ld)) = sizes.common::<P>() {
        let (own_m, own_n) = if transform.transposed { (columns, rows) } else { (rows, columns) };
        unsafe {
            to.clear_rows(own_m..m, n);
            to.starting_at(own_n).clear_rows(0..own_m, n - own_n);
            return load(from, ld, transform, part, own_m, own_n, to);
        }
    }
    let (conjugated, traversal, to) = (transform.conjugated, Traversal::new(to, transform, m, n), to.p);
    unsafe { P::V::call_out_of_line(Load::<P, _> { from, places: sizes, conjugated, part, traversal, to }) }
}

/// The body of [`load`], which is long, so it is compiled once for all routines.
struct Load<'a, P: Pack, S> {
    from: &'a LanePointers<Re<P>>,
    places: S,
    conjugated: bool,
    part: Part,
    traversal: Traversal,
    to: *mut Re<P>,
}

impl<P: Pack, S: Places> OutOfLine for Load<'_, P, S> {
    #[inline(always)]
    unsafe fn run(self) {
        let Load { from, places, conjugated, part, traversal, to } = self;
        for c in 0..traversal.columns {
            let (mut r, end) = part.rows(c, traversal.rows);
            while r < end {
                let count = places.chunk::<P>(from, traversal.rows, r, c).min(end - r);
                unsafe {
                    let to = to.add((r * traversal.row_stride + c * traversal.column_stride) * P::REALS);
                    let elements = places.elements::<P>(r, c, count);
                    gather::<P>(from, elements, count, conjugated, to, traversal.row_stride);
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
    let (conjugated, traversal, from) = (transform.conjugated, Traversal::new(from, transform, m, n), from.p);
    let places = SamePlaces { ld };
    unsafe { P::V::call_out_of_line(Store::<P, _> { from, kind, conjugated, traversal, to, places, lanes }) }
}

/// The inverse of [`load_each`], for the lanes whose bit is set: stores the part of each matrix.
#[inline(always)]
pub unsafe fn store_each<P: Pack>(
    from: Tile<P>,
    transform: Transform,
    part: Part,
    m: usize,
    n: usize,
    to: &LanePointers<Re<P>>,
    sizes: &OwnSizes,
    lanes: u32,
) {
    if let Some((rows, columns, ld)) = sizes.common::<P>() {
        let (m, n) = if transform.transposed { (columns, rows) } else { (rows, columns) };
        return unsafe { store_as(from, transform, StoreKind::Part(part), m, n, to, ld, lanes) };
    }
    let (conjugated, traversal, from) = (transform.conjugated, Traversal::new(from, transform, m, n), from.p);
    let (kind, places) = (StoreKind::Part(part), sizes);
    unsafe { P::V::call_out_of_line(Store::<P, _> { from, kind, conjugated, traversal, to, places, lanes }) }
}

/// The body of [`store`] and its variants, which is long, so it is compiled once for all routines.
struct Store<'a, P: Pack, S> {
    from: *const Re<P>,
    kind: StoreKind,
    conjugated: bool,
    traversal: Traversal,
    to: &'a LanePointers<Re<P>>,
    places: S,
    lanes: u32,
}

impl<P: Pack, S: Places> OutOfLine for Store<'_, P, S> {
    #[inline(always)]
    unsafe fn run(self) {
        let Store { from, kind, conjugated, traversal, to, places, lanes } = self;
        for c in 0..traversal.columns {
            let (mut r, mut end, mut filled) = (0, traversal.rows, traversal.rows);
            match kind {
                StoreKind::Part(part) => (r, end) = part.rows(c, traversal.rows),
                StoreKind::Prefetched { upper } => {
                    let next = c + columns_ahead::<P>(traversal.rows);
                    if next < traversal.columns {
                        prefetch_column::<P>(to, places.elements::<P>(0, 1, 0).offset(0), traversal.rows, next);
                    }
                    if upper {
                        filled = c + 1;
                    }
                }
            }
            while r < end {
                let count = places.chunk::<P>(to, traversal.rows, r, c).min(end - r);
                unsafe {
                    let from = from.add((r * traversal.row_stride + c * traversal.column_stride) * P::REALS);
                    scatter::<P>(
                        from,
                        traversal.row_stride,
                        count.min(filled.saturating_sub(r)),
                        to,
                        places.elements::<P>(r, c, count),
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
        let elements = SameElements { offset: i, count };
        unsafe { scatter::<P>(from.add(i * P::REALS), 1, count, to, elements, false, lanes) };
    }
}

/// [`store_vector`] for vectors of lengths of their own, at most k: the rows of matrices with one column.
#[inline(always)]
pub unsafe fn store_vector_each<P: Pack>(
    from: *mut Re<P>,
    k: usize,
    to: &LanePointers<Re<P>>,
    sizes: &OwnSizes,
    lanes: u32,
) {
    let from = Tile::<P> { p: from, ld: 1 };
    unsafe { store_each(from, Transform::default(), Part::Whole, k, 1, to, sizes, lanes) }
}

/// The inverse of [`store_vector`].
#[inline(always)]
pub unsafe fn load_vector<P: Pack>(from: &LanePointers<Re<P>>, k: usize, to: *mut Re<P>) {
    for i in (0..k).step_by(P::L) {
        let elements = SameElements { offset: i, count: P::L.min(k - i) };
        unsafe { gather::<P>(from, elements, elements.count, false, to.add(i * P::REALS), 1) };
    }
}

/// [`load_vector`] for vectors of lengths of their own, at most k, continued by zeros: as in [`store_vector_each`].
#[inline(always)]
pub unsafe fn load_vector_each<P: Pack>(from: &LanePointers<Re<P>>, sizes: &OwnSizes, k: usize, to: *mut Re<P>) {
    let to = Tile::<P> { p: to, ld: 1 };
    unsafe { load_each(from, sizes, Transform::default(), Part::Whole, k, 1, to) }
}
