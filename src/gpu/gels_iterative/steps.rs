//! Least squares by iteration on the device. The host waits for the states of the right-hand sides, to learn which
//! ones need more steps, or QR.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::device;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::gels_iterative::{AtOnce, Task, WorkspaceLayout};
use crate::gpu::plan::parts::copy::copy;
use crate::gpu::plan::queue::{List, Queue};
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::{ITERATIVE_TAKE, Instance};
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::gpu::plan::{Copy, Form, Launch, ceil_div};
use crate::gpu::tall::gram::OuterPanelKernels;
use crate::routine::{GelsIterative, Operand, Workspace};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Declared in `kernels/iterative/args.cuh`.
#[repr(C)]
struct IterativeArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    x: DeviceOperand,
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
    iterations: *mut i32,
    residuals: *mut c_void,
    info: *mut i32,
    codes: *mut i32,
    direct: *mut c_void,
    tolerance: f64,
    workers: i32,
    group: i32,
    step: i32,
    last: i32,
    code: i32,
    tile: i32,
    a0: i64,
    again: *const c_void,
}

/// Values of `states`.
const RUNNING: i32 = 0;
const DONE: i32 = 1;
const NO_WAY: i32 = 4;

impl IterativeArgs {
    const NONE: IterativeArgs = IterativeArgs {
        a: DeviceOperand::NONE,
        b: DeviceOperand::NONE,
        x: DeviceOperand::NONE,
        lda: 0,
        ldb: 0,
        ldx: 0,
        m: 0,
        chunk: 0,
        chunks: 0,
        n: 0,
        nrhs: 0,
        sums: null_mut(),
        gram: null_mut(),
        inverse: null_mut(),
        scales: null_mut(),
        broken: null_mut(),
        vectors: null_mut(),
        scalars: null_mut(),
        states: null_mut(),
        iterations: null_mut(),
        residuals: null_mut(),
        info: null_mut(),
        codes: null_mut(),
        direct: null_mut(),
        tolerance: 0.0,
        workers: 0,
        group: 0,
        step: 0,
        last: 0,
        code: 0,
        tile: 0,
        a0: 0,
        again: null(),
    };

    fn new(p: &GelsIterative) -> Result<IterativeArgs, Error> {
        let large = |_| Error::NotSupported("2^31 or more right-hand sides on the device".into());
        Ok(IterativeArgs {
            a: p.a.into(),
            b: p.b.into(),
            x: p.x.into(),
            lda: p.lda,
            ldb: p.ldb,
            ldx: p.ldx,
            m: p.m,
            n: i32::try_from(p.n).map_err(large)?,
            nrhs: i32::try_from(p.nrhs).map_err(large)?,
            iterations: p.iterations,
            residuals: p.residuals,
            info: p.info,
            tolerance: p.effective_tolerance(),
            ..IterativeArgs::NONE
        })
    }

    fn in_workspace(p: &GelsIterative) -> Result<IterativeArgs, Error> {
        let layout = WorkspaceLayout::of(p)?;
        let at = |offset| WorkspaceLayout::at(p, offset);
        let states = at(layout.states).cast::<i32>();
        Ok(IterativeArgs {
            sums: at(layout.sums),
            gram: at(layout.gram),
            inverse: at(layout.inverse),
            scales: at(layout.scales),
            broken: states.wrapping_add(right_sides(p)),
            vectors: at(layout.vectors),
            scalars: at(layout.scalars),
            states,
            ..IterativeArgs::new(p)?
        })
    }

    /// Launches the kernel for `members` members.
    fn launch(&mut self, l: &Launch, task: Task, members: i64, queue: Queue<'_>) -> Result<(), Error> {
        let (threads, n, nrhs) = (i64::from(l.instance.threads), i64::from(self.n), i64::from(self.nrhs));
        let each = match task {
            Task::Gram => {
                let side = ceil_div(n, i64::from(l.instance.rows));
                (self.chunk, self.chunks, self.tile) = (l.offset, ceil_div(self.m, l.offset), l.instance.rows as i32);
                side * (side + 1) / 2 * self.chunks
            }
            Task::Scales => ceil_div(n, threads),
            Task::Sum => ceil_div(n * n, threads),
            Task::Pass => {
                (self.chunk, self.chunks) = (l.offset, ceil_div(self.m, l.offset));
                (self.group, self.workers) = (l.k as i32, l.first as i32);
                ceil_div(nrhs, l.k) * l.first
            }
            Task::Step | Task::Take => nrhs,
        };
        // SAFETY: the kernels take IterativeArgs; operands are the caller's, or in the caller's workspace.
        unsafe { launch_kernel(l, in_one_launch(each.saturating_mul(members))?, self, queue) }
    }
}

/// Computes the Gram matrix of a panel of each member, for a QR factorisation of the panel.
#[derive(Clone, Copy)]
pub struct PanelGram {
    pub a: DeviceOperand,
    pub a0: i64,
    pub lda: i64,
    pub m: i64,
    pub n: i64,
    /// Memory for the sums of chunks and for the Gram matrix.
    pub sums: *mut c_void,
    pub gram: *mut c_void,
}

impl PanelGram {
    /// `states` are all members' states: members that do not need their Gram matrix again are skipped. If it is
    /// null, none is.
    ///
    /// # Safety
    /// The operands must be on the device, and the memory as large as the sizes say.
    pub unsafe fn launch(
        &self,
        kernels: &OuterPanelKernels,
        (chunk, batch): (i64, i64),
        states: *const c_void,
        queue: Queue<'_>,
    ) -> Result<(), Error> {
        let &PanelGram { a, a0, lda, m, n, sums, gram } = self;
        let mut args = IterativeArgs { a, a0, lda, m, n: n as i32, sums, gram, again: states, ..IterativeArgs::NONE };
        for (kernel, task, at) in [(kernels.gram, Task::Gram, chunk), (kernels.sum, Task::Sum, 0)] {
            args.launch(&Launch::on(kernel, m, n, at), task, batch, queue)?;
        }
        Ok(())
    }
}

/// Right-hand sides of all members.
fn right_sides(p: &GelsIterative) -> usize {
    (p.nrhs * p.batch) as usize
}

/// Fails for a stream that is being captured, since the host cannot wait for it.
fn not_captured(queue: Queue<'_>) -> Result<(), Error> {
    let Queue::Stream(stream) = queue else { return Ok(()) };
    if !device::is_captured(stream)? {
        return Ok(());
    }
    Err(Error::NotSupported("an iteration waits for its queue, and cannot be captured in a graph".into()))
}

impl Launches for GelsIterative {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        not_captured(call.queue)?;
        let parts =
            |at_once: i64| (0..self.batch).step_by(at_once as usize).map(move |first| part(self, first, at_once));
        if call.plan.candidate == "direct" {
            return parts(self.direct_at_once()).try_for_each(|p| solve_directly(&p, NO_WAY, null_mut(), call.queue));
        }
        if call.plan.parts_may_be_refused {
            // Start nothing that QR could not finish.
            let some = part(self, 0, self.direct_at_once());
            List::of(&some.qr_fallback([null_mut(); 2], null_mut(), Workspace::NONE))?;
        }
        parts(self.at_once()).try_for_each(|p| iterate(&p, call.of(&p)))
    }
}

/// Whether any right-hand side needs more steps, and whether any does not converge. Waits for the stream.
fn await_states(states: *mut i32, count: usize, queue: Queue<'_>) -> Result<(bool, bool), Error> {
    const AT_ONCE: usize = 2048;
    let stream = match queue {
        Queue::Stream(stream) => stream,
        Queue::List(list) | Queue::SecondList(list) => {
            list.note("right-hand sides that get nowhere are solved by QR");
            return Ok((false, false));
        }
    };
    let mut found = [DONE; AT_ONCE];
    let (mut running, mut failed) = (false, false);
    for first in (0..count).step_by(AT_ONCE) {
        let count = AT_ONCE.min(count - first);
        // SAFETY: the states are in the workspace, and the call's launches have made a context current.
        unsafe { device::read(&mut found[..count], states.wrapping_add(first), stream)? };
        running |= found[..count].contains(&RUNNING);
        failed |= found[..count].iter().any(|&s| s > DONE);
    }
    Ok((running, failed))
}

/// At most `at_once` members from `first` on.
fn part(p: &GelsIterative, first: i64, at_once: i64) -> GelsIterative {
    p.members(first, at_once.min(p.batch - first))
}

/// Iterates on all members of `p` together.
fn iterate(p: &GelsIterative, call: Call<GelsIterative>) -> Result<(), Error> {
    let mut args = IterativeArgs::in_workspace(p)?;
    let right_sides = right_sides(p);
    let clear = |states: *mut i32, count| {
        // SAFETY: the states are in the workspace, `info` is the caller's.
        unsafe { call.queue.memset(states.cast(), 0, count * size_of::<i32>()) }
    };
    clear(args.states, right_sides + p.batch as usize)?;
    if !p.info.is_null() {
        clear(p.info, p.batch as usize)?;
    }
    call.walk_tasks(|l, task| args.launch(l, task, p.batch, call.queue))?;
    let most = p.iteration_limit();
    let mut more = 1; // a second pass, which all need, then two passes between checks
    loop {
        for _ in 0..more.min(most - args.step) {
            args.step += 1;
            args.last = (args.step == most).into();
            for (l, task) in call.plan.tasks() {
                if matches!(task, Task::Pass | Task::Step) {
                    args.launch(l, task, p.batch, call.queue)?;
                }
            }
        }
        let (running, failed) = await_states(args.states, right_sides, call.queue)?;
        if running && args.step < most {
            more = 2;
            continue;
        }
        return if failed || running { rest(p, args.states, call.queue) } else { Ok(()) };
    }
}

/// Solves the remaining right-hand sides by QR. Always the same members are copied together, so that whether one
/// needs QR does not change the results of others.
fn rest(p: &GelsIterative, states: *mut i32, queue: Queue<'_>) -> Result<(), Error> {
    let at_once = p.direct_at_once();
    for first in (0..p.batch).step_by(at_once as usize) {
        let some = part(p, first, at_once);
        let states = states.wrapping_add((first * p.nrhs) as usize);
        // If there is a single part, its states are already known.
        if at_once == p.batch || await_states(states, right_sides(&some), queue)?.1 {
            solve_directly(&some, 0, states, queue)?;
        }
    }
    Ok(())
}

/// Solves by QR: the right-hand sides whose state is not good, or, if `code` is not 0, all of them as if that were
/// their state. The copies are allocated from the stream-ordered pool.
fn solve_directly(p: &GelsIterative, code: i32, states: *mut i32, queue: Queue<'_>) -> Result<(), Error> {
    let nowhere = p.qr_fallback([null_mut(); 2], null_mut(), Workspace::NONE);
    let needed = Run::workspace(&nowhere)?;
    let large = || Error::OutOfMemory("copies exceed the address space".into());
    let bytes = |elements: i64, element: usize| {
        let all = usize::try_from(elements.checked_mul(p.batch)?).ok()?.checked_mul(element)?;
        all.checked_next_multiple_of(256)
    };
    let matrix = |columns| bytes(p.m.checked_mul(columns)?, p.dtype.bytes());
    let of_a = matrix(p.n).ok_or_else(large)?;
    let of_b = matrix(p.nrhs).ok_or_else(large)?;
    let of_codes = bytes(1, size_of::<i32>()).ok_or_else(large)?;
    let all = [of_b, of_codes, needed].iter().try_fold(of_a, |all: usize, more| all.checked_add(*more));
    let memory = Scratch::take(all.ok_or_else(large)?, queue)?;
    let scratch = memory.p;
    let b = scratch.wrapping_byte_add(of_a);
    let codes = b.wrapping_byte_add(of_b).cast::<i32>();
    let work = Workspace { p: codes.wrapping_byte_add(of_codes).cast(), bytes: needed };
    let solve = || {
        let copied = |from, base, columns| Copy {
            dtype: p.dtype,
            from,
            to: (Operand::Strided { base, stride: p.m * columns }, p.m),
            rows: p.m,
            columns,
            form: Form::Whole,
            batch: p.batch,
        };
        // SAFETY: the caller's operands, and scratch memory of their sizes.
        unsafe {
            copy(&copied((p.a, p.lda), scratch, p.n), queue)?;
            copy(&copied((p.b, p.ldb), b, p.nrhs), queue)?;
            p.qr_fallback([scratch, b], codes, work).enqueue(queue)?;
        }
        let take = Launch::on(Instance::plain(ITERATIVE_TAKE, p.dtype)?, p.n, p.nrhs, 0);
        IterativeArgs { direct: b, code, states, codes, ..IterativeArgs::new(p)? }.launch(
            &take,
            Task::Take,
            p.batch,
            queue,
        )
    };
    memory.give_back(solve())
}
