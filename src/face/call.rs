//! One factorisation on behalf of any ABI: check, refuse NULL, trace, run.

use super::trace;
use crate::backend::Runtime;
use crate::check::{self, Verdict};
use crate::error::{Arg, Error};
use crate::problem::{Geqrf, Operand, Stream};

/// Checks `p` and runs it on `runtime` for the exported function `name`.
///
/// A NULL operand is refused only when there is work: with a zero size it is legal in every ABI that we serve.
///
/// # Safety
/// As [`crate::geqrf`].
#[inline]
pub unsafe fn geqrf(name: &str, runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let verdict = check::geqrf(p)?;
    if trace::enabled() {
        trace::geqrf(name, runtime, p, verdict);
    }
    if verdict == Verdict::QuickReturn {
        return Ok(());
    }
    refuse_null(&p.a, Arg::A)?;
    refuse_null(&p.tau, Arg::Tau)?;
    unsafe { runtime.geqrf(p, stream) }
}

fn refuse_null(operand: &Operand, arg: Arg) -> Result<(), Error> {
    let null = match operand {
        Operand::Pointers(array) => array.is_null(),
        Operand::Strided { base, .. } => base.is_null(),
    };
    if null { Err(arg.into()) } else { Ok(()) }
}
