//! What begins with a factorisation: getrf, gesv and inv.

use super::super::batch::Members;
use super::super::choice::Way;
use super::super::ormqr::view;
use super::super::over_batch::{OverBatch, Task, run};
use super::super::packed::{Columns, Re, leading};
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::view::Turned;
use super::factor::factor;
use super::flops;
use super::getrs::{solve_plain, store_inverse};
use super::interchanges::Pivots;
use crate::error::Error;
use crate::routine::{Gesv, Getrf, Inv};
use std::ops::Range;

/// What is made of the factors of a regular matrix.
#[derive(Clone, Copy)]
enum Then {
    /// Nothing more.
    Nothing,
    /// Solutions, in the place of so many right-hand sides.
    Solve { nrhs: usize },
    /// Its inverse.
    Invert,
}

/// A is factored, and something made of the factors, at `x`.
struct Factoring<T> {
    m: usize,
    n: usize,
    a: (Members<T>, i64),
    /// Whether the factors are the caller's to have.
    keep: bool,
    pivoting: bool,
    /// Where the interchanges go, if that is not the working memory.
    ipiv: Pivots,
    info: *mut i32,
    then: Then,
    x: (Members<T>, i64),
}

/// Where the parts of one matrix's working memory start.
struct Layout {
    ld: usize,
    x: usize,
    ipiv: usize,
    bytes: usize,
}

impl<T: Packed> Factoring<T> {
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let mut arena = Arena::<Re<P>>::new();
        let ld = leading::<P>(self.m)?;
        arena.part(ld.checked_mul(self.n)?)?;
        let columns = match self.then {
            Then::Nothing => 0,
            Then::Solve { nrhs } => nrhs,
            Then::Invert => self.n,
        };
        let x = arena.part(ld.checked_mul(columns)?)?;
        // No number is shorter than an int.
        let ipiv = arena.part(self.m.min(self.n))?;
        Some(Layout { ld, x, ipiv, bytes: arena.bytes()? })
    }
}

impl<T: Packed> Task<T> for Factoring<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let ((m, n), base, straight) = ((self.m, self.n), buffer.cast::<Re<P>>(), Turned::default());
        for i in range {
            unsafe {
                let (a, x) =
                    (Columns::<P> { p: base, ld: layout.ld }, Columns { p: base.add(layout.x), ld: layout.ld });
                let member = view(&self.a.0, i, self.a.1);
                let own = self.ipiv.member(i);
                let ipiv = match (self.pivoting, own.is_null()) {
                    (false, _) => std::ptr::null_mut(),
                    (true, true) => base.add(layout.ipiv).cast(),
                    (true, false) => own,
                };
                member.pack(straight, m, n, a);
                let singular = factor(a, m, n, ipiv);
                if self.keep {
                    member.unpack(straight, m, n, a);
                }
                tell(self.info, i, singular);
                if singular.is_some() {
                    continue;
                }
                match self.then {
                    Then::Nothing => {}
                    Then::Solve { nrhs } => {
                        let rhs = view(&self.x.0, i, self.x.1);
                        rhs.pack(straight, n, nrhs, x);
                        solve_plain(a, n, ipiv, x, nrhs);
                        rhs.unpack(straight, n, nrhs, x);
                    }
                    Then::Invert => store_inverse(a, n, ipiv, x, &view(&self.x.0, i, self.x.1)),
                }
            }
        }
    }
}

/// Says where the first zero on U's diagonal is, if the caller wants to know.
pub unsafe fn tell(info: *mut i32, i: usize, singular: Option<usize>) {
    if !info.is_null() {
        unsafe { info.add(i).write(singular.map_or(0, |j| j as i32 + 1)) };
    }
}

/// Multiplications of a factorisation.
fn multiplications(m: i64, n: i64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let k = m.min(n);
    k * (m * n - (m + n) * k / 2.0 + k * k / 3.0)
}

impl OverBatch for Getrf {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        flops(self.dtype, multiplications(self.m, self.n))
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let a = (Members::<T>::new(self.a), self.lda);
        let (m, n, pivoting) = (self.m as usize, self.n as usize, self.pivoting);
        let (ipiv, then) = (Pivots::new(self.ipiv), Then::Nothing);
        let task = Factoring { m, n, a, keep: true, pivoting, ipiv, info: self.info, then, x: a };
        unsafe { run(&task, self.batch, way) }
    }
}

impl OverBatch for Gesv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let n = self.n as f64;
        flops(self.dtype, multiplications(self.n, self.n) + n * n * self.nrhs as f64)
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let (n, a, x) = (self.n as usize, (Members::<T>::new(self.a), self.lda), (Members::new(self.b), self.ldb));
        let (ipiv, then) = (Pivots::new(self.ipiv), Then::Solve { nrhs: self.nrhs as usize });
        let task = Factoring { m: n, n, a, keep: true, pivoting: true, ipiv, info: self.info, then, x };
        unsafe { run(&task, self.batch, way) }
    }
}

impl OverBatch for Inv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n as f64).powi(3))
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let (n, a, x) = (self.n as usize, (Members::<T>::new(self.a), self.lda), (Members::new(self.c), self.ldc));
        let (keep, ipiv, then) = (self.in_place(), Pivots::NONE, Then::Invert);
        let task = Factoring { m: n, n, a, keep, pivoting: true, ipiv, info: self.info, then, x };
        unsafe { run(&task, self.batch, way) }
    }
}
