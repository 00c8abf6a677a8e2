//! A second stream, on which a call can run work concurrently with its work on the caller's stream. While the
//! caller's stream is being captured, everything stays on that stream, in the same order.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::{List, Queue};
use crate::routine::Stream;
use cudarc::driver::sys::{self, CUresult};
use parking_lot::Mutex;
use std::cell::Cell;
use std::ptr::null_mut;

/// A high-priority stream, so that a panel's few blocks need not wait for an update's many, and the events that
/// order it with the caller's stream. Handles are stored as integers, which are `Send`.
#[derive(Clone, Copy)]
struct SideStream {
    /// The unique number of its context.
    context: u64,
    stream: usize,
    fork_event: usize,
    join_event: usize,
}

/// Streams that no call is using. They are created at first use and kept, like the pool of scratch memory.
static IDLE: Mutex<Vec<SideStream>> = Mutex::new(vec![]);

/// The number of the current context, which no other context ever has.
pub fn context() -> Option<u64> {
    let (mut context, mut id) = (null_mut(), 0);
    current_device().ok()?;
    // SAFETY: queries with out-parameters.
    unsafe {
        done(api::cuCtxGetCurrent(&mut context))?;
        done(api::cuCtxGetId(context, &mut id))?;
    }
    Some(id)
}

/// Whether the stream is being captured, or its state cannot be determined.
pub fn is_captured(stream: Stream) -> bool {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: a query with an out-parameter.
    let asked = unsafe { api::cuStreamIsCapturing(stream.0.cast(), &mut status) };
    done(asked).is_none() || status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE
}

impl SideStream {
    /// A stream in the current context. `None` while `beside` is being captured, since this stream would then be
    /// part of the capture until it ends; also `None` if the driver cannot create one.
    fn take(beside: Stream) -> Option<SideStream> {
        let id = context()?;
        if is_captured(beside) {
            return None;
        }
        let mut idle = IDLE.lock();
        match idle.iter().position(|side| side.context == id) {
            Some(i) => Some(idle.swap_remove(i)),
            None => SideStream::new(id),
        }
    }

    fn new(context: u64) -> Option<SideStream> {
        let (mut least, mut greatest) = (0, 0);
        let (mut stream, mut fork_event, mut join_event) = (null_mut(), null_mut(), null_mut());
        let kind = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        let untimed = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: plain driver calls with out-parameters.
        unsafe {
            done(api::cuCtxGetStreamPriorityRange(&mut least, &mut greatest))?;
            done(api::cuStreamCreateWithPriority(&mut stream, kind, greatest))?;
            done(api::cuEventCreate(&mut fork_event, untimed))?;
            done(api::cuEventCreate(&mut join_event, untimed))?;
        }
        Some(SideStream {
            context,
            stream: stream as usize,
            fork_event: fork_event as usize,
            join_event: join_event as usize,
        })
    }

    fn stream(self) -> Stream {
        Stream(self.stream as *mut _)
    }
}

fn done(r: CUresult) -> Option<()> {
    (r == CUresult::CUDA_SUCCESS).then_some(())
}

/// Makes later work on `after` wait for the work submitted to `before` so far.
fn follow(before: Stream, event: usize, after: Stream) -> Result<(), Error> {
    let event = event as sys::CUevent;
    // SAFETY: streams and an event of the current context.
    unsafe {
        check("cuEventRecord", api::cuEventRecord(event, before.0.cast()))?;
        check("cuStreamWaitEvent", api::cuStreamWaitEvent(after.0.cast(), event, 0))
    }
}

/// The kinds of second queue: a stream of its own, or the list of the first.
#[derive(Clone, Copy)]
enum Kind<'a> {
    Stream(SideStream),
    Listed(&'a List),
}

/// A second queue of one call.
pub struct SecondQueue<'a> {
    main: Queue<'a>,
    kind: Kind<'a>,
    /// Whether `fork` was called without a `join` since.
    forked: Cell<bool>,
}

impl<'a> SecondQueue<'a> {
    /// A second queue next to `main`, if there can be one.
    pub fn beside(main: Queue<'a>) -> Option<SecondQueue<'a>> {
        let kind = match main {
            Queue::Stream(stream) => Kind::Stream(SideStream::take(stream)?),
            Queue::List(list) | Queue::SecondList(list) => Kind::Listed(list),
        };
        Some(SecondQueue { main, kind, forked: Cell::new(false) })
    }

    /// The second queue. Its launches do not wait for those on `main` between [`SecondQueue::fork`] and
    /// [`SecondQueue::join`].
    pub fn queue(&self) -> Queue<'a> {
        match self.kind {
            Kind::Stream(side) => Queue::Stream(side.stream()),
            Kind::Listed(list) => Queue::SecondList(list),
        }
    }

    /// Makes later launches on this queue wait for everything on `main` so far.
    pub fn fork(&self) -> Result<(), Error> {
        self.forked.set(true);
        match (self.kind, self.main) {
            (Kind::Stream(side), Queue::Stream(stream)) => follow(stream, side.fork_event, side.stream()),
            _ => Ok(()),
        }
    }

    /// Makes later launches on `main` wait for everything on this queue since [`SecondQueue::fork`].
    pub fn join(&self) -> Result<(), Error> {
        match (self.kind, self.main) {
            (Kind::Stream(side), Queue::Stream(stream)) if self.forked.get() => {
                follow(side.stream(), side.join_event, stream)?;
            }
            _ => {}
        }
        self.forked.set(false);
        Ok(())
    }
}

impl Drop for SecondQueue<'_> {
    /// Makes the caller's stream wait for everything launched here, even after an error. A stream for which that
    /// fails is not used again.
    fn drop(&mut self) {
        if let (Kind::Stream(side), Ok(())) = (self.kind, self.join()) {
            IDLE.lock().push(side);
        }
    }
}
