//! The embedded images: which of an image's codes a device runs, and how it is unpacked.

use crate::error::Error;
use crate::gpu::driver::instructions;
use crate::gpu::plan::table::{CODES, Code, Packed};

/// The index in `codes` of the code for a device of this compute capability (times ten): the latest machine code of
/// its major version, or else the latest PTX, which its driver compiles.
fn choose(codes: &[Code], arch: u32) -> Option<usize> {
    let fits = |(place, code): (usize, &Code)| match *code {
        Code::Cubin(of) => (of / 10 == arch / 10 && of <= arch).then_some((true, of, place)),
        Code::Ptx(of) => (of <= arch).then_some((false, of, place)),
    };
    codes.iter().enumerate().filter_map(fits).max().map(|(_, _, place)| place)
}

/// The index in [`CODES`] of the code for a device of this compute capability (times ten), if this build has any.
pub fn code_for(arch: u32) -> Option<usize> {
    choose(CODES, arch)
}

/// Whether a device of this compute capability (times ten) runs machine code of all kernels, rather than PTX of
/// some.
pub fn is_native(arch: u32) -> bool {
    code_for(arch).is_some_and(|place| matches!(CODES[place], Code::Cubin(_)))
}

/// Restores the code that nvcc produced. Damaged images are detected, since the Zstandard frame has a checksum.
pub fn unpack(packed: &Packed) -> Result<Vec<u8>, Error> {
    let mut laid = Vec::with_capacity(packed.length);
    let whole = zstd_safe::decompress(&mut laid, packed.bytes) == Ok(packed.length);
    let code = whole.then(|| instructions::restore(&laid)).flatten();
    code.ok_or_else(|| Error::Internal("a kernel image of the library is damaged".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::table::IMAGES;

    #[test]
    fn a_device_gets_the_latest_code_that_it_runs() {
        use Code::{Cubin, Ptx};
        let all = [Cubin(80), Cubin(90), Cubin(100), Cubin(120), Ptx(80)];
        let chosen = |codes: &[Code], arch| choose(codes, arch).map(|place| codes[place]);
        for (arch, code) in [
            (75, None),
            (80, Some(Cubin(80))),
            (86, Some(Cubin(80))),
            (89, Some(Cubin(80))),
            (90, Some(Cubin(90))),
            (100, Some(Cubin(100))),
            (103, Some(Cubin(100))),
            (110, Some(Ptx(80))),
            (120, Some(Cubin(120))),
            (121, Some(Cubin(120))),
        ] {
            assert_eq!(chosen(&all, arch), code, "{arch}");
            assert_eq!(chosen(&all[..4], arch), code.filter(|code| *code != Ptx(80)), "{arch} without PTX");
        }
        // The order is irrelevant, and code for a later minor version is not chosen.
        let codes = [Ptx(90), Cubin(89), Ptx(80), Cubin(80), Cubin(86)];
        for (arch, code) in
            [(80, Cubin(80)), (86, Cubin(86)), (87, Cubin(86)), (89, Cubin(89)), (90, Ptx(90)), (120, Ptx(90))]
        {
            assert_eq!(chosen(&codes, arch), Some(code), "{arch}");
        }
        assert_eq!(chosen(&[Cubin(86), Ptx(80)], 80), Some(Ptx(80)));
    }

    #[test]
    fn every_image_is_unpacked() {
        for image in IMAGES {
            assert!(image.len() <= CODES.len() && !image.is_empty());
            for (packed, code) in image.iter().zip(CODES) {
                let unpacked = unpack(packed).unwrap();
                match code {
                    Code::Cubin(arch) => {
                        assert!(unpacked.starts_with(b"\x7fELF"));
                        assert_eq!(u32::from(unpacked[0x31]), *arch);
                    }
                    Code::Ptx(arch) => {
                        assert_eq!(unpacked.iter().position(|&byte| byte == 0), Some(unpacked.len() - 1));
                        let text = String::from_utf8_lossy(&unpacked);
                        assert!(text.contains(&format!("\n.target sm_{arch}")));
                    }
                }
            }
        }
    }

    #[test]
    fn damaged_images_are_refused() {
        let packed = IMAGES.iter().map(|image| &image[0]).min_by_key(|packed| packed.bytes.len()).unwrap();
        let whole = unpack(packed).unwrap();
        let with = |bytes: &[u8], length| unpack(&Packed { bytes: Vec::leak(bytes.to_vec()), length });
        let refused = |result| matches!(result, Err(Error::Internal(_)));
        for length in [0, 1, packed.length - 1, packed.length + 1] {
            assert!(refused(with(packed.bytes, length)), "{length} of {}", packed.length);
        }
        for end in 0..packed.bytes.len() {
            assert!(refused(with(&packed.bytes[..end], packed.length)), "{end} of {}", packed.bytes.len());
        }
        for at in (0..packed.bytes.len()).step_by(7) {
            let mut bytes = packed.bytes.to_vec();
            bytes[at] ^= 1 << (at % 8);
            // Some bits of the frame's header do not affect the contents.
            assert!(
                with(&bytes, packed.length).map_or_else(|e| refused(Err(e)), |code| at < 5 && code == whole),
                "{at}"
            );
        }
    }
}
