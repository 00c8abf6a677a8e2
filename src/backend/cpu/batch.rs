//! Where the members of a batch are, and copying one into and out of packed form.

use super::simd::{Lanes, Pack};
use crate::routine::{Dtype, Operand};
use crate::scalar::Scalar;

/// A batch of matrices or vectors, seen as real numbers, because callers' memory need not be aligned beyond those.
#[derive(Clone, Copy)]
pub struct Members<T> {
    operand: Operand,
    element: std::marker::PhantomData<T>,
}

// SAFETY: it holds only addresses; `member`'s caller decides who may access which member.
unsafe impl<T> Send for Members<T> {}
unsafe impl<T> Sync for Members<T> {}

impl<T: Scalar> Members<T> {
    /// A view of the operand. If the members have no elements, there may be no array of pointers; their addresses are
    /// NULL then.
    pub fn new(operand: Operand) -> Self {
        let operand = match operand {
            Operand::Pointers(array) if array.is_null() => Operand::Strided { base: std::ptr::null_mut(), stride: 0 },
            operand => operand,
        };
        Members { operand, element: std::marker::PhantomData }
    }

    /// Address of the first number of member i.
    #[inline(always)]
    pub unsafe fn member(&self, i: usize) -> *mut T::Re {
        match self.operand {
            Operand::Pointers(array) => unsafe { *array.add(i) }.cast(),
            Operand::Strided { base, stride } => {
                base.cast::<T::Re>().wrapping_offset(stride as isize * i as isize * T::PARTS as isize)
            }
        }
    }
}

/// Operands that start at member i. A loop, because `map` would be a call for every member.
#[inline(always)]
pub fn of_member<const N: usize>(operands: [Operand; N], i: usize, dtype: Dtype) -> [Operand; N] {
    let (mut all, mut k) = (operands, 0);
    while k < N {
        all[k] = operands[k].from_member(i as i64, dtype.bytes());
        k += 1;
    }
    all
}

/// Whether there is no first member: an array of pointers may contain NULL.
pub unsafe fn is_missing(operand: &Operand) -> bool {
    match *operand {
        Operand::Pointers(array) => array.is_null() || unsafe { *array }.is_null(),
        Operand::Strided { base, .. } => base.is_null(),
    }
}

/// Reads the element at p.
#[inline(always)]
pub unsafe fn read<T: Scalar>(p: *const T::Re) -> T {
    unsafe { T::new(*p, if T::COMPLEX { *p.add(1) } else { T::Re::default() }) }
}

/// Writes the element at p.
#[inline(always)]
pub unsafe fn write<T: Scalar>(p: *mut T::Re, x: T) {
    unsafe {
        *p = x.re();
        if T::COMPLEX {
            *p.add(1) = x.im();
        }
    }
}

/// Copies a few contiguous elements, faster than a call of memcpy.
#[inline(always)]
pub unsafe fn copy_column<P: Pack>(from: *const <P::S as Scalar>::Re, to: *mut <P::S as Scalar>::Re, elements: usize) {
    let (numbers, mut done) = (elements * P::S::PARTS, 0);
    unsafe {
        while done + P::V::L <= numbers {
            P::V::load(from.add(done)).store(to.add(done));
            done += P::V::L;
        }
        if done < numbers {
            P::V::load_first(from.add(done), numbers - done).store_first(to.add(done), numbers - done);
        }
    }
}

/// Packs a column of m elements. In the last pack the rows from m on become 0.
#[inline(always)]
pub unsafe fn pack<P: Pack>(src: *const <P::S as Scalar>::Re, dst: *mut <P::S as Scalar>::Re, m: usize) {
    let (whole, rest) = (m / P::L, m % P::L);
    unsafe {
        for i in 0..whole {
            P::load_elements(src.add(i * P::REALS), P::L).store(dst.add(i * P::REALS));
        }
        if rest > 0 {
            P::load_elements(src.add(whole * P::REALS), rest).store(dst.add(whole * P::REALS));
        }
    }
}

/// The inverse of [`pack`]: writes rows 0..m and nothing else.
#[inline(always)]
pub unsafe fn unpack<P: Pack>(src: *const <P::S as Scalar>::Re, dst: *mut <P::S as Scalar>::Re, m: usize) {
    let (whole, rest) = (m / P::L, m % P::L);
    unsafe {
        for i in 0..whole {
            P::load(src.add(i * P::REALS)).store_elements(dst.add(i * P::REALS), P::L);
        }
        if rest > 0 {
            P::load(src.add(whole * P::REALS)).store_elements(dst.add(whole * P::REALS), rest);
        }
    }
}
