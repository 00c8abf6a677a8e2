//! LU factorisations, row interchanges and inverses of small matrices on the device.

use super::args::DeviceOperand;
use super::walk::{Call, Launches, MAX_BLOCKS, go, in_one_launch};
use crate::error::Error;
use crate::plan::{Launch, ceil_div};
use crate::routine::{Getrf, Inv, Laswp};

/// Declared in `kernels/getrf/args.cuh`, as the others here.
#[repr(C)]
struct GetrfArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    info: *mut i32,
    lda: i64,
    batch: i64,
    m: i32,
    n: i32,
    at: i32,
    columns: i32,
}

impl Launches for Getrf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        // The plan has refused sizes of 2^31 and more.
        let mut args = GetrfArgs {
            a: self.a.into(),
            ipiv: if self.pivoting { self.ipiv.into() } else { DeviceOperand::NONE },
            info: self.info,
            lda: self.lda,
            batch: self.batch,
            m: self.m as i32,
            n: self.n as i32,
            at: 0,
            columns: 0,
        };
        // A matrix has at most as many strips as columns.
        if self.batch.saturating_mul(self.n) > MAX_BLOCKS {
            for l in call.plan.launches() {
                in_one_launch(self.blocks(l))?; // before the first
            }
        }
        call.walk(|l| {
            args.at = l.offset as i32;
            args.columns = if l.k > 0 { l.k } else { l.n } as i32;
            match self.blocks(l) {
                0 => Ok(()), // nothing is beside the panel but what needs no exchange
                // SAFETY: the kernels take GetrfArgs; the operands are the caller's.
                blocks => unsafe { go(l, blocks, &mut args, call.stream) },
            }
        })
    }
}

impl Getrf {
    /// A panel is a block's; what is beside one is cut into strips, mirrored in kernels/getrf/update.cuh.
    fn blocks(&self, l: &Launch) -> i64 {
        if l.k == 0 {
            return ceil_div(self.batch, i64::from(l.instance.per_block));
        }
        let strips = |columns| ceil_div(columns, i64::from(l.instance.columns));
        let left = if self.pivoting { strips(l.offset) } else { 0 };
        self.batch.saturating_mul(left + strips(self.n - l.offset - l.k))
    }
}

#[repr(C)]
struct LaswpArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    lda: i64,
    batch: i64,
    n: i64,
    k1: i64,
    k2: i64,
    first: i64,
    stride: i64,
    backwards: i32,
    pad: i32,
}

impl Launches for Laswp {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if self.k2 > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows on the device".into()));
        }
        call.walk(|l| {
            let blocks = self.batch.saturating_mul(ceil_div(self.n, i64::from(l.instance.columns)));
            let mut args = LaswpArgs {
                a: self.a.into(),
                ipiv: self.ipiv.into(),
                lda: self.lda,
                batch: self.batch,
                n: self.n,
                k1: self.k1 - 1,
                k2: self.k2,
                first: self.k1 - 1,
                stride: self.incx.abs(),
                backwards: (self.incx < 0).into(),
                pad: 0,
            };
            // SAFETY: the kernel takes LaswpArgs; the operands are the caller's.
            unsafe { go(l, blocks, &mut args, call.stream) }
        })
    }
}

#[repr(C)]
struct InverseArgs {
    a: DeviceOperand,
    c: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldc: i64,
    batch: i64,
    n: i32,
    pad: i32,
}

impl Launches for Inv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Inv { a, lda, c, ldc, info, batch, n, .. } = self;
            let blocks = in_one_launch(ceil_div(batch, i64::from(l.instance.per_block)))?;
            let (a, c, n) = (a.into(), c.into(), n as i32);
            let mut args = InverseArgs { a, c, info, lda, ldc, batch, n, pad: 0 };
            // SAFETY: the kernel takes InverseArgs; the operands are the caller's.
            unsafe { go(l, blocks, &mut args, call.stream) }
        })
    }
}
