//! Streams and events of a backend whose work is finished when a call returns.

use crate::error::Error;
use crate::routine::Stream;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// Creates a stream: a value that is never dereferenced, distinct from NULL and from CUDA's special streams 1 and 2.
pub fn new_stream() -> Stream {
    static NEXT: AtomicUsize = AtomicUsize::new(0x1000);
    Stream(std::ptr::without_provenance_mut(NEXT.fetch_add(16, Ordering::Relaxed)))
}

struct Event {
    timed: bool,
    /// Nanoseconds of the monotonic clock; [`NEVER`] before the first record.
    recorded: AtomicI64,
}

const NEVER: i64 = i64::MIN;

fn now() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock always exists, and the result goes to a local variable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Creates an event, to be freed by [`destroy`].
pub fn create(timed: bool) -> *mut c_void {
    Box::into_raw(Box::new(Event { timed, recorded: AtomicI64::new(NEVER) })).cast()
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

/// Records the time; all previous work is complete.
pub unsafe fn record(e: *mut c_void) -> Result<(), Error> {
    unsafe { event(e)? }.recorded.store(now(), Ordering::Release);
    Ok(())
}

/// Checks that the event is not NULL. Events are always complete, recorded or not (as in CUDA).
pub unsafe fn check(e: *mut c_void) -> Result<(), Error> {
    unsafe { event(e) }.map(|_| ())
}

/// Milliseconds between two events, which must have been recorded and must be timed.
pub unsafe fn elapsed_ms(start: *mut c_void, end: *mut c_void) -> Result<f32, Error> {
    let time = |e: &Event| match e.recorded.load(Ordering::Acquire) {
        NEVER => Err(Error::Driver("the event was not recorded".into())),
        t if e.timed => Ok(t),
        _ => Err(Error::Driver("the event was made without timing".into())),
    };
    let (start, end) = unsafe { (time(event(start)?)?, time(event(end)?)?) };
    Ok(((end - start) as f64 * 1e-6) as f32)
}
