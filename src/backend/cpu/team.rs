//! Threads that share the columns of one large matrix, where a batch has too few members for all of them.
//!
//! A column is computed as it would be by one thread, so results do not depend on how many there are.

use super::blocked::{GROUP, apply_columns};
use super::choice::Share;
use super::over_batch::{Task, spread};
use super::packed::{Columns, Re};
use super::simd::{Level, Pack, Packed};
use super::view::{Turned, View};
use crate::scalar::Scalar;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Who works on one matrix, with which instructions.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// Threads, the calling one among them.
    pub threads: usize,
    /// The instructions used.
    pub level: Level,
}

/// Floating-point operations, or numbers copied, that are worth a thread.
const WORTH: usize = 500_000;
/// Most numbers in a group of columns of V^H C, which a thread keeps on its stack.
const SMALL: usize = 64 * GROUP;

impl Team {
    /// How `total` steps of `each` operations are shared out.
    fn share(&self, total: usize, each: usize) -> Share {
        let threads = self.threads.min(each.saturating_mul(total) / WORTH).max(1);
        Share { threads, inside: 1, grain: total.div_ceil(3 * threads) }
    }

    /// C := op(I - V T V^H) C for columns `from..until` of C; see [`super::blocked::apply`]. False: nothing was done,
    /// it is not worth it.
    #[inline(always)]
    pub unsafe fn apply<P: Pack>(
        &self,
        (v, t): (Columns<P>, Columns<P>),
        c: Columns<P>,
        (from, until): (usize, usize),
        k: usize,
        (first, packs): (usize, usize),
    ) -> bool
    where
        P::S: Packed,
    {
        if self.threads < 2 || t.ld * GROUP > SMALL {
            return false;
        }
        let groups = until.saturating_sub(from).div_ceil(GROUP);
        let share = self.share(groups, 4 * GROUP * k * (packs - first) * P::REALS);
        if share.threads < 2 {
            return false;
        }
        let (v, t, c) = ((v.p, v.ld), (t.p, t.ld), (c.p, c.ld));
        unsafe {
            spread::<P::S, _>(&Update::<P::S> { v, t, c, from, until, k, first, packs }, groups, self.level, share)
        };
        true
    }

    /// [`View::pack`]
    #[inline(always)]
    pub unsafe fn pack<P: Pack>(&self, from: &View<P::S>, how: Turned, m: usize, n: usize, to: Columns<P>)
    where
        P::S: Packed,
    {
        unsafe { self.transfer(from, how, m, n, to, true) }
    }

    /// [`View::unpack`]
    #[inline(always)]
    pub unsafe fn unpack<P: Pack>(&self, to: &View<P::S>, how: Turned, m: usize, n: usize, from: Columns<P>)
    where
        P::S: Packed,
    {
        unsafe { self.transfer(to, how, m, n, from, false) }
    }

    #[inline(always)]
    unsafe fn transfer<P: Pack>(
        &self,
        view: &View<P::S>,
        how: Turned,
        m: usize,
        n: usize,
        packed: Columns<P>,
        pack: bool,
    ) where
        P::S: Packed,
    {
        let caller = (view.p, view.ld);
        let task = Transfer::<P::S> { caller, how, m, packed: (packed.p, packed.ld), pack };
        let share = self.share(n, m);
        unsafe {
            if share.threads < 2 {
                task.columns::<P>(0..n);
            } else {
                spread::<P::S, _>(&task, n, self.level, share);
            }
        }
    }
}

/// Start and distance of columns.
type Place<T> = (*mut <T as Scalar>::Re, usize);

/// A block reflector applied to groups of columns.
struct Update<T: Scalar> {
    v: Place<T>,
    t: Place<T>,
    c: Place<T>,
    from: usize,
    until: usize,
    k: usize,
    first: usize,
    packs: usize,
}

impl<T: Packed> Task<T> for Update<T> {
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Some(0)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let columns = |(p, ld): Place<T>| Columns::<P> { p, ld };
        let mut small = [MaybeUninit::<Re<P>>::uninit(); 2 * SMALL];
        let w = (small.as_mut_ptr().cast::<Re<P>>(), self.t.1);
        let y = (w.0.wrapping_add(SMALL), self.t.1);
        let (from, until) = (self.from + range.start * GROUP, self.until.min(self.from + range.end * GROUP));
        let (v, t, c) = (columns(self.v), columns(self.t), columns(self.c));
        unsafe {
            apply_columns(v, t, (columns(w), columns(y)), c, (from, until), self.k, self.first, self.packs);
        }
    }
}

/// Columns from a caller's matrix into packed form, or back.
struct Transfer<T: Scalar> {
    caller: Place<T>,
    how: Turned,
    m: usize,
    packed: Place<T>,
    pack: bool,
}

impl<T: Packed> Transfer<T> {
    #[inline(always)]
    unsafe fn columns<P: Pack<S = T>>(&self, range: Range<usize>) {
        let (p, ld) = self.caller;
        let step = if self.how.transposed { range.start } else { range.start * ld };
        unsafe {
            let caller = View::<T> { p: p.wrapping_add(step * T::PARTS), ld };
            let packed = Columns::<P> { p: self.packed.0, ld: self.packed.1 }.starting_at(range.start);
            if self.pack {
                caller.pack(self.how, self.m, range.len(), packed);
            } else {
                caller.unpack(self.how, self.m, range.len(), packed);
            }
        }
    }
}

impl<T: Packed> Task<T> for Transfer<T> {
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        Some(0)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        unsafe { self.columns::<P>(range) }
    }
}
