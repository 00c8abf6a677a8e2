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
/// The other bytes, as ranges.
pub const REST: [std::ops::Range<usize>; 3] = [0..2, 5..8, 9..16];

/// Restores the original code. Returns `None` if `laid` is not in this format.
pub fn restore(laid: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(laid.get(at..at + 4)?.try_into().ok()?) as usize);
    let count = word(0)?;
    let body = laid.get(4 + count.checked_mul(8)?..)?;
    let parts = (0..count).map(|i| Some((word(4 + 8 * i)?, word(8 + 8 * i)?))).collect::<Option<Vec<_>>>()?;
    let inside: usize = parts.iter().map(|part| part.1).sum();
    let instructions = inside / INSTRUCTION_BYTES;
    let (mut outside, gathered) = body.split_at_checked(body.len().checked_sub(inside)?)?;
    let (separated, rest) = gathered.split_at_checked(SEPARATED.len() * instructions)?;
    let mut rest = rest.chunks_exact(INSTRUCTION_BYTES - SEPARATED.len());
    let mut code = Vec::with_capacity(body.len());
    let mut number = 0;
    for (first, bytes) in parts {
        let (before, after) = outside.split_at_checked(first.checked_sub(code.len())?)?;
        code.extend(before);
        outside = after;
        for _ in 0..bytes / INSTRUCTION_BYTES {
            let mut others = rest.next()?;
            let mut instruction = [0; INSTRUCTION_BYTES];
            for range in REST {
                let (these, left) = others.split_at_checked(range.len())?;
                instruction[range].copy_from_slice(these);
                others = left;
            }
            for (i, byte) in SEPARATED.into_iter().enumerate() {
                instruction[byte] = *separated.get(i * instructions + number)?;
            }
            code.extend(instruction);
            number += 1;
        }
    }
    code.extend(outside);
    (code.len() == body.len()).then_some(code)
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
            REST.iter().for_each(|range| laid.extend(&code[start + range.start..start + range.end]));
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
