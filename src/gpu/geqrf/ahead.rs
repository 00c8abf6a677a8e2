//! Look-ahead: while an update still works on the columns to the right of the next panel, that panel is factored on a second
//! stream. Where the caller's stream is being captured, all stays on it, in the same order.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::{List, Queue};
use crate::gpu::tall::update_steps::Reflection;
use crate::routine::Stream;
use cudarc::driver::sys::{self, CUresult};
use parking_lot::Mutex;
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

/// An update of which the columns from `first` on, of the matrix, are still to be done.
pub struct Rest {
    pub reflection: Reflection,
    pub first: i64,
}

/// What panels go on beside.
#[derive(Clone, Copy)]
enum Second<'a> {
    Stream(Side),
    Listed(&'a List),
}

impl<'a> Second<'a> {
    fn beside(main: Queue<'a>) -> Option<Second<'a>> {
        match main {
            Queue::Stream(stream) => Side::take(stream).map(Second::Stream),
            Queue::List(list) | Queue::Beside(list) => Some(Second::Listed(list)),
        }
    }

    fn queue(self) -> Queue<'a> {
        match self {
            Second::Stream(side) => Queue::Stream(side.stream()),
            Second::Listed(list) => Queue::Beside(list),
        }
    }

    fn fork(self, main: Queue) -> Result<(), Error> {
        match (self, main) {
            (Second::Stream(side), Queue::Stream(stream)) => side.fork(stream),
            _ => Ok(()),
        }
    }

    fn join(self, main: Queue) -> Result<(), Error> {
        match (self, main) {
            (Second::Stream(side), Queue::Stream(stream)) => side.join(stream),
            _ => Ok(()),
        }
    }
}

/// The streams of one call, whose launches come in order.
pub struct Ahead<'a> {
    main: Queue<'a>,
    side: Option<Second<'a>>,
    /// Columns from here on are being updated on `main` while panels to their left go on beside it.
    from: Option<i64>,
    /// That update, until the first panel is on its way: it would take all multiprocessors first.
    rest: Option<Reflection>,
}

impl<'a> Ahead<'a> {
    /// `wanted`: whether the call has updates that can be divided.
    pub fn new(main: Queue<'a>, wanted: bool) -> Ahead<'a> {
        Ahead { main, side: if wanted { Second::beside(main) } else { None }, from: None, rest: None }
    }

    /// Where the next launch belongs, which changes columns up to `end`.
    pub fn queue(&mut self, end: i64) -> Result<Queue<'a>, Error> {
        match (self.from, self.side) {
            (Some(from), Some(side)) if end <= from => Ok(side.queue()),
            _ => self.join().map(|()| self.main),
        }
    }

    /// That launch was made.
    ///
    /// # Safety
    /// As for [`Reflector::launch`](crate::gpu::tall::update_steps::Reflector::launch), of what [`Ahead::fork`] was given.
    pub unsafe fn launched(&mut self) -> Result<(), Error> {
        // SAFETY: forwarded.
        self.rest.take().map_or(Ok(()), |rest| unsafe { rest.finish(self.main) })
    }

    /// Takes an update's other columns, after the first ones were launched.
    ///
    /// # Safety
    /// As for [`Ahead::launched`].
    pub unsafe fn fork(&mut self, rest: Rest) -> Result<(), Error> {
        self.rest = Some(rest.reflection);
        if let Some(side) = self.side {
            side.fork(self.main)?;
            self.from = Some(rest.first);
            return Ok(());
        }
        // SAFETY: forwarded.
        unsafe { self.launched() }
    }

    /// All that was launched comes before what the caller's stream gets next.
    pub fn join(&mut self) -> Result<(), Error> {
        // SAFETY: an update that nothing has followed was given by `fork`, whose caller answers for it.
        let rest = unsafe { self.launched() };
        let joined = match (self.from.take(), self.side) {
            (Some(_), Some(side)) => side.join(self.main),
            _ => Ok(()),
        };
        rest.and(joined)
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        // After an error nothing more is launched, but the caller's stream waits for what was.
        self.rest = None;
        let joined = self.join();
        if let (Some(Second::Stream(side)), Ok(())) = (self.side, joined) {
            IDLE.lock().push(side);
        }
    }
}
