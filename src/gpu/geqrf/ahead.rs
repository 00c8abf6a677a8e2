//! Look-ahead: while an update still works on the columns to the right of the next panel, that panel is factored on a second
//! stream. Where the caller's stream is being captured, all stays on it, in the same order.

use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::second::Second;
use crate::gpu::tall::update_steps::Reflection;

/// An update of which the columns from `first` on, of the matrix, are still to be done.
pub struct Rest {
    pub reflection: Reflection,
    pub first: i64,
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
        if let (Some(side), Ok(())) = (self.side, joined) {
            side.give_back();
        }
    }
}
