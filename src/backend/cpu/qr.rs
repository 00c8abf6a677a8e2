//! QR with explicit factors over a batch: everything happens in packed working memory, so A may also be Q.

use super::batch::Members;
use super::blocked::BlockLayout;
use super::ormqr::view;
use super::over_batch::{Task, run};
use super::packed::{Columns, Re, leading};
use super::reflectors::{at, factor, generate, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::view::{Turned, View};
use crate::error::Error;
use crate::problem::{QPart, Qr};
use std::ops::Range;

struct QrTask<'a, T> {
    p: &'a Qr,
    a: Members<T>,
    q: Members<T>,
    r: Members<T>,
}

/// Where the parts of one matrix's working memory start.
struct Layout {
    ld: usize,
    block: BlockLayout,
    tau: usize,
    bytes: usize,
}

impl<T: Packed> QrTask<'_, T> {
    /// Columns of Q, rows of R.
    fn inner(&self) -> usize {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        if self.p.part == QPart::Full { m } else { m.min(n) }
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        let ld = leading::<P>(m)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(n.max(self.inner()))?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(m))?;
        let tau = arena.part(m.min(n) * T::PARTS)?;
        Some(Layout { ld, block, tau, bytes: arena.bytes()? })
    }
}

impl<T: Packed> Task<T> for QrTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let (m, n, inner) = (self.p.m as usize, self.p.n as usize, self.inner());
        let base = buffer.cast::<Re<P>>();
        unsafe {
            let (block, a) = (layout.block.at::<P>(base), Columns::<P> { p: base, ld: layout.ld });
            let tau = View::<T> { p: base.add(layout.tau), ld: 1 };
            for i in range {
                view(&self.a, i, self.p.lda).pack(Turned::default(), m, n, a);
                factor(&block, a, m, n, tau.p.cast());
                let r = view(&self.r, i, self.p.ldr);
                for j in 0..n {
                    for row in 0..inner {
                        r.set(row, j, if row <= j { at(a, row, j) } else { T::zero() });
                    }
                }
                if self.p.part != QPart::None {
                    generate(&block, a, &tau, m, inner, m.min(n));
                    view(&self.q, i, self.p.ldq).unpack(Turned::default(), m, inner, a);
                }
            }
        }
    }
}

/// Explicit Q and R; arguments were checked.
pub unsafe fn qr<T: Packed>(p: &Qr) -> Result<(), Error> {
    let task = QrTask::<T> { p, a: Members::new(p.a), q: Members::new(p.q), r: Members::new(p.r) };
    let (m, n) = (p.m as f64, p.n as f64);
    unsafe { run(&task, p.batch, 4.0 * m * n * m.min(n)) }
}
