//! Batched QR on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, ExtractArgs, GeqrfArgs, LarfbArgs};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::driver::registry::clusters_at_once;
use crate::gpu::geqrf::ahead::{LookAhead, UnfinishedUpdate};
use crate::gpu::geqrf::each_steps as geqrf_each;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{EXTRACT, Instance};
use crate::gpu::plan::walk::{Call, Launches, MAX_BLOCKS, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, Plan, ceil_div};
use crate::gpu::tall::Task;
use crate::gpu::tall::gram as cholqr;
use crate::gpu::tall::gram_steps::{Outer, PendingMembers};
use crate::gpu::tall::tree_steps as tall_panel;
use crate::gpu::tall::tree_steps::{Output, Panel};
use crate::gpu::tall::update::{is_split, next_panel};
use crate::gpu::tall::update_steps::Reflector;
use crate::routine::{Geqrf, GeqrfExtract, extent};
use std::ffi::c_void;
use std::ptr::null_mut;

impl Launches for Geqrf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if let Some(sizes) = &self.sizes {
            return geqrf_each::walk(self, sizes, call);
        }
        let Call { plan, separate, .. } = call;
        let (batch, multiprocessors) = (self.batch, i64::from(plan.limits.multiprocessors));
        if batch > MAX_BLOCKS {
            for (l, _) in plan.tasks().filter(|(_, task)| *task == Task::Whole) {
                in_one_launch(l.blocks(batch, multiprocessors))?;
            }
        }
        let (mut args, mut update) = (GeqrfArgs::try_from(self)?, LarfbArgs::from(self));
        let layout = ScratchLayout::of(self, plan)?;
        let scratch = Scratch::take(layout.bytes, call.queue)?; // none, for most plans
        let scaled = layout.scale(self, &scratch, call.queue);
        let mut touched = 0; // end of the columns that launches have changed
        let mut ahead = LookAhead::new(call.queue, layout.overlaps);
        let mut outer: Option<Outer> = None; // the outer panel to which this launch's columns belong
        let launched = scaled.and_then(|()| {
            call.walk_tasks(|l, task| {
                let (first, end) = l.columns();
                let queue = ahead.queue(end)?;
                let fresh = first >= touched;
                touched = end.max(touched);
                if let Some(done) = outer.take_if(|outer| end > outer.end) {
                    done.end()?;
                }
                let pending = |outer: &Option<Outer>| outer.as_ref().map_or(PendingMembers::ALL, Outer::pending);
                if task == Task::Tree {
                    let info = if args.sets_info() { self.info } else { null_mut() };
                    let output = Output::Reflectors { a: self.a, lda: self.lda, tau: self.tau, info };
                    let mut panel = Panel { dtype: self.dtype, batch, launch: l, output, pending: PendingMembers::ALL };
                    let after = plan.tasks().skip_while(|(other, _)| !std::ptr::eq(*other, l)).skip(1);
                    if outer.is_none()
                        && let Some((n, wide)) = cholqr::OuterPanelKernels::of(self.dtype, l, after, batch, plan.limits)
                    {
                        let launch = &Launch::on(wide.finish, l.m, n, l.offset);
                        outer = Some(Outer::begin(Panel { launch, ..panel }, wide, plan.limits, queue)?);
                    }
                    panel.pending = pending(&outer);
                    tall_panel::factor(panel, plan.limits, queue)?;
                    args.info_is_set();
                } else if matches!(task, Task::Whole | Task::Held) {
                    args.place(l.m, l.n, l.offset);
                    args.separate_operands(separate, fresh);
                    // SAFETY: the kernel takes GeqrfArgs; its operands are the caller's.
                    unsafe { launch_kernel(l, l.blocks(batch, multiprocessors), &mut args, queue)? };
                    args.info_is_set(); // by the first launch, which is never an update
                } else if task == Task::DividedUpdate {
                    let next = next_panel(l, plan.limits);
                    let reflector = Reflector { pending: pending(&outer), ..divided(self, l) };
                    let powers = layout.powers(self, l, &scratch);
                    let sums = layout.place(&scratch, next);
                    // SAFETY: the operands are the caller's; the scratch suffices for the largest update of its
                    // kind.
                    unsafe {
                        let reflection =
                            reflector.begin(next.unwrap_or(reflector.n), powers, plan.limits, sums, queue)?;
                        if let Some(next) = next {
                            return ahead.fork(UnfinishedUpdate { reflection, first: first + next });
                        }
                    }
                } else {
                    let (clusters, tiles) =
                        l.divided(batch, || Ok(l.division(batch, at_once(l, multiprocessors)?, plan.limits)))?;
                    update.m = l.m;
                    update.n = l.n - l.k;
                    update.k = l.k;
                    update.v0 = l.offset * (update.ldv + 1);
                    update.c0 = update.v0 + l.k * update.ldc;
                    update.tau0 = l.offset;
                    update.tiles = tiles;
                    update.separate_operands(separate, fresh, l.offset, l.k);
                    // SAFETY: the kernel takes LarfbArgs; its operands are the caller's.
                    unsafe { launch_kernel(l, clusters, &mut update, queue)? };
                }
                // SAFETY: guaranteed where the update was forked.
                unsafe { ahead.launched() }
            })
        });
        let launched = launched.and(outer.map_or(Ok(()), Outer::end));
        let done = launched.and_then(|()| ahead.join());
        drop(ahead); // after an error, this waits for the second stream's work
        scratch.give_back(done)
    }
}

/// The layout of a call's scratch memory.
struct ScratchLayout {
    /// Start of the sums of updates that nothing overlaps. They follow the sums of updates that panels overlap.
    own: usize,
    /// If updates are split, the offset of the powers of two of all columns, behind all sums. No reflector changes
    /// them.
    powers: Option<usize>,
    bytes: usize,
    /// Whether panels overlap with updates.
    overlaps: bool,
}

impl ScratchLayout {
    fn of(p: &Geqrf, plan: &Plan<Geqrf>) -> Result<ScratchLayout, Error> {
        let too_many = || Error::OutOfMemory("the sums exceed the address space".into());
        let (mut most, mut split, mut overlaps) = ([0; 2], false, false);
        for (l, _) in plan.tasks().filter(|(_, task)| *task == Task::DividedUpdate) {
            let alone = next_panel(l, plan.limits).is_none();
            let most = &mut most[usize::from(alone)];
            *most = divided(p, l).bytes(plan.limits)?.max(*most);
            (split, overlaps) = (split || is_split(l.instance), overlaps || !alone);
        }
        let [own, of_own] = most;
        let sums = own.checked_add(of_own).ok_or_else(too_many)?;
        if !split {
            return Ok(ScratchLayout { own, powers: None, bytes: sums, overlaps });
        }
        let each = extent::bytes(p.dtype.bytes() as i64, p.n, 1, p.batch, p.n);
        let bytes = each.and_then(|each| sums.checked_add(each)).ok_or_else(too_many)?;
        Ok(ScratchLayout { own, powers: Some(sums), bytes, overlaps })
    }

    /// The sums of an update. `next` is the number of columns of the next panel if that panel overlaps with the
    /// update.
    fn place(&self, scratch: &Scratch, next: Option<i64>) -> *mut c_void {
        scratch.p.wrapping_byte_add(if next.is_none() { self.own } else { 0 })
    }

    fn all_powers(&self, p: &Geqrf, scratch: &Scratch) -> DeviceOperand {
        let at = |powers| DeviceOperand::strided(scratch.p.wrapping_byte_add(powers), p.n);
        self.powers.map_or(DeviceOperand::NONE, at)
    }

    /// The powers of the columns that an update works on.
    fn powers(&self, p: &Geqrf, l: &Launch, scratch: &Scratch) -> DeviceOperand {
        if !is_split(l.instance) {
            return DeviceOperand::NONE;
        }
        self.all_powers(p, scratch).offset_by((l.offset + l.k) as usize * p.dtype.bytes())
    }

    fn scale(&self, p: &Geqrf, scratch: &Scratch, queue: Queue<'_>) -> Result<(), Error> {
        if self.powers.is_none() {
            return Ok(());
        }
        // SAFETY: the operands are the caller's. After the sums, whose elements have the same size, there is a
        // number for each column.
        unsafe { whole(p).scale(self.all_powers(p, scratch), queue) }
    }
}

/// A trailing update whose rows are divided among blocks.
fn divided(p: &Geqrf, l: &Launch) -> Reflector {
    let v0 = l.offset * (p.lda + 1);
    Reflector { first: [v0, l.offset, v0 + l.k * p.lda], m: l.m, n: l.n - l.k, k: l.k, ..whole(p) }
}

/// All of A, with no reflectors yet.
fn whole(p: &Geqrf) -> Reflector {
    Reflector {
        dtype: p.dtype,
        v: p.a,
        ldv: p.lda,
        tau: p.tau,
        c: p.a,
        ldc: p.lda,
        batch: p.batch,
        first: [0; 3],
        m: p.m,
        n: p.n,
        k: 0,
        adjoint: true,
        zeros: 0,
        pending: PendingMembers::ALL,
    }
}

/// Clusters of an update that run concurrently.
fn at_once(l: &Launch, multiprocessors: i64) -> Result<i64, Error> {
    let Instance { kernel, threads, cluster, .. } = *l.instance;
    if cluster <= 2 { Ok(l.at_once(multiprocessors)) } else { clusters_at_once(kernel, threads, l.shared, cluster) }
}

/// See [`crate::backend::Runtime::geqrf_extract`].
pub unsafe fn extract(p: &GeqrfExtract, queue: Queue<'_>) -> Result<(), Error> {
    let panels = ceil_div(p.qr.m.min(p.qr.n), p.nb);
    let kernel = Instance::plain(EXTRACT, p.qr.dtype)?;
    let blocks = p.qr.batch.saturating_mul(panels).min(MAX_BLOCKS);
    let mut args = ExtractArgs::try_from(p)?;
    // SAFETY: the kernel takes ExtractArgs; the operands are the caller's.
    unsafe { launch_kernel(&Launch::on(kernel, p.qr.m, p.qr.n, 0), blocks, &mut args, queue) }
}
