//! The building blocks of MAGMA's LU that are not whole routines.

use super::batch::{Members, read, write};
use super::lu::Pivots;
use super::threads;
use crate::routine::{BlocksOfEach, ExchangeColumns, PanelStep, PermuteRows};
use crate::scalar::Scalar;

/// Elements below which another thread does not pay off.
const GRAIN: usize = 1 << 15;

/// See [`crate::backend::Runtime::panel`].
pub unsafe fn run(step: &PanelStep) {
    unsafe {
        match *step {
            PanelStep::ExchangeColumns(ref p) => for_dtype!(p.dtype, T => exchange_columns::<T>(p)),
            PanelStep::PermuteRows(ref p) => for_dtype!(p.dtype, T => permute_rows::<T>(p)),
            PanelStep::Blocks(ref p) => (0..p.batch as usize).for_each(|i| blocks(p, i)),
            PanelStep::ShiftPointers { out, array, bytes, batch } => {
                for i in 0..batch as usize {
                    out.add(i).write((*array.add(i)).wrapping_byte_offset(bytes as isize));
                }
            }
            PanelStep::MergeCodes { codes, own, step, batch } => {
                for i in 0..batch as usize {
                    if *codes.add(i) == 0 && *own.add(i) > 0 {
                        *codes.add(i) = step + *own.add(i);
                    }
                }
            }
        }
    }
}

/// Addresses and sizes of the blocks of member i.
unsafe fn blocks(p: &BlocksOfEach, i: usize) {
    unsafe {
        let mut there = p.sizes().iter().all(|size| *size.each.add(i) >= size.before);
        for corner in p.corners() {
            let (from, [row, column]) = (*corner.from.add(i), corner.at.map(i64::from));
            let first = (row + column * i64::from(*corner.leading.add(i))) as usize * p.element;
            there &= !from.is_null();
            corner.to.add(i).write(if from.is_null() { from } else { from.wrapping_byte_add(first) });
        }
        for size in p.sizes() {
            let left = if there { *size.each.add(i) - size.before } else { -1 };
            size.out.add(i).write(left.min(size.most));
        }
    }
}

unsafe fn exchange_columns<T: Scalar>(p: &ExchangeColumns) {
    let (a, ipiv) = (Members::<T>::new(p.a), Pivots::new(p.ipiv));
    let (rows, lda, first, last, count) = (p.rows as usize, p.lda as usize, p.first, p.last, p.count());
    threads::for_ranges(p.batch as usize, (GRAIN / rows).max(1), threads::count(), |range| {
        for i in range {
            // SAFETY: each job has its own matrix, and the interchanges refer to existing columns.
            unsafe {
                let (a, ipiv) = (a.member(i), ipiv.member(i));
                for s in 0..count {
                    let j = (if last < first { first - s } else { first + s } - 1) as usize;
                    let other = *ipiv.add(j) as usize - 1;
                    for r in 0..if other == j { 0 } else { rows } {
                        let [x, y] = [j, other].map(|column| a.add((r + column * lda) * T::PARTS));
                        let (of_x, of_y) = (read::<T>(x), read::<T>(y));
                        write(x, of_y);
                        write(y, of_x);
                    }
                }
            }
        }
    });
}

unsafe fn permute_rows<T: Scalar>(p: &PermuteRows) {
    let (n, rows, order) = (p.n as usize, p.rows as usize, Pivots::new(p.order));
    let [from, to] = [&p.from, &p.to].map(|b| (Members::<T>::new(b.matrices), b.first as usize, b.ld as usize));
    let column = |(members, first, ld): (Members<T>, usize, usize), job: usize| {
        // SAFETY: the blocks have n columns.
        unsafe { members.member(job / n).add((first + job % n * ld) * T::PARTS) }
    };
    threads::for_ranges(p.batch as usize * n, (GRAIN / rows).max(1), threads::count(), |range| {
        for job in range {
            // SAFETY: each job has its own column, and the order refers to existing rows.
            unsafe {
                let (from, to, order) = (column(from, job), column(to, job), order.member(job / n));
                let row = |r: usize| *order.add(r) as usize - 1;
                let at = |r: usize| read::<T>(from.add(r * T::PARTS));
                // Everything is read before anything is written, because `to` may be `from`.
                let mut moved = [[T::zero(); 2]; PermuteRows::MAX_ROWS as usize];
                for (r, [x, y]) in moved[..rows].iter_mut().enumerate() {
                    let source = row(r);
                    *x = at(source);
                    if source >= rows {
                        *y = at(row(source));
                    }
                }
                for (r, &[x, y]) in moved[..rows].iter().enumerate() {
                    write(to.add(r * T::PARTS), x);
                    if row(r) >= rows {
                        write(from.add(row(r) * T::PARTS), y);
                    }
                }
            }
        }
    });
}
