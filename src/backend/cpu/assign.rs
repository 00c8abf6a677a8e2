//! Copying, and filling with a constant.

use super::batch::{Members, write};
use super::threads;
use crate::routine::{Assign, Part, Source, SystemSizes};
use crate::scalar::{C64, Real, Scalar};

/// Elements below which another thread does not pay off.
const GRAIN: usize = 1 << 15;

/// See [`crate::backend::Runtime::assign`].
pub unsafe fn assign<T: Scalar>(p: &Assign) {
    let (m, n, batch) = (p.m as usize, p.n as usize, p.batch as usize);
    let to = Members::<T>::new(p.to);
    let number = |x: C64| T::new(T::Re::from_f64(x.re), T::Re::from_f64(x.im));
    let (from, ld_from, off, on) = match p.source {
        Source::Matrices(from, ld) => (Some(Members::<T>::new(from)), ld, T::zero(), T::zero()),
        Source::Constants { off, on } => (None, 0, number(off), number(on)),
    };
    let (part, all) = (p.part, [m, n, ld_from as usize, p.ld as usize]);
    let own = p.sizes.map(|sizes| unsafe { members(&sizes, p) });
    // The unit of work is a column of a member, so that threads share a large matrix too.
    threads::for_ranges(batch * n, (GRAIN / m).max(1), threads::count(), |range| {
        for job in range {
            let (i, j) = (job / n, job % n);
            let [m, columns, ld_from, ld] = own.as_ref().map_or(all, |own| own[i]);
            if j >= columns {
                continue;
            }
            let (first, last) = match part {
                Part::Full => (0, m),
                Part::Upper => (0, m.min(j + 1)),
                Part::Lower => (j.min(m), m),
            };
            // SAFETY: the operands have m x n elements, and no two jobs have the same column.
            unsafe {
                let column = to.member(i).add((first + j * ld) * T::PARTS);
                match &from {
                    Some(from) => {
                        let source = from.member(i).add((first + j * ld_from) * T::PARTS);
                        source.copy_to(column, (last - first) * T::PARTS);
                    }
                    None => {
                        for row in first..last {
                            write(column.add((row - first) * T::PARTS), if row == j { on } else { off });
                        }
                    }
                }
            }
        }
    });
}

/// Rows, columns, and leading dimensions of source and target of each member; zeros if its sizes are not valid. Also
/// stores the number of rows, or -1, in `checked` for the steps that follow.
unsafe fn members(sizes: &SystemSizes, p: &Assign) -> Vec<[usize; 4]> {
    let member = |i| {
        let valid = unsafe { sizes.member(i, (p.m, p.n)) };
        unsafe { *sizes.checked.add(i) = valid.map_or(-1, |[m, ..]| m as i32) };
        valid.filter(|[m, ..]| *m > 0).unwrap_or_default().map(|size| size as usize)
    };
    (0..p.batch as usize).map(member).collect()
}
