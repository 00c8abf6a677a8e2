//! Systems of equations and inverses from LU factors, on the device.

use super::args::{DeviceOperand, GelsArgs};
use super::walk::{Call, Launches, go, in_one_launch, sharing};
use crate::error::Error;
use crate::plan::ceil_div;
use crate::plan::getri::factors;
use crate::plan::table::GELS_INFO;
use crate::routine::{Getri, Getrs, Trans};

/// Declared in `kernels/getrf/solve.cuh`.
#[repr(C)]
struct GetrsArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    b: DeviceOperand,
    lda: i64,
    ldb: i64,
    batch: i64,
    n: i32,
    nrhs: i32,
    transposed: i32,
    conjugate: i32,
}

impl Launches for Getrs {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Getrs { trans, a, lda, ipiv, b, ldb, batch, .. } = self;
            let mut args = GetrsArgs {
                a: a.into(),
                ipiv: ipiv.into(),
                b: b.into(),
                lda,
                ldb,
                batch,
                n: l.m as i32, // the plan has refused what shared memory does not hold
                nrhs: l.n as i32,
                transposed: (trans != Trans::N).into(),
                conjugate: (trans == Trans::C && self.dtype.is_complex()).into(),
            };
            // SAFETY: the kernel takes GetrsArgs; the operands are the caller's.
            unsafe { go(l, in_one_launch(batch)?, &mut args, call.stream) }
        })
    }
}

/// Declared in `kernels/getrf/identity.cuh`.
#[repr(C)]
struct IdentityArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    c: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldc: i64,
    batch: i64,
    n: i32,
    strips: i32,
}

impl Launches for Getri {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Getri { ipiv, c, ldc, info, batch, .. } = self;
            if l.instance.is_of(GELS_INFO) {
                // A warp for each matrix.
                let blocks = ceil_div(batch, i64::from(l.instance.threads) / 32);
                let mut args = GelsArgs::info(info, (self.a, self.lda), l.n, batch);
                // SAFETY: the kernel takes GelsArgs; the operands are the caller's.
                return unsafe { go(l, blocks, &mut args, call.stream) };
            }
            let (a, lda) = factors(self)?;
            // A warp writes a column at a time.
            let strips = sharing(batch, ceil_div(l.n, i64::from(l.instance.threads) / 32));
            let (a, ipiv, c, n) = (a.into(), ipiv.into(), c.into(), l.n as i32);
            let mut args = IdentityArgs { a, ipiv, c, info, lda, ldc, batch, n, strips: strips as i32 };
            // SAFETY: the kernel takes IdentityArgs; the operands are the caller's, or in the caller's workspace.
            unsafe { go(l, in_one_launch(batch.saturating_mul(strips))?, &mut args, call.stream) }
        })
    }
}
