//! Tall panels on the device, by a tree (see [`crate::gpu::tall::tree`]): the launches, and their scratch memory.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::Instance;
use crate::gpu::plan::walk::{in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, Limits};
use crate::gpu::tall::gram_steps::{Cholqr, PendingMembers};
use crate::gpu::tall::tree::{Kernels, Levels, MOST};
use crate::routine::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::null_mut;

// Arguments as kernels/tsqr/args.cuh declares them.

#[repr(C)]
#[derive(Clone, Copy)]
pub struct LevelArgs {
    pub a: DeviceOperand,
    pub a0: i64,
    pub lda: i64,
    pub m: i64,
    pub rows: i64,
    pub blocks: i64,
    pub tau: *mut c_void,
    pub stride: i64,
}

impl LevelArgs {
    const NONE: LevelArgs =
        LevelArgs { a: DeviceOperand::NONE, a0: 0, lda: 0, m: 0, rows: 0, blocks: 0, tau: null_mut(), stride: 0 };
}

#[repr(C)]
pub struct TsqrArgs {
    level: LevelArgs,
    up: DeviceOperand,
    up_ld: i64,
    batch: i64,
    n: i32,
    last: i32,
    head: *mut c_void,
    stride: i64,
    tau: DeviceOperand,
    tau0: i64,
    marks: *mut c_void,
    from: DeviceOperand,
    ld_from: i64,
    slots: *mut c_void,
    flags: i32,
    pad: i32,
    blocks: i64,
    states: *const c_void,
    factor: DeviceOperand,
    ld_factor: i64,
}

impl TsqrArgs {
    const FROM: i32 = 1;
    const SLOTS: i32 = 2;

    /// For factoring a level in place, if nothing follows on the way down.
    pub fn climbing(level: LevelArgs, (up, up_ld): (DeviceOperand, i64), n: i32, batch: i64) -> TsqrArgs {
        TsqrArgs {
            blocks: level.blocks * batch,
            level,
            up,
            up_ld,
            batch,
            n,
            last: 0,
            head: null_mut(),
            stride: 0,
            tau: DeviceOperand::NONE,
            tau0: 0,
            marks: null_mut(),
            from: DeviceOperand::NONE,
            ld_from: 0,
            slots: null_mut(),
            flags: 0,
            pad: 0,
            states: PendingMembers::ALL.states(),
            factor: DeviceOperand::NONE,
            ld_factor: 0,
        }
    }
}

#[repr(C)]
struct TsqrHeadArgs {
    levels: i32,
    n: i32,
    batch: i64,
    inverse: *mut c_void,
    head: *mut c_void,
    stride: i64,
    tau: DeviceOperand,
    tau0: i64,
    marks: *mut c_void,
    info: *mut i32,
    r: DeviceOperand,
    ldr: i64,
    states: *const c_void,
    level: [LevelArgs; MOST],
}

/// A panel, and the wanted output.
#[derive(Clone, Copy)]
pub struct Panel<'a> {
    pub dtype: Dtype,
    pub batch: i64,
    /// The launch that stands for the tree.
    pub launch: &'a Launch,
    pub output: Output,
    /// The members that a wider panel has left to this one.
    pub pending: PendingMembers,
}

/// The output of a tree.
#[derive(Clone, Copy)]
pub enum Output {
    /// LAPACK's V, R and tau, in place of the panel at the launch's offset, and error codes unless `info` is null.
    Reflectors { a: Operand, lda: i64, tau: Operand, info: *mut i32 },
    /// R, with as many rows as columns, and the thin Q. Q may overwrite A.
    Factors { a: (Operand, i64), q: (Operand, i64), r: (Operand, i64) },
    /// R alone: A is read once, and only R is kept.
    Triangle { a: (Operand, i64), r: (Operand, i64) },
}

/// The layout of a member's scratch memory, in elements.
struct ScratchLayout {
    levels: Levels,
    /// For each level: the offset of its matrix (for the first level, of one block at most), its leading dimension,
    /// and the offset of its taus.
    of: [(i64, i64, i64); MOST],
    inverse: i64,
    head: i64,
    /// Elements per member.
    elements: i64,
}

impl ScratchLayout {
    /// The alignment, in elements, of every part and of the columns of the levels' matrices.
    const GRAIN: i64 = 4;

    fn next_grain(x: i64) -> Option<i64> {
        Some(x.checked_add(ScratchLayout::GRAIN - 1)? / ScratchLayout::GRAIN * ScratchLayout::GRAIN)
    }

    /// `first`: whether the panel's first block is in scratch memory, too.
    fn new(m: i64, n: i64, rows: i64, first: bool) -> Option<ScratchLayout> {
        let levels = Levels::new(m, n, rows)?;
        let mut at = 0i64;
        let mut take = |elements: i64| {
            let here = at;
            at = ScratchLayout::next_grain(at.checked_add(elements)?)?;
            Some(here)
        };
        let mut of = [(0, 0, 0); MOST];
        for (i, (height, blocks)) in levels.shapes[..levels.count].iter().enumerate() {
            let ld = if i == 0 { rows } else { ScratchLayout::next_grain(*height)? };
            let a = take(if i == 0 && !first { 0 } else { ld.checked_mul(n)? })?;
            of[i] = (a, ld, take(blocks.checked_mul(n)?)?);
        }
        let (inverse, head) = (take(n * n)?, take(n * n)?);
        Some(ScratchLayout { levels, of, inverse, head, elements: at })
    }

    /// Byte sizes for a batch: the members' elements come first, then four words per member through which blocks
    /// communicate, then `slots` buffers of `block` elements. Returns the offsets of the last two, and the total.
    fn bytes(&self, batch: i64, element: usize, slots: i64, block: i64) -> Option<(usize, usize, usize)> {
        let bytes = |count: i64, each: i64| usize::try_from(count.checked_mul(each)?).ok()?.checked_mul(element);
        let marks = bytes(batch, self.elements)?.checked_next_multiple_of(256)?;
        let places = usize::try_from(batch).ok()?.checked_mul(16)?.checked_add(marks)?.checked_next_multiple_of(256)?;
        Some((marks, places, bytes(slots, block)?.checked_add(places)?))
    }
}

/// Factors a panel. `limits` are the device's.
pub fn factor(panel: Panel, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let halves = Halves::of(panel, limits)?;
    let memory = Scratch::take(halves.bytes, queue)?;
    let done = halves.up(memory.p, queue).and_then(|()| halves.down(memory.p, None, queue));
    memory.give_back(done)
}

/// A panel's launches in two halves: up to R, and from there to V or Q. In between, scratch memory and the panel must
/// stay as they are.
pub struct Halves<'a> {
    panel: Panel<'a>,
    kernels: Kernels,
    layout: ScratchLayout,
    /// Number of buffers for blocks of which only R is kept.
    slots: i64,
    /// Offsets in scratch memory of the words through which blocks communicate, and of the buffers.
    marks: usize,
    first: usize,
    /// The launches from the Gram matrix, and the offset of their memory.
    gram: Option<(Cholqr<'a>, usize)>,
    /// Bytes of scratch memory. A panel of fewer rows needs no more.
    pub bytes: usize,
}

impl<'a> Halves<'a> {
    /// `limits` are the device's.
    pub fn of(panel: Panel<'a>, limits: Limits) -> Result<Halves<'a>, Error> {
        let too_large = || Error::OutOfMemory("the scratch memory exceeds the address space".into());
        let Panel { dtype, batch, launch: l, output, .. } = panel;
        let rows = i64::from(l.instance.rows);
        let only_r = matches!(output, Output::Triangle { .. });
        let layout = ScratchLayout::new(l.m, l.n, rows, only_r).ok_or_else(too_large)?;
        let kernels = Kernels::of(l.instance)?;
        let blocks = in_one_launch(layout.levels.shapes[0].1.saturating_mul(batch))?;
        let slots = if only_r { l.at_once(i64::from(limits.multiprocessors)).min(blocks) } else { 0 };
        let (marks, first, bytes) = layout.bytes(batch, dtype.bytes(), slots, rows * l.n).ok_or_else(too_large)?;
        let gram = Cholqr::of(panel, limits)?;
        let begin = bytes.checked_next_multiple_of(256).ok_or_else(too_large)?;
        let bytes = begin.checked_add(gram.as_ref().map_or(0, |gram| gram.bytes)).ok_or_else(too_large)?;
        let gram = gram.map(|gram| (gram, begin));
        Ok(Halves { panel, kernels, layout, slots, marks, first, gram, bytes })
    }

    /// Launches the first half: R.
    pub fn up(&self, scratch: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        if let Some((gram, at)) = &self.gram {
            gram.triangle(scratch.wrapping_byte_add(*at), queue)?;
        }
        self.tree(scratch).up(queue)
    }

    /// Launches the second half: V or Q. Q is multiplied from the right by an upper triangular matrix, if one is given
    /// with its leading dimension.
    pub fn down(&self, scratch: *mut c_void, by: Option<(Operand, i64)>, queue: Queue<'_>) -> Result<(), Error> {
        if matches!(self.panel.output, Output::Triangle { .. }) {
            return Ok(());
        }
        if let Some((gram, at)) = &self.gram {
            gram.rows(scratch.wrapping_byte_add(*at), by, queue)?;
        }
        self.tree(scratch).down(by, queue)
    }

    fn tree(&self, scratch: *mut c_void) -> Tree<'_> {
        let at = |bytes: usize| scratch.wrapping_byte_add(bytes);
        let pending = self.gram.as_ref().map_or(PendingMembers::ALL, |(_, begin)| Cholqr::pending(at(*begin)));
        Tree { of: self, scratch, marks: at(self.marks), slots: at(self.first), pending }
    }
}

struct Tree<'a> {
    of: &'a Halves<'a>,
    scratch: *mut c_void,
    marks: *mut c_void,
    /// Buffers for blocks of which only R is kept.
    slots: *mut c_void,
    pending: PendingMembers,
}

impl Tree<'_> {
    fn at(&self, element: i64) -> *mut c_void {
        self.scratch.wrapping_byte_add(element as usize * self.of.panel.dtype.bytes())
    }

    fn level(&self, i: usize) -> LevelArgs {
        let ((m, blocks), (a, ld, tau)) = (self.of.layout.levels.shapes[i], self.of.layout.of[i]);
        let stride = self.of.layout.elements;
        let own = (DeviceOperand::strided(self.at(a), stride), 0, ld);
        let (a, a0, lda) = match self.of.panel.output {
            Output::Reflectors { a, lda, .. } if i == 0 => (a.into(), self.of.panel.launch.offset * (lda + 1), lda),
            Output::Factors { q: (q, ldq), .. } if i == 0 => (q.into(), 0, ldq),
            _ => own,
        };
        let rows = self.of.panel.launch.instance.rows.into();
        LevelArgs { a, a0, lda, m, rows, blocks, tau: self.at(tau), stride }
    }

    /// Where tau of the panel is written, and its offset.
    fn tau(&self) -> (DeviceOperand, i64) {
        match self.of.panel.output {
            Output::Reflectors { tau, .. } => (tau.into(), self.of.panel.launch.offset),
            _ => (DeviceOperand::NONE, 0),
        }
    }

    /// For the launches on all blocks of a level.
    fn args(&self, i: usize) -> TsqrArgs {
        let (level, n) = (self.level(i), self.of.panel.launch.n);
        let (up, up_ld) = if i + 1 < self.of.layout.levels.count {
            let above = self.level(i + 1);
            (above.a, above.lda)
        } else {
            (DeviceOperand::strided(self.at(self.of.layout.inverse), self.of.layout.elements), n)
        };
        let (from, flags) = match self.of.panel.output {
            _ if i > 0 => (None, 0),
            Output::Reflectors { .. } => (None, 0),
            Output::Factors { a, .. } => (Some(a), TsqrArgs::FROM),
            Output::Triangle { a, .. } => (Some(a), TsqrArgs::FROM | TsqrArgs::SLOTS),
        };
        let (from, ld_from) = from.map_or((DeviceOperand::NONE, 0), |(from, ld)| (from.into(), ld));
        let (tau, tau0) = self.tau();
        let reflectors = matches!(self.of.panel.output, Output::Reflectors { .. });
        TsqrArgs {
            blocks: level.blocks * self.of.panel.batch,
            level,
            up,
            up_ld,
            batch: self.of.panel.batch,
            n: n as i32,
            last: (i == 0 && reflectors).into(),
            head: self.at(self.of.layout.head),
            stride: self.of.layout.elements,
            tau,
            tau0,
            marks: self.marks,
            from,
            ld_from,
            slots: self.slots,
            flags,
            pad: 0,
            states: self.pending.states(),
            factor: DeviceOperand::NONE,
            ld_factor: 0,
        }
    }

    fn head(&self) -> TsqrHeadArgs {
        let count = self.of.layout.levels.count;
        let ((r, ldr), info) = match self.of.panel.output {
            Output::Reflectors { info, .. } => ((DeviceOperand::NONE, 0), info),
            Output::Factors { r: (r, ldr), .. } | Output::Triangle { r: (r, ldr), .. } => ((r.into(), ldr), null_mut()),
        };
        let (tau, tau0) = self.tau();
        let mut level = [LevelArgs::NONE; MOST];
        for (i, level) in level[..count].iter_mut().enumerate() {
            *level = self.level(i);
        }
        TsqrHeadArgs {
            levels: count as i32,
            n: self.of.panel.launch.n as i32,
            batch: self.of.panel.batch,
            inverse: self.at(self.of.layout.inverse),
            head: self.at(self.of.layout.head),
            stride: self.of.layout.elements,
            tau,
            tau0,
            marks: self.marks,
            info,
            r,
            ldr,
            states: self.pending.states(),
            level,
        }
    }

    /// Launches a kernel for all blocks of a level, with at most so many thread blocks.
    fn launch(&self, kernel: &'static Instance, most: i64, mut args: TsqrArgs, queue: Queue<'_>) -> Result<(), Error> {
        let Launch { m, n, offset, .. } = *self.of.panel.launch;
        // SAFETY: the kernel takes TsqrArgs; its operands are the caller's and scratch.
        unsafe { launch_kernel(&Launch::on(kernel, m, n, offset), args.blocks.min(most), &mut args, queue) }
    }

    fn up(&self, queue: Queue<'_>) -> Result<(), Error> {
        let Halves { kernels, slots, .. } = *self.of;
        let Launch { m, n, offset, .. } = *self.of.panel.launch;
        for i in 0..self.of.layout.levels.count {
            let most = if i == 0 && slots > 0 { slots } else { i64::MAX };
            self.launch(kernels.panel, most, self.args(i), queue)?;
        }
        let head = Launch::on(kernels.head, m, n, offset);
        // SAFETY: the kernel takes TsqrHeadArgs; its operands are the caller's and scratch.
        unsafe { launch_kernel(&head, self.of.panel.batch, &mut self.head(), queue) }
    }

    fn down(&self, by: Option<(Operand, i64)>, queue: Queue<'_>) -> Result<(), Error> {
        let top = self.of.layout.levels.count - 1;
        for i in (0..=top).rev() {
            let (factor, ld_factor) =
                by.filter(|_| i == top).map_or((DeviceOperand::NONE, 0), |(o, ld)| (o.into(), ld));
            let args = TsqrArgs { factor, ld_factor, ..self.args(i) };
            self.launch(self.of.kernels.down, i64::MAX, args, queue)?;
        }
        Ok(())
    }
}
