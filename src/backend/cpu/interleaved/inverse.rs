//! Inverses from LU factors in lanes. The inverse replaces the factors, apart from the order of its columns.

use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack};
use super::group::{Re, Tile};
use super::triangle::reciprocal;
use crate::scalar::Scalar;

/// Columns that are computed at a time.
const WIDTH: usize = 4;

/// Computes U^-1 L^-1 in place of L and U, of order n, in the order of LAPACK's getri: first U^-1, then X from X L =
/// U^-1. The diagonal elements must have reciprocals that are normal numbers. `copy` has space for `n` rows of
/// [`WIDTH`] packs. `own`: the orders of the matrices, if the identity continues them to order n, which must then
/// consist of [`super::whole_blocks`]. That has no effect on their inverses.
#[inline(always)]
pub unsafe fn invert<P: Pack>(a: Tile<P>, n: usize, copy: *mut Re<P>, own: Option<&[u32; MAX_LANES]>) {
    unsafe { P::V::call_out_of_line(Invert { a, n, copy: Tile { p: copy, ld: WIDTH }, own }) }
}

/// Number of packs in the copy that [`invert`] needs.
pub const fn packs_to_invert(n: usize) -> Option<usize> {
    n.checked_mul(WIDTH)
}

/// The body of [`invert`], compiled once for its routines.
struct Invert<'a, P: Pack> {
    a: Tile<P>,
    n: usize,
    copy: Tile<P>,
    own: Option<&'a [u32; MAX_LANES]>,
}

impl<P: Pack> OutOfLine for Invert<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Invert { a, n, copy, own } = self;
        unsafe {
            let mut j = 0;
            while j + WIDTH <= n {
                upper_columns::<P, WIDTH>(a, j);
                j += WIDTH;
            }
            while j < n {
                upper_columns::<P, 1>(a, j);
                j += 1;
            }
            if let Some(orders) = own {
                // Infinities times the zeros beside a matrix are NaN.
                a.make_identity_beyond(n, orders);
            }
            let mut end = n;
            while end >= WIDTH {
                columns::<P, WIDTH>(a, n, end - WIDTH, copy);
                end -= WIDTH;
            }
            while end > 0 {
                columns::<P, 1>(a, n, end - 1, copy);
                end -= 1;
            }
        }
    }
}

/// Columns `j..j + N` of U^-1 in place of U, when those to the left are done: X of X U = I, row by row.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn upper_columns<P: Pack, const N: usize>(a: Tile<P>, j: usize) {
    unsafe {
        let mut minus = [P::zero(); N];
        for c in 0..N {
            minus[c] = P::zero().sub(reciprocal(P::load(a.at(j + c, j + c))));
        }
        for i in 0..j {
            let mut sums = [P::zero(); N];
            // The diagonal of U^-1, often the largest of its row, is added last.
            for k in (i..j).rev() {
                let x = P::load(a.at(i, k));
                for c in 0..N {
                    sums[c] = sums[c].add_mul(x, P::load(a.at(k, j + c)));
                }
            }
            divide_row::<P, N, 0>(a, i, j, &mut sums, &minus);
        }
        for d in 0..N {
            // The rows of the block itself, in which the identity has its ones.
            let mut sums = [P::zero(); N];
            sums[d] = P::zero().sub(minus[d]);
            sums[d].store(a.at(j + d, j + d));
            match d {
                0 => divide_row::<P, N, 1>(a, j, j, &mut sums, &minus),
                1 => divide_row::<P, N, 2>(a, j + 1, j, &mut sums, &minus),
                2 => divide_row::<P, N, 3>(a, j + 2, j, &mut sums, &minus),
                _ => {}
            }
        }
    }
}

/// Elements of row i of U^-1 from column j + FIRST on: minus the sums of products, including those with the elements
/// just computed, divided by U's diagonal, of which `minus` holds the negative reciprocals.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn divide_row<P: Pack, const N: usize, const FIRST: usize>(
    a: Tile<P>,
    i: usize,
    j: usize,
    sums: &mut [P; N],
    minus: &[P; N],
) {
    for c in FIRST..N {
        unsafe {
            for d in 0..N {
                if d < c && d + 1 >= FIRST {
                    sums[c] = sums[c].add_mul(sums[d], P::load(a.at(j + d, j + c)));
                }
            }
            sums[c] = sums[c].mul(minus[c]);
            sums[c].store(a.at(i, j + c));
        }
    }
}

/// Columns `j..j + N` of the inverse, when those to the right are done.
#[inline(always)]
unsafe fn columns<P: Pack, const N: usize>(a: Tile<P>, n: usize, j: usize, copy: Tile<P>) {
    unsafe {
        // Move L's columns to the copy and leave zeros.
        for k in j + 1..n {
            for c in 0..N {
                if k > j + c {
                    P::load(a.at(k, j + c)).store(copy.at(k, c));
                    P::zero().store(a.at(k, j + c));
                }
            }
        }
        let mut i = 0;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while i + 4 <= n {
                rows::<P, 4, N>(a, n, i, j, copy);
                i += 4;
            }
        }
        while i + 2 <= n {
            rows::<P, 2, N>(a, n, i, j, copy);
            i += 2;
        }
        if i < n {
            rows::<P, 1, N>(a, n, i, j, copy);
        }
    }
}

/// R rows of [`columns`], from row i on.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn rows<P: Pack, const R: usize, const N: usize>(a: Tile<P>, n: usize, i: usize, j: usize, copy: Tile<P>) {
    unsafe {
        let mut left = [[P::zero(); N]; R];
        for k in j + N..n {
            let mut x = [P::zero(); R];
            for r in 0..R {
                x[r] = P::load(a.at(i + r, k));
            }
            for c in 0..N {
                let l = P::load(copy.at(k, c));
                for r in 0..R {
                    left[r][c] = left[r][c].add_mul(x[r], l);
                }
            }
        }
        for r in 0..R {
            for c in 0..N {
                left[r][c] = P::load(a.at(i + r, j + c)).sub(left[r][c]);
            }
        }
        for turn in 0..N {
            let c = N - 1 - turn;
            for d in 0..N {
                if d > c {
                    let l = P::load(copy.at(j + d, c));
                    for r in 0..R {
                        left[r][c] = left[r][c].sub_mul(left[r][d], l);
                    }
                }
            }
        }
        for r in 0..R {
            for c in 0..N {
                left[r][c].store(a.at(i + r, j + c));
            }
        }
    }
}
