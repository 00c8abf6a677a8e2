//! Tall panels from their Gram matrix (kernels/cholqr/): the launches that precede those of a tree, which factors
//! the members that these leave.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::gels_iterative::steps::PanelGram;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::Instance;
use crate::gpu::plan::walk::{in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, Limits};
use crate::gpu::tall::gram::{Kernels, OuterPanelKernels, RowParts};
use crate::gpu::tall::tree_steps::{Output, Panel};
use crate::routine::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Declared in kernels/cholqr/args.cuh.
#[repr(C)]
#[derive(Clone, Copy)]
struct CholqrArgs {
    a: DeviceOperand,
    to: DeviceOperand,
    r: DeviceOperand,
    tau: DeviceOperand,
    a0: i64,
    lda: i64,
    to0: i64,
    ldto: i64,
    r0: i64,
    ldr: i64,
    tau0: i64,
    m: i64,
    chunk: i64,
    batch: i64,
    info: *mut i32,
    sums: *mut c_void,
    sums_stride: i64,
    factors: *mut c_void,
    factors_stride: i64,
    words: *mut c_void,
    outer: *const c_void,
    n: i32,
    parts: i32,
    group: i32,
    wanted: i32,
    head: i32,
    when: u32,
    again: i32,
    pad: i32,
    by: DeviceOperand,
    ld_by: i64,
}

impl CholqrArgs {
    const REFLECTORS: i32 = 0;
    const FACTORS: i32 = 1;
    const TRIANGLE: i32 = 2;
    const AGAIN: u32 = 1;
    const DONE: u32 = 2;
    /// Bytes of a member's words.
    const WORDS: usize = 32 * 4;
}

/// The members that other kernels leave to a launch: null for all, or the members' states, which it examines.
#[derive(Clone, Copy)]
pub struct PendingMembers(*const c_void);

impl PendingMembers {
    pub const ALL: PendingMembers = PendingMembers(null());

    /// The states, as kernels take them.
    pub fn states(self) -> *const c_void {
        self.0
    }
}

impl CholqrArgs {
    /// For the panel's last launch. `words` must be zero for each member.
    fn new(panel: &Panel, words: *mut c_void) -> CholqrArgs {
        let Launch { m, n, offset, .. } = *panel.launch;
        let none = (DeviceOperand::NONE, 0, 0);
        let whole = |(o, ld): (Operand, i64)| (o.into(), 0, ld);
        let (a, to, r, (tau, info), wanted) = match panel.output {
            Output::Reflectors { a, lda, tau, info } => {
                let a = (a.into(), offset * (lda + 1), lda);
                (a, a, a, (tau.into(), info), CholqrArgs::REFLECTORS)
            }
            Output::Factors { a, q, r } => {
                (whole(a), whole(q), whole(r), (DeviceOperand::NONE, null_mut()), CholqrArgs::FACTORS)
            }
            Output::Triangle { a, r } => {
                (whole(a), none, whole(r), (DeviceOperand::NONE, null_mut()), CholqrArgs::TRIANGLE)
            }
        };
        CholqrArgs {
            a: a.0,
            to: to.0,
            r: r.0,
            tau,
            a0: a.1,
            lda: a.2,
            to0: to.1,
            ldto: to.2,
            r0: r.1,
            ldr: r.2,
            tau0: offset,
            m,
            chunk: 0,
            batch: panel.batch,
            info,
            sums: null_mut(),
            sums_stride: 0,
            factors: null_mut(),
            factors_stride: 0,
            words,
            outer: panel.pending.states(),
            n: n as i32,
            parts: 0,
            group: 0,
            wanted,
            head: if wanted == CholqrArgs::REFLECTORS { n as i32 } else { 0 },
            when: CholqrArgs::DONE,
            again: 0,
            pad: 0,
            by: DeviceOperand::NONE,
            ld_by: 0,
        }
    }
}

fn too_large() -> Error {
    Error::OutOfMemory("the scratch memory exceeds the address space".into())
}

/// The offset after `each` bytes for each member from `at` on, aligned; `None` if it overflows.
fn offset_after(at: usize, each: i64, batch: i64) -> Option<usize> {
    let bytes = usize::try_from(each.checked_mul(batch)?).ok()?;
    at.checked_add(bytes)?.checked_next_multiple_of(256)
}

/// The launches for a panel, and the scratch memory that they need.
pub struct Cholqr<'a> {
    panel: Panel<'a>,
    kernels: Kernels,
    limits: Limits,
    /// Numbers in a member's sums and in its factors, in double precision, complex like the panel.
    sums: i64,
    factors: i64,
    /// Bytes of all members' words; of these and their sums; and of everything.
    words: usize,
    summed: usize,
    pub bytes: usize,
}

impl<'a> Cholqr<'a> {
    /// Returns `None` if the tree factors the panel from the start.
    pub fn of(panel: Panel<'a>, limits: Limits) -> Result<Option<Cholqr<'a>>, Error> {
        let Some(kernels) = Kernels::of(panel.dtype, panel.launch.n, limits) else {
            return Ok(None);
        };
        let sums = kernels.most_sums(panel.launch.m, limits);
        let columns = i64::from(kernels.rows.columns);
        let factors = 4 * columns * columns;
        let number = if panel.dtype.is_complex() { 16 } else { 8 };
        let words = offset_after(0, CholqrArgs::WORDS as i64, panel.batch).ok_or_else(too_large)?;
        let summed = offset_after(words, sums * number, panel.batch).ok_or_else(too_large)?;
        let bytes = offset_after(summed, factors * number, panel.batch).ok_or_else(too_large)?;
        Ok(Some(Cholqr { panel, kernels, limits, sums, factors, words, summed, bytes }))
    }

    /// Launches everything but the rows of V or Q, with this scratch memory. What is left to the tree is in
    /// [`Cholqr::pending`].
    pub fn triangle(&self, scratch: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        // SAFETY: the scratch memory begins with the words.
        unsafe { queue.memset(scratch, 0, self.words)? };
        let args = self.args(scratch);
        self.launch(self.kernels.sums, args, queue)?;
        self.kernels.again.map_or(Ok(()), |again| self.launch(again, args, queue))
    }

    /// Launches the rows of V or Q, after [`Cholqr::triangle`]. Q is multiplied by an upper triangular matrix, if one is
    /// given with its leading dimension.
    pub fn rows(&self, scratch: *mut c_void, by: Option<(Operand, i64)>, queue: Queue<'_>) -> Result<(), Error> {
        let (by, ld_by) = by.map_or((DeviceOperand::NONE, 0), |(by, ld)| (by.into(), ld));
        self.launch(self.kernels.rows, CholqrArgs { by, ld_by, ..self.args(scratch) }, queue)
    }

    /// The members left to the tree.
    pub fn pending(scratch: *mut c_void) -> PendingMembers {
        PendingMembers(scratch)
    }

    fn args(&self, scratch: *mut c_void) -> CholqrArgs {
        CholqrArgs {
            sums: scratch.wrapping_byte_add(self.words),
            sums_stride: self.sums,
            factors: scratch.wrapping_byte_add(self.summed),
            factors_stride: self.factors,
            ..CholqrArgs::new(&self.panel, scratch)
        }
    }

    fn launch(&self, kernel: &'static Instance, args: CholqrArgs, queue: Queue<'_>) -> Result<(), Error> {
        let Launch { m, n, offset, .. } = *self.panel.launch;
        let RowParts { chunk, parts, group } = RowParts::of(kernel, m, self.limits);
        let blocks = in_one_launch(parts.saturating_mul(self.panel.batch))?;
        let mut args = CholqrArgs { chunk, parts: parts as i32, group: group as i32, ..args };
        // SAFETY: the kernel takes CholqrArgs; its operands are the caller's and scratch.
        unsafe { launch_kernel(&Launch::on(kernel, m, n, offset), blocks, &mut args, queue) }
    }
}

/// An outer panel factored as a whole, as far as its members permit. The launches of its own panels find nothing to
/// do for those members.
pub struct Outer<'a> {
    scratch: Scratch<'a>,
    /// The column after it.
    pub end: i64,
}

impl<'a> Outer<'a> {
    /// Launches it, ahead of the launches of its panels.
    pub fn begin(
        panel: Panel,
        kernels: OuterPanelKernels,
        limits: Limits,
        queue: Queue<'a>,
    ) -> Result<Outer<'a>, Error> {
        let Launch { m, n, offset, .. } = *panel.launch;
        let (batch, tile) = (panel.batch, i64::from(kernels.gram.rows));
        let number = if panel.dtype.is_complex() { 16 } else { 8 };
        let RowParts { chunk, parts: chunks, .. } = RowParts::of_wide(kernels.gram, m, batch, limits);
        let columns = i64::from(kernels.finish.columns);
        let factors = 4 * columns * columns;
        // Bytes per member: words, factors, the Gram matrix, sums.
        let each = [CholqrArgs::WORDS as i64, factors * number, n * n * number, chunks * tile * tile * number];
        let mut at = [0; 5];
        for (i, each) in each.into_iter().enumerate() {
            at[i + 1] = offset_after(at[i], each, batch).ok_or_else(too_large)?;
        }
        let scratch = Scratch::take(at[4], queue)?;
        let place = |i: usize| scratch.p.wrapping_byte_add(at[i]);
        let args = CholqrArgs {
            factors: place(1),
            factors_stride: factors,
            sums: place(2),
            sums_stride: n * n,
            ..CholqrArgs::new(&panel, place(0))
        };
        let gram = PanelGram { a: args.a, a0: args.a0, lda: args.lda, m, n, sums: place(3), gram: args.sums };
        let finish = |again: i32| {
            let launch = Launch::on(kernels.finish, m, n, offset);
            // SAFETY: the kernel takes CholqrArgs; its operands are the caller's and scratch.
            unsafe { launch_kernel(&launch, in_one_launch(batch)?, &mut CholqrArgs { again, ..args }, queue) }
        };
        let rows = |head: i32, when: u32| {
            let RowParts { chunk, parts, .. } = RowParts::of(kernels.rows, m, limits);
            let mut args = CholqrArgs { chunk, parts: parts as i32, head, when, ..args };
            let launch = Launch::on(kernels.rows, m, n, offset);
            // SAFETY: as above.
            unsafe { launch_kernel(&launch, in_one_launch(parts.saturating_mul(batch))?, &mut args, queue) }
        };
        let all = || {
            // SAFETY: the scratch memory has room for what each kernel expects.
            unsafe {
                queue.memset(place(0), 0, at[1])?;
                gram.launch(&kernels, (chunk, batch), null(), queue)?;
                finish(0)?;
                if matches!(panel.dtype, Dtype::D | Dtype::Z) {
                    rows(0, CholqrArgs::AGAIN)?;
                    gram.launch(&kernels, (chunk, batch), place(0), queue)?;
                    finish(1)?;
                }
            }
            rows(args.head, args.when)
        };
        match all() {
            Ok(()) => Ok(Outer { scratch, end: offset + n }),
            Err(e) => Err(scratch.give_back(Err(e)).unwrap_err()),
        }
    }

    /// The members left to the outer panel's own launches.
    pub fn pending(&self) -> PendingMembers {
        PendingMembers(self.scratch.p)
    }

    /// To be called after all of its panels.
    pub fn end(self) -> Result<(), Error> {
        self.scratch.give_back(Ok(()))
    }
}
