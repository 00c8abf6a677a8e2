//! Batches whose members have individual sizes: each class of sizes has one or several launches. No member is
//! in two classes, so the launches for the largest class go to the caller's stream and all others to a second
//! stream.

use crate::error::Error;
use crate::gpu::driver::second::SecondQueue;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::Call;
use crate::gpu::plan::{Launch, Planned};

/// Walks a plan, and tells `launch` the task and the queue of each launch.
pub fn walk<P: Planned>(
    call: &Call<P>,
    mut launch: impl FnMut(&Launch, P::Task, Queue) -> Result<(), Error>,
) -> Result<(), Error> {
    let over = call.plan.launches().map(|l| l.over).max().unwrap_or(0);
    let several = call.plan.launches().any(|l| l.over < over);
    let Some(side) = several.then(|| SecondQueue::beside(call.queue)).flatten() else {
        return call.walk_tasks(|l, task| launch(l, task, call.queue));
    };
    side.fork()?;
    // The largest members take longest, so they are launched first.
    let largest = call.walk_tasks(|l, task| if l.over == over { launch(l, task, call.queue) } else { Ok(()) });
    let others = largest
        .and_then(|()| call.walk_tasks(|l, task| if l.over < over { launch(l, task, side.queue()) } else { Ok(()) }));
    // The caller's stream waits for everything that was launched, even after an error.
    let joined = side.join();
    others.and(joined)
}
