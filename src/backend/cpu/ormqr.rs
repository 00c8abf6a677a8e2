//! Batched application of Q, from reflectors or from block reflectors with the caller's T.

use super::batch::{Members, of_member};
use super::blocked::{BlockLayout, Form, apply, form_t, pack_t};
use super::choice::Execution;
use super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run, singly};
use super::packed::{Columns, Re, leading};
use super::reflectors::{Vectors, apply_q, load_vectors, route, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::thin_q::{MAX_ORDER, ThinQ};
use super::view::{Transform, view};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Larfb, Larft, Ormqr, Side};
use std::ops::Range;

/// Offsets of a block reflector and a packed matrix of `columns` columns in a buffer.
struct Layout {
    c: usize,
    ld: usize,
    block: BlockLayout,
    bytes: usize,
}

impl Layout {
    #[inline(always)]
    fn new<P: Pack>(m: usize, columns: usize, nb: usize) -> Option<Layout> {
        let ld = leading::<P>(m)?;
        let mut arena = Arena::<Re<P>>::new();
        let c = arena.part(ld.checked_mul(columns)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, nb)?;
        Some(Layout { c, ld, block, bytes: arena.bytes()? })
    }
    #[inline(always)]
    unsafe fn columns<P: Pack>(&self, buffer: *mut u8) -> Columns<P> {
        Columns { p: unsafe { buffer.cast::<Re<P>>().add(self.c) }, ld: self.ld }
    }
}

/// Rows and columns of C as it is packed.
fn packed_shape(side: Side, m: i64, n: i64) -> (usize, usize) {
    if side == Side::Left { (m as usize, n as usize) } else { (n as usize, m as usize) }
}

pub struct OrmqrTask<'a, T> {
    p: &'a Ormqr,
    a: Members<T>,
    tau: Members<T>,
    c: Members<T>,
    execution: Execution,
}

impl<'a, T: Packed> OrmqrTask<'a, T> {
    fn new(p: &'a Ormqr, execution: Execution) -> Self {
        OrmqrTask { p, a: Members::new(p.a), tau: Members::new(p.tau), c: Members::new(p.c), execution }
    }
    /// Whether C has many rows and Q, on its right, few.
    fn is_thin(&self) -> bool {
        self.p.side == Side::Right && self.p.n <= MAX_ORDER as i64 && self.p.m >= self.p.n
    }
}

impl<T: Packed> Task<T> for OrmqrTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        if self.is_thin() {
            return Some(0);
        }
        let (q, columns) = packed_shape(self.p.side, self.p.m, self.p.n);
        Layout::new::<P>(q, columns, width(q)).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (q, columns) = packed_shape(self.p.side, self.p.m, self.p.n);
        let Some(layout) = Layout::new::<P>(q, columns, width(q)) else { return };
        let (transform, form) = route(self.p.side, self.p.trans);
        let team = self.execution.distribution.team(self.execution.level);
        unsafe {
            let (block, c) = (layout.block.at::<P>(buffer.cast(), team), layout.columns::<P>(buffer));
            for i in range {
                let (a, tau) = (view(&self.a, i, self.p.lda), view(&self.tau, i, 1));
                let member = view(&self.c, i, self.p.ldc);
                if self.is_thin() {
                    let thin = ThinQ::new(&a, &tau, q, self.p.k as usize, self.p.trans);
                    thin.apply(&member, columns, team.level, team.threads);
                    continue;
                }
                team.pack(&member, transform, q, columns, c);
                apply_q(&block, &Vectors::Caller(&a), &tau, self.p.k as usize, form, c, q, columns);
                team.unpack(&member, transform, q, columns, c);
            }
        }
    }
}

impl Varying for Ormqr {
    /// Member i, or `None` if it is invalid or Q would not change anything. Its info code is set.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Ormqr> {
        let sizes = self.sizes?;
        let [m, n, k, lda, ldc] = unsafe { sizes.member(i) };
        let order = if self.side == Side::Left { m } else { n };
        let code = match () {
            () if !(0..=self.m).contains(&m) => -3,
            () if !(0..=self.n).contains(&n) => -4,
            () if !(0..=self.k.min(order)).contains(&k) => -5,
            () if !is_valid_ld(lda, order) => -7,
            () if !is_valid_ld(ldc, m) => -10,
            () => 0,
        };
        unsafe { sizes.set_info(i, code) };
        let [a, tau, c] = of_member([self.a, self.tau, self.c], i, self.dtype);
        let works = code == 0 && m > 0 && n > 0 && k > 0;
        works.then_some(Ormqr { m, n, k, a, lda, tau, c, ldc, batch: 1, sizes: None, ..*self })
    }
}

impl OneByOne for Ormqr {
    type Task<'a, T: Packed> = OrmqrTask<'a, T>;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<OrmqrTask<'_, T>> {
        Some(OrmqrTask::new(self, singly()))
    }
}

impl OverBatch for Ormqr {
    fn flops(&self) -> f64 {
        4.0 * self.m as f64 * self.n as f64 * self.k as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        unsafe { run(&OrmqrTask::<T>::new(self, *execution), self.batch, execution) }
    }
}

struct LarftTask<'a, T> {
    p: &'a Larft,
    v: Members<T>,
    tau: Members<T>,
    t: Members<T>,
    execution: Execution,
}

impl<T: Packed> LarftTask<'_, T> {
    /// The layout of a block of all k reflectors. Its packed column holds the k scalar factors.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let k = self.p.k as usize;
        // One packed column has enough space, since k <= m.
        Layout::new::<P>(self.p.m as usize, 1, k)
    }
}

impl<T: Packed> Task<T> for LarftTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (m, k) = (self.p.m as usize, self.p.k as usize);
        let Some(layout) = self.layout::<P>() else { return };
        let team = self.execution.distribution.team(self.execution.level);
        unsafe {
            let block = layout.block.at::<P>(buffer.cast(), team);
            let taus = layout.columns::<P>(buffer).p.cast::<T>();
            for i in range {
                let (tau, t) = (view(&self.tau, i, 1), view(&self.t, i, self.p.ldt));
                (0..k).for_each(|j| *taus.add(j) = tau.get(j, 0));
                load_vectors(&block, &Vectors::Caller(&view(&self.v, i, self.p.ldv)), m, 0, k);
                form_t(&block, block.v, taus, k, 0, m.div_ceil(P::L));
                for j in 0..k {
                    for r in 0..k {
                        t.set(r, j, if r <= j { *block.t_plain.add(r + j * k) } else { T::zero() });
                    }
                }
            }
        }
    }
}

impl OverBatch for Larft {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        self.m as f64 * (self.k * self.k) as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (v, tau, t) = (Members::new(self.v), Members::new(self.tau), Members::new(self.t));
        let task = LarftTask::<T> { p: self, v, tau, t, execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}

struct LarfbTask<'a, T> {
    p: &'a Larfb,
    v: Members<T>,
    t: Members<T>,
    c: Members<T>,
    execution: Execution,
}

impl<T: Packed> Task<T> for LarfbTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        let (q, columns) = packed_shape(self.p.side, self.p.m, self.p.n);
        Layout::new::<P>(q, columns, self.p.k as usize).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (q, columns) = packed_shape(self.p.side, self.p.m, self.p.n);
        let k = self.p.k as usize;
        let Some(layout) = Layout::new::<P>(q, columns, k) else { return };
        let (transform, form): (Transform, Form) = route(self.p.side, self.p.trans);
        let team = self.execution.distribution.team(self.execution.level);
        unsafe {
            let (block, c) = (layout.block.at::<P>(buffer.cast(), team), layout.columns::<P>(buffer));
            for i in range {
                let (t, member) = (view(&self.t, i, self.p.ldt), view(&self.c, i, self.p.ldc));
                load_vectors(&block, &Vectors::Caller(&view(&self.v, i, self.p.ldv)), q, 0, k);
                for j in 0..k {
                    (0..=j).for_each(|r| *block.t_plain.add(r + j * k) = t.get(r, j));
                }
                pack_t(&block, k, form);
                team.pack(&member, transform, q, columns, c);
                apply(&block, block.v, c, (0, columns), k, 0, q.div_ceil(P::L));
                team.unpack(&member, transform, q, columns, c);
            }
        }
    }
}

impl OverBatch for Larfb {
    fn flops(&self) -> f64 {
        4.0 * self.m as f64 * self.n as f64 * self.k as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (v, t, c) = (Members::new(self.v), Members::new(self.t), Members::new(self.c));
        let task = LarfbTask::<T> { p: self, v, t, c, execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}
