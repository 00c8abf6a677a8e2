//! A unit's code as it is embedded, compressed; a part of build.rs.

use zstd_safe::{CCtx, CParameter};

/// A form in which nvcc gives a unit: code of an architecture, or PTX.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    Cubin(u32),
    Ptx(u32),
}

impl Code {
    /// The end of the name of its file.
    pub fn extension(self) -> String {
        match self {
            Code::Cubin(arch) => format!("sm_{arch}.zst"),
            Code::Ptx(arch) => format!("compute_{arch}.zst"),
        }
    }
}

/// Compresses code as one frame of Zstandard, with its length and a checksum.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut context = CCtx::create();
    for parameter in [CParameter::CompressionLevel(19), CParameter::ChecksumFlag(true)] {
        context.set_parameter(parameter).unwrap();
    }
    let mut packed = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    context.compress2(&mut packed, bytes).unwrap();
    packed
}

/// The length of what was packed, from the frame's header.
pub fn length(packed: &[u8]) -> Option<u64> {
    zstd_safe::get_frame_content_size(packed).ok().flatten()
}

/// Whether it is what [`pack`] made.
pub fn is_whole(packed: &[u8]) -> bool {
    let Some(length) = length(packed).and_then(|bytes| usize::try_from(bytes).ok()).filter(|bytes| *bytes < 1 << 30)
    else {
        return false;
    };
    let mut code = Vec::with_capacity(length);
    zstd_safe::decompress(&mut code, packed) == Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_damage_is_seen() {
        let code: Vec<u8> = (0..20_000u32).flat_map(|i| (i * i % 911).to_le_bytes()).collect();
        let packed = pack(&code);
        assert_eq!(length(&packed), Some(code.len() as u64));
        let mut unpacked = Vec::with_capacity(code.len());
        assert_eq!(zstd_safe::decompress(&mut unpacked, &packed), Ok(code.len()));
        assert!(unpacked == code && is_whole(&packed) && packed.len() < code.len() / 4);
        for at in 0..packed.len() {
            assert!(!is_whole(&packed[..at]), "{at}");
            let mut changed = packed.clone();
            // But for a bit of the header that means nothing.
            changed[at] ^= 1 << ((at + 3) % 8);
            assert!(!is_whole(&changed), "{at}");
        }
    }
}
