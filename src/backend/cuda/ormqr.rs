//! Q on the device: applied, written out, and together with R.

use super::Run;
use super::args::{CopyArgs, LarfbArgs, Outside, QArgs};
use super::driver::current_device;
use super::geqrf::{self, MAX_BLOCKS, limits, sharing};
use super::registry::launch;
use crate::error::Error;
use crate::plan::geqrf::{Limits, ceil_div};
use crate::plan::ormqr::{Plan, Start, Step, cached_apply, cached_explicit, cached_generate};
use crate::plan::table::{COPY, Instance, KernelId, LARFT};
use crate::routine::{
    Dtype, Geqrf, Larfb, Larft, Math, Operand, Orgqr, Ormqr, QPart, Qr, Side, Stream, Trans, Workspace, extent,
};
use std::ffi::c_void;
use std::rc::Rc;

/// Launches a kernel that takes one argument structure.
///
/// # Safety
/// `A` must be what the kernel takes, and name memory as [`launch`] wants it.
unsafe fn launch_one<A>(
    kernel: KernelId,
    blocks: i64,
    threads: u32,
    shared: u32,
    args: &mut A,
    stream: Stream,
) -> Result<(), Error> {
    let mut params = [(&raw mut *args).cast::<c_void>()];
    // SAFETY: forwarded.
    unsafe { launch(kernel, blocks.min(MAX_BLOCKS) as u32, threads, shared, &mut params, stream) }
}

fn here() -> Result<Limits, Error> {
    limits(current_device()?)
}

/// Launches a step on `args.n` columns; at most `most` blocks share a matrix.
unsafe fn go(step: &Step, args: &mut LarfbArgs, batch: i64, most: i64, stream: Stream) -> Result<(), Error> {
    args.m = step.rows;
    args.k = step.k;
    let tiles = ceil_div(args.n, step.tile);
    args.tiles = if step.loops { sharing(batch, tiles).min(most) } else { tiles };
    let clusters = ceil_div(batch.saturating_mul(args.tiles), i64::from(step.per_block));
    let blocks = clusters.min(MAX_BLOCKS / step.cluster) * step.cluster;
    // SAFETY: the plan's kernels take LarfbArgs; the operands are the caller's.
    unsafe { launch_one(step.kernel, blocks, step.threads, step.shared, args, stream) }
}

/// What applying op(Q), or an op(H) in its place, from a side comes to.
struct Use {
    /// Order of Q, and columns of D.
    order: i64,
    columns: i64,
    /// D is C^T; D is conjugated; Q^H D rather than Q D.
    turned: bool,
    conjugate: bool,
    adjoint: bool,
}

impl Use {
    /// Left: op(Q) C, where Q^T C = conj(Q^H conj(C)). Right: C Q = (Q^H C^H)^H, C Q^H = (Q C^H)^H and
    /// C Q^T = (Q C^T)^T.
    fn new(dtype: Dtype, side: Side, trans: Trans, m: i64, n: i64) -> Use {
        let complex = dtype.is_complex();
        let transposed = trans != Trans::N;
        match side {
            Side::Left => Use {
                order: m,
                columns: n,
                turned: false,
                conjugate: complex && trans == Trans::T,
                adjoint: transposed,
            },
            Side::Right => Use {
                order: n,
                columns: m,
                turned: true,
                conjugate: complex && trans != Trans::T,
                adjoint: !transposed,
            },
        }
    }

    fn plan(&self, dtype: Dtype, k: i64, given_t: bool) -> Result<Rc<Plan>, Error> {
        cached_apply(dtype, self.order, self.columns, k, self.adjoint, given_t, here()?)
    }

    unsafe fn run(&self, plan: &Plan, mut args: LarfbArgs, batch: i64, stream: Stream) -> Result<(), Error> {
        args.adjoint = self.adjoint.into();
        args.turned = self.turned.into();
        args.conjugate = self.conjugate.into();
        args.n = self.columns;
        for step in &plan.steps {
            args.v0 = step.offset * (args.ldv + 1);
            args.tau0 = step.offset;
            args.t0 = step.offset * (args.ldt + 1);
            args.c0 = step.offset * if self.turned { args.ldc } else { 1 };
            // SAFETY: forwarded.
            unsafe { go(step, &mut args, batch, i64::MAX, stream)? };
        }
        Ok(())
    }
}

fn using(p: &Ormqr) -> (Use, Result<Rc<Plan>, Error>) {
    let u = Use::new(p.dtype, p.side, p.trans, p.m, p.n);
    let plan = u.plan(p.dtype, p.k, false);
    (u, plan)
}

impl Run for Ormqr {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let (u, plan) = using(self);
        // SAFETY: the operands are the caller's.
        unsafe { u.run(&*plan?, self.into(), self.batch, stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        Ok(using(self).1?.describe())
    }
}

fn block(p: &Larfb) -> (Use, Result<Rc<Plan>, Error>) {
    let u = Use::new(p.dtype, p.side, p.trans, p.m, p.n);
    let plan = u.plan(p.dtype, p.k, true);
    (u, plan)
}

impl Run for Larfb {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let (u, plan) = block(self);
        // SAFETY: the operands are the caller's.
        unsafe { u.run(&*plan?, self.into(), self.batch, stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        Ok(block(self).1?.describe())
    }
}

fn plain(table: &'static [Instance], dtype: Dtype) -> Result<&'static Instance, Error> {
    table.iter().find(|k| k.dtype == dtype).ok_or_else(|| Error::Internal("no kernel of this type".into()))
}

impl Run for Larft {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let kernel = plain(LARFT, self.dtype)?;
        // SAFETY: the kernel takes LarfbArgs; the operands are the caller's.
        unsafe { launch_one(kernel.kernel, self.batch, kernel.threads, 0, &mut LarfbArgs::from(self), stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        Ok("generic, 1 launch(es), no workspace\n".into())
    }
}

unsafe fn launch_resident(r: &Instance, args: &mut QArgs, batch: i64, stream: Stream) -> Result<(), Error> {
    // SAFETY: the table's kernels take QArgs; the operands are the caller's.
    unsafe { launch_one(r.kernel, ceil_div(batch, i64::from(r.per_block)), r.threads, 0, args, stream) }
}

impl Run for Orgqr {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let plan = cached_generate(self.dtype, self.m, self.n, self.k, self.batch, here()?)?;
        if let Some(Start { instance, offset }) = plan.start {
            // SAFETY: forwarded.
            unsafe { launch_resident(instance, &mut QArgs::orgqr(self, offset), self.batch, stream)? };
        }
        let mut args = LarfbArgs::from(self);
        for step in &plan.steps {
            let corner = step.offset * (self.lda + 1);
            let own = (ceil_div(step.own, step.grain) * step.grain).min(step.columns);
            let mut part = |first: i64, last: i64, most: i64| {
                args.v0 = corner;
                args.tau0 = step.offset;
                args.c0 = corner + first * self.lda;
                args.n = last - first;
                args.identity = match first {
                    _ if step.first => args.n,
                    0 => own,
                    _ => 0,
                };
                args.diagonal = first;
                args.zeros = step.k as i32;
                // SAFETY: forwarded.
                unsafe { go(step, &mut args, self.batch, most, stream) }
            };
            if 0 < own && own < step.columns && sharing(self.batch, ceil_div(step.columns, step.tile)) > 1 {
                // Blocks that share a matrix read V until the last of them is done; then its columns may go.
                part(own, step.columns, i64::MAX)?;
                part(0, own, 1)?;
            } else {
                part(0, step.columns, 1)?;
            }
        }
        Ok(())
    }

    fn explain(&self) -> Result<String, Error> {
        Ok(cached_generate(self.dtype, self.m, self.n, self.k, self.batch, here()?)?.describe())
    }
}

/// How a QR with explicit factors goes.
struct Explicit {
    /// Columns of Q, rows of R.
    columns: i64,
    rows: i64,
    /// All in one launch.
    fused: Option<&'static Instance>,
    /// A copy of A is needed: neither Q nor R has room for it.
    copy: bool,
}

impl Explicit {
    fn new(p: &Qr) -> Result<Explicit, Error> {
        let k = p.m.min(p.n);
        let (columns, rows) = match p.part {
            QPart::None => (0, k),
            QPart::Thin => (k, k),
            QPart::Full => (p.m, p.m),
        };
        let fused = if k > 0 { cached_explicit(p.dtype, p.m, p.n, columns, here()?) } else { None };
        Ok(Explicit { columns, rows, fused, copy: columns == 0 && p.m > p.n })
    }

    /// Bytes of tau, then of the copy of A.
    fn bytes(&self, p: &Qr) -> Result<(usize, usize), Error> {
        let bytes = |rows: i64, columns: i64| {
            let all = extent::bytes(p.dtype.bytes() as i64, columns, rows, p.batch, rows.checked_mul(columns)?);
            all?.checked_next_multiple_of(Workspace::ALIGNMENT)
        };
        let tau = if self.fused.is_some() { Some(0) } else { bytes(p.m.min(p.n), 1) };
        let copy = if self.copy { bytes(p.m, p.n) } else { Some(0) };
        let sizes = tau.zip(copy).filter(|(tau, copy)| tau.checked_add(*copy).is_some());
        sizes.ok_or_else(|| Error::OutOfMemory("the workspace of qr exceeds the address space".into()))
    }

    /// Where A is factored: in Q's place if that is as wide, in R's if that is as tall, in the copy.
    fn place(&self, p: &Qr) -> Result<(Operand, i64), Error> {
        Ok(if self.copy {
            let base = p.work.p.wrapping_byte_add(self.bytes(p)?.0);
            (Operand::Strided { base, stride: p.m * p.n }, p.m)
        } else if self.columns >= p.n {
            (p.q, p.ldq)
        } else {
            (p.r, p.ldr)
        })
    }
}

/// The factorisation of A's copy, tau at the start of the workspace.
fn factoring(p: &Qr, (a, lda): (Operand, i64)) -> Geqrf {
    let tau = Operand::Strided { base: p.work.p, stride: p.m.min(p.n) };
    Geqrf { dtype: p.dtype, m: p.m, n: p.n, a, lda, tau, batch: p.batch, info: std::ptr::null_mut(), math: Math::Fp32 }
}

impl Run for Qr {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let e = Explicit::new(self)?;
        let place = e.place(self)?;
        if let Some(r) = e.fused {
            let mut args = QArgs::qr(self, e.columns, e.rows, place);
            // SAFETY: forwarded.
            return unsafe { launch_resident(r, &mut args, self.batch, stream) };
        }
        let k = self.m.min(self.n);
        let tau = Operand::Strided { base: self.work.p, stride: k };
        let copy = |from, to: (Operand, i64), rows: i64, columns: i64, triangle: bool| {
            let kernel = plain(COPY, self.dtype)?;
            // A block's turn is about 64 bytes a thread; more turns than blocks are taken one after another.
            let elements = rows.saturating_mul(columns).saturating_mul(self.batch);
            let turn = 64 * i64::from(kernel.threads) / self.dtype.bytes() as i64;
            let blocks = ceil_div(elements, turn).max(1);
            let mut args = CopyArgs::new(from, to, rows, columns, self.batch, triangle);
            // SAFETY: the kernel takes CopyArgs; the operands are the caller's or in the workspace.
            unsafe { launch_one(kernel.kernel, blocks, kernel.threads, 0, &mut args, stream) }
        };
        if k > 0 {
            let qr = factoring(self, place);
            let (a, r) = ((self.a, self.lda), (self.r, self.ldr));
            let mut outside = Outside::default();
            if geqrf::current_plan(&qr)?.outside() {
                outside.from = (place != a).then_some(a);
                outside.r = (place != r).then_some((r.0, r.1, e.rows));
            } else if place != a {
                copy(a, place, self.m, self.n, false)?;
            }
            // SAFETY: A's factors go to a place of their own, or R's; R is the caller's.
            unsafe { qr.run_outside(&outside, stream)? };
            if e.columns > 0 && place != (self.q, self.ldq) {
                copy(place, (self.q, self.ldq), self.m, k, false)?;
            }
            if outside.r.is_none() {
                copy(place, r, e.rows, self.n, true)?;
            }
        }
        if e.columns > 0 {
            let (dtype, m, n, a, lda, batch) = (self.dtype, self.m, e.columns, self.q, self.ldq, self.batch);
            // SAFETY: Q holds the reflectors.
            unsafe { Orgqr { dtype, m, n, k, a, lda, tau, batch }.run(stream)? };
        }
        Ok(())
    }

    fn workspace(&self) -> Result<usize, Error> {
        let (tau, copy) = Explicit::new(self)?.bytes(self)?;
        Ok(tau + copy)
    }

    fn explain(&self) -> Result<String, Error> {
        let e = Explicit::new(self)?;
        if let Some(r) = e.fused {
            return Ok(format!(
                "resident, 1 launch(es), workspace of {} bytes\n  {}\n",
                self.workspace()?,
                r.describe()
            ));
        }
        let mut text = format!("geqrf and orgqr, workspace of {} bytes\n", self.workspace()?);
        let k = self.m.min(self.n);
        if k > 0 {
            text += &geqrf::current_plan(&factoring(self, e.place(self)?))?.describe();
        }
        if e.columns > 0 {
            text += &cached_generate(self.dtype, self.m, e.columns, k, self.batch, here()?)?.describe();
        }
        Ok(text)
    }
}
