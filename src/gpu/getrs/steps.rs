//! Solving systems from LU factors on the device, including the launches of gesv and gesv_rbt.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::blas;
use crate::gpu::gesv_rbt::Task;
use crate::gpu::getrs;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::{SOLVE_SIDES, TRSM_STRIPS};
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::trsm::steps::strips;
use crate::routine::{Gesv, GesvRbt, Getrs, Operand, Trans, Uplo};

/// Declared in `kernels/getrf/args.cuh`.
#[repr(C)]
pub struct SolveArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    ipiv: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldb: i64,
    batch: i64,
    n: i32,
    nrhs: i32,
    transposed: i32,
    conjugate: i32,
    tiles: i32,
    shifted: i32,
}

impl SolveArgs {
    /// For A X = B of the launch's sizes; the plan has refused larger ones.
    pub fn new(l: &Launch, a: (Operand, i64), ipiv: Operand, b: (Operand, i64), batch: i64) -> Self {
        SolveArgs {
            a: a.0.into(),
            b: b.0.into(),
            ipiv: ipiv.into(),
            info: std::ptr::null_mut(),
            lda: a.1,
            ldb: b.1,
            batch,
            n: l.m as i32,
            nrhs: l.n as i32,
            transposed: 0,
            conjugate: 0,
            tiles: 1,
            shifted: 0,
        }
    }

    /// For all right-hand sides, which the launch divides into tiles.
    fn in_tiles(self, l: &Launch) -> Result<Self, Error> {
        let tiles = i32::try_from(ceil_div(l.n, i64::from(l.instance.columns)));
        let (Ok(_), Ok(tiles)) = (i32::try_from(l.n), tiles) else {
            return Err(Error::NotSupported("2^31 or more right-hand sides on the device".into()));
        };
        Ok(SolveArgs { tiles, ..self })
    }

    /// A warp has several tiles of right-hand sides, or a block has one.
    fn launch(&mut self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let jobs = self.batch.saturating_mul(self.tiles.into());
        let blocks = in_one_launch(ceil_div(jobs, i64::from(l.instance.per_block)))?;
        // SAFETY: the kernels take SolveArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks, self, queue) }
    }
}

/// Declared in `kernels/getrf/sides.cuh`.
#[repr(C)]
struct SidesArgs {
    all: SolveArgs,
    slots: i32,
    triangle: i32,
}

/// One thread per right-hand side. For a Cholesky factor, `cholesky` is the triangle that is stored.
pub fn by_sides(args: SolveArgs, cholesky: Option<Uplo>, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let all = args.in_tiles(l)?;
    let blocks = in_one_launch(ceil_div(all.batch.saturating_mul(all.tiles.into()), l.per_block.into()))?;
    // The kernels' constants BOTH, LOWER and UPPER.
    let triangle = cholesky.map_or(0, |uplo| if uplo == Uplo::Lower { 1 } else { 2 });
    let mut args = SidesArgs { all, slots: l.per_block as i32, triangle };
    // SAFETY: the kernel takes SidesArgs; the operands are the caller's.
    unsafe { launch_kernel(l, blocks, &mut args, queue) }
}

impl Launches for Gesv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Gesv { a, lda, ipiv, b, ldb, info, batch, .. } = self;
            SolveArgs { info, ..SolveArgs::new(l, (a, lda), ipiv, (b, ldb), batch) }.launch(l, call.queue)
        })
    }
}

impl Launches for Getrs {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "large" {
            return large(self, call.queue);
        }
        call.walk(|l| {
            if l.instance.is_of(TRSM_STRIPS) {
                return strips(&getrs::triangles(self), [0; 2], l, call.queue);
            }
            let &Getrs { trans, a, lda, ipiv, b, ldb, batch, .. } = self;
            let transposed = (trans != Trans::N).into();
            let conjugate = (trans == Trans::C && self.dtype.is_complex()).into();
            let shifted = getrs::has_room_for_shifts(l, lda).into();
            let args =
                SolveArgs { transposed, conjugate, shifted, ..SolveArgs::new(l, (a, lda), ipiv, (b, ldb), batch) };
            if l.instance.is_of(SOLVE_SIDES) {
                return by_sides(args, None, l, call.queue);
            }
            args.in_tiles(l)?.launch(l, call.queue)
        })
    }
}

/// Interchanges, and solves by cuBLAS where it is available.
fn large(p: &Getrs, queue: Queue<'_>) -> Result<(), Error> {
    // SAFETY: the operands are the caller's.
    let exchange = || if p.ipiv.is_null() { Ok(()) } else { unsafe { getrs::exchange(p).enqueue(queue) } };
    blas::with_workspace(queue, |blas| {
        if p.trans == Trans::N {
            exchange()?;
        }
        // SAFETY: as above.
        getrs::triangles(p).iter().try_for_each(|triangle| unsafe { blas.trsm(triangle) })?;
        if p.trans == Trans::N { Ok(()) } else { exchange() }
    })
}

/// Declared in `kernels/getrf/butterfly.cuh`.
#[repr(C)]
struct ButterflyArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    lda: i64,
    ldb: i64,
    batch: i64,
    nrhs: i64,
    n: i32,
    back: i32,
}

/// One thread per part of 4 x 4 elements.
impl Launches for GesvRbt {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let &GesvRbt { n, nrhs, a, lda, b, ldb, batch, .. } = self;
        call.walk_tasks(|l, task| {
            let (back, quarter) = (task == Task::ToSolution, ceil_div(n, 4));
            let columns = ceil_div(nrhs, 4) + if back { 0 } else { quarter };
            let parts = quarter.saturating_mul(columns).saturating_mul(batch);
            let (a, b) = (a.into(), b.into());
            // The plan has refused orders of 2^31 and more.
            let mut args = ButterflyArgs { a, b, lda, ldb, batch, nrhs, n: n as i32, back: back.into() };
            // SAFETY: the kernel takes ButterflyArgs; the operands are the caller's.
            unsafe { launch_kernel(l, ceil_div(parts, i64::from(l.instance.threads)), &mut args, call.queue) }
        })
    }
}
