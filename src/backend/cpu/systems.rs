//! Members with sizes of their own, each as a problem by itself: systems of equations, least squares and inverses.

use super::batch::of_member;
use super::over_batch::Varying;
use crate::routine::bounds::Bounds;
use crate::routine::{Gels, Gesv, Getri, Getrs, Laswp, Posv, Potri, Potrs, Routine};

/// Whether member i is within its bounds. Sets its info code, which the routine itself may change later.
///
/// # Safety
/// As [`super::Run::run`].
#[inline(always)]
pub unsafe fn is_valid<R: Routine>(p: &R, i: usize, bounds: &Bounds) -> bool {
    let code = unsafe { bounds.code(i) };
    if !p.info().is_null() {
        unsafe { *p.info().add(i) = code };
    }
    code == 0
}

macro_rules! systems {
    ($($Routine:ident $($ipiv:ident)?;)*) => {$(
        impl Varying for $Routine {
            /// Member i, or `None` if it is invalid or has no equations. It may have no right-hand sides.
            #[inline(always)]
            unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<$Routine> {
                unsafe { if is_valid(self, i, bounds) { self.known_member(i) } else { None } }
            }
            #[inline(always)]
            unsafe fn known_member(&self, i: usize) -> Option<$Routine> {
                let [n, nrhs, lda, ldb] = unsafe { self.sizes?.member(i) };
                let [a, b] = of_member([self.a, self.b], i, self.dtype);
                $(let $ipiv = self.$ipiv.from_member(i as i64, size_of::<i32>());)?
                let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
                (n > 0).then_some($Routine { n, nrhs, a, lda, $($ipiv,)? b, ldb, sizes: None, info, batch: 1, ..*self })
            }
        }
    )*};
}

systems! {
    Getrs ipiv;
    Gesv ipiv;
    Potrs;
    Posv;
}

impl Varying for Gels {
    /// If there are no equations or no unknowns, X is set to zero here; the solver requires matrices with elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<Gels> {
        let own = unsafe { if is_valid(self, i, bounds) { self.known_member(i)? } else { return None } };
        if own.m > 0 && own.n > 0 {
            return Some(own);
        }
        let bytes = |elements: i64| elements as usize * self.dtype.bytes();
        for j in 0..own.nrhs {
            // SAFETY: the caller vouches for B; zero is all-zero bytes in every type.
            unsafe { own.b.first().cast::<u8>().add(bytes(j * own.ldb)).write_bytes(0, bytes(own.solution_rows())) };
        }
        None
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Gels> {
        let [m, n, nrhs, lda, ldb] = unsafe { self.sizes?.member(i) };
        let [a, b] = of_member([self.a, self.b], i, self.dtype);
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        Some(Gels { m, n, nrhs, a, lda, b, ldb, sizes: None, info, batch: 1, ..*self })
    }
}

impl Varying for Getri {
    #[inline(always)]
    unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<Getri> {
        unsafe { if is_valid(self, i, bounds) { self.known_member(i) } else { None } }
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Getri> {
        let [n, lda, ldc] = unsafe { self.sizes?.member(i) };
        let [a, c] = of_member([self.a, self.c], i, self.dtype);
        let ipiv = self.ipiv.from_member(i as i64, size_of::<i32>());
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        (n > 0).then_some(Getri { n, a, lda, ipiv, c, ldc, sizes: None, info, batch: 1, ..*self })
    }
}

impl Varying for Potri {
    #[inline(always)]
    unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<Potri> {
        unsafe { if is_valid(self, i, bounds) { self.known_member(i) } else { None } }
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Potri> {
        let (n, lda) = unsafe { self.sizes?.member(i, self.n) }.ok()?;
        let a = self.a.from_member(i as i64, self.dtype.bytes());
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        (n > 0).then_some(Potri { n, a, lda, sizes: None, info, batch: 1, ..*self })
    }
}

impl Varying for Laswp {
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Laswp> {
        let [n, k2, lda] = unsafe { self.sizes?.member(i, (self.n, self.k2))? };
        let a = self.a.from_member(i as i64, self.dtype.bytes());
        let ipiv = self.ipiv.from_member(i as i64, size_of::<i32>());
        if n == 0 || k2 < self.k1 {
            return None;
        }
        Some(Laswp { n, k2, a, lda, ipiv, sizes: None, batch: 1, ..*self })
    }
}
