//! Classes of members that have sizes of their own: each has a launch, or several, in order of size. As no member is of two classes,
//! the launches for the largest go on the caller's stream and all others beside it.

use crate::error::Error;
use crate::gpu::driver::second::Second;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::Call;
use crate::gpu::plan::{Launch, Planned};

/// Walks a plan; `launch` is told where each launch goes.
pub fn walk<P: Planned>(
    call: &Call<P>,
    mut launch: impl FnMut(&Launch, Queue) -> Result<(), Error>,
) -> Result<(), Error> {
    let over = call.plan.launches().map(|l| l.over).max().unwrap_or(0);
    let several = call.plan.launches().any(|l| l.over < over);
    let Some(side) = several.then(|| Second::beside(call.queue)).flatten() else {
        return call.walk(|l| launch(l, call.queue));
    };
    side.fork()?;
    // The largest take longest: they are launched first.
    let largest = call.walk(|l| if l.over == over { launch(l, call.queue) } else { Ok(()) });
    let others = largest.and_then(|()| call.walk(|l| if l.over < over { launch(l, side.queue()) } else { Ok(()) }));
    // After an error, too, the caller's stream waits for what was launched.
    let joined = side.join();
    others.and(joined)
}
