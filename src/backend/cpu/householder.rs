//! One elementary reflector, LAPACK `?larfg`, from a column's head and the sum of squares below it.

use super::packed::{get, set};
use super::simd::Pack;
use crate::scalar::{Real, Scalar};
use std::hint::black_box;

/// H = I - tau v v^H with v = (1, x * inv), so that H^H (alpha, x) = (beta, 0). tau = 0 means H = I.
#[derive(Clone, Copy, Debug)]
pub struct Reflector<T: Scalar> {
    /// The new diagonal element, always real.
    pub beta: T::Re,
    /// Scalar factor.
    pub tau: T,
    /// The factor that turns x into v.
    pub inv: T,
}

/// The reflector of (alpha, x) if nothing can overflow or be lost to underflow. Otherwise `None`: use
/// [`reflector_scaled`].
///
/// `squares` is the sum of |x_i|^2. A zero x counts as out of range: x decides between H = I and a real reflector, so a
/// zero x must be distinguished from one whose squares underflowed.
#[inline(always)]
pub fn reflector_in_range<T: Scalar>(alpha: T, squares: T::Re) -> Option<Reflector<T>> {
    let (low, high) = T::Re::SQUARES_IN_RANGE;
    let total = alpha.abs_squared() + squares;
    // Comparisons with NaN are false, so NaN and Inf are out of range.
    if !(squares >= low && total <= high) {
        return None;
    }
    Some(from_norm(alpha, total.sqrt()))
}

/// a / b and nothing else, hidden from the optimiser. A compiler that combines two short divisions into a vector also
/// divides its unused lanes, and it may divide ahead of the branch that guards it; 0 / 0 or x / 0 raises a
/// floating-point exception there.
#[inline(always)]
pub fn divide_unvectorised<R: Real>(a: R, b: R) -> R {
    black_box(a / black_box(b))
}

/// The reflector, given the norm |(alpha, x)| > 0.
#[inline(always)]
fn from_norm<T: Scalar>(alpha: T, norm: T::Re) -> Reflector<T> {
    let one = T::Re::from_f64(1.0);
    let beta = -norm.copysign(alpha.re());
    let head = alpha - T::real(beta); // the signs differ, so there is no cancellation
    let inv = if T::COMPLEX {
        head.conj().scaled(divide_unvectorised(one, head.abs_squared()))
    } else {
        T::real(divide_unvectorised(one, head.re()))
    };
    let im = if T::COMPLEX { -divide_unvectorised(alpha.im(), beta) } else { T::Re::default() };
    let tau = T::new(divide_unvectorised(beta - alpha.re(), beta), im);
    Reflector { beta, tau, inv }
}

/// The reflector of rows `row..m` of a packed column, for any content: the column is scaled by a power of two to the
/// middle of the range, the protection that LAPACK's `?larfg` and `?nrm2` provide. `None` means H = I.
///
/// Scales x in place, since v overwrites it anyway. The `inv` of the result belongs to the scaled x; `beta` is
/// unscaled.
#[cold]
#[inline(never)]
pub unsafe fn reflector_scaled<P: Pack>(
    column: *mut <P::S as Scalar>::Re,
    row: usize,
    m: usize,
) -> Option<Reflector<P::S>> {
    let zero = <P::S as Scalar>::Re::default();
    let one = <P::S as Scalar>::Re::from_f64(1.0);
    // The larger number, or NaN if one of them is: comparisons with NaN are false.
    let larger = |a: <P::S as Scalar>::Re, b: <P::S as Scalar>::Re| if a.is_nan() || b <= a { a } else { b };
    let magnitude = |x: P::S| larger(x.re().abs(), x.im().abs());
    let alpha = unsafe { get::<P>(column, row) };
    let x_max = (row + 1..m).fold(zero, |max, r| larger(max, magnitude(unsafe { get::<P>(column, r) })));
    if x_max == zero && alpha.im() == zero {
        return None;
    }
    let max = larger(x_max, magnitude(alpha));
    if !max.is_finite() {
        // The column has a NaN or Inf, which no scaling helps; it shows in beta, tau and v.
        return Some(from_norm(alpha, max));
    }
    let e = max.exponent();
    let scale = |x: P::S| P::S::new(x.re().scale_by_power(-e), x.im().scale_by_power(-e));
    let mut squares = zero;
    for r in row + 1..m {
        let x = scale(unsafe { get::<P>(column, r) });
        squares += x.abs_squared();
        unsafe { set::<P>(column, r, x) };
    }
    let alpha = scale(alpha);
    debug_assert!(alpha.abs_squared() + squares >= one);
    let mut h = from_norm(alpha, (alpha.abs_squared() + squares).sqrt());
    h.beta = h.beta.scale_by_power(e);
    Some(h)
}
