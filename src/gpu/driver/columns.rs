//! Undoes the rearrangement of a cubin's bytes that precedes compression. An instruction has 16 bytes. Those that name
//! its registers resemble the same bytes of neighbouring instructions more than the rest of their own instruction, so
//! kernels/packed.rs stores them separately. build.rs includes this file, too.
//!
//! ```text
//! u32: parts   (u32: first byte, u32: bytes) of each   what is in no part   bytes 2, 3, 4, 8 of all instructions
//! their other 12
//! ```

/// Bytes per instruction.
pub const INSTRUCTION_BYTES: usize = 16;
/// The bytes stored separately: the destination and three sources.
pub const SEPARATED: [usize; 4] = [2, 3, 4, 8];
/// The other bytes.
pub const REST: [usize; INSTRUCTION_BYTES - SEPARATED.len()] = [0, 1, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15];

/// Restores the original code. Returns `None` if `laid` is not in this format.
pub fn restore(laid: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(laid.get(at..at + 4)?.try_into().ok()?) as usize);
    let count = word(0)?;
    let body = laid.get(4 + count.checked_mul(8)?..)?;
    let parts = (0..count).map(|i| Some((word(4 + 8 * i)?, word(8 + 8 * i)?))).collect::<Option<Vec<_>>>()?;
    let inside: usize = parts.iter().map(|part| part.1).sum();
    let instructions = inside / INSTRUCTION_BYTES;
    let (mut outside, gathered) = body.split_at_checked(body.len().checked_sub(inside)?)?;
    let (separated, mut rest) = gathered.split_at_checked(SEPARATED.len() * instructions)?;
    let mut separated: [&[u8]; SEPARATED.len()] =
        std::array::from_fn(|i| &separated[i * instructions..(i + 1) * instructions]);
    let mut code = Vec::with_capacity(body.len());
    for (first, bytes) in parts {
        let number = bytes / INSTRUCTION_BYTES;
        code.extend_from_slice(take(&mut outside, first.checked_sub(code.len())?)?);
        let others = take(&mut rest, number * REST.len())?;
        let mut streams = [&[][..]; SEPARATED.len()];
        for (stream, left) in streams.iter_mut().zip(&mut separated) {
            *stream = take(left, number)?;
        }
        let [a, b, c, d] = streams;
        let start = code.len();
        code.resize(start + number * INSTRUCTION_BYTES, 0);
        // Iterators of equal length, without bounds checks: this loop is a large part of what a kernel's first call costs.
        let instructions = code[start..].chunks_exact_mut(INSTRUCTION_BYTES).zip(others.chunks_exact(REST.len()));
        for ((instruction, others), (((a, b), c), d)) in instructions.zip(a.iter().zip(b).zip(c).zip(d)) {
            let mut whole = [0; INSTRUCTION_BYTES];
            SEPARATED.iter().zip([a, b, c, d]).for_each(|(&byte, value)| whole[byte] = *value);
            REST.iter().zip(others).for_each(|(&byte, value)| whole[byte] = *value);
            instruction.copy_from_slice(&whole);
        }
    }
    code.extend_from_slice(outside);
    (code.len() == body.len()).then_some(code)
}

/// Removes the first `count` bytes from a slice and returns them. Returns `None` if there are fewer.
fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (first, left) = bytes.split_at_checked(count)?;
    *bytes = left;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_instructions_are_joined() {
        // 40 bytes with one part, which begins at byte 4.
        let code: Vec<u8> = (0..40).collect();
        let mut laid = [1_u32, 4, 32].map(u32::to_le_bytes).concat();
        laid.extend(&code[..4]);
        laid.extend(&code[36..]);
        laid.extend([6, 22, 7, 23, 8, 24, 12, 28]);
        for start in [4, 20] {
            laid.extend(REST.map(|byte| code[start + byte]));
        }
        assert_eq!(restore(&laid), Some(code));
        // A part that extends beyond the end.
        laid[4] = 9;
        assert_eq!(restore(&laid), None);
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[][..], &[1, 0, 0], &[1, 0, 0, 0, 0, 0, 0, 0], &[255; 40]] {
            assert_eq!(restore(bytes), None, "{bytes:?}");
        }
        assert_eq!(restore(&[0; 4]), Some(vec![]));
    }
}
