//! A device as the schedule uses it: lanes, each of which executes its work in order, and events to synchronise them.

use crate::memory;
use crate::trace::{self, Span};
use std::cell::RefCell;
use std::ffi::c_void;
use std::time::{Duration, Instant};
use tephra_core::backend::Runtime;
use tephra_core::face::call::{self, WorkspaceSource};
use tephra_core::{Error, Operation, Stream};

/// A stream of a device: for uploads, computation and downloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Upload,
    Compute,
    Download,
}

/// The number of an event of a device. Recording it again moves it to the later point.
pub type EventId = usize;

/// A 2D copy of `columns` columns of `width` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub to: *mut u8,
    pub to_pitch: usize,
    pub from: *const u8,
    pub from_pitch: usize,
    pub width: usize,
    pub columns: usize,
}

/// The operations that a schedule needs of a device. Work in a lane is asynchronous. Memory is kept until the device is
/// dropped, which waits for all its work.
pub trait Device {
    /// Allocates device memory.
    fn alloc(&mut self, bytes: usize) -> Result<*mut u8, Error>;
    /// Allocates page-locked host memory.
    fn alloc_pinned(&mut self, bytes: usize) -> Result<*mut u8, Error>;
    /// Creates `count` events, all of which count as complete.
    fn create_events(&mut self, count: usize) -> Result<(), Error>;
    /// Enqueues a copy in a lane.
    ///
    /// # Safety
    /// Source and target must remain valid until the lane has executed the copy.
    unsafe fn copy(&self, lane: Lane, copy: Copy) -> Result<(), Error>;
    /// Enqueues an operation in the computation lane.
    ///
    /// # Safety
    /// Its operands must remain valid until the lane has executed it.
    unsafe fn run(&self, op: &Operation) -> Result<(), Error>;
    /// Records an event at the current end of a lane.
    fn record(&self, event: EventId, lane: Lane) -> Result<(), Error>;
    /// Makes later work in a lane wait for an event.
    fn wait_event(&self, lane: Lane, event: EventId) -> Result<(), Error>;
    /// Whether the work before an event is complete.
    fn is_complete(&self, event: EventId) -> Result<bool, Error>;
    /// Blocks until the work before an event is complete.
    fn synchronize(&self, event: EventId) -> Result<(), Error>;
}

/// A device of the backend in use: the one that is current when this is created.
pub struct RuntimeDevice {
    name: &'static str,
    runtime: &'static dyn Runtime,
    streams: Vec<Stream>,
    events: Vec<*mut c_void>,
    allocations: Vec<*mut c_void>,
    pinned: Vec<*mut c_void>,
    /// Timing events, if a trace is being recorded.
    times: Option<RefCell<Times>>,
}

/// Timing by events, relative to one that was recorded at a known time.
struct Times {
    first: *mut c_void,
    start: Instant,
    /// The work, its lane, and the events before and after it.
    spans: Vec<(&'static str, Lane, [*mut c_void; 2])>,
}

impl RuntimeDevice {
    /// `name` is the exported function that was called.
    pub fn new(name: &'static str, runtime: &'static dyn Runtime) -> Result<RuntimeDevice, Error> {
        let mut device = RuntimeDevice {
            name,
            runtime,
            streams: vec![],
            events: vec![],
            allocations: vec![],
            pinned: vec![],
            times: None,
        };
        for _ in [Lane::Upload, Lane::Compute, Lane::Download] {
            device.streams.push(runtime.stream_create()?);
        }
        if trace::on() {
            let first = runtime.event_create(true)?;
            unsafe {
                runtime.event_record(first, device.streams[0])?;
                runtime.event_synchronize(first)?;
            }
            device.times = Some(RefCell::new(Times { first, start: Instant::now(), spans: vec![] }));
        }
        Ok(device)
    }

    /// Runs `work`, with timing events around it if a trace is being recorded.
    fn timed(&self, what: &'static str, lane: Lane, work: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let Some(times) = &self.times else { return work() };
        let point = || {
            let event = self.runtime.event_create(true)?;
            unsafe { self.runtime.event_record(event, self.streams[lane as usize]) }.map(|()| event)
        };
        let from = point()?;
        let done = work();
        let till = point()?;
        memory::push(&mut times.borrow_mut().spans, (what, lane, [from, till]))?;
        done
    }

    /// Adds the spans to the trace. All streams must be idle.
    unsafe fn add_to_trace(&self) {
        let Some(times) = &self.times else { return };
        let device = self.runtime.current_device().unwrap_or_default();
        let Times { first, start, spans } = &*times.borrow();
        let since = |event: *mut c_void| unsafe { self.runtime.event_elapsed_ms(*first, event) }.unwrap_or_default();
        let trace_spans = spans.iter().map(|&(name, lane, events)| {
            let [from, to] = events.map(|event| Duration::from_secs_f64(f64::from(since(event).max(0.0)) / 1e3));
            let purpose = match lane {
                Lane::Upload => "1 brings",
                Lane::Compute => "2 computes",
                Lane::Download => "3 takes back",
            };
            let lane = trace::Lane::Stream(device, purpose);
            Span { name, lane, start: *start + from, duration: to.saturating_sub(from) }
        });
        // Without memory for them they are left out.
        if let Ok(trace_spans) = memory::collected(trace_spans) {
            trace::add(trace_spans);
        }
        for event in spans.iter().flat_map(|(_, _, events)| events).chain([first]) {
            _ = unsafe { self.runtime.event_destroy(*event) };
        }
    }
}

impl Device for RuntimeDevice {
    fn alloc(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        let p = self.runtime.alloc(bytes.max(1))?;
        self.allocations.push(p);
        Ok(p.cast())
    }

    fn alloc_pinned(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        let p = self.runtime.alloc_pinned(bytes.max(1))?;
        self.pinned.push(p);
        Ok(p.cast())
    }

    fn create_events(&mut self, count: usize) -> Result<(), Error> {
        memory::reserve(&mut self.events, count)?;
        for _ in 0..count {
            self.events.push(self.runtime.event_create(false)?);
        }
        Ok(())
    }

    unsafe fn copy(&self, lane: Lane, copy: Copy) -> Result<(), Error> {
        let Copy { to, to_pitch, from, from_pitch, width, columns } = copy;
        let stream = self.streams[lane as usize];
        let name = if lane == Lane::Download { "take back" } else { "bring" };
        self.timed(name, lane, || unsafe {
            self.runtime.copy_2d_async(to.cast(), to_pitch, from.cast(), from_pitch, width, columns, stream)
        })
    }

    unsafe fn run(&self, op: &Operation) -> Result<(), Error> {
        let stream = self.streams[Lane::Compute as usize];
        let name = op.names()[0];
        self.timed(name, Lane::Compute, || unsafe {
            call::run(self.name, self.runtime, op, stream, WorkspaceSource::Library)
        })
    }

    fn record(&self, event: EventId, lane: Lane) -> Result<(), Error> {
        unsafe { self.runtime.event_record(self.events[event], self.streams[lane as usize]) }
    }

    fn wait_event(&self, lane: Lane, event: EventId) -> Result<(), Error> {
        unsafe { self.runtime.stream_wait_event(self.streams[lane as usize], self.events[event]) }
    }

    fn is_complete(&self, event: EventId) -> Result<bool, Error> {
        unsafe { self.runtime.event_query(self.events[event]) }
    }

    fn synchronize(&self, event: EventId) -> Result<(), Error> {
        unsafe { self.runtime.event_synchronize(self.events[event]) }
    }
}

impl Drop for RuntimeDevice {
    fn drop(&mut self) {
        // SAFETY: this object created all of these, and nothing uses them once its streams are idle.
        unsafe {
            for &stream in &self.streams {
                _ = self.runtime.stream_synchronize(stream);
            }
            self.add_to_trace();
            for &event in &self.events {
                _ = self.runtime.event_destroy(event);
            }
            for &stream in &self.streams {
                _ = self.runtime.stream_destroy(stream);
            }
            for &p in &self.allocations {
                _ = self.runtime.free(p);
            }
            for &p in &self.pinned {
                _ = self.runtime.free_pinned(p);
            }
        }
    }
}
