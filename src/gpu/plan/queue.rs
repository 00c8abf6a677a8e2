//! Where the launches of a call go: to a stream, or into a list of what the call asks the driver for. A routine is walked in the same
//! way for both, so that what `tephra_explain` tells is what happens.

use crate::error::Error;
use crate::gpu::driver::{api, check, registry};
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Launch, Plan, Planned};
use crate::routine::Stream;
use cudarc::driver::sys;
use std::cell::RefCell;
use std::ffi::c_void;

/// What launches are given to, in order.
#[derive(Clone, Copy)]
pub enum Queue<'a> {
    /// The driver does it in stream order.
    Stream(Stream),
    /// It is only listed.
    List(&'a List),
    /// It is only listed, as of a second stream.
    Beside(&'a List),
}

impl From<Stream> for Queue<'_> {
    fn from(stream: Stream) -> Self {
        Queue::Stream(stream)
    }
}

impl<'a> Queue<'a> {
    /// The list, where nothing is done.
    pub fn list(self) -> Option<&'a List> {
        match self {
            Queue::Stream(_) => None,
            Queue::List(list) | Queue::Beside(list) => Some(list),
        }
    }

    /// Sets so many bytes to a value.
    ///
    /// # Safety
    /// They are device memory in stream order.
    pub unsafe fn memset(self, p: *mut c_void, value: u8, bytes: usize) -> Result<(), Error> {
        match self {
            Queue::Stream(stream) if bytes > 0 => {
                let at = p as usize as sys::CUdeviceptr;
                // SAFETY: forwarded.
                check("cuMemsetD8Async", unsafe { api::cuMemsetD8Async(at, value, bytes, stream.0.cast()) })
            }
            _ => Ok(()),
        }
    }
}

/// What a call asks the driver for, in words.
#[derive(Default)]
pub struct List(RefCell<Lines>);

#[derive(Default)]
struct Lines {
    text: String,
    launches: u64,
    /// Bytes of scratch memory from the pool, and how often any was asked for.
    pool: usize,
    requests: u64,
    /// The step that is being walked, until a launch has told what it is for.
    step: Option<OfPlan>,
    /// Whether launches belong to a step of several.
    nested: bool,
    /// Where their kernels are to be loaded: what has come of that.
    loads: Option<Result<(), Error>>,
}

/// A step of a plan: its launch, what it is for, and what its blocks take.
struct OfPlan {
    launch: *const Launch,
    words: String,
    unit: &'static str,
}

/// Where the list of an operation began, and what had been asked for then.
pub struct Mark(usize, u64, usize, u64);

impl List {
    /// The list of one operation.
    pub fn of(op: &dyn Run) -> Result<String, Error> {
        let list = List::default();
        // SAFETY: a list reads and writes no operand.
        unsafe { op.enqueue(Queue::List(&list))? };
        Ok(list.0.into_inner().text)
    }

    /// Loads the kernels of one operation.
    pub fn load(op: &dyn Run) -> Result<(), Error> {
        let list = List(RefCell::new(Lines { loads: Some(Ok(())), ..Lines::default() }));
        // SAFETY: as above.
        unsafe { op.enqueue(Queue::List(&list))? };
        list.0.into_inner().loads.unwrap_or(Ok(()))
    }

    /// An operation begins; its first line, which [`List::end`] writes, needs what follows.
    pub fn begin(&self) -> Mark {
        let lines = &mut *self.0.borrow_mut();
        (lines.step, lines.nested) = (None, false);
        Mark(lines.text.len(), lines.launches, lines.pool, lines.requests)
    }

    /// The operation that began there has been walked.
    pub fn end<P: Planned>(&self, mark: Mark, p: &P, plan: &Plan<P>) -> Result<(), Error> {
        let (parameters, reason) = &plan.detail;
        self.end_as(mark, p.name(), &format!("{}{parameters}", plan.candidate), (plan.workspace)(p)?, reason);
        Ok(())
    }

    /// The same of one without a plan to look up.
    pub fn end_as(
        &self,
        Mark(at, launches, pool, requests): Mark,
        name: &str,
        what: &str,
        workspace: usize,
        reason: &str,
    ) {
        let lines = &mut *self.0.borrow_mut();
        let bytes = |bytes: usize, of: &str| format!(", {bytes} bytes of {of}");
        let mut line = if at == 0 { String::new() } else { format!("{name}: ") };
        line += &format!("{what}, {} launch(es)", lines.launches - launches);
        line += &if workspace == 0 { ", no workspace".to_owned() } else { bytes(workspace, "workspace") };
        match lines.requests - requests {
            0 => {}
            1 => line += &bytes(lines.pool - pool, "scratch memory"),
            n => line += &(bytes(lines.pool - pool, "scratch memory") + &format!(" in {n} pieces")),
        }
        lines.text.insert_str(at, &format!("{line}{reason}\n"));
        (lines.step, lines.nested) = (None, false);
    }

    /// A step of a plan is to be walked.
    pub fn step<P: Planned>(&self, p: &P, launch: &Launch) {
        let lines = &mut *self.0.borrow_mut();
        lines.step = Some(OfPlan { launch, words: p.words(launch), unit: P::UNIT });
        lines.nested = false;
    }

    /// A launch: a step's own, or one of several that a step stands for.
    pub fn launch(&self, l: &Launch, beside: bool) {
        let lines = &mut *self.0.borrow_mut();
        if let Some(Ok(())) = lines.loads {
            lines.loads = Some(registry::load(l));
        }
        let Launch { instance, m, n, threads, per_block, .. } = l;
        let own = lines.step.take_if(|step| std::ptr::eq(step.launch, l));
        let line = match own {
            Some(OfPlan { words, unit, .. }) => format!("{words}; {threads} threads, {per_block} {unit} a block"),
            None => {
                if let Some(OfPlan { words, .. }) = lines.step.take() {
                    lines.text += &format!("  {words}:\n");
                    lines.nested = true;
                }
                format!("{m} x {n}; {threads} threads")
            }
        };
        let (indent, beside) =
            (if lines.nested { "    " } else { "  " }, if beside { ", on a second stream" } else { "" });
        lines.text += &format!("{indent}{}: {line}{beside}\n", instance.name());
        lines.launches += 1;
    }

    /// Scratch memory from the pool.
    pub fn scratch(&self, bytes: usize) {
        let lines = &mut *self.0.borrow_mut();
        (lines.pool, lines.requests) = (lines.pool.saturating_add(bytes), lines.requests + 1);
    }

    /// A line of its own.
    pub fn note(&self, words: &str) {
        self.0.borrow_mut().text += &format!("  {words}\n");
    }
}
