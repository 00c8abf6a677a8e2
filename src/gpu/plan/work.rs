//! Arrays in a caller's workspace.

use crate::error::Error;
use crate::routine::{Batched, Operand, Workspace};

/// Bytes of an array with one `int` per member, rounded up to the workspace's alignment.
pub fn members(p: &impl Batched) -> Result<usize, Error> {
    usize::try_from(p.batch())
        .ok()
        .and_then(|batch| batch.checked_mul(size_of::<i32>())?.checked_next_multiple_of(Workspace::ALIGNMENT))
        .ok_or_else(|| Error::OutOfMemory("the workspace exceeds the address space".into()))
}

/// Consecutive arrays, each with a fixed number of elements per matrix.
pub struct Arrays<const N: usize> {
    elements: [i64; N],
    starts: [usize; N],
    /// Bytes of all arrays and of whatever precedes them.
    pub bytes: usize,
}

impl<const N: usize> Arrays<N> {
    /// Arrays for a problem's batch and element type. All of `elements` must be >= 0.
    pub fn new(p: &impl Batched, elements: [i64; N]) -> Result<Arrays<N>, Error> {
        Arrays::after(0, p, elements)
    }

    /// The same after other arrays of `others` bytes (a multiple of [`Workspace::ALIGNMENT`]).
    pub fn after(others: usize, p: &impl Batched, elements: [i64; N]) -> Result<Arrays<N>, Error> {
        let mut arrays = Arrays { elements, starts: [0; N], bytes: others };
        for (start, each) in arrays.starts.iter_mut().zip(elements) {
            *start = arrays.bytes;
            arrays.bytes = each
                .checked_mul(p.batch())
                .and_then(|all| usize::try_from(all).ok()?.checked_mul(p.dtype().bytes()))
                .and_then(|bytes| bytes.checked_next_multiple_of(Workspace::ALIGNMENT)?.checked_add(*start))
                .ok_or_else(|| Error::OutOfMemory("the workspace exceeds the address space".into()))?;
        }
        Ok(arrays)
    }

    /// Bytes of the i-th array, with the padding after it.
    pub fn bytes_of(&self, i: usize) -> usize {
        self.starts.get(i + 1).unwrap_or(&self.bytes) - self.starts[i]
    }

    /// The i-th array as an operand.
    pub fn operand(&self, i: usize, work: Workspace) -> Operand {
        Operand::Strided { base: work.p.wrapping_byte_add(self.starts[i]), stride: self.elements[i] }
    }
}
