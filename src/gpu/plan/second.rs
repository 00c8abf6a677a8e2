//! A second stream, on which a call has launches that need not wait for each other. Where the caller's stream is being captured,
//! all stays on it, in the same order.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::{List, Queue};
use crate::routine::Stream;
use cudarc::driver::sys::{self, CUresult};
use parking_lot::Mutex;
use std::ptr::null_mut;

/// A stream of high priority, so that a few blocks need not wait for another launch's many, and what it is awaited with.
/// Handles as integers, which may cross threads.
#[derive(Clone, Copy)]
pub struct Side {
    /// Of its context: no other one ever has the same.
    context: u64,
    stream: usize,
    forked: usize,
    joined: usize,
}

/// Those that no call uses. They are made at first use and kept, as the pool of scratch memory is.
static IDLE: Mutex<Vec<Side>> = Mutex::new(vec![]);

impl Side {
    /// One of the current context; `None` while `beside` is being captured, since this stream would then be part of the
    /// capture until that ends, or where the driver makes none.
    fn take(beside: Stream) -> Option<Side> {
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut context, mut id) = (null_mut(), 0);
        current_device().ok()?;
        // SAFETY: queries with out-parameters.
        unsafe {
            done(api::cuStreamIsCapturing(beside.0.cast(), &mut status))?;
            if status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE {
                return None;
            }
            done(api::cuCtxGetCurrent(&mut context))?;
            done(api::cuCtxGetId(context, &mut id))?;
        }
        let mut idle = IDLE.lock();
        match idle.iter().position(|side| side.context == id) {
            Some(i) => Some(idle.swap_remove(i)),
            None => Side::new(id),
        }
    }

    fn new(context: u64) -> Option<Side> {
        let (mut least, mut greatest) = (0, 0);
        let (mut stream, mut forked, mut joined) = (null_mut(), null_mut(), null_mut());
        let kind = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        let untimed = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: plain driver calls with out-parameters.
        unsafe {
            done(api::cuCtxGetStreamPriorityRange(&mut least, &mut greatest))?;
            done(api::cuStreamCreateWithPriority(&mut stream, kind, greatest))?;
            done(api::cuEventCreate(&mut forked, untimed))?;
            done(api::cuEventCreate(&mut joined, untimed))?;
        }
        Some(Side { context, stream: stream as usize, forked: forked as usize, joined: joined as usize })
    }

    fn stream(self) -> Stream {
        Stream(self.stream as *mut _)
    }

    /// What is launched here from now on comes after what `stream` has.
    fn fork(self, stream: Stream) -> Result<(), Error> {
        follow(stream, self.forked, self.stream())
    }

    /// The other way round.
    fn join(self, stream: Stream) -> Result<(), Error> {
        follow(self.stream(), self.joined, stream)
    }
}

fn done(r: CUresult) -> Option<()> {
    (r == CUresult::CUDA_SUCCESS).then_some(())
}

/// What `after` gets from now on waits for what `before` has.
fn follow(before: Stream, event: usize, after: Stream) -> Result<(), Error> {
    let event = event as sys::CUevent;
    // SAFETY: streams and an event of the current context.
    unsafe {
        check("cuEventRecord", api::cuEventRecord(event, before.0.cast()))?;
        check("cuStreamWaitEvent", api::cuStreamWaitEvent(after.0.cast(), event, 0))
    }
}

/// What goes on beside a call's stream.
#[derive(Clone, Copy)]
pub enum Second<'a> {
    /// A stream.
    Stream(Side),
    /// Nothing is done.
    Listed(&'a List),
}

impl<'a> Second<'a> {
    /// One, where the driver has one and the stream is not being captured.
    pub fn beside(main: Queue<'a>) -> Option<Second<'a>> {
        match main {
            Queue::Stream(stream) => Side::take(stream).map(Second::Stream),
            Queue::List(list) | Queue::Beside(list) => Some(Second::Listed(list)),
        }
    }

    /// Where its launches go.
    pub fn queue(self) -> Queue<'a> {
        match self {
            Second::Stream(side) => Queue::Stream(side.stream()),
            Second::Listed(list) => Queue::Beside(list),
        }
    }

    /// What is launched here from now on comes after what `main` has.
    pub fn fork(self, main: Queue) -> Result<(), Error> {
        match (self, main) {
            (Second::Stream(side), Queue::Stream(stream)) => side.fork(stream),
            _ => Ok(()),
        }
    }

    /// The other way round.
    pub fn join(self, main: Queue) -> Result<(), Error> {
        match (self, main) {
            (Second::Stream(side), Queue::Stream(stream)) => side.join(stream),
            _ => Ok(()),
        }
    }

    /// For other calls; it was joined.
    pub fn give_back(self) {
        if let Second::Stream(side) = self {
            IDLE.lock().push(side);
        }
    }
}
