//! Least squares for members with individual sizes, each according to its own shape.
//!
//! A first launch examines all members. It copies A^H where that is the taller one, and writes each member's tall
//! factor F: its address, its shape, and its number of right-hand sides as a least-squares problem and as a
//! minimum-norm problem, one of which is zero. QR, the application of Q and the triangular solves use these arrays,
//! so those of the other kind find nothing to do.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::gels::Task;
use crate::gpu::plan::each::{Each, begin_with_checks, checked, end_with_codes};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{GELS_FINISH_EACH, GELS_PREPARE_EACH, Instance};
use crate::gpu::plan::walk::{MAX_LOOPING_BLOCKS, launch_kernel};
use crate::gpu::plan::work::{Arrays, members};
use crate::gpu::plan::{Launch, Plan, ceil_div};
use crate::routine::{
    Alpha, Diag, Dtype, Gels, GelsSizes, Geqrf, Math, Operand, Ormqr, QSizes, Side, Sizes, Trans, Trsm, TrsmSizes,
    Uplo, Workspace,
};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Declared in `kernels/gels/each.cuh`.
#[repr(C)]
struct GelsEachArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    w: DeviceOperand,
    shifts: DeviceOperand,
    m: *const i32,
    n: *const i32,
    nrhs: *const i32,
    lda: *const i32,
    ldb: *const i32,
    factored: *mut *mut c_void,
    rows: *mut i32,
    columns: *mut i32,
    leading: *mut i32,
    least: *mut i32,
    shortest: *mut i32,
    info: *mut i32,
    batch: i64,
    transposed: i32,
    pad: i32,
}

/// The workspace: the checked numbers of rows ([`checked`]), the arrays that describe F, and arrays of elements.
struct WorkspaceLayout {
    /// Rows, columns and leading dimension of F, and right-hand sides of either kind.
    ints: [*mut i32; 5],
    factored: *mut *mut c_void,
    /// tau, the copies of A^H, and two exponents in the space of one element.
    arrays: Arrays<3>,
    work: Workspace,
}

impl WorkspaceLayout {
    fn of(p: &Gels) -> Result<WorkspaceLayout, Error> {
        let ints = members(p)?;
        let none = || Error::OutOfMemory("the workspace exceeds the address space".into());
        // An address is as large as two `int`s.
        let before = ints.checked_mul(6 + 2).ok_or_else(none)?;
        // A member that is copied has more columns than rows.
        let least = p.m.min(p.n);
        // Members without columns have exponents, too.
        let arrays = Arrays::after(before, p, [least, least.saturating_mul(p.n), 1])?;
        let at = |i: usize| p.work.p.wrapping_byte_add(i * ints);
        Ok(WorkspaceLayout {
            ints: [1, 2, 3, 4, 5].map(|i| at(i).cast()),
            factored: at(6).cast(),
            arrays,
            work: p.work,
        })
    }
    fn array(&self, i: usize) -> Operand {
        self.arrays.operand(i, self.work)
    }
    fn factors(&self) -> Operand {
        Operand::Pointers(self.factored.cast_const().cast())
    }
}

/// The complete plan: a first launch, the parts, and a last launch.
pub fn plan(dtype: Dtype, (m, n): (i64, i64), nrhs: i64) -> Result<Plan<Gels>, Error> {
    if m.max(n).max(nrhs) > i32::MAX.into() {
        return Err(Error::NotSupported("sizes of members of 2^31 or more".into()));
    }
    let mut plan = begin_with_checks();
    plan.workspace = |p| Ok(WorkspaceLayout::of(p)?.arrays.bytes);
    plan.launch_for(Task::Prepare, Launch::on(Instance::plain(GELS_PREPARE_EACH, dtype)?, m, n, 0));
    if m.min(n) > 0 {
        plan.sub(|p: &Gels, to| to.operation(&factoring(p)?));
    }
    if m.min(n) > 0 && nrhs > 0 {
        plan.sub(|p, to| to.operation(&applying(p, Kind::LeastSquares)?));
        plan.sub(|p, to| to.operation(&solving(p, Kind::LeastSquares)?));
        plan.sub(|p, to| to.operation(&solving(p, Kind::MinimumNorm)?));
        plan.sub(|p, to| to.operation(&applying(p, Kind::MinimumNorm)?));
    }
    plan.launch_for(Task::Finish, Launch::on(Instance::plain(GELS_FINISH_EACH, dtype)?, m, n, 0));
    end_with_codes(&mut plan);
    Ok(plan)
}

impl Each for Gels {
    fn with_first(&self, m: *const i32) -> Gels {
        Gels { sizes: self.sizes.map(|sizes| GelsSizes { m, ..sizes }), ..*self }
    }
}

/// The description of the first launch.
pub fn words_of_prepare(p: &Gels, l: &Launch) -> String {
    let what = "shapes, A^H of members with more columns than rows, and A and B that are near an end of the range brought away";
    format!("{what}, up to {} x {}, {} right-hand sides", l.m, l.n, p.nrhs)
}

/// Runs a launch that [`plan`] added.
///
/// # Safety
/// Unless `queue` is a list, operands must be device memory as the sizes say.
pub unsafe fn launch(p: &Gels, l: &Launch, task: Task, queue: Queue<'_>) -> Result<(), Error> {
    let (layout, GelsSizes { m, n, nrhs, lda, ldb }) =
        (WorkspaceLayout::of(p)?, checked(p).sizes.unwrap_or(GelsSizes::NULL));
    let [rows, columns, leading, least, shortest] = layout.ints;
    let mut args = GelsEachArgs {
        a: p.a.into(),
        b: p.b.into(),
        w: layout.array(1).into(),
        shifts: layout.array(2).into(),
        m,
        n,
        nrhs,
        lda,
        ldb,
        factored: layout.factored,
        rows,
        columns,
        leading,
        least,
        shortest,
        info: p.info,
        batch: p.batch,
        transposed: (p.trans != Trans::N).into(),
        pad: 0,
    };
    let warps = if task == Task::Finish { i64::from(l.instance.threads) / 32 } else { 1 };
    // SAFETY: the kernels take GelsEachArgs.
    unsafe { launch_kernel(l, ceil_div(p.batch, warps).min(MAX_LOOPING_BLOCKS), &mut args, queue) }
}

/// Members with at least as many equations as unknowns, and those with fewer.
#[derive(Clone, Copy)]
enum Kind {
    LeastSquares,
    MinimumNorm,
}

impl Kind {
    /// The array of right-hand sides, which is zero for members of the other kind.
    fn sides(self, layout: &WorkspaceLayout) -> *const i32 {
        let [.., least, shortest] = layout.ints;
        match self {
            Kind::LeastSquares => least,
            Kind::MinimumNorm => shortest,
        }
    }
}

fn factoring(p: &Gels) -> Result<Geqrf, Error> {
    let (layout, (m, n)) = (WorkspaceLayout::of(p)?, (p.m.max(p.n), p.m.min(p.n)));
    let [rows, columns, leading, ..] = layout.ints;
    let sizes = Some(Sizes { m: rows, n: columns, lda: leading });
    let (a, tau, info) = (layout.factors(), layout.array(0), null_mut());
    Ok(Geqrf { dtype: p.dtype, m, n, a, lda: 1, sizes, tau, batch: p.batch, info, math: Math::Fp32 })
}

/// Applies Q^H before R^-1, or Q after R^-H.
fn applying(p: &Gels, kind: Kind) -> Result<Ormqr, Error> {
    let (layout, GelsSizes { ldb, .. }) = (WorkspaceLayout::of(p)?, p.sizes.unwrap_or(GelsSizes::NULL));
    let [rows, columns, leading, ..] = layout.ints;
    let sizes = QSizes { m: rows, n: kind.sides(&layout), k: columns, lda: leading, ldc: ldb, info: null_mut() };
    let trans = if let Kind::LeastSquares = kind { Trans::C } else { Trans::N };
    let (m, k, a, tau) = (p.m.max(p.n), p.m.min(p.n), layout.factors(), layout.array(0));
    let (dtype, side, n, c, batch) = (p.dtype, Side::Left, p.nrhs, p.b, p.batch);
    Ok(Ormqr { dtype, side, trans, m, n, k, a, lda: 1, tau, c, ldc: 1, batch, sizes: Some(sizes) })
}

fn solving(p: &Gels, kind: Kind) -> Result<Trsm, Error> {
    let (layout, GelsSizes { ldb, .. }) = (WorkspaceLayout::of(p)?, p.sizes.unwrap_or(GelsSizes::NULL));
    let [_, columns, leading, ..] = layout.ints;
    let sizes = Some(TrsmSizes { m: columns, n: kind.sides(&layout), lda: leading, ldb });
    let trans = if let Kind::LeastSquares = kind { Trans::N } else { Trans::C };
    let (side, uplo, diag, alpha) = (Side::Left, Uplo::Upper, Diag::NonUnit, Alpha::host(1.0));
    let (dtype, m, n, a, b, batch) = (p.dtype, p.m.min(p.n), p.nrhs, layout.factors(), p.b, p.batch);
    Ok(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: 1, b, ldb: 1, sizes, batch })
}
