//! QR with column pivoting on the device.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::geqp3::norms;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::table::GEQP3_GENERIC;
use crate::gpu::plan::walk::{Call, Launches, go, in_one_launch};
use crate::routine::Geqp3;

/// Declared in `kernels/geqp3/args.cuh`.
#[repr(C)]
struct Geqp3Args {
    a: DeviceOperand,
    jpvt: DeviceOperand,
    tau: DeviceOperand,
    norms: DeviceOperand,
    info: *mut i32,
    lda: i64,
    batch: i64,
    m: i32,
    n: i32,
}

impl Launches for Geqp3 {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Geqp3 { m, n, a, lda, jpvt, tau, info, batch, work, .. } = self;
            let generic = l.instance.is_of(GEQP3_GENERIC);
            let (norms, blocks) = if generic {
                (norms(self)?.operand(0, work).into(), batch)
            } else {
                (DeviceOperand::NONE, in_one_launch(ceil_div(batch, i64::from(l.per_block)))?)
            };
            let (a, jpvt, tau) = (a.into(), jpvt.into(), tau.into());
            // The plan has refused sizes of 2^31 and more.
            let mut args = Geqp3Args { a, jpvt, tau, norms, info, lda, batch, m: m as i32, n: n as i32 };
            // SAFETY: the kernels take Geqp3Args; the operands are the caller's, or in the caller's workspace.
            unsafe { go(l, blocks, &mut args, call.queue) }
        })
    }
}
