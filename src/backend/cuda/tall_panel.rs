//! Tall panels on the device, by a tree (see [`crate::plan::tall_panel`]): its launches, and the scratch memory that they
//! need.

use super::Cuda;
use super::args::DeviceOperand;
use super::walk::{go, in_one_launch};
use crate::backend::Runtime;
use crate::error::Error;
use crate::plan::Launch;
use crate::plan::table::Instance;
use crate::plan::tall_panel::{Kernels, Levels, MOST};
use crate::routine::{Geqrf, Stream};
use std::ffi::c_void;
use std::ptr::null_mut;

// Arguments as kernels/tsqr/args.cuh declares them.

#[repr(C)]
#[derive(Clone, Copy)]
struct LevelArgs {
    a: DeviceOperand,
    a0: i64,
    lda: i64,
    m: i64,
    rows: i64,
    blocks: i64,
    tau: *mut c_void,
    stride: i64,
}

impl LevelArgs {
    const NONE: LevelArgs =
        LevelArgs { a: DeviceOperand::NONE, a0: 0, lda: 0, m: 0, rows: 0, blocks: 0, tau: null_mut(), stride: 0 };
}

#[repr(C)]
struct TsqrArgs {
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
    level: [LevelArgs; MOST],
}

/// Where things are in a member's scratch, in elements.
struct Places {
    levels: Levels,
    /// Of each level: its matrix (not of the first), with its leading dimension, and its taus.
    of: [(i64, i64, i64); MOST],
    inverse: i64,
    head: i64,
    /// Of a member.
    elements: i64,
}

impl Places {
    /// Everything begins at a multiple of so many elements, and so do the columns of the levels' matrices.
    const GRAIN: i64 = 4;

    fn next_grain(x: i64) -> Option<i64> {
        Some(x.checked_add(Places::GRAIN - 1)? / Places::GRAIN * Places::GRAIN)
    }

    fn new(m: i64, n: i64, rows: i64) -> Option<Places> {
        let levels = Levels::new(m, n, rows)?;
        let mut at = 0i64;
        let mut take = |elements: i64| {
            let here = at;
            at = Places::next_grain(at.checked_add(elements)?)?;
            Some(here)
        };
        let mut of = [(0, 0, 0); MOST];
        for (i, (height, blocks)) in levels.of[..levels.count].iter().enumerate() {
            let ld = Places::next_grain(*height)?;
            let a = take(if i == 0 { 0 } else { ld.checked_mul(n)? })?;
            of[i] = (a, ld, take(blocks.checked_mul(n)?)?);
        }
        let (inverse, head) = (take(n * n)?, take(n * n)?);
        Some(Places { levels, of, inverse, head, elements: at })
    }

    /// Bytes for a batch: the members' elements, then four words each for what blocks tell each other.
    fn bytes(&self, batch: i64, element: usize) -> Option<(usize, usize)> {
        let marks = usize::try_from(self.elements.checked_mul(batch)?).ok()?.checked_mul(element)?;
        let marks = marks.checked_next_multiple_of(256)?;
        Some((marks, usize::try_from(batch).ok()?.checked_mul(16)?.checked_add(marks)?))
    }
}

/// Factors the panel of `l`; `info`: whether it sets the codes.
pub fn factor(p: &Geqrf, l: &Launch, info: bool, stream: Stream) -> Result<(), Error> {
    let too_large = || Error::OutOfMemory("the scratch memory exceeds the address space".into());
    let places = Places::new(l.m, l.n, l.instance.rows.into()).ok_or_else(too_large)?;
    let kernels = Kernels::of(l.instance)?;
    in_one_launch(places.levels.of[0].1.saturating_mul(p.batch))?;
    let (marks, bytes) = places.bytes(p.batch, p.dtype.bytes()).ok_or_else(too_large)?;
    let scratch = Cuda.scratch(bytes, stream)?;
    let tree = Tree { p, l, places, scratch, marks: scratch.wrapping_byte_add(marks) };
    let done = tree.walk(kernels, info, stream);
    // SAFETY: allocated above, and what uses it is before this in the stream.
    let freed = unsafe { Cuda.scratch_free(scratch, stream) };
    done.and(freed)
}

struct Tree<'a> {
    p: &'a Geqrf,
    l: &'a Launch,
    places: Places,
    scratch: *mut c_void,
    marks: *mut c_void,
}

impl Tree<'_> {
    fn at(&self, element: i64) -> *mut c_void {
        self.scratch.wrapping_byte_add(element as usize * self.p.dtype.bytes())
    }

    fn level(&self, i: usize) -> LevelArgs {
        let ((m, blocks), (a, ld, tau)) = (self.places.levels.of[i], self.places.of[i]);
        let stride = self.places.elements;
        let own = DeviceOperand::strided(self.at(a), stride);
        let (a, a0, lda) = match i {
            0 => (self.p.a.into(), self.l.offset * (self.p.lda + 1), self.p.lda),
            _ => (own, 0, ld),
        };
        LevelArgs { a, a0, lda, m, rows: self.l.instance.rows.into(), blocks, tau: self.at(tau), stride }
    }

    /// Of the launches on all blocks of a level.
    fn args(&self, i: usize) -> TsqrArgs {
        let (level, n) = (self.level(i), self.l.n);
        let (up, up_ld) = if i + 1 < self.places.levels.count {
            let above = self.level(i + 1);
            (above.a, above.lda)
        } else {
            (DeviceOperand::strided(self.at(self.places.inverse), self.places.elements), n)
        };
        TsqrArgs {
            level,
            up,
            up_ld,
            batch: self.p.batch,
            n: n as i32,
            last: (i == 0).into(),
            head: self.at(self.places.head),
            stride: self.places.elements,
            tau: self.p.tau.into(),
            tau0: self.l.offset,
            marks: self.marks,
        }
    }

    fn walk(&self, kernels: Kernels, info: bool, stream: Stream) -> Result<(), Error> {
        let (n, batch, count) = (self.l.n, self.p.batch, self.places.levels.count);
        let on = |instance: &'static Instance| Launch::on(instance, self.l.m, n, self.l.offset);
        let (panel, head, down) = (on(kernels.panel), on(kernels.head), on(kernels.down));
        let blocks = |i: usize| self.places.levels.of[i].1 * batch;
        for i in 0..count {
            // SAFETY: the kernel takes TsqrArgs; its operands are the caller's and scratch.
            unsafe { go(&panel, blocks(i), &mut self.args(i), stream)? };
        }
        let mut args = TsqrHeadArgs {
            levels: count as i32,
            n: n as i32,
            batch,
            inverse: self.at(self.places.inverse),
            head: self.at(self.places.head),
            stride: self.places.elements,
            tau: self.p.tau.into(),
            tau0: self.l.offset,
            marks: self.marks,
            info: if info { self.p.info } else { null_mut() },
            level: [LevelArgs::NONE; MOST],
        };
        for (i, level) in args.level[..count].iter_mut().enumerate() {
            *level = self.level(i);
        }
        // SAFETY: the same, of TsqrHeadArgs.
        unsafe { go(&head, batch, &mut args, stream)? };
        for i in (0..count).rev() {
            // SAFETY: as above.
            unsafe { go(&down, blocks(i), &mut self.args(i), stream)? };
        }
        Ok(())
    }
}
