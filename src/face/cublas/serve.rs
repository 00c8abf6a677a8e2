//! Serves calls through the cuBLAS ABI: decides who serves a call, and on which stream.

use crate::backend;
use crate::backend::{Kind, Runtime};
use crate::error::{Arg, Error};
use crate::face::cublas::handle::{Owner, foreign_math_mode, foreign_pointer_mode, foreign_stream, owner};
use crate::face::cublas::prototype::Prototype;
use crate::face::cublas::status::Status;
use crate::face::guard::record;
use crate::face::native::{Positions, position};
use crate::face::{math, trace};
use crate::routine::{Alpha, Dtype, Math, Stream, Verdict};
use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering::Relaxed;

/// The memory of a routine's scalars (`cublasPointerMode_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// In host memory, read before the call returns.
    Host,
    /// In the backend's memory, read in stream order.
    Device,
}

impl Scalars {
    fn of(mode: c_int) -> Self {
        if mode == 1 { Scalars::Device } else { Scalars::Host }
    }

    /// The scalar at `place`.
    ///
    /// # Safety
    /// A `place` in host memory must be NULL or valid for a read.
    pub unsafe fn read(self, dtype: Dtype, place: *const c_void) -> Alpha {
        match self {
            Scalars::Host => unsafe { Alpha::read(dtype, place) },
            Scalars::Device => Alpha::Device(place),
        }
    }
}

/// The settings of a handle that affect its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// The pointer mode; only set for calls with scalars.
    pub scalars: Scalars,
    /// The math mode; only set for calls that support several.
    pub math: Math,
}

/// A call that can be served: its [`Prototype`], and the implementation of its routine.
pub trait Call: Prototype {
    /// Whether the routine has scalars, so that the handle's pointer mode matters.
    const SCALARS: bool = false;

    /// cuBLAS's names of arguments that the problem calls something else, for messages.
    const NAMES: &'static [(Arg, &'static str)] = &[];

    /// Whether the routine can compute in TF32 or on tensor cores, so that the handle's math mode matters.
    fn has_math(&self) -> bool {
        false
    }

    /// Whether the vendor's own function was measured to be faster on CUDA; a call with a real handle then goes to it.
    fn prefers_vendor(&self) -> bool {
        false
    }

    /// The checks that cuBLAS makes after that of the handle and before those of the sizes.
    fn entry_check(&self) -> Result<(), Status> {
        Ok(())
    }
    /// Checks the arguments; returns [`Error::NotSupported`] for combinations that cuBLAS does not support either.
    fn check(&self) -> Result<Verdict, Error>;
    /// Checks and runs.
    ///
    /// # Safety
    /// As cuBLAS documents the routine.
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error>;
    /// Reports the result through the routine's outputs for it, if any, and returns the status.
    ///
    /// # Safety
    /// As [`Call::run`].
    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        self.status(result)
    }

    /// The status of a result; a failure becomes the thread's last error.
    fn status(&self, result: Result<(), Error>) -> Status {
        if let Err(error @ Error::BadArgument(arg, fault)) = &result
            && let Some((_, name)) = Self::NAMES.iter().find(|(of, _)| of == arg)
        {
            record(self.name(), &fault.message(name));
            return error.into();
        }
        status(self.name(), result)
    }
}

/// Sets the host integer `info` after a success, to 0, and for a bad argument, to -i if it is the i-th. The status alone
/// says any other reason why a call did not run.
///
/// # Safety
/// `info` must be valid for a write.
pub unsafe fn write_info(info: *mut c_int, positions: &Positions, result: &Result<(), Error>) {
    let code = match result {
        Ok(()) => 0,
        Err(Error::BadArgument(arg, _)) => -position(positions, *arg),
        Err(_) => return,
    };
    unsafe { *info = code };
}

/// The status of a result; a failure becomes the thread's last error.
pub fn status(name: &str, result: Result<(), Error>) -> Status {
    match result {
        Ok(()) => Status::SUCCESS,
        Err(error) => {
            record(name, &error);
            (&error).into()
        }
    }
}

/// Serves a call on its handle's stream: on the current backend for one of our handles, on CUDA for a handle of the
/// real library. `vendor` finds the real function for calls that cannot be served.
///
/// # Safety
/// As cuBLAS documents.
#[inline]
pub unsafe fn serve<C: Call>(call: &C, vendor: impl Fn() -> Option<*mut c_void>) -> Status {
    if let Err(status) = entry_check(call) {
        return status;
    }
    match owner(call.handle()) {
        Owner::Ours(handle) => {
            let scalars = Scalars::of(if C::SCALARS { handle.pointer_mode.load(Relaxed) } else { 0 });
            let math = if call.has_math() { math::of_mode(handle.math_mode.load(Relaxed)) } else { Math::Fp32 };
            let modes = Modes { scalars, math };
            let result = backend::current().and_then(|runtime| unsafe { call.run(runtime, handle.stream(), modes) });
            unsafe { call.finish(result) }
        }
        _ => unsafe { serve_foreign(call, vendor) },
    }
}

/// Serves a call with a handle of the real library, which arrives through `libtephra_preload.so`.
///
/// A real handle implies device memory, so the CPU backend serves it only if it was requested explicitly
/// (`TEPHRA_BACKEND=cpu`, with which tests without a GPU verify the interposition). Otherwise, calls that CUDA cannot
/// serve are forwarded to the vendor's function, and logged under `TEPHRA_VERBOSE`.
///
/// # Safety
/// As cuBLAS documents.
unsafe fn serve_foreign<C: Call>(call: &C, vendor: impl Fn() -> Option<*mut c_void>) -> Status {
    let runtime = match runtime_for_foreign() {
        Ok(runtime) => runtime,
        Err(why) => return unsafe { forward(call, vendor(), why) },
    };
    if runtime.kind() == Kind::Cuda
        && call.prefers_vendor()
        && let Some(address) = vendor()
    {
        return unsafe { call.call_vendor(address) };
    }
    // The arguments are checked first, as a bad one or an empty problem needs no stream.
    match call.check() {
        Ok(Verdict::Go) => {}
        Err(why @ Error::NotSupported(_)) => return unsafe { forward(call, vendor(), why) },
        other => return unsafe { call.finish(other.map(|_| ())) },
    }
    let stream = match unsafe { foreign_stream(call.handle()) } {
        Ok(stream) => stream,
        Err(status) => return status,
    };
    let mode = if C::SCALARS { unsafe { foreign_pointer_mode(call.handle()) } } else { Ok(0) };
    let scalars = match mode {
        Ok(mode) => Scalars::of(mode),
        Err(status) => return status,
    };
    let math = if call.has_math() { math::of_mode(unsafe { foreign_math_mode(call.handle()) }) } else { Math::Fp32 };
    match unsafe { call.run(runtime, stream, Modes { scalars, math }) } {
        Err(why @ (Error::NotSupported(_) | Error::NoDevice(_))) => unsafe { forward(call, vendor(), why) },
        result => unsafe { call.finish(result) },
    }
}

fn entry_check<C: Call>(call: &C) -> Result<(), Status> {
    if call.handle().is_null() { Err(Status::NOT_INITIALIZED) } else { call.entry_check() }
}

/// The backend for handles of the vendor's: see [`serve_foreign`].
pub(in crate::face) fn runtime_for_foreign() -> Result<&'static dyn Runtime, Error> {
    if backend::asked_for() == Some(Kind::Cpu) { backend::get(Kind::Cpu) } else { backend::get(Kind::Cuda) }
}

/// Forwards the call to the real library; without one, reports `why` the call cannot be served.
unsafe fn forward<C: Call>(call: &C, vendor: Option<*mut c_void>, why: Error) -> Status {
    let Some(address) = vendor else { return unsafe { call.finish(Err(why)) } };
    if trace::enabled() {
        trace::line(&format!("tephra: {} passed on to the vendor's library: {why}", call.name()));
    }
    unsafe { call.call_vendor(address) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;

    #[test]
    fn info_is_left_alone_unless_an_argument_is_to_blame() {
        let positions: &Positions = &[(Arg::M, 1), (Arg::Lda, 4)];
        let written = |result| {
            let mut info = 77;
            // SAFETY: a valid integer.
            unsafe { write_info(&mut info, positions, &result) };
            info
        };
        assert_eq!(written(Ok(())), 0);
        assert_eq!(written(Err(Error::BadArgument(Arg::Lda, Fault::Below(1, 2)))), -4);
        for other in [Error::NoDevice, Error::NotSupported, Error::OutOfMemory, Error::Driver, Error::Internal] {
            assert_eq!(written(Err(other("no reason".into()))), 77);
        }
    }
}
