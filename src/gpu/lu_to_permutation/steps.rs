//! Conversion of row interchanges to permutations on the device.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::walk::{Call, Launches, launch_kernel};
use crate::routine::LuToPermutation;

/// Declared in `kernels/getrf/lu_to_permutation.cuh`.
#[repr(C)]
struct PermutationArgs {
    ipiv: DeviceOperand,
    perm: DeviceOperand,
    batch: i64,
    m: u32,
    k: u32,
    shared: i32,
    pad: i32,
}

impl Launches for LuToPermutation {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let mut args = PermutationArgs {
                ipiv: self.ipiv.into(),
                perm: self.perm.into(),
                batch: self.batch,
                // Sizes of 2^31 and more are invalid arguments.
                m: self.m as u32,
                k: self.k as u32,
                shared: (l.shared > 0).into(),
                pad: 0,
            };
            let blocks = ceil_div(self.batch, i64::from(l.instance.per_block));
            // SAFETY: the kernels take PermutationArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}
