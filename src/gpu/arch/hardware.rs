//! What NVIDIA's documentation says of each compute capability (times ten).

/// The first with instructions for TF32 and FP32 on tensor cores.
const TENSOR_MODES: u16 = 80;
/// The first with clusters of thread blocks.
const CLUSTERS: u16 = 90;
/// The first of those made for graphics after the data-centre devices with clusters.
const GRAPHICS: u16 = 120;

/// Whether there are tensor cores for the modes of [`crate::Math`].
pub fn has_tensor_modes(arch: u16) -> bool {
    arch >= TENSOR_MODES
}

/// Whether the device runs clusters of this many blocks, each of which occupies a multiprocessor. A cluster lies within
/// one GPC, which always has at least eight multiprocessors. Data-centre devices (up to 11.x) have at most eight GPCs,
/// so one with more than 120 multiprocessors has a GPC with sixteen.
pub fn holds_cluster(arch: u16, multiprocessors: u16, blocks: u32) -> bool {
    match blocks {
        0 | 1 => true,
        2..=8 => arch >= CLUSTERS,
        9..=16 => (CLUSTERS..GRAPHICS).contains(&arch) && multiprocessors > 120,
        _ => false,
    }
}

/// Whether double precision has half the speed of single precision. It does on data-centre devices; on others it has a
/// 32nd or less.
pub fn fast_in_double(arch: u16) -> bool {
    matches!(arch, 80 | 90 | 100)
}
