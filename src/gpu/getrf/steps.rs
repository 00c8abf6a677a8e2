//! LU factorisations and row interchanges on the device.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::{DeviceOperand, Extent, SizesArgs, TrsmArgs};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::gemm::steps as gemm;
use crate::gpu::gemm::steps::{GemmArgs, Stored};
use crate::gpu::getrf::{Task, WIDEST, columns_that_fit, large, trailing_layout};
use crate::gpu::plan::parts::sort::Members;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{GETRF_CLUSTER_PANEL_EACH, GETRF_PANEL_EACH, GETRF_TALL_STEP};
use crate::gpu::plan::walk::{Call, Launches, MAX_BLOCKS, MAX_LOOPING_BLOCKS, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div, classes};
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, Diag, Getrf, Laswp, LaswpSizes, Side, Sizes, Trans, Trsm, Uplo};
use crate::scalar::C64;
use std::ffi::c_void;
use std::ops::Deref;

/// Declared in `kernels/getrf/args.cuh`, as are other arguments here without a header of their own.
#[repr(C)]
pub struct GetrfArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    info: *mut i32,
    lda: i64,
    batch: i64,
    m: i32,
    n: i32,
    at: i32,
    columns: i32,
    first: i32,
    strips: i32,
}

/// The same for members with individual sizes.
#[repr(C)]
struct GetrfEachArgs {
    all: GetrfArgs,
    sizes: SizesArgs,
    least_pivots: *const c_void,
    least_of_all: f64,
}

/// Declared in `kernels/getrf/tall_step.cuh`.
#[repr(C)]
struct GetrfStepArgs {
    lu: GetrfArgs,
    offers: *mut c_void,
    k: i32,
    blocks: i32,
    height: i32,
    pad: i32,
}

/// Declared in `kernels/getrf/trailing.cuh`.
#[repr(C)]
struct TrailingArgs {
    lu: GetrfArgs,
    strips: i32,
    slots: i32,
    at_once: i32,
    pad: i32,
}

/// Declared in `kernels/getrf/strip_update.cuh`.
#[repr(C)]
struct StripUpdateArgs {
    lu: GetrfArgs,
    left: i32,
    strips: i32,
}

/// Declared in `kernels/getrf/left_exchanges.cuh`.
#[repr(C)]
struct LeftExchangesArgs {
    lu: GetrfArgs,
    wide: i32,
    strips: i32,
    together: i32,
    pad: i32,
}

impl Launches for Getrf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "large" {
            return large::walk(self, call.plan.limits, call.queue);
        }
        let lu = Factorisation(self);
        // A block has one panel or one strip. A matrix has at most as many strips as columns.
        if self.batch.saturating_mul(self.n) > MAX_BLOCKS {
            for (l, task) in call.plan.tasks() {
                match task {
                    Task::Panel | Task::Update | Task::Strips | Task::Trailing | Task::LeftInterchanges => {
                        in_one_launch(lu.blocks(l, task))?; // checked before the first launch
                    }
                    Task::Interchanges | Task::Solve | Task::Product => (),
                }
            }
        }
        if let Some(sizes) = &self.sizes {
            return factor_members(self, sizes, &call);
        }
        let offers = call.plan.launches().map(|l| lu.offer_bytes(l)).max().unwrap_or(0);
        let scratch = Scratch::take(offers, call.queue)?; // none, for most plans
        let done = call.walk_tasks(|l, task| match task {
            // SAFETY: the operands are the caller's, and the scratch suffices for the tallest panel.
            Task::Panel => unsafe { lu.panel(l, scratch.p, call.queue) },
            Task::Update => match lu.blocks(l, task) {
                0 => Ok(()), // no columns beside the panel, or none that need interchanges
                // SAFETY: the kernels take GetrfArgs; the operands are the caller's.
                blocks => unsafe { launch_kernel(l, blocks, &mut lu.args(l, task), call.queue) },
            },
            Task::Interchanges if self.pivoting => lu.interchange(l, call.queue),
            Task::Interchanges => Ok(()),
            Task::Solve => lu.solve(l, call.queue),
            Task::Product => lu.multiply(l, call.queue),
            Task::Trailing => lu.trailing(l, call.queue),
            Task::Strips => lu.strips(l, call.queue),
            Task::LeftInterchanges if self.pivoting => lu.interchange_left(l, call.queue),
            Task::LeftInterchanges => Ok(()),
        });
        scratch.give_back(done)
    }
}

/// Factors members with individual sizes.
fn factor_members(p: &Getrf, sizes: &Sizes, call: &Call<Getrf>) -> Result<(), Error> {
    let factor = |p: &Getrf, sizes: &Sizes| {
        let lu = Factorisation(p);
        classes::walk(&call.of(p), |l, task, queue| match lu.blocks(l, task) {
            0 => Ok(()),
            blocks => lu.factor_each(l, task, blocks, sizes, queue),
        })
    };
    if !p.small.thresholds.is_null() {
        return factor(p, sizes); // the thresholds would have to be sorted with the members
    }
    let &Getrf { dtype, m, n, a, ipiv, info, batch, .. } = p;
    let operands = [(a, dtype.bytes()), (ipiv, size_of::<i32>())];
    let members = Members { dtype, most: [m, n], sizes: [sizes.m, sizes.n, sizes.lda], operands, info, batch };
    members.sorted(DEFAULT.sorted.getrf, call.queue, |members| {
        let &Members { sizes: [m, n, lda], operands: [(a, _), (ipiv, _)], info, .. } = members;
        factor(&Getrf { a, ipiv, info, ..*p }, &Sizes { m, n, lda })
    })
}

/// Rows per block and blocks per matrix of a launch that does one step of a tall panel; `None` for any other. A block
/// reads the offers of all others, so that there are at most as many as it has threads.
fn divided(l: &Launch) -> Option<(i64, i64)> {
    if !l.instance.is_of(GETRF_TALL_STEP) {
        return None; // every other launch of a warm call
    }
    let threads = i64::from(l.threads);
    let height = threads * ceil_div(l.m, threads * threads).max(1);
    Some((height, ceil_div(l.m, height)))
}

fn without_room() -> Error {
    Error::Internal("a launch without room".into())
}

/// The problem, from which its launches get their arguments.
pub struct Factorisation<'a>(pub &'a Getrf);

impl Deref for Factorisation<'_> {
    type Target = Getrf;
    fn deref(&self) -> &Getrf {
        self.0
    }
}

impl Factorisation<'_> {
    /// Blocks of a launch. A block has one panel, or one of the strips into which the columns beside a panel are cut
    /// (kernels/getrf/update.cuh counts them in the same way).
    pub fn blocks(&self, l: &Launch, task: Task) -> i64 {
        match task {
            Task::Panel => ceil_div(self.batch, i64::from(l.instance.per_block)),
            Task::Trailing | Task::LeftInterchanges => {
                self.batch.saturating_mul(ceil_div(l.n, i64::from(l.instance.columns)))
            }
            _ => {
                let (left, right) = self.sides(l);
                self.batch.saturating_mul(left + right)
            }
        }
    }

    /// A matrix's strips to the left of a panel, where rows are only interchanged, and those to its right.
    fn sides(&self, l: &Launch) -> (i64, i64) {
        let strips = |columns| ceil_div(columns, i64::from(l.instance.columns));
        let left = if self.pivoting { strips(l.offset - l.first) } else { 0 };
        // A member may have fewer columns in the panel, and therefore one more strip.
        let panel = if self.sizes.is_some() { 0 } else { l.k };
        (left, strips(l.first + l.n - l.offset - panel))
    }

    /// The arguments that all of these kernels share. The plan has refused sizes of 2^31 and more.
    pub fn args(&self, l: &Launch, task: Task) -> GetrfArgs {
        let beside = task != Task::Panel;
        GetrfArgs {
            a: self.a.into(),
            ipiv: if self.pivoting { self.ipiv.into() } else { DeviceOperand::NONE },
            info: self.info,
            lda: self.lda,
            batch: self.batch,
            m: (l.offset + l.m) as i32,
            n: if beside { l.first + l.n } else { self.n } as i32,
            at: l.offset as i32,
            columns: if beside { l.k } else { l.n } as i32,
            first: l.first as i32,
            strips: 0,
        }
    }

    /// Factors a panel: in one launch, or in one per step if its kernel does one step of a tall panel.
    ///
    /// # Safety
    /// The operands must be valid in stream order, and `offers` must be [`Factorisation::offer_bytes`] of memory that
    /// nothing else uses meanwhile.
    pub unsafe fn panel(&self, l: &Launch, offers: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        let Some((height, blocks)) = divided(l) else {
            // SAFETY: these kernels take GetrfArgs.
            return unsafe { launch_kernel(l, self.blocks(l, Task::Panel), &mut self.args(l, Task::Panel), queue) };
        };
        (0..=l.m.min(l.n)).try_for_each(|k| {
            let (lu, blocks_of_all) = (self.args(l, Task::Panel), self.batch.saturating_mul(blocks));
            // All are below 2^31, because the number of rows is.
            let [k, blocks, height] = [k, blocks, height].map(|count| count as i32);
            let mut args = GetrfStepArgs { lu, offers, k, blocks, height, pad: 0 };
            // SAFETY: the kernel takes GetrfStepArgs and loops over the blocks that exceed a launch.
            unsafe { launch_kernel(l, blocks_of_all, &mut args, queue) }
        })
    }

    /// Bytes of memory in which the steps of a tall panel offer rows to each other; 0 for any other launch.
    pub fn offer_bytes(&self, l: &Launch) -> usize {
        let Some((_, blocks)) = divided(l) else { return 0 };
        let offer = 16 + l.instance.columns as usize * self.dtype.bytes();
        (self.batch as usize).saturating_mul(2 * (blocks as usize + 1)).saturating_mul(offer)
    }

    /// A panel of members with individual sizes, or the update of the columns beside it.
    fn factor_each(&self, l: &Launch, task: Task, blocks: i64, sizes: &Sizes, queue: Queue<'_>) -> Result<(), Error> {
        let update = task == Task::Update;
        let (left, right) = if update { self.sides(l) } else { (0, 0) };
        let panel = [GETRF_PANEL_EACH, GETRF_CLUSTER_PANEL_EACH].into_iter().any(|family| l.instance.is_of(family));
        let parts = panel || l.instance.columns == 0 || update;
        // Below 2^31, because the number of blocks is.
        let all = GetrfArgs { strips: (left + right) as i32, ..self.args(l, task) };
        let sizes = SizesArgs::new(sizes, (self.m, self.n), (l.over, l.upto));
        let mut args =
            GetrfEachArgs { all, sizes, least_pivots: self.small.thresholds, least_of_all: self.small.threshold };
        let blocks = if parts { blocks.min(MAX_LOOPING_BLOCKS) } else { blocks };
        // SAFETY: these kernels take GetrfEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks, &mut args, queue) }
    }

    /// Updates everything to the right of an outer panel.
    fn trailing(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let layout = trailing_layout(l.instance, l.k, l.shared);
        let layout = layout.ok_or_else(without_room)?;
        let strips = ceil_div(l.n, i64::from(l.instance.columns)) as i32;
        let (slots, at_once) = (layout.slots as i32, layout.at_once as i32);
        let mut args = TrailingArgs { lu: self.args(l, Task::Trailing), strips, slots, at_once, pad: 0 };
        // SAFETY: the kernel takes TrailingArgs; the operands are the caller's.
        unsafe { launch_kernel(l, self.blocks(l, Task::Trailing), &mut args, queue) }
    }

    /// Updates the columns beside a panel or an outer panel, by strips without barriers.
    fn strips(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (left, right) = self.sides(l);
        let (left, strips) = (left as i32, (left + right) as i32);
        match self.blocks(l, Task::Strips) {
            0 => Ok(()), // no columns beside the panel, or none that need interchanges
            // SAFETY: the kernel takes StripUpdateArgs; the operands are the caller's.
            blocks => unsafe {
                launch_kernel(l, blocks, &mut StripUpdateArgs { lu: self.args(l, Task::Strips), left, strips }, queue)
            },
        }
    }

    /// Applies the interchanges to the left of outer panels.
    fn interchange_left(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let strips = ceil_div(l.n, i64::from(l.instance.columns)) as i32;
        let together = columns_that_fit(l.instance, l.m, l.shared).ok_or_else(without_room)? as i32;
        let mut args = LeftExchangesArgs {
            lu: self.args(l, Task::LeftInterchanges),
            wide: WIDEST as i32,
            strips,
            together,
            pad: 0,
        };
        // SAFETY: the kernel takes LeftExchangesArgs; the operands are the caller's.
        unsafe { launch_kernel(l, self.blocks(l, Task::LeftInterchanges), &mut args, queue) }
    }

    /// Interchanges rows `offset` .. `offset + k` in all columns from `first` on except the panel's own.
    fn interchange(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (k1, k2) = (l.offset, l.offset + l.k);
        let mut args = LaswpArgs::of_steps(self, (k1, k2), (if l.first == 0 { k1 } else { 0 }, k2, self.n));
        // SAFETY: the kernel takes LaswpArgs; the operands are the caller's.
        match args.blocks(l) {
            0 => Ok(()),
            blocks => unsafe { launch_kernel(l, blocks, &mut args, queue) },
        }
    }

    /// U12 := L11^-1 A12.
    fn solve(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let &Getrf { dtype, a, lda, batch, .. } = self.0;
        let (side, uplo, trans, diag) = (Side::Left, Uplo::Lower, Trans::N, Diag::Unit);
        let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
        let p =
            Trsm { dtype, side, uplo, trans, diag, m: l.k, n: l.n, alpha, a, lda, b: a, ldb: lda, sizes: None, batch };
        let (a0, b0) = (l.offset * (lda + 1), l.offset + (l.offset + l.k) * lda);
        let tiles = ceil_div(l.n, i64::from(l.instance.columns));
        let blocks = ceil_div(batch.saturating_mul(tiles), i64::from(l.instance.per_block));
        let mut args = TrsmArgs::new(&p, &Canonical { a0, b0, ..Canonical::of(&p) }, tiles);
        // SAFETY: the kernel takes TrsmArgs; the operands are the caller's.
        unsafe { launch_kernel(l, blocks, &mut args, queue) }
    }

    /// A22 := A22 - L21 U12.
    fn multiply(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let (lda, at, end) = (self.lda, l.offset, l.offset + l.k);
        let [minus_one, one] = [-1.0, 1.0].map(Alpha::host);
        let mut args = GemmArgs {
            a: self.a.into(),
            b: self.a.into(),
            a0: end + at * lda,
            acs: lda,
            b0: at + end * lda,
            bcs: lda,
            c0: end * (lda + 1),
            // The plan has refused sizes of 2^31 and more.
            m: l.m as i32,
            n: l.n as i32,
            k: l.k as i32,
            ..GemmArgs::new(minus_one, one, (self.a, lda), Stored::Full, self.batch)
        };
        // SAFETY: the kernel takes GemmArgs; the operands are the caller's.
        unsafe { launch_kernel(l, gemm::blocks(l, Stored::Full, self.batch), &mut args, queue) }
    }
}

#[repr(C)]
pub struct LaswpArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    lda: i64,
    batch: i64,
    n: i64,
    k1: i64,
    k2: i64,
    first: i64,
    stride: i64,
    gap: i64,
    after: i64,
    backwards: i32,
    pad: i32,
}

/// Declared in `kernels/getrf/exchange_each.cuh`.
#[repr(C)]
struct LaswpEachArgs {
    all: LaswpArgs,
    columns: Extent,
    rows: Extent,
    leading: *const i32,
    beside: *const i32,
}

impl LaswpArgs {
    /// Applies the interchanges of steps k1 .. k2 of a factorisation to columns 0 .. left and from .. to.
    pub fn of_steps(lu: &Factorisation, (k1, k2): (i64, i64), (left, from, to): (i64, i64, i64)) -> Self {
        LaswpArgs {
            a: lu.a.into(),
            ipiv: lu.ipiv.into(),
            lda: lu.lda,
            batch: lu.batch,
            n: to,
            k1,
            k2,
            first: k1,
            stride: 1,
            gap: left,
            after: from,
            backwards: 0,
            pad: 0,
        }
    }

    /// One block per strip of columns, on either side of the gap.
    pub fn blocks(&self, l: &Launch) -> i64 {
        let strips = |columns| ceil_div(columns, i64::from(l.instance.columns));
        self.batch.saturating_mul(strips(self.gap) + strips(self.n - self.after))
    }
}

impl Launches for Laswp {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if self.k2 > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows on the device".into()));
        }
        call.walk(|l| {
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
                gap: 0,
                after: 0,
                backwards: (self.incx < 0).into(),
                pad: 0,
            };
            let blocks = args.blocks(l);
            let Some(LaswpSizes { n, k2, lda: leading, other_ld: beside }) = self.sizes else {
                // SAFETY: the kernel takes LaswpArgs; the operands are the caller's.
                return unsafe { launch_kernel(l, blocks, &mut args, call.queue) };
            };
            let (columns, rows) = (Extent::new(n, self.n), Extent::new(k2, self.k2));
            let mut args = LaswpEachArgs { all: args, columns, rows, leading, beside };
            // SAFETY: this kernel takes LaswpEachArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, call.queue) }
        })
    }
}
