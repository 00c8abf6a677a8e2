//! Serves calls through the cuSOLVER ABI: decides who serves a call, and on which stream.

use crate::backend;
use crate::backend::{Kind, Runtime};
use crate::error::Error;
use crate::face::cublas::serve::runtime_for_foreign;
use crate::face::cusolver::Status;
use crate::face::cusolver::handle::{Owner, owner, stream_of};
use crate::face::cusolver::prototype::Prototype;
use crate::face::guard::record;
use crate::face::trace;
use crate::routine::Stream;

/// A call that can be served: its [`Prototype`], and the implementation of its routine.
pub trait Call: Prototype {
    /// Whether a call with a handle of the vendor's goes to the vendor: buffer size queries, as the size must also
    /// suffice for the vendor's routine, and calls for which the vendor was measured to be faster.
    fn prefers_vendor(&self) -> bool {
        false
    }
    /// Checks and runs the call, and reports bad arguments on the device.
    ///
    /// # Safety
    /// As cuSOLVER documents the routine.
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error>;
}

/// Serves a call on its handle's stream: on the current backend for one of our handles, on CUDA for a handle of the
/// real library. Calls with such a handle that cannot be served go to the vendor's function, which `vendor` calls if
/// there is one.
///
/// # Safety
/// As cuSOLVER documents.
pub unsafe fn serve<C: Call>(call: &C, vendor: impl Fn() -> Option<Status>) -> Status {
    let runtime = match owner(call.handle()) {
        Owner::Null => return Status::NOT_INITIALIZED,
        Owner::Ours(_) => backend::current(),
        Owner::Foreign => runtime_for_foreign(),
    };
    let foreign = matches!(owner(call.handle()), Owner::Foreign);
    if foreign
        && call.prefers_vendor()
        && runtime.as_ref().is_ok_and(|runtime| runtime.kind() == Kind::Cuda)
        && let Some(status) = vendor()
    {
        return status;
    }
    let result = runtime.and_then(|runtime| match unsafe { stream_of(call.handle()) } {
        Ok(stream) => unsafe { call.run(runtime, stream) }.map(|()| Status::SUCCESS),
        Err(status) => Ok(status),
    });
    match result {
        Ok(status) => status,
        Err(why @ (Error::NotSupported(_) | Error::NoDevice(_))) if foreign => {
            if let Some(status) = vendor() {
                if trace::enabled() {
                    trace::line(&format!("tephra: {} passed on to the vendor's library: {why}", call.name()));
                }
                return status;
            }
            failed(call.name(), &why)
        }
        Err(why) => failed(call.name(), &why),
    }
}

fn failed(name: &str, why: &Error) -> Status {
    record(name, why);
    why.into()
}
