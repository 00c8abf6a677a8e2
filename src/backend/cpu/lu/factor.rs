//! The LU factorisation of one packed matrix.

use super::super::blocked::subtract;
use super::super::packed::{Columns, get};
use super::super::simd::{Lanes, Pack};
use super::interchanges::{Order, exchange_rows, swap};
use super::pivot::{Divisor, largest};
use super::triangles::{Shape, Solve, solve_diagonal_block};
use super::{BLOCK, below};
use crate::scalar::Scalar;

/// P L U of the m x n matrix `a` in its place; `ipiv`: min(m, n) places for the interchanges, NULL: no pivoting. Gives the
/// first j for which element (j, j) of U is exactly zero.
#[inline(always)]
pub unsafe fn factor<P: Pack>(a: Columns<P>, m: usize, n: usize, ipiv: *mut i32) -> Option<usize> {
    let (k, packs) = (m.min(n), m.div_ceil(P::L));
    let mut zero = None;
    unsafe {
        for first in (0..k).step_by(BLOCK) {
            let end = k.min(first + BLOCK);
            let found = panel(a, m, first, end, ipiv);
            zero = zero.or(found);
            exchange_rows(a, first, ipiv, first..end, Order::Forwards);
            let mut j = end;
            while j + 4 <= n {
                update::<P, 4>(a, (m, packs), (first, end), j, ipiv);
                j += 4;
            }
            while j < n {
                update::<P, 1>(a, (m, packs), (first, end), j, ipiv);
                j += 1;
            }
        }
    }
    zero
}

/// What a factored block, columns `first..end`, makes of columns `j..j + N` to its right: their rows are exchanged; those of
/// the block become U's; they leave the rows below.
#[inline(always)]
unsafe fn update<P: Pack, const N: usize>(
    a: Columns<P>,
    (m, packs): (usize, usize),
    (first, end): (usize, usize),
    j: usize,
    ipiv: *const i32,
) {
    unsafe {
        let (block, c) = (a.starting_at(first), a.starting_at(j));
        exchange_rows(c, N, ipiv, first..end, Order::Forwards);
        let (k, u) = (end - first, below(c, first));
        let lower = Solve { shape: Shape::Lower, unit: true };
        solve_diagonal_block(lower, below(block, first), k, u, N);
        if end == m {
            return; // no rows are left, and `end` need not begin a pack
        }
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            subtract::<P, 4, N>(c, block, u, k, end / P::L, packs);
        } else {
            subtract::<P, 2, N>(c, block, u, k, end / P::L, packs);
        }
    }
}

/// Factors columns `first..end` column by column; rows are exchanged in these columns only.
#[inline(always)]
unsafe fn panel<P: Pack>(a: Columns<P>, m: usize, first: usize, end: usize, ipiv: *mut i32) -> Option<usize> {
    let mut zero = None;
    for c in first..end {
        unsafe {
            let column = a.column(c);
            if !ipiv.is_null() {
                let pivot = largest::<P>(column, c, m);
                *ipiv.add(c) = pivot as i32 + 1;
                if pivot != c {
                    (first..end).for_each(|j| swap::<P>(a.column(j), c, pivot));
                }
            }
            let pivot = get::<P>(column, c);
            if pivot == P::S::zero() {
                zero = zero.or(Some(c));
            } else if c + 1 < m {
                Divisor::new(pivot).divide_column::<P>(column, c + 1, m);
            }
            let mut j = c + 1;
            while j + 4 <= end {
                eliminate::<P, 4>(a, m, c, j);
                j += 4;
            }
            while j < end {
                eliminate::<P, 1>(a, m, c, j);
                j += 1;
            }
        }
    }
    zero
}

/// Columns `j..j + N` -= (column c) (their elements in row c), in the rows below c.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn eliminate<P: Pack, const N: usize>(a: Columns<P>, m: usize, c: usize, j: usize) {
    unsafe {
        let (first, stay) = ((c + 1) / P::L, (c + 1) % P::L);
        let mut u = [P::zero(); N];
        for l in 0..N {
            u[l] = P::splat(get::<P>(a.column(j + l), c));
        }
        let packs = m.div_ceil(P::L);
        if first < packs {
            let x = P::load(a.pack(first, c));
            for l in 0..N {
                let p = a.pack(first, j + l);
                let old = P::load(p);
                old.sub_mul(x, u[l]).below_from(stay, old).store(p);
            }
        }
        for r in first + 1..packs {
            let x = P::load(a.pack(r, c));
            for l in 0..N {
                let p = a.pack(r, j + l);
                P::load(p).sub_mul(x, u[l]).store(p);
            }
        }
    }
}
