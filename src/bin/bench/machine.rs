//! The environment in which cases are timed: the library, one stream for all cases, and the backend's clock.

use crate::failure::Failure;
use std::ffi::c_void;
use std::time::Instant;
use tephra_testkit::driver::{Driver, Event};
use tephra_testkit::library::{Backend, Library};
use tephra_testkit::memory::{Kind, Memory, Stream};

/// Bytes copied on the device before each restore. While that keeps the device busy, the host enqueues the timed call,
/// so that the events measure the device's time and not the host's.
const HEAD_START_BYTES: usize = 128 << 20;

/// The library, a non-default stream, and the resources for timing.
pub struct Machine {
    pub library: &'static Library,
    pub backend: Backend,
    pub stream: Stream,
    device: Option<Device>,
}

/// The parts that only a device has.
struct Device {
    driver: &'static Driver,
    start: Event,
    stop: Event,
    scratch: Memory,
}

impl Machine {
    pub fn new() -> Result<Self, Failure> {
        let library = Library::get()?;
        let backend = library.backend()?;
        let device = match backend {
            Backend::Cpu => None,
            Backend::Cuda => {
                let driver = Driver::get()?;
                driver.set_current_context(driver.primary_context()?)?;
                let scratch = Memory::new(library, Kind::Device, HEAD_START_BYTES)?;
                Some(Device { driver, start: driver.event()?, stop: driver.event()?, scratch })
            }
        };
        Ok(Machine { library, backend, stream: Stream::new(library)?, device })
    }

    /// Copies from one allocation over another of the same size. On a device the copy is only enqueued, after other work.
    pub fn restore(&self, to: &Memory, from: &Memory) -> Result<(), Failure> {
        if let Some(device) = &self.device {
            let (half, scratch) = (HEAD_START_BYTES / 2, device.scratch.pointer());
            // SAFETY: the halves of the scratch memory do not overlap.
            unsafe { device.driver.copy_async(scratch.byte_add(half), scratch, half, self.stream.raw()) }?;
        }
        self.copy(to, from)
    }

    /// [`Machine::restore`] without the preceding scratch copy, for calls that are not timed individually.
    pub fn copy(&self, to: &Memory, from: &Memory) -> Result<(), Failure> {
        assert_eq!(to.bytes(), from.bytes());
        let (to, from, bytes, stream) = (to.pointer(), from.pointer() as *const c_void, to.bytes(), self.stream.raw());
        // SAFETY: two live allocations of `bytes`.
        match &self.device {
            None => unsafe { self.library.memcpy(to, from, bytes, stream) }?,
            Some(device) => unsafe { device.driver.copy_async(to, from, bytes, stream) }?,
        }
        Ok(())
    }

    /// Times `call`, which enqueues work on the stream, in milliseconds: with events on a device, else by the clock.
    pub fn time(&self, call: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
        let Some(device) = &self.device else {
            let start = Instant::now();
            call()?;
            return Ok(start.elapsed().as_secs_f64() * 1e3);
        };
        device.start.record(self.stream.raw())?;
        call()?;
        device.stop.record(self.stream.raw())?;
        device.stop.synchronize()?;
        Ok(f64::from(device.stop.since(&device.start)?))
    }
}
