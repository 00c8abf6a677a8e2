//! A second stream, on which a call goes on beside what it has given the caller's. Where the caller's stream is being captured, all
//! stays on it, in the same order.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::{List, Queue};
use crate::routine::Stream;
use cudarc::driver::sys::{self, CUresult};
use parking_lot::Mutex;
use std::cell::Cell;
use std::ptr::null_mut;

/// A stream of high priority, so that a panel's few blocks need not wait for an update's many, and what it is awaited with.
/// Handles as integers, which may cross threads.
#[derive(Clone, Copy)]
struct Side {
    /// Of its context: no other one ever has the same.
    context: u64,
    stream: usize,
    forked: usize,
    joined: usize,
}

/// Those that no call uses. They are made at first use and kept, as the pool of scratch memory is.
static IDLE: Mutex<Vec<Side>> = Mutex::new(vec![]);

/// The number of the current context, which no other one ever has.
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

/// Whether what a stream gets is captured, or cannot be known.
pub fn is_captured(stream: Stream) -> bool {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: a query with an out-parameter.
    let asked = unsafe { api::cuStreamIsCapturing(stream.0.cast(), &mut status) };
    done(asked).is_none() || status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE
}

impl Side {
    /// One of the current context; `None` while `beside` is being captured, since this stream would then be part of the
    /// capture until that ends, or where the driver makes none.
    fn take(beside: Stream) -> Option<Side> {
        let id = context()?;
        if is_captured(beside) {
            return None;
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

/// What goes on beside a call's queue.
#[derive(Clone, Copy)]
enum Kind<'a> {
    Stream(Side),
    Listed(&'a List),
}

/// A second queue of one call.
pub struct Second<'a> {
    main: Queue<'a>,
    kind: Kind<'a>,
    /// Whether it was forked, and not joined since.
    apart: Cell<bool>,
}

impl<'a> Second<'a> {
    /// One beside `main`, where there can be one.
    pub fn beside(main: Queue<'a>) -> Option<Second<'a>> {
        let kind = match main {
            Queue::Stream(stream) => Kind::Stream(Side::take(stream)?),
            Queue::List(list) | Queue::Beside(list) => Kind::Listed(list),
        };
        Some(Second { main, kind, apart: Cell::new(false) })
    }

    /// What is launched here does not wait for what `main` gets between [`Second::fork`] and [`Second::join`].
    pub fn queue(&self) -> Queue<'a> {
        match self.kind {
            Kind::Stream(side) => Queue::Stream(side.stream()),
            Kind::Listed(list) => Queue::Beside(list),
        }
    }

    /// What is launched here from now on comes after what `main` has.
    pub fn fork(&self) -> Result<(), Error> {
        self.apart.set(true);
        match (self.kind, self.main) {
            (Kind::Stream(side), Queue::Stream(stream)) => follow(stream, side.forked, side.stream()),
            _ => Ok(()),
        }
    }

    /// The other way round, of all since [`Second::fork`].
    pub fn join(&self) -> Result<(), Error> {
        match (self.kind, self.main) {
            (Kind::Stream(side), Queue::Stream(stream)) if self.apart.get() => {
                follow(side.stream(), side.joined, stream)?;
            }
            _ => {}
        }
        self.apart.set(false);
        Ok(())
    }
}

impl Drop for Second<'_> {
    /// The caller's stream waits for all that was launched here, also after an error; a stream for which that fails is not used again.
    fn drop(&mut self) {
        if let (Kind::Stream(side), Ok(())) = (self.kind, self.join()) {
            IDLE.lock().push(side);
        }
    }
}
