//! Streams and events of a backend whose work is finished when a call returns.

use crate::error::Error;
use crate::problem::Stream;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A stream: a name that is never dereferenced, different from NULL and from CUDA's special streams 1 and 2.
pub fn new_stream() -> Stream {
    static NEXT: AtomicUsize = AtomicUsize::new(0x1000);
    Stream(std::ptr::without_provenance_mut(NEXT.fetch_add(16, Ordering::Relaxed)))
}

struct Event {
    timed: bool,
    recorded: Mutex<Option<Instant>>,
}

/// An event; freed by [`destroy`].
pub fn create(timed: bool) -> *mut c_void {
    Box::into_raw(Box::new(Event { timed, recorded: Mutex::new(None) })).cast()
}

unsafe fn event<'a>(event: *mut c_void) -> Result<&'a Event, Error> {
    unsafe { event.cast::<Event>().as_ref() }.ok_or_else(|| Error::Driver("NULL is not an event".into()))
}

/// Frees an event.
pub unsafe fn destroy(e: *mut c_void) -> Result<(), Error> {
    unsafe {
        event(e)?;
        drop(Box::from_raw(e.cast::<Event>()));
    }
    Ok(())
}

/// Takes the time: everything before this is done.
pub unsafe fn record(e: *mut c_void) -> Result<(), Error> {
    *unsafe { event(e)? }.recorded.lock() = Some(Instant::now());
    Ok(())
}

/// An event is always complete here, recorded or not (as CUDA has it).
pub unsafe fn check(e: *mut c_void) -> Result<(), Error> {
    unsafe { event(e) }.map(|_| ())
}

/// Milliseconds between two recorded timed events.
pub unsafe fn elapsed_ms(start: *mut c_void, end: *mut c_void) -> Result<f32, Error> {
    let time = |e: &Event| match *e.recorded.lock() {
        Some(t) if e.timed => Ok(t),
        Some(_) => Err(Error::Driver("the event was made without timing".into())),
        None => Err(Error::Driver("the event was not recorded".into())),
    };
    let (start, end) = unsafe { (time(event(start)?)?, time(event(end)?)?) };
    let seconds = if end >= start { (end - start).as_secs_f64() } else { -(start - end).as_secs_f64() };
    Ok((seconds * 1e3) as f32)
}
