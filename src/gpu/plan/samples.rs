//! Shapes and devices for the tests of plans.

use crate::gpu::plan::Limits;
use crate::routine::Dtype;

const SIZES: [i64; 17] = [1, 2, 3, 8, 15, 16, 17, 31, 32, 33, 64, 65, 129, 200, 513, 1025, 4097];
/// Shared memory per block in KiB: Hopper, Ampere, consumer Blackwell.
pub const SHARED: [u32; 3] = [227, 163, 99];

/// Every precision and pair of sizes, on every device.
pub fn shapes() -> impl Iterator<Item = (Dtype, i64, i64, Limits)> {
    SHARED.iter().flat_map(|shared| {
        let limits = Limits { shared_per_block: shared * 1024, ..Limits::HOPPER };
        let sizes = SIZES.iter().flat_map(|m| SIZES.map(|n| (*m, n)));
        sizes.flat_map(move |(m, n)| Dtype::ALL.map(|dtype| (dtype, m, n, limits)))
    })
}
