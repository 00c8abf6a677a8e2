//! Arrays in a caller's workspace.

use crate::error::Error;
use crate::routine::{Batched, Operand, Workspace};

/// Bytes of an int a member.
pub fn members(p: &impl Batched) -> Result<usize, Error> {
    usize::try_from(p.batch())
        .ok()
        .and_then(|batch| batch.checked_mul(size_of::<i32>())?.checked_next_multiple_of(Workspace::ALIGNMENT))
        .ok_or_else(|| Error::OutOfMemory("the workspace exceeds the address space".into()))
}

/// Arrays one after another: of each, so many elements for each matrix.
pub struct Arrays<const N: usize> {
    elements: [i64; N],
    starts: [usize; N],
    /// Of all of them, with what they are behind.
    pub bytes: usize,
}

impl<const N: usize> Arrays<N> {
    /// Arrays for a problem's batch, of its type; `elements` >= 0.
    pub fn new(p: &impl Batched, elements: [i64; N]) -> Result<Arrays<N>, Error> {
        Arrays::behind(0, p, elements)
    }

    /// The same behind other arrays, of so many bytes (a multiple of [`Workspace::ALIGNMENT`]).
    pub fn behind(others: usize, p: &impl Batched, elements: [i64; N]) -> Result<Arrays<N>, Error> {
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

    /// Of the i-th, with what is between it and the next.
    pub fn bytes_of(&self, i: usize) -> usize {
        self.starts.get(i + 1).unwrap_or(&self.bytes) - self.starts[i]
    }

    /// Where the i-th of them is.
    pub fn operand(&self, i: usize, work: Workspace) -> Operand {
        Operand::Strided { base: work.p.wrapping_byte_add(self.starts[i]), stride: self.elements[i] }
    }
}
