//! Rows exchanged, by LAPACK's pivots: in turn, row j with row ipiv[j], where rows are counted from 1.

use super::super::packed::{Columns, offset};
use super::super::simd::Pack;
use crate::routine::Operand;
use crate::scalar::Scalar;

/// Where the pivots of each member are.
#[derive(Clone, Copy)]
pub struct Pivots(Operand);

// SAFETY: only addresses, as [`super::super::batch::Members`].
unsafe impl Sync for Pivots {}

impl Pivots {
    /// None.
    pub const NONE: Pivots = Pivots(Operand::NOWHERE);

    /// NULL: there are none.
    pub fn new(operand: Operand) -> Self {
        Pivots(operand)
    }

    /// Those of member i, or NULL.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> *mut i32 {
        match self.0 {
            Operand::Pointers(array) if array.is_null() => std::ptr::null_mut(),
            Operand::Pointers(array) => unsafe { *array.add(i) }.cast(),
            Operand::Strided { base, .. } if base.is_null() => std::ptr::null_mut(),
            Operand::Strided { base, stride } => base.cast::<i32>().wrapping_offset(stride as isize * i as isize),
        }
    }
}

/// Which of two orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the factorisation did it.
    Forwards,
    /// As it is taken back.
    Backwards,
}

/// Exchanges rows of the first `columns` columns of a packed matrix; NULL: none.
#[inline(always)]
pub unsafe fn exchange_rows<P: Pack>(
    a: Columns<P>,
    columns: usize,
    ipiv: *const i32,
    range: std::ops::Range<usize>,
    order: Order,
) {
    if ipiv.is_null() {
        return;
    }
    let mut j = 0;
    unsafe {
        while j + 4 <= columns {
            exchange_columns::<P, 4>(a.starting_at(j), ipiv, range.clone(), order);
            j += 4;
        }
        while j < columns {
            exchange_columns::<P, 1>(a.starting_at(j), ipiv, range.clone(), order);
            j += 1;
        }
    }
}

/// [`exchange_rows`] of N columns. A row that stays is exchanged with itself: no branch costs less.
#[inline(always)]
unsafe fn exchange_columns<P: Pack, const N: usize>(
    a: Columns<P>,
    ipiv: *const i32,
    range: std::ops::Range<usize>,
    order: Order,
) {
    for step in 0..range.len() {
        let i = if order == Order::Forwards { range.start + step } else { range.end - 1 - step };
        unsafe {
            let (p, q) = (a.p.add(offset::<P>(i)), a.p.add(offset::<P>(*ipiv.add(i) as usize - 1)));
            for c in 0..N {
                let (p, q) = (p.add(c * a.ld), q.add(c * a.ld));
                (*p, *q) = (*q, *p);
                if P::S::COMPLEX {
                    let (p, q) = (p.add(P::L), q.add(P::L));
                    (*p, *q) = (*q, *p);
                }
            }
        }
    }
}
