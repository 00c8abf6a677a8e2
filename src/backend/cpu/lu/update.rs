//! C -= A B on packed matrices, tile by tile, with the tile in registers over all terms of its sums.

use super::super::packed::Columns;
use super::super::simd::{Apart, Lanes, Pack};
use crate::scalar::Scalar;

/// C -= A B in packs `packs.0..packs.1` of `columns` columns of C. Its tiles are large and its callers many: for [`Lanes::apart`].
pub struct Subtract<P: Pack> {
    pub c: Columns<P>,
    pub a: Columns<P>,
    /// Its first row begins a pack.
    pub b: Columns<P>,
    /// Columns of A, rows of B.
    pub terms: usize,
    pub packs: (usize, usize),
    pub columns: usize,
}

impl<P: Pack> Apart for Subtract<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Subtract { c, a, b, terms, packs, columns } = self;
        unsafe {
            match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                (true, false) => strips::<P, 3, 8>(c, a, b, terms, packs, columns),
                (true, true) => strips::<P, 3, 4>(c, a, b, terms, packs, columns),
                (false, false) => strips::<P, 2, 4>(c, a, b, terms, packs, columns),
                (false, true) => strips::<P, 1, 4>(c, a, b, terms, packs, columns),
            }
        }
    }
}

/// [`Subtract`] with up to R packs of N columns in a tile.
#[inline(always)]
unsafe fn strips<P: Pack, const R: usize, const N: usize>(
    c: Columns<P>,
    a: Columns<P>,
    b: Columns<P>,
    terms: usize,
    (first, packs): (usize, usize),
    columns: usize,
) {
    let mut j = 0;
    unsafe {
        while j + N <= columns {
            strip::<P, R, N>(c.starting_at(j), a, b.starting_at(j), terms, (first, packs));
            j += N;
        }
        if N > 4 && j + 4 <= columns {
            strip::<P, R, 4>(c.starting_at(j), a, b.starting_at(j), terms, (first, packs));
            j += 4;
        }
        while j < columns {
            // One column has few sums: more packs at a time.
            let (c, b, mut r) = (c.starting_at(j), b.starting_at(j), first);
            while r + 8 <= packs {
                tile::<P, 8, 1>(c, a, b, terms, r);
                r += 8;
            }
            strip::<P, 3, 1>(c, a, b, terms, (r, packs));
            j += 1;
        }
    }
}

/// All packs of N columns.
#[inline(always)]
unsafe fn strip<P: Pack, const R: usize, const N: usize>(
    c: Columns<P>,
    a: Columns<P>,
    b: Columns<P>,
    terms: usize,
    (first, packs): (usize, usize),
) {
    let mut r = first;
    unsafe {
        // Three packs and one are worse than two and two.
        while r < packs {
            match packs - r {
                _ if R == 1 => tile::<P, 1, N>(c, a, b, terms, r),
                1 => tile::<P, 1, N>(c, a, b, terms, r),
                2 => tile::<P, 2, N>(c, a, b, terms, r),
                4 if R == 3 => tile::<P, 2, N>(c, a, b, terms, r),
                _ => tile::<P, R, N>(c, a, b, terms, r),
            }
            r += match packs - r {
                _ if R == 1 => 1,
                1 => 1,
                2 => 2,
                4 if R == 3 => 2,
                _ => R,
            };
        }
    }
}

/// R packs from pack r on, of N columns.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn tile<P: Pack, const R: usize, const N: usize>(
    c: Columns<P>,
    a: Columns<P>,
    b: Columns<P>,
    terms: usize,
    r: usize,
) {
    unsafe {
        let mut left = [[P::zero(); N]; R];
        for i in 0..R {
            for j in 0..N {
                left[i][j] = P::load(c.pack(r + i, j));
            }
        }
        let (mut x, mut rows) = (a.pack(r, 0), b.p);
        let mut done = 0;
        while done < terms {
            let count = P::L.min(terms - done);
            for l in 0..count {
                let mut y = [P::zero(); R];
                for i in 0..R {
                    y[i] = P::load(x.add(i * P::REALS));
                }
                for j in 0..N {
                    let at = rows.add(l + j * b.ld);
                    let im = if P::S::COMPLEX { *at.add(P::L) } else { Default::default() };
                    let by = P::splat(P::S::new(*at, im));
                    for i in 0..R {
                        left[i][j] = left[i][j].sub_mul(y[i], by);
                    }
                }
                x = x.wrapping_add(a.ld);
            }
            rows = rows.wrapping_add(P::REALS);
            done += count;
        }
        for i in 0..R {
            for j in 0..N {
                left[i][j].store(c.pack(r + i, j));
            }
        }
    }
}
