//! Members with sizes of their own: of small ones, those of the same size are done together, one in each lane of a vector.

use super::choice::Share;
use super::over_batch::{Shared, Varying};
use super::{scratch, threads};
use crate::error::Error;
use crate::routine::{Geqrf, Gesv, Getrf, Getri, Getrs, Operand, Posv, Potrf, Potrs, Routine, Trsm};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;

/// A member's result has the same bits whatever the other members are.
const SAME_BITS: bool = true;
/// Members that are done together, at most: a multiple of any vector's lanes.
const BIN: usize = 64;
/// Members that a thread sorts for itself: so many have enough of the same size, and few enough to sort soon.
const OWN: Range<usize> = 512..4096;
/// The most operands of a routine.
const OPERANDS: usize = 3;

/// A routine of which members of the same size are a uniform batch.
pub trait Alike: Varying + Routine + Copy {
    /// The order, and what else members of a uniform batch have in common.
    fn size(&self) -> [i64; 6];
    /// `f` of each operand.
    fn operands(&mut self, f: impl FnMut(&mut Operand));
    /// Where its codes go, if it tells any.
    fn codes(&mut self) -> Option<&mut *mut i32>;
    /// The same, of so many members.
    fn of_batch(self, batch: usize) -> Self;
}

macro_rules! alike {
    ($($Routine:ident: [$($size:expr),*] of $p:ident, $($operand:ident)*, $codes:expr;)*) => {$(
        impl Alike for $Routine {
            fn size(&self) -> [i64; 6] {
                let ($p, mut all) = (self, [0; 6]);
                all.iter_mut().zip([$($size),*]).for_each(|(to, size)| *to = size);
                all
            }
            fn operands(&mut self, mut f: impl FnMut(&mut Operand)) {
                $(f(&mut self.$operand);)*
            }
            fn codes(&mut self) -> Option<&mut *mut i32> {
                let codes: fn(&mut $Routine) -> Option<&mut *mut i32> = $codes;
                codes(self)
            }
            fn of_batch(self, batch: usize) -> Self {
                $Routine { batch: batch as i64, ..self }
            }
        }
    )*};
}

alike! {
    Getrf: [p.n, p.m, p.lda, p.small.all.to_bits() as i64] of p, a ipiv, |p| Some(&mut p.info);
    Geqrf: [p.n, p.m, p.lda] of p, a tau, |p| Some(&mut p.info);
    Potrf: [p.n, p.lda] of p, a, |p| Some(&mut p.info);
    Getri: [p.n, p.lda, p.ldc] of p, a ipiv c, |p| Some(&mut p.info);
    Gesv: [p.n, p.nrhs, p.lda, p.ldb] of p, a ipiv b, |p| Some(&mut p.info);
    Getrs: [p.n, p.nrhs, p.lda, p.ldb] of p, a ipiv b, |p| Some(&mut p.info);
    Posv: [p.n, p.nrhs, p.lda, p.ldb] of p, a b, |p| Some(&mut p.info);
    Potrs: [p.n, p.nrhs, p.lda, p.ldb] of p, a b, |p| Some(&mut p.info);
    Trsm: [p.m, p.n, p.lda, p.ldb] of p, a b, |_| None;
}

/// Does members that have sizes of their own: those of the same size together by `run`, as a uniform batch, where `lanes` says of
/// such a batch that it takes several members at a time; others each as a problem for itself. Large ones come first.
///
/// # Safety
/// As [`super::Run::run`], for the members' problems.
pub unsafe fn in_bins<R: Alike>(
    p: &R,
    share: Share,
    lanes: impl Fn(&R) -> usize + Sync,
    run: impl Fn(&R) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    // Lanes round otherwise than a member alone, so a member's bits would depend on its neighbours' sizes.
    let lanes = |p: &R| if SAME_BITS { 1 } else { lanes(p) };
    let (failure, all, batch) = (Mutex::new(None), Shared(p), p.batch() as usize);
    let note = |done: Result<(), Error>| {
        if let Err(e) = done {
            *failure.lock() = Some(e);
        }
    };
    // SAFETY: the caller's; each member is in one bin.
    let bin = |members: &[u64]| note(unsafe { together(all.get(), members, &run) });
    let fair = batch / share.threads.max(1);
    if fair >= OWN.start || share.threads < 2 {
        threads::for_ranges(batch, fair.clamp(1, OWN.end), share.threads, |range| {
            note(scratch::with_list(range.len(), |list| {
                // SAFETY: the caller's.
                let count = unsafe { sort(all.get(), range, list) };
                // SAFETY: as above.
                unsafe { cut(all.get(), &list[..count], &lanes, |from, to| bin(&list[from..to])) };
            }));
        });
    } else {
        note(scratch::with_list(2 * batch, |both| {
            let ((list, ends), mut bins) = (both.split_at_mut(batch), 0);
            // SAFETY: the caller's.
            let count = unsafe { sort(all.get(), 0..batch, list) };
            // SAFETY: as above.
            unsafe {
                cut(all.get(), &list[..count], &lanes, |_, to| {
                    ends[bins] = to as u64;
                    bins += 1;
                });
            }
            let end = |bin: usize| if bin == 0 { 0 } else { ends[bin - 1] as usize };
            threads::for_ranges(bins, 1, share.threads, |bins| bins.for_each(|b| bin(&list[end(b)..end(b + 1)])));
        }));
    }
    failure.into_inner().map_or(Ok(()), Err)
}

/// Lists the members of a range with something to do, those of the same size one after another; gives their number.
unsafe fn sort<R: Alike>(p: &R, range: Range<usize>, list: &mut [u64]) -> usize {
    let (first, mut count) = (range.start, 0);
    for i in range {
        // SAFETY: the caller's.
        let Some(member) = (unsafe { p.member(i) }) else { continue };
        let size = member.size();
        // The order above a few bits of everything: where those of two sizes are equal, there are more and smaller bins.
        let mixed = size.iter().fold(0u64, |mixed, &s| (mixed ^ s as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let order = (!size[0] as u64 & 0xffff) << 16 | mixed >> 48;
        list[count] = order << 32 | (i - first) as u64;
        count += 1;
    }
    list[..count].sort_unstable();
    // From here on members by their places in the batch.
    list[..count].iter_mut().for_each(|entry| *entry = (*entry & 0xffff_ffff) + first as u64);
    count
}

/// `f` of where each bin starts and ends in a sorted list.
unsafe fn cut<R: Alike>(p: &R, list: &[u64], lanes: impl Fn(&R) -> usize, mut f: impl FnMut(usize, usize)) {
    // SAFETY: the caller's.
    let member = |at: usize| list.get(at).and_then(|&i| unsafe { p.member(i as usize) });
    let (mut from, mut first) = (0, member(0));
    while let Some(p) = first {
        let (size, lanes) = (p.size(), lanes(&p.of_batch(BIN)));
        let most = if lanes > 1 { BIN } else { 1 };
        let mut to = from + 1;
        first = member(to);
        while to - from < most && first.as_ref().is_some_and(|next| next.size() == size) {
            to += 1;
            first = member(to);
        }
        // A vector that would be filled by half or less is not worth its time.
        let rest = (to - from) % lanes;
        if to - from > lanes && (1..=lanes / 2).contains(&rest) {
            to -= rest;
            first = member(to);
        }
        f(from, to);
        from = to;
    }
}

/// Does members of the same size.
unsafe fn together<R: Alike>(p: &R, members: &[u64], run: impl Fn(&R) -> Result<(), Error>) -> Result<(), Error> {
    // SAFETY: the caller's.
    let mut problems = members.iter().filter_map(|&i| unsafe { p.member(i as usize) });
    let Some(mut whole) = problems.next() else { return Ok(()) };
    if members.len() == 1 {
        return run(&whole);
    }
    let (mut arrays, mut codes, mut to) = ([[null_mut(); BIN]; OPERANDS], [0; BIN], [null_mut(); BIN]);
    for (i, mut problem) in std::iter::once(whole).chain(problems).enumerate() {
        let mut of = arrays.iter_mut();
        problem.operands(|operand| {
            if let Some(array) = of.next() {
                // SAFETY: the operand has one member.
                array[i] = unsafe { first_of(operand) };
            }
        });
        to[i] = problem.codes().map_or(null_mut(), |codes| *codes);
    }
    let mut of = arrays.iter();
    whole.operands(|operand| {
        if let Some(array) = of.next() {
            *operand = Operand::Pointers(array.as_ptr());
        }
    });
    if let Some(own) = whole.codes().filter(|own| !own.is_null()) {
        *own = codes.as_mut_ptr();
    }
    let done = run(&whole.of_batch(members.len()));
    for (code, to) in codes.into_iter().zip(to).filter(|(_, to)| !to.is_null()) {
        // SAFETY: the caller's.
        unsafe { *to = code };
    }
    done
}

/// Where its first member is; NULL: nowhere.
unsafe fn first_of(operand: &Operand) -> *mut c_void {
    match *operand {
        Operand::Pointers(array) if array.is_null() => null_mut(),
        // SAFETY: the caller's.
        Operand::Pointers(array) => unsafe { *array },
        Operand::Strided { base, .. } => base,
    }
}
