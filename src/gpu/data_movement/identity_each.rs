//! The first launch of inverses for members with individual orders: writes the identity, with several blocks for each of
//! few members.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{MAX_LOOPING_BLOCKS, blocks_per_matrix};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::Operand;

/// Declared in `kernels/auxiliary/identity_each.cuh`.
#[repr(C)]
struct IdentityEachArgs {
    a: DeviceOperand,
    to: DeviceOperand,
    orders: *mut i32,
    leading: *const i32,
    leading_to: *const i32,
    info: *mut i32,
    batch: i64,
    shares: i64,
    leave: i32,
    pad: i32,
}

/// Factors and the destination of the identity, both with leading dimensions; the orders must have been checked.
pub struct Identity {
    pub a: (Operand, *const i32),
    pub to: (Operand, *const i32),
    pub orders: *mut i32,
    pub info: *mut i32,
    pub batch: i64,
    /// If a member's diagonal has a zero, whether to write nothing and set its order to -1, rather than to write
    /// NaN.
    pub leave: bool,
}

impl Identity {
    /// Launches the kernel. The launch's columns are those of the largest member.
    ///
    /// # Safety
    /// Unless `queue` is a list, operands and arrays must be device memory, as large as the orders say.
    pub unsafe fn launch(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let &Identity { a: (a, leading), to: (to, leading_to), orders, info, batch, leave } = self;
        let (a, to, leave) = (a.into(), to.into(), leave.into());
        // A warp writes one column at a time.
        let shares = blocks_per_matrix(batch, ceil_div(l.n, i64::from(l.instance.threads) / 32));
        let mut args = IdentityEachArgs { a, to, orders, leading, leading_to, info, batch, shares, leave, pad: 0 };
        // SAFETY: the kernel takes IdentityEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, (batch * shares).min(MAX_LOOPING_BLOCKS), &mut args, queue) }
    }
}
