//! Look-ahead: while an update is still working on the columns to the right of the next panel, that panel is
//! factored on a second stream ([`SecondQueue`]).

use crate::error::Error;
use crate::gpu::driver::second::SecondQueue;
use crate::gpu::plan::queue::Queue;
use crate::gpu::tall::update_steps::Reflection;

/// The unfinished part of an update: the matrix's columns from `first` on.
pub struct UnfinishedUpdate {
    pub reflection: Reflection,
    pub first: i64,
}

/// The queues of one call, whose launches are made in order.
pub struct LookAhead<'a> {
    main: Queue<'a>,
    side: Option<SecondQueue<'a>>,
    /// Columns from here on are being updated on `main`, while panels to their left run on the second queue.
    from: Option<i64>,
    /// That update, held back until the first panel has been launched. Launched earlier, it would occupy all
    /// multiprocessors first.
    rest: Option<Reflection>,
}

impl<'a> LookAhead<'a> {
    /// `wanted`: whether the call has updates that can be divided.
    pub fn new(main: Queue<'a>, wanted: bool) -> LookAhead<'a> {
        LookAhead { main, side: if wanted { SecondQueue::beside(main) } else { None }, from: None, rest: None }
    }

    /// The queue for the next launch, which changes columns before `end`.
    pub fn queue(&mut self, end: i64) -> Result<Queue<'a>, Error> {
        match (self.from, &self.side) {
            (Some(from), Some(side)) if end <= from => Ok(side.queue()),
            _ => self.join().map(|()| self.main),
        }
    }

    /// To be called after each launch. Launches the update that was held back, if any.
    ///
    /// # Safety
    /// The contract of [`Reflector::launch`](crate::gpu::tall::update_steps::Reflector::launch) must hold for what
    /// [`LookAhead::fork`] was given.
    pub unsafe fn launched(&mut self) -> Result<(), Error> {
        // SAFETY: forwarded.
        self.rest.take().map_or(Ok(()), |rest| unsafe { rest.finish(self.main) })
    }

    /// Takes over the rest of an update whose first columns have been launched.
    ///
    /// # Safety
    /// See [`LookAhead::launched`].
    pub unsafe fn fork(&mut self, rest: UnfinishedUpdate) -> Result<(), Error> {
        self.rest = Some(rest.reflection);
        if let Some(side) = &self.side {
            side.fork()?;
            self.from = Some(rest.first);
            return Ok(());
        }
        // SAFETY: forwarded.
        unsafe { self.launched() }
    }

    /// Makes later work on the caller's stream wait for everything that was launched.
    pub fn join(&mut self) -> Result<(), Error> {
        // SAFETY: an update still held back came from `fork`, whose caller guarantees its contract.
        let rest = unsafe { self.launched() };
        let joined = match (self.from.take(), &self.side) {
            (Some(_), Some(side)) => side.join(),
            _ => Ok(()),
        };
        rest.and(joined)
    }
}

impl Drop for LookAhead<'_> {
    /// After an error, nothing more is launched. Dropping the second queue makes the caller's stream wait for what
    /// was.
    fn drop(&mut self) {
        self.rest = None;
    }
}
