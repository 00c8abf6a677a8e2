//! Threads that share the columns of one large matrix, for batches with fewer members than threads.
//!
//! A column is computed exactly as one thread would compute it, so results do not depend on the number of threads.

use super::blocked::{Block, GROUP, apply_columns};
use super::choice::Distribution;
use super::over_batch::{Task, parallel_for};
use super::packed::{Columns, Re};
use super::simd::{Level, Pack, Packed};
use super::view::{Transform, View};
use crate::scalar::Scalar;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The threads that work on one matrix, and the instruction set they use.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// Number of threads, including the calling one.
    pub threads: usize,
    /// The instruction set.
    pub level: Level,
}

impl Distribution {
    /// The team that shares one matrix.
    pub fn team(&self, level: Level) -> Team {
        Team { threads: self.threads_per_member, level }
    }
}

/// Floating-point operations, or numbers copied, that justify another thread.
const OPERATIONS_PER_THREAD: usize = 500_000;
/// Largest V^H C of a group of columns, in numbers, that a thread keeps on its stack.
const STACK_NUMBERS: usize = 64 * GROUP;

impl Team {
    /// Whether several threads are worth their while for so many operations.
    pub fn pays(&self, operations: usize) -> bool {
        self.threads > 1 && operations >= 2 * OPERATIONS_PER_THREAD
    }

    /// Divides `total` parts of `each` operations among the threads.
    ///
    /// # Safety
    /// As [`parallel_for`].
    pub unsafe fn share<T: Packed, J: Task<T>>(&self, task: &J, total: usize, each: usize) {
        unsafe { parallel_for(task, total, self.level, self.distribute(total, each)) };
    }

    /// How to distribute `total` steps of `each` operations over the threads.
    fn distribute(&self, total: usize, each: usize) -> Distribution {
        let threads = self.threads.min(each.saturating_mul(total) / OPERATIONS_PER_THREAD).max(1);
        Distribution { threads, threads_per_member: 1, grain: total.div_ceil(3 * threads) }
    }

    /// C := op(I - V T V^H) C for columns `from..until` of C, packs `first..packs`; see [`super::blocked::apply`].
    #[inline(always)]
    pub unsafe fn apply<P: Pack>(
        &self,
        b: &Block<P>,
        v: Columns<P>,
        c: Columns<P>,
        (from, until): (usize, usize),
        k: usize,
        (first, packs): (usize, usize),
    ) where
        P::S: Packed,
    {
        let groups = until.saturating_sub(from).div_ceil(GROUP);
        let fits = b.t.ld * GROUP <= STACK_NUMBERS;
        let team = if fits { *self } else { Team { threads: 1, ..*self } };
        let distribution = team.distribute(groups, 4 * GROUP * k * (packs - first) * P::REALS);
        let (v, t, c) = ((v.p, v.ld), (b.t.p, b.t.ld), (c.p, c.ld));
        let small = (!fits).then_some((b.w.p, b.y.p));
        let update = Update::<P::S> { v, t, c, small, from, until, k, first, packs };
        unsafe { parallel_for::<P::S, _>(&update, groups, self.level, distribution) };
    }

    /// [`View::pack`]
    #[inline(always)]
    pub unsafe fn pack<P: Pack>(&self, from: &View<P::S>, transform: Transform, m: usize, n: usize, to: Columns<P>)
    where
        P::S: Packed,
    {
        unsafe { self.transfer::<P::S>((from.p, from.ld), transform, m, n, (to.p, to.ld), true) }
    }

    /// [`View::unpack`]
    #[inline(always)]
    pub unsafe fn unpack<P: Pack>(&self, to: &View<P::S>, transform: Transform, m: usize, n: usize, from: Columns<P>)
    where
        P::S: Packed,
    {
        unsafe { self.transfer::<P::S>((to.p, to.ld), transform, m, n, (from.p, from.ld), false) }
    }

    unsafe fn transfer<T: Packed>(
        &self,
        caller: MatrixPtr<T>,
        transform: Transform,
        m: usize,
        n: usize,
        packed: MatrixPtr<T>,
        pack: bool,
    ) {
        let task = Transfer::<T> { caller, transform, m, packed, pack };
        unsafe { self.share(&task, n, m) };
    }
}

/// The first number of a matrix, and the distance between its columns in numbers.
pub type MatrixPtr<T> = (*mut <T as Scalar>::Re, usize);

/// The columns of a packed matrix.
pub fn columns_at<P: Pack>((p, ld): MatrixPtr<P::S>) -> Columns<P> {
    Columns { p, ld }
}

/// A block reflector applied to groups of columns.
struct Update<T: Scalar> {
    v: MatrixPtr<T>,
    t: MatrixPtr<T>,
    c: MatrixPtr<T>,
    /// Workspace for V^H C and op(T) (V^H C), if the stack is too small for them.
    small: Option<(*mut T::Re, *mut T::Re)>,
    from: usize,
    until: usize,
    k: usize,
    first: usize,
    packs: usize,
}

impl<T: Packed> Task<T> for Update<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let mut stack = [MaybeUninit::<Re<P>>::uninit(); 2 * STACK_NUMBERS];
        let stack = stack.as_mut_ptr().cast::<Re<P>>();
        let (w, y) = self.small.unwrap_or((stack, stack.wrapping_add(STACK_NUMBERS)));
        let (w, y) = ((w, self.t.1), (y, self.t.1));
        let (from, until) = (self.from + range.start * GROUP, self.until.min(self.from + range.end * GROUP));
        let (v, t, c) = (columns_at(self.v), columns_at(self.t), columns_at(self.c));
        unsafe {
            apply_columns::<P>(v, t, (columns_at(w), columns_at(y)), c, (from, until), self.k, self.first, self.packs);
        }
    }
}

/// Copies columns of a caller's matrix into packed form, or back.
struct Transfer<T: Scalar> {
    caller: MatrixPtr<T>,
    transform: Transform,
    m: usize,
    packed: MatrixPtr<T>,
    pack: bool,
}

impl<T: Packed> Task<T> for Transfer<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (p, ld) = self.caller;
        let step = if self.transform.transposed { range.start } else { range.start * ld };
        unsafe {
            let caller = View::<T> { p: p.wrapping_add(step * T::PARTS), ld };
            let packed = Columns::<P> { p: self.packed.0, ld: self.packed.1 }.starting_at(range.start);
            if self.pack {
                caller.pack(self.transform, self.m, range.len(), packed);
            } else {
                caller.unpack(self.transform, self.m, range.len(), packed);
            }
        }
    }
}
