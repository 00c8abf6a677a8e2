//! The native API. `include/tephra.h` is generated from this file: its comments are the reference manual.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use tephra_core::backend::{self, Kind};
use tephra_core::face::guard::{Outcome, last_error, read_text};
use tephra_core::face::native::*;
use tephra_core::{Arg, Dtype, Error, Geqrf, Operand, Stream, entry, plan};

/// Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of
/// the positive TEPHRA_STATUS_* values. tephra_last_error() has the text. After a failure nothing was written.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(i32);

/// Done.
pub const STATUS_SUCCESS: i32 = 0;
/// The combination is outside the support matrix, or tephra_set_plan() forbids every plan for it.
pub const STATUS_NOT_SUPPORTED: i32 = 1;
/// No usable device, driver or kernel image for the chosen backend.
pub const STATUS_NO_DEVICE: i32 = 2;
/// Device or host memory could not be allocated.
pub const STATUS_OUT_OF_MEMORY: i32 = 3;
/// A CUDA driver call or a kernel launch failed.
pub const STATUS_DRIVER_ERROR: i32 = 4;
/// A defect of the library.
pub const STATUS_INTERNAL_ERROR: i32 = 5;

/// Host memory and host threads.
pub const BACKEND_CPU: c_int = 1;
/// Device memory and the caller's current CUDA device.
pub const BACKEND_CUDA: c_int = 2;

/// Complex number in single precision: layout of cuComplex, float _Complex, std::complex<float>, COMPLEX*8.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct C32 {
    pub re: f32,
    pub im: f32,
}

/// Complex number in double precision: layout of cuDoubleComplex, double _Complex, std::complex<double>, COMPLEX*16.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct C64 {
    pub re: f64,
    pub im: f64,
}

impl Outcome for Status {
    fn failed(_name: &'static str, error: &Error) -> Self {
        Status(code(error))
    }
}

/// The status of success, for `map`.
fn done<T>(_: T) -> Status {
    Status(STATUS_SUCCESS)
}

macro_rules! geqrf {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, a_array: *const *mut $ty, lda: i64, tau_array: *const *mut $ty, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let _none_needed = (work, work_bytes);
            let (a, tau) = (Operand::Pointers(a_array.cast()), Operand::Pointers(tau_array.cast()));
            let p = Geqrf { a, tau, ..shape(Dtype::$dtype, m, n, lda, batch_count) };
            Ok(Status(geqrf(stringify!($batched), GEQRF_BATCHED, &p, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let p = shape(Dtype::$dtype, m, n, lda, batch_count);
            Ok(Status(geqrf_workspace(stringify!($batched_workspace), GEQRF_BATCHED_WORKSPACE, &p, bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, tau: *mut $ty, stride_tau: i64, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let _none_needed = (work, work_bytes);
            let p = strided(Dtype::$dtype, m, n, a.cast(), lda, stride_a, tau.cast(), stride_tau, batch_count);
            Ok(Status(geqrf(stringify!($strided), GEQRF_STRIDED, &p, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, lda: i64, stride_a: i64, stride_tau: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let none = ptr::null_mut();
            let p = strided(Dtype::$dtype, m, n, none, lda, stride_a, none, stride_tau, batch_count);
            Ok(Status(geqrf_workspace(stringify!($strided_workspace), GEQRF_STRIDED_WORKSPACE, &p, bytes)))
        }
    )*}};
}

fn strided(
    dtype: Dtype,
    m: i64,
    n: i64,
    a: *mut c_void,
    lda: i64,
    stride_a: i64,
    tau: *mut c_void,
    stride_tau: i64,
    batch: i64,
) -> Geqrf {
    let a = Operand::Strided { base: a, stride: stride_a };
    let tau = Operand::Strided { base: tau, stride: stride_tau };
    Geqrf { a, tau, ..shape(dtype, m, n, lda, batch) }
}

geqrf! {
    f32: S:
    /// Batched QR factorisation, LAPACK SGEQRF for each matrix: A(i) = Q(i) R(i), in place.
    ///
    /// On exit the elements on and above the diagonal of A(i) hold the min(m,n) x n upper trapezoidal R(i); those
    /// below it, with tau(i), hold Q(i) = H(1) H(2) ... H(k), k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
    /// v(1:j-1) = 0 and v(j+1:m) stored in A(j+1:m, j). Signs and conjugations are LAPACK's: the diagonal of R is
    /// real in the complex types, and tau(j) = 0 where H(j) = I.
    ///
    /// The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
    /// backend it is finished when it returns. A NaN or infinity stays inside its own matrix. Rows m..lda-1 of A
    /// are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0; m < n is fine |
    /// | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
    /// | 6 | batch_count | number of matrices, >= 0, no upper limit |
    /// | 7 | work | workspace in device memory, or NULL |
    /// | 8 | work_bytes | its size, at least what tephra_sgeqrf_batched_workspace() answers |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
    ///
    /// The matrices and vectors are in device memory and need no alignment beyond their elements'. The two arrays of
    /// pointers are in device memory too, or in host memory that the device can read (pinned, managed). The CPU
    /// backend, where all of these are host memory, ignores the stream.
    ///
    /// Nothing is done and success returned when m, n or batch_count is 0.
    tephra_sgeqrf_batched,
    /// Workspace of tephra_sgeqrf_batched() in bytes, at present 0 for every shape. The arguments are checked as
    /// there, and numbered m 1, n 2, lda 3, batch_count 4.
    tephra_sgeqrf_batched_workspace,
    /// tephra_sgeqrf_batched() for matrices at a fixed distance: A(i) starts at a + i*stride_a, tau(i) at
    /// tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and
    /// stride_tau >= max(1,min(m,n)); matrices must not share elements (lda*n <= stride_a, or rows packed side by
    /// side). Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9,
    /// work_bytes 10, stream 11.
    tephra_sgeqrf_strided_batched,
    /// Workspace of tephra_sgeqrf_strided_batched() in bytes, at present 0 for every shape.
    tephra_sgeqrf_strided_batched_workspace;

    f64: D:
    /// tephra_sgeqrf_batched() in double precision (LAPACK DGEQRF).
    tephra_dgeqrf_batched,
    /// tephra_sgeqrf_batched_workspace() in double precision.
    tephra_dgeqrf_batched_workspace,
    /// tephra_sgeqrf_strided_batched() in double precision.
    tephra_dgeqrf_strided_batched,
    /// tephra_sgeqrf_strided_batched_workspace() in double precision.
    tephra_dgeqrf_strided_batched_workspace;

    C32: C:
    /// tephra_sgeqrf_batched() in single precision complex (LAPACK CGEQRF).
    tephra_cgeqrf_batched,
    /// tephra_sgeqrf_batched_workspace() in single precision complex.
    tephra_cgeqrf_batched_workspace,
    /// tephra_sgeqrf_strided_batched() in single precision complex.
    tephra_cgeqrf_strided_batched,
    /// tephra_sgeqrf_strided_batched_workspace() in single precision complex.
    tephra_cgeqrf_strided_batched_workspace;

    C64: Z:
    /// tephra_sgeqrf_batched() in double precision complex (LAPACK ZGEQRF).
    tephra_zgeqrf_batched,
    /// tephra_sgeqrf_batched_workspace() in double precision complex.
    tephra_zgeqrf_batched_workspace,
    /// tephra_sgeqrf_strided_batched() in double precision complex.
    tephra_zgeqrf_strided_batched,
    /// tephra_sgeqrf_strided_batched_workspace() in double precision complex.
    tephra_zgeqrf_strided_batched_workspace;
}

fn build_info() -> &'static CStr {
    static TEXT: OnceLock<CString> = OnceLock::new();
    TEXT.get_or_init(|| CString::new(backend::build_info()).unwrap_or_default())
}

fn version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

entry! {
    /// The library's version, "major.minor.patch".
    fn tephra_version() -> *const c_char { Ok(version()) }

    /// How the library was built, as lines of key=value: version, backends, kernel_hash (of the kernel and
    /// CUDA-backend sources), archs (GPU architectures with compiled kernels).
    fn tephra_build_info() -> *const c_char { Ok(build_info().as_ptr()) }

    /// The text of the last failure on the calling thread, "" before the first; valid until the thread's next
    /// failure. Failures of the cuBLAS- and MAGMA-compatible functions are recorded too.
    fn tephra_last_error() -> *const c_char { Ok(last_error()) }

    /// Writes the backend in use to *backend: TEPHRA_BACKEND_CPU or TEPHRA_BACKEND_CUDA. The first call of any
    /// function decides: TEPHRA_BACKEND=cpu|cuda in the environment, else CUDA when a device is usable, else the
    /// CPU.
    fn tephra_get_backend(backend: *mut c_int) -> Status {
        if backend.is_null() { return Ok(Status(-1)); }
        *backend = backend::current()?.kind() as c_int;
        Ok(done(()))
    }

    /// Selects the backend for the whole process; TEPHRA_STATUS_NO_DEVICE (and no change) when it is not usable.
    /// Memory, streams, handles and queues made before belong to the old backend and must not be used on.
    fn tephra_set_backend(backend: c_int) -> Status {
        let kind = match backend {
            BACKEND_CPU => Kind::Cpu,
            BACKEND_CUDA => Kind::Cuda,
            _ => return Ok(Status(-1)),
        };
        backend::select(kind).map(done)
    }

    /// Selects the backend for calls of the calling thread, whatever the process uses; 0: what the process uses, again.
    /// For programs with matrices in host and in device memory. TEPHRA_STATUS_NO_DEVICE (and no change) when it is not
    /// usable.
    fn tephra_set_thread_backend(backend: c_int) -> Status {
        let kind = match backend {
            0 => None,
            BACKEND_CPU => Some(Kind::Cpu),
            BACKEND_CUDA => Some(Kind::Cuda),
            _ => return Ok(Status(-1)),
        };
        backend::select_for_thread(kind).map(done)
    }

    /// Writes the plan for a shape on the current backend as text: op is "sgeqrf", "dgeqrf", "cgeqrf" or "zgeqrf".
    /// At most size bytes are written, the NUL included; *needed (may be NULL) receives the size of all of it, so
    /// that a call with size 0 asks for it. Arguments are numbered op 1, m 2, n 3, batch_count 4.
    fn tephra_explain(
        op: *const c_char, m: i64, n: i64, batch_count: i64, text: *mut c_char, size: usize, needed: *mut usize,
    ) -> Status {
        let Some(op) = read_text(op) else { return Ok(Status(-1)) };
        let result = explain(&op, m, n, batch_count, text, size, needed);
        Ok(Status(finish("tephra_explain", &[(Arg::M, 2), (Arg::N, 3), (Arg::BatchCount, 4)], result)))
    }

    /// Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates: on CUDA
    /// resident, blocked, generic; on the CPU interleaved, unblocked, blocked. Of those named, the first in the
    /// backend's own order that accepts a shape is taken; TEPHRA_STATUS_NOT_SUPPORTED when none does. NULL or ""
    /// lifts the restriction. TEPHRA_PLAN in the environment is the initial list.
    fn tephra_set_plan(candidates: *const c_char) -> Status {
        plan::set_allowed(read_text(candidates).as_deref());
        Ok(done(()))
    }

    /// Allocates memory of the backend: device memory of the current device on CUDA, host memory on the CPU.
    fn tephra_malloc(pointer: *mut *mut c_void, bytes: usize) -> Status {
        if pointer.is_null() { return Ok(Status(-1)); }
        *pointer = backend::current()?.alloc(bytes.max(1))?;
        Ok(done(()))
    }

    /// Frees what tephra_malloc() gave; NULL is fine.
    fn tephra_free(pointer: *mut c_void) -> Status {
        if !pointer.is_null() { backend::current()?.free(pointer)?; }
        Ok(done(()))
    }

    /// Copies bytes between any two places, host or device, in the order of the stream, and waits for it.
    fn tephra_memcpy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: *mut c_void) -> Status {
        copy(dst, src, bytes, Stream(stream)).map(done)
    }

    /// Makes a stream that is ordered with the default stream (cudaStreamCreate's kind).
    fn tephra_stream_create(stream: *mut *mut c_void) -> Status {
        if stream.is_null() { return Ok(Status(-1)); }
        *stream = backend::current()?.stream_create()?.0;
        Ok(done(()))
    }

    /// Destroys a stream of tephra_stream_create().
    fn tephra_stream_destroy(stream: *mut c_void) -> Status {
        backend::current()?.stream_destroy(Stream(stream)).map(done)
    }

    /// Waits for everything in a stream.
    fn tephra_stream_synchronize(stream: *mut c_void) -> Status {
        backend::current()?.stream_synchronize(Stream(stream)).map(done)
    }
}
