//! Batched QR on the device.

use super::ahead::{Ahead, Rest};
use super::args::{DeviceOperand, ExtractArgs, GeqrfArgs, LarfbArgs};
use super::geqrf_each;
use super::reflect::{Reflector, with_scratch};
use super::registry::{clusters_at_once, launch};
use super::tall_panel::{self, Output, Panel};
use super::walk::{Call, Launches, MAX_BLOCKS, go, in_one_launch};
use crate::error::Error;
use crate::plan::table::{EXTRACT, Instance};
use crate::plan::tall_panel::is_tree;
use crate::plan::tall_update::{is_divided, is_split, next_panel};
use crate::plan::{Launch, Outside, ceil_div};
use crate::routine::{Geqrf, GeqrfExtract, Stream, extent};
use std::ffi::c_void;
use std::ptr::null_mut;

impl Launches for Geqrf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if let Some(sizes) = &self.sizes {
            return geqrf_each::walk(self, sizes, call);
        }
        walk(self, call, &Outside::default())
    }
}

/// Factors; `outside`: only with a plan that allows it.
pub fn walk(p: &Geqrf, call: Call<Geqrf>, outside: &Outside) -> Result<(), Error> {
    // Of the sums of updates whose rows are divided: of those that panels go on beside, and of the panels' own.
    let mut most = [0; 2];
    for l in call.plan.launches().filter(|l| is_divided(l.instance)) {
        let most = &mut most[usize::from(next_panel(l, call.plan.limits).is_none())];
        *most = divided(p, l).bytes(call.plan.limits)?.max(*most);
    }
    let bytes = most[0].checked_add(most[1]).ok_or_else(too_many_sums)?;
    if !call.plan.launches().any(|l| is_split(l.instance)) {
        return with_scratch(bytes, call.stream, |sums| {
            walk_with(p, call, outside, [sums, sums.wrapping_byte_add(most[0])], DeviceOperand::NONE)
        });
    }
    // Powers of two of all columns, which no reflector changes.
    let all = whole(p);
    let each = extent::bytes(p.dtype.bytes() as i64, p.n, 1, p.batch, p.n);
    let end = each.and_then(|each| bytes.checked_add(each));
    let end = end.ok_or_else(too_many_sums)?;
    with_scratch(end, call.stream, |sums| {
        let powers = sums.wrapping_byte_add(bytes);
        // SAFETY: the operands are the caller's; behind the sums, whose elements are as large, is a number for each column.
        unsafe { all.scale(DeviceOperand::strided(powers, p.n), call.stream)? };
        walk_with(p, call, outside, [sums, sums.wrapping_byte_add(most[0])], DeviceOperand::strided(powers, p.n))
    })
}

fn too_many_sums() -> Error {
    Error::OutOfMemory("the sums exceed the address space".into())
}

/// A trailing update whose rows are divided.
fn divided(p: &Geqrf, l: &Launch) -> Reflector {
    let v0 = l.offset * (p.lda + 1);
    Reflector { first: [v0, l.offset, v0 + l.k * p.lda], m: l.m, n: l.n - l.k, k: l.k, ..whole(p) }
}

/// No reflectors yet, on all of A.
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
    }
}

fn walk_with(
    p: &Geqrf,
    call: Call<Geqrf>,
    outside: &Outside,
    sums: [*mut c_void; 2],
    powers: DeviceOperand,
) -> Result<(), Error> {
    let Call { plan, .. } = call;
    let (batch, multiprocessors) = (p.batch, i64::from(plan.limits.multiprocessors));
    if batch > MAX_BLOCKS {
        for l in plan.launches().filter(|l| l.k == 0 && !is_tree(l)) {
            in_one_launch(l.blocks(batch, multiprocessors))?;
        }
    }
    let mut args = GeqrfArgs::try_from(p)?;
    let mut update = LarfbArgs::from(p);
    let mut touched = 0; // columns that a launch has changed
    let mut ahead = Ahead::new(call.stream, plan.launches().any(|l| next_panel(l, plan.limits).is_some()));
    call.walk(|l| {
        let (first, end) = l.columns();
        let stream = ahead.stream(end)?;
        let fresh = first >= touched;
        touched = end.max(touched);
        if is_tree(l) {
            let info = if args.sets_info() { p.info } else { null_mut() };
            let output = Output::Reflectors { a: p.a, lda: p.lda, tau: p.tau, info };
            tall_panel::factor(Panel { dtype: p.dtype, batch, launch: l, output }, plan.limits, stream)?;
            args.info_is_set();
        } else if l.k == 0 {
            args.place(l.m, l.n, l.offset);
            args.outside(outside, fresh);
            // SAFETY: the kernel takes GeqrfArgs; its operands are the caller's.
            unsafe { go(l, l.blocks(batch, multiprocessors), &mut args, stream)? };
            args.info_is_set(); // by the first launch, which is never an update
        } else if is_divided(l.instance) {
            let size = p.dtype.bytes();
            let split = is_split(l.instance);
            let powers = if split { powers.further((l.offset + l.k) as usize * size) } else { DeviceOperand::NONE };
            let next = next_panel(l, plan.limits);
            let (reflector, sums) = (divided(p, l), sums[usize::from(next.is_none())]);
            // SAFETY: the operands are the caller's; the scratch is the most that an update of its kind needs.
            unsafe {
                let reflection = reflector.begin(next.unwrap_or(reflector.n), powers, plan.limits, sums, stream)?;
                if let Some(next) = next {
                    return ahead.fork(Rest { reflection, first: first + next });
                }
            }
        } else {
            let (clusters, tiles) = l.divided(batch, || Ok(l.division(batch, at_once(l, multiprocessors)?)))?;
            update.m = l.m;
            update.n = l.n - l.k;
            update.k = l.k;
            update.v0 = l.offset * (update.ldv + 1);
            update.c0 = update.v0 + l.k * update.ldc;
            update.tau0 = l.offset;
            update.tiles = tiles;
            update.outside(outside, fresh, l.offset, l.k);
            // SAFETY: the kernel takes LarfbArgs; its operands are the caller's.
            unsafe { go(l, clusters, &mut update, stream)? };
        }
        // SAFETY: as of the update that forked.
        unsafe { ahead.launched() }
    })?;
    ahead.join()
}

/// Clusters of an update that run at a time.
fn at_once(l: &Launch, multiprocessors: i64) -> Result<i64, Error> {
    let Instance { kernel, threads, cluster, .. } = *l.instance;
    if cluster <= 2 { Ok(l.at_once(multiprocessors)) } else { clusters_at_once(kernel, threads, l.shared, cluster) }
}

/// See [`crate::backend::Runtime::geqrf_extract`].
pub unsafe fn extract(p: &GeqrfExtract, stream: Stream) -> Result<(), Error> {
    let panels = ceil_div(p.qr.m.min(p.qr.n), p.nb);
    let kernel = Instance::plain(EXTRACT, p.qr.dtype)?;
    let blocks = p.qr.batch.saturating_mul(panels).min(MAX_BLOCKS);
    let mut args = ExtractArgs::try_from(p)?;
    let mut params = [(&raw mut args).cast()];
    // SAFETY: the kernel takes ExtractArgs.
    unsafe { launch(kernel.kernel, blocks as u32, kernel.threads, 0, &mut params, stream) }
}
