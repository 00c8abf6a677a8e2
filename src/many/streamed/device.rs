//! A device as the schedule sees it: lanes, in each of which one thing is done after the other, and marks between them.

use std::ffi::c_void;
use tephra_core::backend::Runtime;
use tephra_core::face::call::{self, Scratch};
use tephra_core::{Error, Operation, Stream};

/// A stream of a device: what is brought, computed, taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Bring,
    Compute,
    Take,
}

/// A point in a lane, by its number: recorded again, it is the later point.
pub type Mark = usize;

/// `columns` of `width` bytes, from one place to another.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub to: *mut u8,
    pub to_pitch: usize,
    pub from: *const u8,
    pub from_pitch: usize,
    pub width: usize,
    pub columns: usize,
}

/// What a schedule asks a device for. What is asked of a lane only begins; memory is kept until the device is dropped, which
/// waits for everything.
pub trait Device {
    /// Memory of the device.
    fn room(&mut self, bytes: usize) -> Result<*mut u8, Error>;
    /// Page-locked memory of the host.
    fn staging(&mut self, bytes: usize) -> Result<*mut u8, Error>;
    /// So many marks, all passed.
    fn marks(&mut self, count: usize) -> Result<(), Error>;
    /// Copies.
    ///
    /// # Safety
    /// Both places are valid until the lane has come there; likewise below.
    unsafe fn copy(&self, lane: Lane, copy: Copy) -> Result<(), Error>;
    /// Computes.
    unsafe fn run(&self, op: &Operation) -> Result<(), Error>;
    /// Marks the point at which a lane is.
    fn record(&self, mark: Mark, lane: Lane) -> Result<(), Error>;
    /// What follows in a lane waits for a mark.
    fn after(&self, lane: Lane, mark: Mark) -> Result<(), Error>;
    /// Whether a mark is passed.
    fn passed(&self, mark: Mark) -> Result<bool, Error>;
    /// Waits for a mark.
    fn wait(&self, mark: Mark) -> Result<(), Error>;
}

/// A device of the backend in use: the current one of the thread in which it is made.
pub struct OfRuntime {
    name: &'static str,
    runtime: &'static dyn Runtime,
    streams: Vec<Stream>,
    events: Vec<*mut c_void>,
    rooms: Vec<*mut c_void>,
    pinned: Vec<*mut c_void>,
}

impl OfRuntime {
    /// `name`: the exported function that is called.
    pub fn new(name: &'static str, runtime: &'static dyn Runtime) -> Result<OfRuntime, Error> {
        let mut device =
            OfRuntime { name, runtime, streams: vec![], events: vec![], rooms: vec![], pinned: vec![] };
        for _ in [Lane::Bring, Lane::Compute, Lane::Take] {
            device.streams.push(runtime.stream_create()?);
        }
        Ok(device)
    }
}

impl Device for OfRuntime {
    fn room(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        let p = self.runtime.alloc(bytes.max(1))?;
        self.rooms.push(p);
        Ok(p.cast())
    }

    fn staging(&mut self, bytes: usize) -> Result<*mut u8, Error> {
        let p = self.runtime.alloc_pinned(bytes.max(1))?;
        self.pinned.push(p);
        Ok(p.cast())
    }

    fn marks(&mut self, count: usize) -> Result<(), Error> {
        for _ in 0..count {
            self.events.push(self.runtime.event_create(false)?);
        }
        Ok(())
    }

    unsafe fn copy(&self, lane: Lane, copy: Copy) -> Result<(), Error> {
        let Copy { to, to_pitch, from, from_pitch, width, columns } = copy;
        let stream = self.streams[lane as usize];
        unsafe { self.runtime.copy_2d_async(to.cast(), to_pitch, from.cast(), from_pitch, width, columns, stream) }
    }

    unsafe fn run(&self, op: &Operation) -> Result<(), Error> {
        let stream = self.streams[Lane::Compute as usize];
        unsafe { call::run(self.name, self.runtime, op, stream, Scratch::Ours) }
    }

    fn record(&self, mark: Mark, lane: Lane) -> Result<(), Error> {
        unsafe { self.runtime.event_record(self.events[mark], self.streams[lane as usize]) }
    }

    fn after(&self, lane: Lane, mark: Mark) -> Result<(), Error> {
        unsafe { self.runtime.stream_wait_event(self.streams[lane as usize], self.events[mark]) }
    }

    fn passed(&self, mark: Mark) -> Result<bool, Error> {
        unsafe { self.runtime.event_query(self.events[mark]) }
    }

    fn wait(&self, mark: Mark) -> Result<(), Error> {
        unsafe { self.runtime.event_synchronize(self.events[mark]) }
    }
}

impl Drop for OfRuntime {
    fn drop(&mut self) {
        // SAFETY: what was made above; nothing uses it when the streams are done.
        unsafe {
            for &stream in &self.streams {
                _ = self.runtime.stream_synchronize(stream);
            }
            for &event in &self.events {
                _ = self.runtime.event_destroy(event);
            }
            for &stream in &self.streams {
                _ = self.runtime.stream_destroy(stream);
            }
            for &p in &self.rooms {
                _ = self.runtime.free(p);
            }
            for &p in &self.pinned {
                _ = self.runtime.free_pinned(p);
            }
        }
    }
}
