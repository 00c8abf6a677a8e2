//! Triangular systems with few right-hand sides. The triangle stays where the caller has it: a copy of it would cost more than the
//! solve, which reads each of its elements once.

use super::batch::pack;
use super::interleaved::transpose;
use super::lu::triangles::{Shape, Solve, leaf, solve_leaf};
use super::packed::{Columns, Re, offset};
use super::scratch::Arena;
use super::simd::{Apart, Lanes, MAX_LANES, Pack};
use super::view::{Turned, View};
use crate::scalar::Scalar;

/// A caller's triangle, and how it stands in the equations op(A) X = B.
pub struct Thin<T: Scalar> {
    /// A.
    pub a: View<T>,
    /// op.
    pub op: Turned,
    /// op(A)'s triangle and diagonal.
    pub how: Solve,
}

/// Right-hand sides up to which this is faster than a solve with a packed triangle, or with right-hand sides in lanes.
pub const fn columns<P: Pack>() -> usize {
    if P::L >= 8 { 8 } else { 2 }
}

/// Numbers of working memory of [`Thin::solve`].
#[inline(always)]
pub fn room<P: Pack>(arena: &mut Arena<Re<P>>) -> Option<usize> {
    arena.part(leaf::<P>() * leaf::<P>() * P::S::PARTS)
}

impl<T: Scalar> Thin<T> {
    /// X := op(A)^-1 X for packed columns of n rows. With op(A) = A each element is the same to the last bit as that of
    /// [`super::lu::triangles::solve`].
    #[inline(always)]
    pub unsafe fn solve<P: Pack<S = T>>(&self, n: usize, x: Columns<P>, columns: usize, room: *mut Re<P>) {
        let &Thin { a: View { p, ld }, op, how } = self;
        let system = System::<P> { a: View { p, ld }, conjugated: op.conjugated, how, n, x, columns, room };
        unsafe {
            if op.transposed {
                P::V::apart(Transposed(system));
            } else {
                P::V::apart(Straight(system));
            }
        }
    }
}

/// A solve, which is compiled once for all routines.
struct System<P: Pack> {
    a: View<P::S>,
    conjugated: bool,
    how: Solve,
    n: usize,
    x: Columns<P>,
    columns: usize,
    room: *mut Re<P>,
}

impl<P: Pack> System<P> {
    /// First and last row of each leaf in the order in which they are solved.
    #[inline(always)]
    fn leaves(&self) -> impl Iterator<Item = (usize, usize)> + use<P> {
        let (n, lower, width) = (self.n, self.how.shape == Shape::Lower, leaf::<P>());
        let count = n.div_ceil(width);
        (0..count).map(move |step| {
            let first = width * if lower { step } else { count - 1 - step };
            (first, n.min(first + width))
        })
    }

    /// The part of A from (i, j) on.
    #[inline(always)]
    fn part(&self, i: usize, j: usize) -> View<P::S> {
        View { p: self.a.p.wrapping_add((i + j * self.a.ld) * P::S::PARTS), ld: self.a.ld }
    }

    /// Solves the leaf of rows `first..end`, of which all that is known before has left; `block`: its triangle, of which the
    /// other half becomes zero.
    #[inline(always)]
    unsafe fn solve_leaf(&self, block: Columns<P>, first: usize, end: usize) {
        let count = end - first;
        unsafe {
            for c in 0..count {
                for q in 0..count.div_ceil(P::L) {
                    let p = block.pack(q, c);
                    let x = P::load(p);
                    match self.how.shape {
                        Shape::Lower => x.zero_below(c.saturating_sub(q * P::L).min(P::L)).store(p),
                        Shape::Upper => P::zero().below_from((c + 1).saturating_sub(q * P::L).min(P::L), x).store(p),
                    }
                }
            }
            let x = Columns { p: self.x.p.add(offset::<P>(first)), ld: self.x.ld };
            solve_leaf(self.how, block, count, x, self.columns);
        }
    }

    #[inline(always)]
    fn block(&self) -> Columns<P> {
        Columns { p: self.room, ld: leaf::<P>() * P::S::PARTS }
    }
}

/// op(A) = A: what a leaf makes known leaves all equations that follow.
struct Straight<P: Pack>(System<P>);

impl<P: Pack> Apart for Straight<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let system = self.0;
        let (n, columns, lower) = (system.n, system.columns, system.how.shape == Shape::Lower);
        for (first, end) in system.leaves() {
            let (block, from) = (system.block(), system.part(first, first));
            unsafe {
                for c in 0..end - first {
                    pack::<P>(from.column(c), block.column(c), end - first);
                }
                system.solve_leaf(block, first, end);
                let rows = if lower { (end, n) } else { (0, first) };
                let (mut r, last) = (rows.0 / P::L, rows.1.div_ceil(P::L));
                while rows.0 < rows.1 && r < last {
                    // Of the last pack some rows may be beyond A.
                    let whole = rows.1 / P::L - r;
                    r += match (whole, P::V::MANY_REGISTERS) {
                        (4.., true) => system.subtract::<4, false>(r, P::L, first..end, columns),
                        (2.., _) => system.subtract::<2, false>(r, P::L, first..end, columns),
                        (1, _) => system.subtract::<1, false>(r, P::L, first..end, columns),
                        _ => system.subtract::<1, true>(r, rows.1 % P::L, first..end, columns),
                    };
                }
            }
        }
    }
}

impl<P: Pack> System<P> {
    /// What columns `known` leave of R packs from pack r on, of the last of which `count` rows are there where it is CUT; gives R.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
    #[inline(always)]
    unsafe fn subtract<const R: usize, const CUT: bool>(
        &self,
        r: usize,
        count: usize,
        known: std::ops::Range<usize>,
        columns: usize,
    ) -> usize {
        let mut j = 0;
        while j < columns {
            let few = 2.min(columns - j);
            unsafe {
                match few {
                    2 => self.subtract_columns::<R, 2, CUT>(r, count, known.clone(), j),
                    _ => self.subtract_columns::<R, 1, CUT>(r, count, known.clone(), j),
                }
            }
            j += few;
        }
        R
    }

    /// [`System::subtract`] for N columns.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn subtract_columns<const R: usize, const N: usize, const CUT: bool>(
        &self,
        r: usize,
        count: usize,
        known: std::ops::Range<usize>,
        j: usize,
    ) {
        unsafe {
            let x = self.x.starting_at(j);
            let mut left = [[P::zero(); N]; R];
            for i in 0..R {
                for c in 0..N {
                    left[i][c] = P::load(x.pack(r + i, c));
                }
            }
            let mut from = self.part(r * P::L, known.start).p;
            let mut at = x.p.add(offset::<P>(known.start));
            let mut lane = 0;
            for _ in known {
                let mut a = [P::zero(); R];
                for i in 0..R {
                    let p = from.wrapping_add(i * P::REALS);
                    a[i] = P::load_elements(p, if CUT { count } else { P::L });
                }
                for c in 0..N {
                    let p = at.add(lane + c * x.ld);
                    let im = if P::S::COMPLEX { *p.add(P::L) } else { Default::default() };
                    let by = P::splat(P::S::new(*p, im));
                    for i in 0..R {
                        left[i][c] = left[i][c].sub_mul(a[i], by);
                    }
                }
                from = from.wrapping_add(self.a.ld * P::S::PARTS);
                lane += 1;
                if lane == P::L {
                    (lane, at) = (0, at.wrapping_add(P::REALS));
                }
            }
            for i in 0..R {
                for c in 0..N {
                    left[i][c].store(x.pack(r + i, c));
                }
            }
        }
    }
}

/// op(A) = A^T or A^H: what is known leaves a leaf as sums along A's columns, which lie side by side.
struct Transposed<P: Pack>(System<P>);

impl<P: Pack> Apart for Transposed<P> {
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn run(self) {
        let system = self.0;
        let (n, lower) = (system.n, system.how.shape == Shape::Lower);
        for (first, end) in system.leaves() {
            let known = if lower { (0, first) } else { (end, n) };
            unsafe {
                let block = system.block();
                system.transpose_block(block, first, end - first);
                if known.0 < known.1 {
                    for q in (first..end).step_by(P::L) {
                        for j in 0..system.columns {
                            system.subtract_sums(q, P::L.min(end - q), known, j);
                        }
                    }
                }
                system.solve_leaf(block, first, end);
            }
        }
    }
}

impl<P: Pack> System<P> {
    /// op(A) of `count` rows and columns from `first` on, to a packed block.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn transpose_block(&self, block: Columns<P>, first: usize, count: usize) {
        for c in (0..count).step_by(P::L) {
            for r in (0..count).step_by(P::L) {
                unsafe {
                    let (rows, from) = (P::L.min(count - r), self.part(first + r, first + c));
                    let mut re = [P::V::splat(Re::<P>::default()); MAX_LANES];
                    let mut im = re;
                    for l in 0..P::L.min(count - c) {
                        let x = P::load_elements(from.column(l), rows);
                        let x = if self.conjugated { x.conj() } else { x };
                        (re[l], im[l]) = (x.re(), x.im());
                    }
                    transpose(&mut re);
                    if P::S::COMPLEX {
                        transpose(&mut im);
                    }
                    for l in 0..rows {
                        P::from_parts(re[l], im[l]).store(block.pack(c / P::L, r + l));
                    }
                }
            }
        }
    }

    /// What the known rows leave of `count` unknowns from `first` on of column j.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn subtract_sums(&self, first: usize, count: usize, known: (usize, usize), j: usize) {
        unsafe {
            let x = self.x.starting_at(j);
            let mut sums = [P::zero(); MAX_LANES];
            let (mut row, a) = (known.0, self.part(0, first));
            while row + P::L <= known.1 {
                let y = P::load(x.pack(row / P::L, 0));
                for l in 0..P::L {
                    // Beyond the last unknown its column again: no branch.
                    let x = P::load_elements(a.column(l.min(count - 1)).add(row * P::S::PARTS), P::L);
                    sums[l] = if self.conjugated { sums[l].add_conj_mul(x, y) } else { sums[l].add_mul(x, y) };
                }
                row += P::L;
            }
            if row < known.1 {
                let rows = known.1 - row;
                // What follows the last unknown need not be a number.
                let y = P::zero().below_from(rows, P::load(x.pack(row / P::L, 0)));
                for l in 0..P::L {
                    let x = P::load_elements(a.column(l.min(count - 1)).add(row * P::S::PARTS), rows);
                    sums[l] = if self.conjugated { sums[l].add_conj_mul(x, y) } else { sums[l].add_mul(x, y) };
                }
            }
            let mut re = [P::V::splat(Re::<P>::default()); MAX_LANES];
            let mut im = re;
            for l in 0..P::L {
                (re[l], im[l]) = (sums[l].re(), sums[l].im());
            }
            let p = x.pack(first / P::L, 0);
            let sum = P::from_parts(summed(re), if P::S::COMPLEX { summed(im) } else { re[0] });
            P::load(p).sub(P::zero().below_from(count, sum)).store(p);
        }
    }
}

/// Lane l: the sum of the lanes of vector l.
#[inline(always)]
fn summed<V: Lanes>(mut x: [V; MAX_LANES]) -> V {
    transpose(&mut x);
    let mut width = V::L / 2;
    while width > 0 {
        let mut l = 0;
        while l < width {
            x[l] = x[l].add(x[l + width]);
            l += 1;
        }
        width /= 2;
    }
    x[0]
}
