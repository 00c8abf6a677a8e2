//! Row exchanges by LAPACK's pivots: for each j in turn, row j with row ipiv[j], counted from 1.

use super::super::packed::{Columns, offset};
use super::super::simd::Pack;
use crate::routine::Operand;
use crate::scalar::Scalar;

/// Where the pivots of each member are stored.
#[derive(Clone, Copy)]
pub struct Pivots(Operand);

// SAFETY: it holds only addresses, as [`super::super::batch::Members`].
unsafe impl Sync for Pivots {}

impl Pivots {
    /// No pivots.
    pub const NONE: Pivots = Pivots(Operand::NULL);

    /// The pivots of an operand, which may be NULL.
    pub fn new(operand: Operand) -> Self {
        Pivots(operand)
    }

    /// The pivots of member i, or NULL.
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

/// The order of the exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order of the factorisation.
    Forwards,
    /// The order that undoes it.
    Backwards,
}

/// Exchanges rows in the first `columns` columns of a packed matrix. NULL: no exchanges.
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

/// [`exchange_rows`] for N columns. A row may be exchanged with itself, which is cheaper than a branch.
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
