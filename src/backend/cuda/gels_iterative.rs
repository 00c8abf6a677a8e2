//! Least squares by iteration on the device. The host waits to know which right-hand sides need more steps, or QR.

use super::Cuda;
use super::copy::copy;
use super::driver::check;
use super::walk::{Call, Launches, go, in_one_launch};
use crate::backend::Runtime;
use crate::error::Error;
use crate::plan::gels_iterative::Places;
use crate::plan::table::{
    ITERATIVE_GRAM, ITERATIVE_PASS, ITERATIVE_SCALES, ITERATIVE_STEP, ITERATIVE_SUM, ITERATIVE_TAKE, Instance,
};
use crate::plan::{Copy, Form, Launch, ceil_div};
use crate::routine::{GelsIterative, Operand, Operation, Stream, Workspace};
use cudarc::driver::sys;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Declared in `kernels/iterative/args.cuh`.
#[repr(C)]
struct IterativeArgs {
    a: *mut c_void,
    b: *mut c_void,
    x: *mut c_void,
    lda: i64,
    ldb: i64,
    ldx: i64,
    m: i64,
    chunk: i64,
    chunks: i64,
    n: i32,
    nrhs: i32,
    sums: *mut c_void,
    gram: *mut c_void,
    inverse: *mut c_void,
    scales: *mut c_void,
    broken: *mut i32,
    vectors: *mut c_void,
    scalars: *mut c_void,
    states: *mut i32,
    workers: i32,
    group: i32,
    tolerance: f64,
    iterations: *mut i32,
    residuals: *mut c_void,
    step: i32,
    last: i32,
    code: i32,
    tile: i32,
    direct: *mut c_void,
}

/// What `states` says.
const RUNNING: i32 = 0;
const DONE: i32 = 1;
const NO_WAY: i32 = 4;

/// Where the one matrix is.
fn place(operand: Operand) -> *mut c_void {
    match operand {
        Operand::Strided { base, .. } => base,
        Operand::Pointers(_) => null_mut(),
    }
}

impl IterativeArgs {
    fn new(p: &GelsIterative) -> Result<IterativeArgs, Error> {
        let large = |_| Error::NotSupported("2^31 or more right-hand sides on the device".into());
        Ok(IterativeArgs {
            a: place(p.a),
            b: place(p.b),
            x: place(p.x),
            lda: p.lda,
            ldb: p.ldb,
            ldx: p.ldx,
            m: p.m,
            chunk: 0,
            chunks: 0,
            n: i32::try_from(p.n).map_err(large)?,
            nrhs: i32::try_from(p.nrhs).map_err(large)?,
            sums: null_mut(),
            gram: null_mut(),
            inverse: null_mut(),
            scales: null_mut(),
            broken: null_mut(),
            vectors: null_mut(),
            scalars: null_mut(),
            states: null_mut(),
            workers: 0,
            group: 0,
            tolerance: p.stops_at(),
            iterations: p.iterations,
            residuals: p.residuals,
            step: 0,
            last: 0,
            code: 0,
            tile: 0,
            direct: null_mut(),
        })
    }

    fn in_workspace(p: &GelsIterative) -> Result<IterativeArgs, Error> {
        let places = Places::of(p)?;
        let at = |offset| Places::at(p, offset);
        let states = at(places.states).cast::<i32>();
        Ok(IterativeArgs {
            sums: at(places.sums),
            gram: at(places.gram),
            inverse: at(places.inverse),
            scales: at(places.scales),
            broken: states.wrapping_add(p.nrhs as usize),
            vectors: at(places.vectors),
            scalars: at(places.scalars),
            states,
            ..IterativeArgs::new(p)?
        })
    }

    fn go(&mut self, l: &Launch, stream: Stream) -> Result<(), Error> {
        let (threads, n, nrhs) = (i64::from(l.instance.threads), i64::from(self.n), i64::from(self.nrhs));
        let blocks = if l.instance.is_of(ITERATIVE_GRAM) {
            let side = ceil_div(n, i64::from(l.instance.rows));
            (self.chunk, self.chunks, self.tile) = (l.offset, ceil_div(self.m, l.offset), l.instance.rows as i32);
            side * (side + 1) / 2 * self.chunks
        } else if l.instance.is_of(ITERATIVE_SCALES) {
            ceil_div(n, threads)
        } else if l.instance.is_of(ITERATIVE_SUM) {
            ceil_div(n * n, threads)
        } else if l.instance.is_of(ITERATIVE_PASS) {
            (self.chunk, self.chunks) = (l.offset, ceil_div(self.m, l.offset));
            (self.group, self.workers) = (l.k as i32, l.first as i32);
            ceil_div(nrhs, l.k) * l.first
        } else {
            nrhs
        };
        // SAFETY: the kernels take IterativeArgs; operands are the caller's, or in the caller's workspace.
        unsafe { go(l, in_one_launch(blocks)?, self, stream) }
    }
}

/// Refuses a stream whose work is being captured, on which nothing can be waited for.
fn not_captured(stream: Stream) -> Result<(), Error> {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: a query with an out-parameter.
    check("cuStreamIsCapturing", unsafe { sys::cuStreamIsCapturing(stream.0.cast(), &mut status) })?;
    if status == sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE {
        return Ok(());
    }
    Err(Error::NotSupported("an iteration waits for its stream, and cannot be captured in a graph".into()))
}

impl Launches for GelsIterative {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        not_captured(call.stream)?;
        if call.plan.candidate == "direct" {
            return self.directly(NO_WAY, null_mut(), call.stream);
        }
        if call.plan.doubtful {
            // Nothing is begun that could not be ended by QR.
            Cuda.explain(&Operation::Gels(self.direct(Operand::NOWHERE, Operand::NOWHERE, Workspace::NONE)))?;
        }
        let mut args = IterativeArgs::in_workspace(self)?;
        let count = self.nrhs as usize + 1;
        // SAFETY: the states are in the workspace, `info` is the caller's.
        unsafe {
            Cuda.memset_async(args.states.cast(), 0, count * size_of::<i32>(), call.stream)?;
            if !self.info.is_null() {
                Cuda.memset_async(self.info.cast(), 0, size_of::<i32>(), call.stream)?;
            }
        }
        call.walk(|l| args.go(l, call.stream))?;
        let most = self.steps();
        let mut more = 1; // a second pass, which all need, then two between one look and the next
        loop {
            for _ in 0..more.min(most - args.step) {
                args.step += 1;
                args.last = (args.step == most).into();
                for l in call.plan.launches() {
                    if l.instance.is_of(ITERATIVE_PASS) || l.instance.is_of(ITERATIVE_STEP) {
                        args.go(l, call.stream)?;
                    }
                }
            }
            let (running, failed) = look(&args, call.stream)?;
            if running && args.step < most {
                more = 2;
                continue;
            }
            return if failed || running { self.directly(0, args.states.cast(), call.stream) } else { Ok(()) };
        }
    }
}

/// Whether there are right-hand sides that need more steps, and such that get nowhere. Waits.
fn look(args: &IterativeArgs, stream: Stream) -> Result<(bool, bool), Error> {
    const AT_ONCE: usize = 256;
    let mut states = [DONE; AT_ONCE];
    let (mut running, mut failed) = (false, false);
    for first in (0..args.nrhs as usize).step_by(AT_ONCE) {
        let count = AT_ONCE.min(args.nrhs as usize - first);
        let bytes = count * size_of::<i32>();
        // SAFETY: the states are in the workspace.
        unsafe {
            let from = args.states.wrapping_add(first).cast();
            Cuda.copy_2d_async(states.as_mut_ptr().cast(), bytes, from, bytes, bytes, 1, stream)?;
            Cuda.stream_synchronize(stream)?;
        }
        running |= states[..count].contains(&RUNNING);
        failed |= states[..count].iter().any(|&s| s > DONE);
    }
    Ok((running, failed))
}

impl GelsIterative {
    /// By QR, those right-hand sides whose state is not good, or all with this one. Copies come from the stream's pool.
    fn directly(&self, code: i32, states: *mut c_void, stream: Stream) -> Result<(), Error> {
        let (at_a, at_b) = (Operand::NOWHERE, Operand::NOWHERE);
        let needed = Cuda.workspace(&Operation::Gels(self.direct(at_a, at_b, Workspace::NONE)))?;
        let large = || Error::OutOfMemory("copies exceed the address space".into());
        let bytes = |columns: i64| {
            let elements = usize::try_from(self.m).ok()?.checked_mul(usize::try_from(columns).ok()?)?;
            elements.checked_mul(self.dtype.bytes())?.checked_next_multiple_of(256)
        };
        let (of_a, of_b) = (bytes(self.n).ok_or_else(large)?, bytes(self.nrhs).ok_or_else(large)?);
        let all = of_a.checked_add(of_b).and_then(|b| b.checked_add(needed)).ok_or_else(large)?;
        let scratch = Cuda.scratch(all, stream)?;
        let b = scratch.wrapping_byte_add(of_a);
        let work = Workspace { p: b.wrapping_byte_add(of_b), bytes: needed };
        let solve = || {
            let one = |base| Operand::Strided { base, stride: 0 };
            let copied = |from, to, columns| Copy {
                dtype: self.dtype,
                from,
                to: (one(to), self.m),
                rows: self.m,
                columns,
                form: Form::Whole,
                batch: 1,
            };
            // SAFETY: the caller's operands, and scratch memory of their sizes.
            unsafe {
                copy(&copied((self.a, self.lda), scratch, self.n), stream)?;
                copy(&copied((self.b, self.ldb), b, self.nrhs), stream)?;
                Cuda.run(&Operation::Gels(self.direct(one(scratch), one(b), work)), stream)?;
            }
            let take = Launch::on(Instance::plain(ITERATIVE_TAKE, self.dtype)?, self.n, self.nrhs, 0);
            let states = states.cast();
            IterativeArgs { direct: b, code, states, ..IterativeArgs::new(self)? }.go(&take, stream)
        };
        let done = solve();
        // SAFETY: in stream order, behind what uses it.
        let freed = unsafe { Cuda.scratch_free(scratch, stream) };
        done.and(freed)
    }
}
