//! Rows exchanged, by LAPACK's pivots: in turn, row j with row ipiv[j], where rows are counted from 1.

use super::super::packed::{Columns, Re, get, set};
use super::super::simd::Pack;
use crate::routine::Operand;

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

/// Calls `exchange` with two different rows, counted from 0, for each interchange j of `range` that is one.
#[inline(always)]
pub unsafe fn for_each(
    ipiv: *const i32,
    range: std::ops::Range<usize>,
    order: Order,
    mut exchange: impl FnMut(usize, usize),
) {
    let count = range.len();
    for step in 0..if ipiv.is_null() { 0 } else { count } {
        let j = if order == Order::Forwards { range.start + step } else { range.end - 1 - step };
        let other = unsafe { *ipiv.add(j) } as usize - 1;
        if other != j {
            exchange(j, other);
        }
    }
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
    for c in 0..columns {
        unsafe {
            let column = a.column(c);
            for_each(ipiv, range.clone(), order, |i, j| swap::<P>(column, i, j));
        }
    }
}

/// Exchanges two elements of a packed column.
#[inline(always)]
pub unsafe fn swap<P: Pack>(column: *mut Re<P>, i: usize, j: usize) {
    unsafe {
        let (x, y) = (get::<P>(column, i), get::<P>(column, j));
        set::<P>(column, i, y);
        set::<P>(column, j, x);
    }
}
