//! The destination of a call's launches: a stream, or a list of what the call would request from the driver.
//! Both are walked by the same code, so `tephra_explain` reports exactly what a call does.

use crate::error::Error;
use crate::gpu::driver::{device, registry};
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Launch, Plan, Planned};
use crate::routine::Stream;
use std::cell::RefCell;
use std::ffi::c_void;

/// Receives launches in order.
#[derive(Clone, Copy)]
pub enum Queue<'a> {
    /// The driver executes them in stream order.
    Stream(Stream),
    /// They are only listed.
    List(&'a List),
    /// They are only listed, as launches on a second stream.
    SecondList(&'a List),
}

impl From<Stream> for Queue<'_> {
    fn from(stream: Stream) -> Self {
        Queue::Stream(stream)
    }
}

impl<'a> Queue<'a> {
    /// The list, if nothing is executed.
    pub fn list(self) -> Option<&'a List> {
        match self {
            Queue::Stream(_) => None,
            Queue::List(list) | Queue::SecondList(list) => Some(list),
        }
    }

    /// Sets `bytes` bytes at `p` to `value`.
    ///
    /// # Safety
    /// They must be device memory that is valid in stream order.
    pub unsafe fn memset(self, p: *mut c_void, value: u8, bytes: usize) -> Result<(), Error> {
        match self {
            // SAFETY: forwarded.
            Queue::Stream(stream) if bytes > 0 => unsafe { device::memset(p, value, bytes, stream) },
            _ => Ok(()),
        }
    }
}

/// What a call requests from the driver, as text.
#[derive(Default)]
pub struct List(RefCell<Lines>);

#[derive(Default)]
struct Lines {
    text: String,
    launches: u64,
    /// Bytes of scratch memory requested from the pool, and the number of requests.
    pool: usize,
    requests: u64,
    /// The step being walked, until its first launch has printed its description.
    step: Option<PendingStep>,
    /// Whether the current launches belong to a step with several launches.
    nested: bool,
    /// `Some` if the kernels are to be loaded as well: the result so far.
    loads: Option<Result<(), Error>>,
}

/// A step of a plan: its launch, its description, and the unit of `per_block`.
struct PendingStep {
    launch: *const Launch,
    words: String,
    unit: &'static str,
}

/// Where an operation's text begins, and the totals of launches, scratch bytes and requests at that time.
pub struct ListingMark(usize, u64, usize, u64);

impl List {
    /// The listing of one operation.
    pub fn of(op: &dyn Run) -> Result<String, Error> {
        let list = List::default();
        // SAFETY: a list reads and writes no operand.
        unsafe { op.enqueue(Queue::List(&list))? };
        Ok(list.0.into_inner().text)
    }

    /// Loads the kernels that one operation launches.
    pub fn load(op: &dyn Run) -> Result<(), Error> {
        let list = List(RefCell::new(Lines { loads: Some(Ok(())), ..Lines::default() }));
        // SAFETY: as above.
        unsafe { op.enqueue(Queue::List(&list))? };
        list.0.into_inner().loads.unwrap_or(Ok(()))
    }

    /// Begins an operation. Its heading depends on what follows, so [`List::end`] inserts it.
    pub fn begin(&self) -> ListingMark {
        let lines = &mut *self.0.borrow_mut();
        (lines.step, lines.nested) = (None, false);
        ListingMark(lines.text.len(), lines.launches, lines.pool, lines.requests)
    }

    /// Inserts the heading of the operation that began at `mark`.
    pub fn end<P: Planned>(&self, mark: ListingMark, p: &P, plan: &Plan<P>) -> Result<(), Error> {
        let (parameters, reason) = &plan.detail;
        self.end_as(mark, p.name(), &format!("{}{parameters}", plan.candidate), p.workspace_under(plan)?, reason);
        Ok(())
    }

    /// The same for an operation without a [`Plan`].
    pub fn end_as(
        &self,
        ListingMark(at, launches, pool, requests): ListingMark,
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

    /// Announces the plan step that is about to be walked.
    pub fn step<P: Planned>(&self, p: &P, launch: &Launch, task: P::Task) {
        let lines = &mut *self.0.borrow_mut();
        lines.step = Some(PendingStep { launch, words: p.words(launch, task), unit: P::UNIT });
        lines.nested = false;
    }

    /// Lists a launch: the step's own, or one of several that the step stands for.
    pub fn launch(&self, l: &Launch, second: bool) {
        let lines = &mut *self.0.borrow_mut();
        if let Some(Ok(())) = lines.loads {
            lines.loads = Some(registry::load(l));
        }
        let Launch { instance, m, n, threads, per_block, .. } = l;
        let own = lines.step.take_if(|step| std::ptr::eq(step.launch, l));
        let line = match own {
            Some(PendingStep { words, unit, .. }) => format!("{words}; {threads} threads, {per_block} {unit} a block"),
            None => {
                if let Some(PendingStep { words, .. }) = lines.step.take() {
                    lines.text += &format!("  {words}:\n");
                    lines.nested = true;
                }
                format!("{m} x {n}; {threads} threads")
            }
        };
        let (indent, stream) =
            (if lines.nested { "    " } else { "  " }, if second { ", on a second stream" } else { "" });
        lines.text += &format!("{indent}{}: {line}{stream}\n", instance.name());
        lines.launches += 1;
    }

    /// Counts a request for scratch memory from the pool.
    pub fn scratch(&self, bytes: usize) {
        let lines = &mut *self.0.borrow_mut();
        (lines.pool, lines.requests) = (lines.pool.saturating_add(bytes), lines.requests + 1);
    }

    /// Adds a line of text.
    pub fn note(&self, words: &str) {
        self.0.borrow_mut().text += &format!("  {words}\n");
    }
}
