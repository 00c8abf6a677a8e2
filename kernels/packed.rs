//! Compression of a unit's code for embedding. Part of build.rs.

use zstd_safe::{CCtx, CParameter};

#[path = "../src/gpu/driver/instructions.rs"]
mod instructions;
use instructions::{INSTRUCTION_BYTES, MODIFIERS, ORDERED, REGISTERS, first_of_each, opcode, restore};

/// The forms in which nvcc compiles a unit: code for an architecture, or PTX.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    Cubin(u32),
    Ptx(u32),
}

impl Code {
    /// The extension of its file's name.
    pub fn extension(self) -> String {
        match self {
            Code::Cubin(arch) => format!("sm_{arch}.instructions.zst"),
            Code::Ptx(arch) => format!("compute_{arch}.instructions.zst"),
        }
    }
}

/// Compresses code as one Zstandard frame with its length and a checksum.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut context = CCtx::create();
    for parameter in [CParameter::CompressionLevel(19), CParameter::ChecksumFlag(true)] {
        context.set_parameter(parameter).unwrap();
    }
    let laid = split(bytes, &code_of(bytes));
    let mut packed = Vec::with_capacity(zstd_safe::compress_bound(laid.len()));
    context.compress2(&mut packed, &laid).unwrap();
    packed
}

/// Rearranges code into the format of instructions.rs. `parts` are the ranges that contain instructions, as (first byte,
/// number of bytes), in order and disjoint.
fn split(code: &[u8], parts: &[(usize, usize)]) -> Vec<u8> {
    let parts: Vec<(usize, usize)> =
        parts.iter().map(|&(first, bytes)| (first, bytes / INSTRUCTION_BYTES * INSTRUCTION_BYTES)).collect();
    let word = |n: usize| u32::try_from(n).expect("a unit has less than 4 GiB").to_le_bytes();
    let mut laid: Vec<u8> = word(parts.len()).into();
    parts.iter().for_each(|&(first, bytes)| laid.extend([word(first), word(bytes)].concat()));
    let mut end = 0;
    for &(first, bytes) in &parts {
        laid.extend(&code[end..first]);
        end = first + bytes;
    }
    laid.extend(&code[end..]);
    let all = || parts.iter().flat_map(|&(first, bytes)| code[first..first + bytes].chunks_exact(INSTRUCTION_BYTES));
    let opcodes = || all().map(|instruction| opcode(instruction[0], instruction[1]));
    let (mut next, mut by_opcode) = (first_of_each(opcodes()), vec![&[][..]; all().count()]);
    for (instruction, opcode) in all().zip(opcodes()) {
        by_opcode[next[opcode]] = instruction;
        next[opcode] += 1;
    }
    all().for_each(|instruction| laid.extend(ORDERED.map(|byte| instruction[byte])));
    REGISTERS.iter().for_each(|&byte| laid.extend(by_opcode.iter().map(|instruction| instruction[byte])));
    by_opcode.iter().for_each(|instruction| laid.extend(MODIFIERS.map(|byte| instruction[byte])));
    laid
}

/// The ranges of a cubin, an ELF file, that contain instructions, as (first byte, number of bytes), in order. Empty for
/// any other file.
fn code_of(elf: &[u8]) -> Vec<(usize, usize)> {
    const EXECUTABLE: u64 = 4; // SHF_EXECINSTR
    let number = |at: usize, bytes: usize| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(elf.get(at..at + bytes)?);
        Some(u64::from_le_bytes(word))
    };
    let sections = || {
        let (table, size, count) = (number(0x28, 8)? as usize, number(0x3a, 2)? as usize, number(0x3c, 2)? as usize);
        let section = |i| {
            let at = table + i * size;
            Some((number(at + 8, 8)?, (number(at + 24, 8)? as usize, number(at + 32, 8)? as usize)))
        };
        (0..count).map(section).collect::<Option<Vec<_>>>()
    };
    let all = if elf.starts_with(b"\x7fELF\x02") { sections() } else { None };
    let executable = all.into_iter().flatten().filter(|(flags, _)| flags & EXECUTABLE != 0);
    let mut parts: Vec<_> = executable.map(|(_, place)| place).collect();
    parts.sort_unstable();
    parts
}

/// The uncompressed length, from the header of the frame.
pub fn length(packed: &[u8]) -> Option<u64> {
    zstd_safe::get_frame_content_size(packed).ok().flatten()
}

/// Restores the code that [`pack`] was given. Returns `None` if `packed` is damaged.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(length(packed)?).ok().filter(|bytes| *bytes < 1 << 30)?;
    let mut laid = Vec::with_capacity(length);
    (zstd_safe::decompress(&mut laid, packed) == Ok(length)).then(|| restore(&laid))?
}

/// Whether `packed` is an undamaged result of [`pack`].
pub fn is_whole(packed: &[u8]) -> bool {
    unpack(packed).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_split_is_joined() {
        let code: Vec<u8> = (0..1000_u32).map(|i| (i * i % 251) as u8).collect();
        for parts in [
            &[][..],
            &[(0, 16)],
            &[(64, 160), (240, 16), (256, 700)],
            &[(3, 160)],
            &[(0, 1000)],
            &[(8, 15)],
            &[(984, 16)],
        ] {
            let laid = split(&code, parts);
            assert_eq!(restore(&laid).as_deref(), Some(&*code), "{parts:?}");
            assert_eq!(laid.len(), 4 + 8 * parts.len() + code.len());
        }
        assert_eq!(restore(&split(&[], &[])), Some(vec![]));
    }

    /// A file of three sections, two of which contain instructions.
    #[test]
    fn instructions_are_found() {
        let mut elf = vec![0; 64 + 3 * 64 + 320];
        elf[..5].copy_from_slice(b"\x7fELF\x02");
        (elf[0x28], elf[0x3a], elf[0x3c]) = (64, 64, 3);
        for (i, (flags, first, bytes)) in [(6, 416_u16, 160), (2, 300, 32), (6, 256, 32)].into_iter().enumerate() {
            let at = 64 + 64 * i;
            elf[at + 8] = flags;
            elf[at + 24..at + 26].copy_from_slice(&first.to_le_bytes());
            elf[at + 32] = bytes;
        }
        assert_eq!(code_of(&elf), [(256, 32), (416, 160)]);
        assert_eq!(length(&pack(&elf)), Some(elf.len() as u64 + 4 + 16));
        assert_eq!(unpack(&pack(&elf)), Some(elf));
        assert_eq!(code_of(b"// PTX"), []);
    }

    #[test]
    fn what_is_packed_is_unpacked_and_damage_is_seen() {
        let code: Vec<u8> = (0..20_000u32).flat_map(|i| (i * i % 911).to_le_bytes()).collect();
        let packed = pack(&code);
        assert_eq!(length(&packed), Some(code.len() as u64 + 4));
        assert!(unpack(&packed) == Some(code.clone()) && is_whole(&packed) && packed.len() < code.len() / 4);
        for at in 0..packed.len() {
            assert!(!is_whole(&packed[..at]), "{at}");
            let mut changed = packed.clone();
            // The bit is chosen to avoid one in the header that has no meaning.
            changed[at] ^= 1 << ((at + 3) % 8);
            assert!(!is_whole(&changed), "{at}");
        }
    }
}
