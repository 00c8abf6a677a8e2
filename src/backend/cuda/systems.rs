//! Systems of equations by LU on the device.

use super::args::DeviceOperand;
use super::walk::{Call, Launches, go, in_one_launch};
use crate::error::Error;
use crate::plan::{Launch, ceil_div};
use crate::routine::{Gesv, Getrs, Stream, Trans};

/// Declared in `kernels/getrf/args.cuh`.
#[repr(C)]
struct SolveArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    ipiv: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldb: i64,
    batch: i64,
    n: i32,
    nrhs: i32,
    trans: i32,
    tiles: i32,
}

impl Launches for Gesv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Gesv { a, lda, ipiv, b, ldb, info, batch, .. } = self;
            let (a, b, ipiv) = (a.into(), b.into(), ipiv.into());
            let (n, nrhs, trans) = (l.m as i32, l.n as i32, 0);
            small(l, SolveArgs { a, b, ipiv, info, lda, ldb, batch, n, nrhs, trans, tiles: 1 }, call.stream)
        })
    }
}

impl Launches for Getrs {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Getrs { trans, a, lda, ipiv, b, ldb, batch, .. } = self;
            let (a, b, ipiv, info) = (a.into(), b.into(), ipiv.into(), std::ptr::null_mut());
            let tiles = i32::try_from(ceil_div(l.n, i64::from(l.instance.columns)));
            let (Ok(nrhs), Ok(tiles)) = (i32::try_from(l.n), tiles) else {
                return Err(Error::NotSupported("2^31 or more right-hand sides on the device".into()));
            };
            let trans = match trans {
                Trans::N => 0,
                Trans::T => 1,
                Trans::C => 2,
            };
            let n = l.m as i32;
            small(l, SolveArgs { a, b, ipiv, info, lda, ldb, batch, n, nrhs, trans, tiles }, call.stream)
        })
    }
}

/// Several tiles of right-hand sides a warp.
fn small(l: &Launch, mut args: SolveArgs, stream: Stream) -> Result<(), Error> {
    let jobs = args.batch.saturating_mul(args.tiles.into());
    let blocks = in_one_launch(ceil_div(jobs, i64::from(l.instance.per_block)))?;
    // SAFETY: the kernels take SolveArgs; the operands are the caller's.
    unsafe { go(l, blocks, &mut args, stream) }
}
