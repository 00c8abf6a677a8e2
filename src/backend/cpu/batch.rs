//! Where the members of a batch are, and moving one into and out of packed form.

use super::simd::{Lanes, Pack};
use crate::problem::Operand;
use crate::scalar::Scalar;

/// A batch of matrices or vectors, seen as real numbers: callers' memory need only be aligned like those.
#[derive(Clone, Copy)]
pub struct Members<T> {
    operand: Operand,
    element: std::marker::PhantomData<T>,
}

// SAFETY: only addresses; who may touch which member is decided by whoever calls `member`.
unsafe impl<T> Send for Members<T> {}
unsafe impl<T> Sync for Members<T> {}

impl<T: Scalar> Members<T> {
    /// A view of the operand.
    pub fn new(operand: Operand) -> Self {
        Members { operand, element: std::marker::PhantomData }
    }

    /// First number of member i.
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

/// Element at p.
#[inline(always)]
pub unsafe fn read<T: Scalar>(p: *const T::Re) -> T {
    unsafe { T::new(*p, if T::COMPLEX { *p.add(1) } else { T::Re::default() }) }
}

/// Sets the element at p.
#[inline(always)]
pub unsafe fn write<T: Scalar>(p: *mut T::Re, x: T) {
    unsafe {
        *p = x.re();
        if T::COMPLEX {
            *p.add(1) = x.im();
        }
    }
}

/// Packs one column of m elements, rows m.. of the last pack become 0.
#[inline(always)]
pub unsafe fn pack<P: Pack>(src: *const <P::S as Scalar>::Re, dst: *mut <P::S as Scalar>::Re, m: usize) {
    let (whole, rest) = (m / P::L, m % P::L);
    let parts = P::S::PARTS;
    unsafe {
        for i in 0..whole {
            let (s, d) = (src.add(i * P::REALS), dst.add(i * P::REALS));
            if P::S::COMPLEX {
                let (re, im) = P::V::split(P::V::load(s), P::V::load(s.add(P::L)));
                P::from_parts(re, im).store(d);
            } else {
                P::load(s).store(d);
            }
        }
        if rest > 0 {
            let (s, d) = (src.add(whole * P::REALS), dst.add(whole * P::REALS));
            P::zero().store(d);
            for l in 0..rest {
                *d.add(l) = *s.add(l * parts);
                if P::S::COMPLEX {
                    *d.add(P::L + l) = *s.add(l * parts + 1);
                }
            }
        }
    }
}

/// The inverse of [`pack`]: writes rows 0..m and nothing else.
#[inline(always)]
pub unsafe fn unpack<P: Pack>(src: *const <P::S as Scalar>::Re, dst: *mut <P::S as Scalar>::Re, m: usize) {
    let (whole, rest) = (m / P::L, m % P::L);
    let parts = P::S::PARTS;
    unsafe {
        for i in 0..whole {
            let (s, d) = (src.add(i * P::REALS), dst.add(i * P::REALS));
            let x = P::load(s);
            if P::S::COMPLEX {
                let (low, high) = P::V::join(x.re(), x.im());
                low.store(d);
                high.store(d.add(P::L));
            } else {
                x.store(d);
            }
        }
        let (s, d) = (src.add(whole * P::REALS), dst.add(whole * P::REALS));
        for l in 0..rest {
            *d.add(l * parts) = *s.add(l);
            if P::S::COMPLEX {
                *d.add(l * parts + 1) = *s.add(P::L + l);
            }
        }
    }
}
