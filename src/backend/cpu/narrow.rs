//! Routines in FP32 on 16-bit matrices: a thread widens a few members into a buffer, runs the routine on them there,
//! and rounds what it has written back into place.

use super::choice::{self, Distribution};
use super::halves::{Conversion, convert};
use super::over_batch::{OverBatch, Shared};
use super::run::{Run, of};
use super::scratch::Arena;
use super::{scratch, threads};
use crate::error::Error;
use crate::routine::{Fp32Problem, Narrow, Operand, Operation, Part, StoredOperand, Workspace};
use parking_lot::Mutex;
use std::ops::Range;

/// Bytes of copies that a thread works on at a time: about half of a second-level cache.
const CHUNK_BYTES: usize = 512 << 10;
/// Members are taken in multiples of this where the copies allow it, so that interleaved members fill whole vectors.
const MEMBER_MULTIPLE: usize = 16;

impl Run for Narrow {
    unsafe fn run(&self) -> Result<(), Error> {
        let operands = self.operands();
        let distribution = distribute(self, &operands);
        let copies = Copies::new(self, operands, distribution.grain)?;
        // If members are taken one after another, each of them may use all threads.
        let single_threaded = distribution.threads_per_member == 1;
        let (failure, bytes, shared) = (Mutex::new(None), copies.bytes, Shared(&copies));
        threads::for_ranges(self.batch as usize, distribution.grain, distribution.threads, |range| {
            // SAFETY: ranges are disjoint, and the operands are as the routine specifies.
            let work = |buffer: *mut u8| unsafe { shared.get().run(range, buffer.cast(), single_threaded) };
            if let Err(e) = scratch::with_outer(bytes, work).and_then(|done| done) {
                *failure.lock() = Some(e);
            }
        });
        failure.into_inner().map_or(Ok(()), Err)
    }

    fn explain(&self) -> Result<String, Error> {
        of(&self.single.into()).explain()
    }

    fn candidates(&self) -> Result<String, Error> {
        of(&self.single.into()).candidates()
    }
}

/// How to distribute the members over the threads.
fn distribute(p: &Narrow, operands: &[StoredOperand; 3]) -> Distribution {
    let flops = match &p.single {
        Fp32Problem::Geqrf(p) => choice::flops(p.dtype, p.m, p.n),
        Fp32Problem::Qr(p) => p.flops(),
        Fp32Problem::Potrf(p) => p.flops(),
        Fp32Problem::Gesv(p) => p.flops(),
        Fp32Problem::Gemm(p) => p.flops(),
    };
    let distribution = choice::distribute_large(flops, p.batch, MEMBER_MULTIPLE);
    let member: usize = operands.iter().map(elements).fold(0, usize::saturating_add);
    let fitting = CHUNK_BYTES / member.saturating_mul(size_of::<f32>()).max(1);
    let most = if fitting < MEMBER_MULTIPLE { fitting.max(1) } else { fitting / MEMBER_MULTIPLE * MEMBER_MULTIPLE };
    Distribution { grain: distribution.grain.min(most), ..distribution }
}

/// Number of elements in an operand's FP32 copy.
fn elements(stored: &StoredOperand) -> usize {
    if stored.is_none() { 0 } else { stored.copy_layout().1 as usize }
}

/// Offsets of the copies of some members' matrices in a buffer.
struct Copies<'a> {
    p: &'a Narrow,
    operands: [StoredOperand; 3],
    starts: [usize; 3],
    bytes: usize,
}

impl Copies<'_> {
    /// The layout for `count` members.
    fn new(p: &Narrow, operands: [StoredOperand; 3], count: usize) -> Result<Copies<'_>, Error> {
        let (mut arena, mut starts) = (Arena::<f32>::new(), [0; 3]);
        for (start, stored) in starts.iter_mut().zip(&operands) {
            let numbers = elements(stored).checked_mul(if stored.is_shared() { 1 } else { count });
            *start = numbers.and_then(|numbers| arena.part(numbers)).ok_or_else(too_large)?;
        }
        let bytes = arena.bytes().ok_or_else(too_large)?.max(1);
        Ok(Copies { p, operands, starts, bytes })
    }

    /// Executes the routine for a range of members, on the calling thread only if `single_threaded`.
    ///
    /// # Safety
    /// The operands must be as the routine specifies, and the buffer must have [`Copies::bytes`] bytes.
    unsafe fn run(&self, range: Range<usize>, buffer: *mut f32, single_threaded: bool) -> Result<(), Error> {
        let place = |i: usize| {
            let stored = &self.operands[i];
            let (ld, elements) = stored.copy_layout();
            let stride = if stored.is_shared() { 0 } else { elements };
            (Operand::Strided { base: buffer.wrapping_add(self.starts[i]).cast(), stride }, ld)
        };
        let places = [0, 1, 2].map(place);
        let single = self.p.with_copies(range.start as i64, range.len() as i64, places, Workspace::NONE);
        let operation = Operation::from(single).effective();
        unsafe {
            self.convert(&range, buffer, true);
            threads::without_helpers_if(single_threaded, || of(&operation).run())?;
            self.convert(&range, buffer, false);
        }
        Ok(())
    }

    /// Widens the operands that are read, or rounds those that are written.
    ///
    /// # Safety
    /// As [`Copies::run`].
    unsafe fn convert(&self, range: &Range<usize>, buffer: *mut f32, widen: bool) {
        for (stored, start) in self.operands.iter().zip(self.starts) {
            if stored.is_none() || !(if widen { stored.read } else { stored.written }) {
                continue;
            }
            let &StoredOperand { operand, rows, columns, ld, part, .. } = stored;
            let ((ld_single, elements), size) = (stored.copy_layout(), (rows as usize, columns as usize));
            let count = if stored.is_shared() { 1 } else { range.len() };
            // Members without gaps between them are converted as one.
            let gapless = part == Part::Full && ld == rows && elements == rows.saturating_mul(columns);
            let gapless = gapless && matches!(operand, Operand::Strided { stride, .. } if stride == elements);
            let (count, size) = if gapless { (1, (size.0, size.1 * count)) } else { (count, size) };
            for i in 0..count {
                // SAFETY: the caller vouches for the operands and the buffer.
                unsafe {
                    let half = (member(operand, range.start + i), ld as usize);
                    let single = (buffer.add(start + i * elements as usize), ld_single as usize);
                    convert(&Conversion { storage: self.p.storage, widen, half, single, part, size });
                }
            }
        }
    }
}

/// Address of the first element of member i.
unsafe fn member(operand: Operand, i: usize) -> *mut u16 {
    match operand {
        Operand::Pointers(array) => unsafe { *array.add(i) }.cast(),
        Operand::Strided { base, stride } => base.cast::<u16>().wrapping_offset(stride as isize * i as isize),
    }
}

fn too_large() -> Error {
    Error::OutOfMemory("a matrix that does not fit the address space".into())
}
