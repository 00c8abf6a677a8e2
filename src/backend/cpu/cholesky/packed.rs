//! One packed lower triangle. Values above the diagonal, in the pack that contains it and in those of a group's first
//! columns, do not affect any result.

use super::super::batch::{pack, unpack};
use super::super::divisor::Divisor;
use super::super::lu::triangles::{Shape, TriangleKind, solve};
use super::super::packed::{Columns, get, set};
use super::super::simd::{Lanes, Pack};
use super::super::transposed::{Load, Store, Transposed};
use super::super::view::View;
use super::factor::WIDEST;
use crate::routine::Uplo;
use crate::scalar::Scalar;
use std::ops::Range;

/// Columns that are solved together.
const GROUP: usize = 4;

/// Packs the caller's lower triangle, or the adjoint of its upper one, with the real parts of its diagonal.
#[inline(always)]
pub unsafe fn load<P: Pack>(from: &View<P::S>, uplo: Uplo, n: usize, to: Columns<P>) {
    unsafe {
        load_columns(from, uplo, n, to, 0..n);
        if uplo == Uplo::Upper {
            load_rows(from, n, to, 0..n);
        }
    }
}

/// [`load`] for a range of packed columns. If the caller has the upper triangle, only packs that contain an element of
/// the diagonal are loaded; [`load_rows`], afterwards, loads the others.
#[inline(always)]
pub unsafe fn load_columns<P: Pack>(from: &View<P::S>, uplo: Uplo, n: usize, to: Columns<P>, columns: Range<usize>) {
    for j in columns {
        unsafe {
            let column = to.column(j);
            // Also clear the rows of the columns that are updated together with this one: their results are not used,
            // but they are computed.
            for r in j / WIDEST * WIDEST / P::L..=j / P::L {
                P::zero().store(to.pack(r, j));
            }
            P::zero().store(to.pack((n - 1) / P::L, j)); // clears what follows the last row
            if uplo == Uplo::Upper {
                (j..n.min((j / P::L + 1) * P::L)).for_each(|i| set::<P>(column, i, from.get(j, i).conj()));
            } else {
                let whole = j.next_multiple_of(P::L).min(n);
                (j..whole).for_each(|i| set::<P>(column, i, from.get(i, j)));
                pack::<P>(from.column(j).add(whole * P::S::PARTS), to.pack(whole / P::L, j), n - whole);
            }
            if P::S::COMPLEX {
                set::<P>(column, j, P::S::real(from.get(j, j).re()));
            }
        }
    }
}

/// The rest of [`load_columns`] from the upper triangle, for a range of packed rows.
#[inline(always)]
pub unsafe fn load_rows<P: Pack>(from: &View<P::S>, n: usize, to: Columns<P>, rows: Range<usize>) {
    unsafe { P::V::call_out_of_line(Load(upper(from, n, to, rows))) };
}

/// The part of the caller's upper triangle whose tiles the diagonal does not cross.
#[inline(always)]
fn upper<P: Pack>(caller: &View<P::S>, n: usize, packed: Columns<P>, rows: Range<usize>) -> Transposed<P> {
    Transposed { caller: (caller.p, caller.ld), packed, m: n, n, conjugated: true, rows, below_diagonal: true }
}

/// The inverse of [`load`]: writes the triangle and nothing else.
#[inline(always)]
pub unsafe fn store<P: Pack>(from: Columns<P>, to: &View<P::S>, uplo: Uplo, n: usize) {
    unsafe {
        store_columns(from, to, uplo, n, 0..n);
        if uplo == Uplo::Upper {
            store_rows(from, to, n, 0..n);
        }
    }
}

/// The inverse of [`load_columns`].
#[inline(always)]
pub unsafe fn store_columns<P: Pack>(from: Columns<P>, to: &View<P::S>, uplo: Uplo, n: usize, columns: Range<usize>) {
    for j in columns {
        unsafe {
            let column = from.column(j);
            if uplo == Uplo::Upper {
                (j..n.min((j / P::L + 1) * P::L)).for_each(|i| to.set(j, i, get::<P>(column, i).conj()));
                continue;
            }
            let whole = j.next_multiple_of(P::L).min(n);
            (j..whole).for_each(|i| to.set(i, j, get::<P>(column, i)));
            unpack::<P>(from.pack(whole / P::L, j), to.column(j).add(whole * P::S::PARTS), n - whole);
        }
    }
}

/// The inverse of [`load_rows`].
#[inline(always)]
pub unsafe fn store_rows<P: Pack>(from: Columns<P>, to: &View<P::S>, n: usize, rows: Range<usize>) {
    unsafe { P::V::call_out_of_line(Store(upper(to, n, from, rows))) };
}

/// X := L^-H L^-1 X for `columns` columns of X.
#[inline(always)]
pub unsafe fn solve_system<P: Pack>(l: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    unsafe {
        solve(TriangleKind { shape: Shape::Lower, unit: false }, l, n, x, columns, 0);
        solve_adjoint(l, n, x, columns, 0);
    }
}

/// X := L^-H X. Rows above `stop` are not computed.
#[inline(always)]
unsafe fn solve_adjoint<P: Pack>(l: Columns<P>, n: usize, x: Columns<P>, columns: usize, stop: usize) {
    let packs = n.div_ceil(P::L);
    for i in (stop..n).rev() {
        unsafe {
            let divisor = Divisor::new(get::<P>(l.column(i), i));
            let mut j = 0;
            while j + GROUP <= columns {
                solve_row::<P, GROUP>(l, i, packs, x.starting_at(j), divisor);
                j += GROUP;
            }
            for j in j..columns {
                solve_row::<P, 1>(l, i, packs, x.starting_at(j), divisor);
            }
        }
    }
}

/// Computes row i of N columns, when the rows below are known.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn solve_row<P: Pack, const N: usize>(
    l: Columns<P>,
    i: usize,
    packs: usize,
    x: Columns<P>,
    divisor: Divisor<P::S>,
) {
    let (first, other) = ((i + 1) / P::L, (i + 1) % P::L);
    let mut sums = [P::zero(); N];
    unsafe {
        if first < packs {
            let v = P::load(l.pack(first, i)).zero_below(other);
            for c in 0..N {
                sums[c] = sums[c].add_conj_mul(v, P::load(x.pack(first, c)).zero_below(other));
            }
        }
        for r in first + 1..packs {
            let v = P::load(l.pack(r, i));
            for c in 0..N {
                sums[c] = sums[c].add_conj_mul(v, P::load(x.pack(r, c)));
            }
        }
        for c in 0..N {
            let left = get::<P>(x.column(c), i) - sums[c].sum();
            set::<P>(x.column(c), i, divisor.divide(left));
        }
    }
}

/// Computes the lower triangle of a range of columns of L^-H L^-1 in `x`.
#[inline(always)]
pub unsafe fn invert<P: Pack>(l: Columns<P>, n: usize, x: Columns<P>, columns: Range<usize>) {
    for j in columns.clone().step_by(GROUP) {
        unsafe {
            let (group, count) = (x.starting_at(j), GROUP.min(columns.end - j));
            for c in 0..count {
                for r in 0..n.div_ceil(P::L) {
                    P::zero().store(group.pack(r, c));
                }
                set::<P>(group.column(c), j + c, P::S::one());
            }
            solve(TriangleKind { shape: Shape::Lower, unit: false }, l, n, group, count, j);
            solve_adjoint(l, n, group, count, j);
            for c in j..j + count {
                set::<P>(x.column(c), c, P::S::real(get::<P>(x.column(c), c).re()));
            }
        }
    }
}

/// The index of the first zero on the diagonal.
#[inline(always)]
pub unsafe fn zero<P: Pack>(l: Columns<P>, n: usize) -> Option<usize> {
    (0..n).find(|&j| unsafe { get::<P>(l.column(j), j) } == P::S::zero())
}
