//! What inverses of members with sizes of their own begin with: a block a member.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::go;
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::MOST_BUSY;
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
    leave: i32,
    pad: i32,
}

/// Factors, and where the identity goes, with their leading dimensions; orders that were looked at.
pub struct Identity {
    pub a: (Operand, *const i32),
    pub to: (Operand, *const i32),
    pub orders: *mut i32,
    pub info: *mut i32,
    pub batch: i64,
    /// Of a member with a zero on its diagonal nothing is written, and its order becomes -1; else it is NaN.
    pub leave: bool,
}

impl Identity {
    /// Launches it.
    ///
    /// # Safety
    /// Unless it is only listed, what is named must be the device's, as the orders say.
    pub unsafe fn go(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let &Identity { a: (a, leading), to: (to, leading_to), orders, info, batch, leave } = self;
        let (a, to, leave) = (a.into(), to.into(), leave.into());
        let mut args = IdentityEachArgs { a, to, orders, leading, leading_to, info, batch, leave, pad: 0 };
        // SAFETY: the kernel takes IdentityEachArgs; the operands are the caller's.
        unsafe { go(l, batch.min(MOST_BUSY), &mut args, queue) }
    }
}
