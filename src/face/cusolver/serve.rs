//! A call that came in through cuSOLVER's ABI: who serves it, on which stream.

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

/// One call: its [`Prototype`], and what the routine makes of it.
pub trait Call: Prototype {
    /// Whether the call is the vendor's where the handle is: because it asks for the size of a buffer, which must do for the
    /// vendor's routine, or because that was measured to be faster.
    fn is_vendors(&self) -> bool {
        false
    }
    /// Checks and runs, and tells of bad arguments on the device.
    ///
    /// # Safety
    /// As cuSOLVER documents the routine.
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error>;
}

/// The call: with a handle of ours on the backend in use, with a real library's on CUDA, on that handle's stream; what
/// cannot be served there goes to the vendor's own function. `vendor` calls that, where there is one.
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
        && call.is_vendors()
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
