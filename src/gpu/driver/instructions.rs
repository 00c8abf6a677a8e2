//! Undoes the rearrangement of a cubin's bytes that precedes compression. Bytes of an instruction resemble the same
//! bytes of the last instruction with its opcode more than those beside them, so kernels/packed.rs stores what the
//! opcode gives a meaning (registers, constants, modifiers) ordered by opcode. build.rs includes this file, too.
//!
//! ```text
//! u32: parts   (u32: first byte, u32: bytes) of each   what is in no part
//! of all instructions: bytes 0, 1, 13, 14, 15 (the opcode, the predicate, how it is scheduled)
//! of all instructions by rising opcode, in order where it is the same: bytes 2; 3; 4; 8; then 5, 6, 7, 9 .. 12 together
//! ```

/// Bytes per instruction.
pub const INSTRUCTION_BYTES: usize = 16;
/// The bytes that stay in the order of the instructions.
pub const ORDERED: [usize; 5] = [0, 1, 13, 14, 15];
/// The bytes of which each has a stream of its own, by opcode: the destination and three sources.
pub const REGISTERS: [usize; 4] = [2, 3, 4, 8];
/// The bytes of the last stream, by opcode.
pub const MODIFIERS: [usize; 7] = [5, 6, 7, 9, 10, 11, 12];
/// Opcodes have twelve bits.
pub const OPCODES: usize = 1 << 12;

/// The opcode of an instruction with these first two bytes.
pub fn opcode(low: u8, high: u8) -> usize {
    usize::from(u16::from_le_bytes([low, high])) % OPCODES
}

/// The place of each opcode's first instruction in the order by opcode.
pub fn first_of_each(opcodes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut counts = vec![0; OPCODES];
    opcodes.for_each(|opcode| counts[opcode] += 1);
    let mut sum = 0;
    counts.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
    counts
}

/// Restores the original code. Returns `None` if `laid` is not in this format.
pub fn restore(laid: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(laid.get(at..at + 4)?.try_into().ok()?) as usize);
    let count = word(0)?;
    let body = laid.get(4 + count.checked_mul(8)?..)?;
    let parts = (0..count).map(|i| Some((word(4 + 8 * i)?, word(8 + 8 * i)?))).collect::<Option<Vec<_>>>()?;
    let inside: usize = parts.iter().map(|part| part.1).sum();
    let instructions = inside / INSTRUCTION_BYTES;
    let (mut outside, gathered) = body.split_at_checked(body.len().checked_sub(inside)?)?;
    let (ordered, by_opcode) = gathered.split_at_checked(ORDERED.len() * instructions)?;
    let (registers, modifiers) = by_opcode.split_at_checked(REGISTERS.len() * instructions)?;
    let registers: [&[u8]; REGISTERS.len()] =
        std::array::from_fn(|i| &registers[i * instructions..(i + 1) * instructions]);
    let (modifiers, _) = modifiers.as_chunks::<{ MODIFIERS.len() }>();
    let (mut ordered, _) = ordered.as_chunks::<{ ORDERED.len() }>();
    let mut next = first_of_each(ordered.iter().map(|bytes| opcode(bytes[0], bytes[1])));
    let mut code = Vec::with_capacity(body.len());
    for (first, bytes) in parts {
        code.extend_from_slice(take(&mut outside, first.checked_sub(code.len())?)?);
        let (start, own) = (code.len(), take(&mut ordered, bytes / INSTRUCTION_BYTES)?);
        code.resize(start + own.len() * INSTRUCTION_BYTES, 0);
        let (wholes, _) = code[start..].as_chunks_mut::<INSTRUCTION_BYTES>();
        // A part of what a kernel's first call costs. By words, this takes half the time that it takes by bytes.
        for (whole, ordered) in wholes.iter_mut().zip(own) {
            let place = &mut next[opcode(ordered[0], ordered[1])];
            let [destination, first, second, third] = registers.map(|stream| u64::from(stream[*place]));
            let (ordered, modifiers) = (word_of(ordered), word_of(&modifiers[*place]));
            let low = ordered & 0xffff | destination << 16 | first << 24 | second << 32 | modifiers << 40;
            let high = third | modifiers >> 24 << 8 | ordered >> 16 << 40;
            *whole = (u128::from(high) << 64 | u128::from(low)).to_le_bytes();
            *place += 1;
        }
    }
    code.extend_from_slice(outside);
    (code.len() == body.len()).then_some(code)
}

/// Bytes as a little-endian word.
fn word_of<const N: usize>(bytes: &[u8; N]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| if i < N { bytes[i] } else { 0 }))
}

/// Removes the first `count` elements from a slice and returns them. Returns `None` if there are fewer.
fn take<'a, T>(elements: &mut &'a [T], count: usize) -> Option<&'a [T]> {
    let (first, left) = elements.split_at_checked(count)?;
    *elements = left;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_put_together() {
        // 56 bytes with one part of three instructions, which begins at byte 4. The second one has the lowest opcode,
        // the others have the same: the upper half of byte 1 does not belong to it.
        let mut code: Vec<u8> = (0..56).collect();
        code[4..6].copy_from_slice(&[7, 0x51]);
        code[20..22].copy_from_slice(&[8, 0x40]);
        code[36..38].copy_from_slice(&[7, 0x31]);
        let mut laid = [1_u32, 4, 48].map(u32::to_le_bytes).concat();
        laid.extend(&code[..4]);
        laid.extend(&code[52..]);
        for start in [4, 20, 36] {
            laid.extend(ORDERED.map(|byte| code[start + byte]));
        }
        for byte in REGISTERS {
            laid.extend([20, 4, 36].map(|start: usize| code[start + byte]));
        }
        for start in [20, 4, 36] {
            laid.extend(MODIFIERS.map(|byte| code[start + byte]));
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
