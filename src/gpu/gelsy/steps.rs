//! Least squares of any rank on the device: the launches around the factorisation.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, GelsArgs};
use crate::gpu::gelsy::{Task, WorkspaceParts};
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::walk::{Call, Launches, launch_kernel};
use crate::routine::{Gels, Gelsy, Trans};

/// Declared in `kernels/gelsy/solve.cuh`.
#[repr(C)]
struct GelsyArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    jpvt: DeviceOperand,
    tau: DeviceOperand,
    vectors: DeviceOperand,
    shifts: DeviceOperand,
    rank: *mut i32,
    rcond: f64,
    lda: i64,
    ldb: i64,
    batch: i64,
    nrhs: i64,
    m: i32,
    n: i32,
}

impl Launches for Gelsy {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let &Gelsy { dtype, m, n, nrhs, a, lda, b, ldb, jpvt, rank, batch, work, .. } = self;
        let parts = WorkspaceParts::of(self)?;
        call.walk_tasks(|l, task| {
            if task == Task::Scale {
                let (trans, sizes, info) = (Trans::N, None, std::ptr::null_mut());
                let like = Gels { dtype, trans, m, n, nrhs, a, lda, b, ldb, sizes, info, batch, work };
                let mut args = GelsArgs::on(&like, (a, lda), parts.shifts(), (m, n)).rows(0, m);
                // One warp per matrix.
                let blocks = ceil_div(batch, i64::from(l.instance.threads) / 32);
                // SAFETY: the kernel takes GelsArgs; operands are the caller's, or in the caller's workspace.
                return unsafe { launch_kernel(l, blocks, &mut args, call.queue) };
            }
            let mut args = GelsyArgs {
                a: a.into(),
                b: b.into(),
                jpvt: jpvt.into(),
                tau: parts.tau().into(),
                vectors: parts.vectors().into(),
                shifts: parts.shifts().into(),
                rank,
                rcond: self.effective_rcond(),
                lda,
                ldb,
                batch,
                nrhs,
                // The plan has refused sizes of 2^31 and more.
                m: m as i32,
                n: n as i32,
            };
            // SAFETY: the kernel takes GelsyArgs; operands are the caller's, or in the caller's workspace.
            unsafe { launch_kernel(l, batch, &mut args, call.queue) }
        })
    }
}
