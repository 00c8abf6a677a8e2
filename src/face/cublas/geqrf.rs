//! `cublas?geqrfBatched`, for both shared objects.
//!
//! What cuBLAS 13.1 answers at its edges, measured: the handle is looked at first, then `info`, then the sizes in
//! order; `info` is written on success too; pointer arrays are not looked at when there is nothing to do.

use super::handle::{Owner, RawHandle, foreign_stream, owner};
use super::status::Status;
use crate::backend::{self, Kind, Runtime};
use crate::error::{Arg, Error};
use crate::face::guard::record;
use crate::face::native::{Positions, position};
use crate::face::{call, trace};
use crate::problem::{Dtype, Geqrf, Operand, Stream};
use std::ffi::{c_int, c_void};
use std::ptr;

/// cuBLAS counts from the first argument after the handle.
const POSITIONS: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::BatchCount, 7)];

/// `cublas?geqrfBatched` as C declares it, with the matrices' type erased.
pub type Function = unsafe extern "C" fn(
    RawHandle,
    c_int,
    c_int,
    *const *mut c_void,
    c_int,
    *const *mut c_void,
    *mut c_int,
    c_int,
) -> Status;

/// One call, as it came in.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function, for messages.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// The handle.
    pub handle: RawHandle,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: *const *mut c_void,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the scalar factors.
    pub tau: *const *mut c_void,
    /// Host integer: 0, or -i for the i-th argument.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
}

impl Call {
    fn problem(&self) -> Geqrf {
        Geqrf {
            dtype: self.dtype,
            m: self.m.into(),
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            tau: Operand::Pointers(self.tau),
            batch: self.batch.into(),
            info: ptr::null_mut(),
        }
    }

    /// What cuBLAS asks before it looks at the sizes.
    fn entry_check(&self) -> Result<(), Status> {
        if self.handle.is_null() {
            return Err(Status::NOT_INITIALIZED);
        }
        if self.info.is_null() { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        unsafe { call::geqrf(self.name, runtime, &self.problem(), stream) }
    }

    /// Tells the caller: host info always, the status, and the thread's last error.
    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        let info = match &result {
            Err(Error::BadArgument(arg)) => -position(POSITIONS, *arg),
            _ => 0,
        };
        unsafe { *self.info = info };
        match result {
            Ok(()) => Status::SUCCESS,
            Err(error) => {
                record(self.name, &error);
                (&error).into()
            }
        }
    }

    /// Passes the call on to the real library, or says why it cannot be served at all.
    unsafe fn forward(&self, vendor: Option<*mut c_void>, why: Error) -> Status {
        let Some(address) = vendor else { return unsafe { self.finish(Err(why)) } };
        if trace::enabled() {
            trace::line(&format!("tephra: {} passed on to the vendor's library: {why}", self.name));
        }
        let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address) };
        unsafe { function(self.handle, self.m, self.n, self.a, self.lda, self.tau, self.info, self.batch) }
    }
}

/// The call in `libtephra.so`: our handles on the backend in use; a real library's handle on CUDA, on its own
/// stream. `vendor` finds the real function for what cannot be served.
///
/// # Safety
/// As cuBLAS documents.
#[inline]
pub unsafe fn serve(call: &Call, vendor: impl FnOnce() -> Option<*mut c_void>) -> Status {
    if let Err(status) = call.entry_check() {
        return status;
    }
    match owner(call.handle) {
        Owner::Ours(handle) => {
            let result = backend::current().and_then(|runtime| unsafe { call.run(runtime, handle.stream()) });
            unsafe { call.finish(result) }
        }
        _ => unsafe { serve_foreign(call, vendor) },
    }
}

/// The call with a handle of the real library, as `libtephra_preload.so` always has it.
///
/// A real handle means device memory, so the CPU backend takes it only when it was asked for by name
/// (`TEPHRA_BACKEND=cpu`, which is how tests without a GPU prove the interposition); else what CUDA cannot serve
/// goes on to the vendor's own function, and says so under `TEPHRA_VERBOSE`.
///
/// # Safety
/// As cuBLAS documents.
pub unsafe fn serve_foreign(call: &Call, vendor: impl FnOnce() -> Option<*mut c_void>) -> Status {
    if let Err(status) = call.entry_check() {
        return status;
    }
    let runtime = match runtime_for_foreign() {
        Ok(runtime) => runtime,
        Err(why) => return unsafe { call.forward(vendor(), why) },
    };
    // Sizes first: a bad argument or an empty problem needs no stream.
    match crate::check::geqrf(&call.problem()) {
        Ok(crate::check::Verdict::Go) => {}
        other => return unsafe { call.finish(other.map(|_| ())) },
    }
    let stream = match unsafe { foreign_stream(call.handle) } {
        Ok(stream) => stream,
        Err(status) => return status,
    };
    match unsafe { call.run(runtime, stream) } {
        Err(why @ (Error::NotSupported(_) | Error::NoDevice(_))) => unsafe { call.forward(vendor(), why) },
        result => unsafe { call.finish(result) },
    }
}

fn runtime_for_foreign() -> Result<&'static dyn Runtime, Error> {
    if backend::asked_for() == Some(Kind::Cpu) { backend::get(Kind::Cpu) } else { backend::get(Kind::Cuda) }
}

/// The four exported names; `$serve` is [`serve`] or [`serve_foreign`].
#[macro_export]
macro_rules! export_cublas_geqrf_batched {
    ($serve:path) => {
        $crate::export_cublas_geqrf_batched! { $serve:
            cublasSgeqrfBatched, c"cublasSgeqrfBatched", S;
            cublasDgeqrfBatched, c"cublasDgeqrfBatched", D;
            cublasCgeqrfBatched, c"cublasCgeqrfBatched", C;
            cublasZgeqrfBatched, c"cublasZgeqrfBatched", Z;
        }
    };
    ($serve:path: $($name:ident, $c_name:literal, $dtype:ident;)*) => { $crate::entry! {$(
        fn $name(
            handle: $crate::face::cublas::RawHandle,
            m: std::ffi::c_int,
            n: std::ffi::c_int,
            a: *const *mut std::ffi::c_void,
            lda: std::ffi::c_int,
            tau: *const *mut std::ffi::c_void,
            info: *mut std::ffi::c_int,
            batch: std::ffi::c_int,
        ) -> $crate::face::cublas::Status {
            use $crate::face::{cublas::geqrf::Call, process::{CUBLAS, Symbol}};
            static VENDOR: Symbol = Symbol::new(CUBLAS, $c_name);
            let (name, dtype) = (stringify!($name), $crate::Dtype::$dtype);
            let call = Call { name, dtype, handle, m, n, a, lda, tau, info, batch };
            Ok($serve(&call, || VENDOR.get()))
        }
    )*}};
}
