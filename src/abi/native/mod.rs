//! The native API. `include/tephra.h` is generated from this folder: its comments are the reference manual.

// In the order of the header: blank lines keep the formatter from sorting them.
mod geqrf;

mod geqp3;

mod orgqr;

mod ormqr;

mod qr;

mod gels;

mod gelsy;

mod one_matrix;

mod geqr;

mod gels_iterative;

mod trsm;

mod gemm;
mod gemm_grouped;

mod gemv;

mod trsv;

mod trmm;

mod trtri;

mod symm;
mod syrk;

mod geam;

mod dgmm;

mod transpose;

mod lacpy;

mod larf;

mod getrf;

mod getrs;

mod gesv;
mod gesv_rbt;

mod getri;

mod inv;

mod laswp;

mod lu_to_permutation;

mod potrf;

mod potrs;

mod posv;

mod narrow;

mod vbatched;

mod comm;

mod distributed;

mod tiled;

mod streamed;

mod batches;

use std::ffi::{c_char, c_int, c_void};
use tephra_core::backend::{self, Kind};
use tephra_core::face::guard::{Outcome, Prototype, last_error, read_text};
use tephra_core::face::math;
use tephra_core::face::native::*;
use tephra_core::host::settings;
use tephra_core::{Error, Math, Stream, entry};

/// Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of
/// the positive TEPHRA_STATUS_* values. tephra_last_error() has the text. After a bad argument, and where there is no
/// device or plan, nothing was written; where memory or the driver fails midway, what the call writes is unspecified.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(i32);

/// Done.
pub const STATUS_SUCCESS: i32 = 0;
/// No plan takes the shape: on CUDA a matrix of 2^31 rows or columns and more, or tephra_set_plan() forbids all that would;
/// or the call waits and its stream is captured.
pub const STATUS_NOT_SUPPORTED: i32 = 1;
/// No usable device, driver or kernel image for the chosen backend.
pub const STATUS_NO_DEVICE: i32 = 2;
/// Device or host memory could not be allocated.
pub const STATUS_OUT_OF_MEMORY: i32 = 3;
/// A CUDA driver call or a kernel launch failed.
pub const STATUS_DRIVER_ERROR: i32 = 4;
/// A defect of the library.
pub const STATUS_INTERNAL_ERROR: i32 = 5;
/// The ranks of a communicator do not agree about a call, one of them failed, or they could not be reached in time.
pub const STATUS_COMMUNICATION_ERROR: i32 = 6;
/// A function that the caller has handed over answered other than 0; tephra_last_error() says for which device and members.
pub const STATUS_FUNCTION_ERROR: i32 = 7;

/// Host memory and host threads.
pub const BACKEND_CPU: c_int = 1;
/// Device memory and the caller's current CUDA device.
pub const BACKEND_CUDA: c_int = 2;

/// Single precision in FP32.
pub const MATH_FP32: c_int = 1;
/// Single precision real with products in TF32 where that is faster: operands rounded to 10 bits of mantissa, FP32 sums.
pub const MATH_TF32: c_int = 2;
/// Single precision real with products on tensor cores where that is faster: operands in two parts each, errors at most
/// twice FP32's.
pub const MATH_FP32_TENSOR: c_int = 3;
/// Single precision real with products in FP16 or TF32 where that is faster: operands scaled and rounded to 10 bits of
/// mantissa, FP32 sums.
pub const MATH_FP16: c_int = 4;

/// op(Q) C, op(A) X = B: the operator stands on the left. The numbers of sides, transpositions, triangles and diagonals
/// are CBLAS's.
pub const SIDE_LEFT: c_int = 141;
/// C op(Q), X op(A) = B: the operator stands on the right.
pub const SIDE_RIGHT: c_int = 142;
/// op(X) = X.
pub const TRANS_N: c_int = 111;
/// op(X) = X^T.
pub const TRANS_T: c_int = 112;
/// op(X) = X^H, for real types X^T.
pub const TRANS_C: c_int = 113;
/// On and above the diagonal.
pub const UPLO_UPPER: c_int = 121;
/// On and below the diagonal.
pub const UPLO_LOWER: c_int = 122;
/// All of a matrix: of copies and constants.
pub const UPLO_FULL: c_int = 123;
/// The diagonal as stored.
pub const DIAG_NON_UNIT: c_int = 131;
/// The diagonal taken as ones, and not read.
pub const DIAG_UNIT: c_int = 132;

/// IEEE 754's binary16, CUDA's __half: 11 bits of mantissa, up to 65504. The numbers of types are those of cudaDataType.
pub const STORAGE_FP16: c_int = 2;
/// The upper half of a float, CUDA's __nv_bfloat16: 8 bits of mantissa, a float's range.
pub const STORAGE_BF16: c_int = 14;

/// R only: no Q is made or written.
pub const Q_NONE: c_int = 0;
/// The first min(m,n) columns of Q.
pub const Q_THIN: c_int = 1;
/// All m columns of Q.
pub const Q_FULL: c_int = 2;

/// Scratch memory: nothing is copied.
pub const ACCESS_SCRATCH: c_int = 0;
/// Copied to the device.
pub const ACCESS_READ: c_int = 1;
/// Copied back.
pub const ACCESS_WRITE: c_int = 2;
/// Both.
pub const ACCESS_READ_WRITE: c_int = 3;
/// Added to another: the operand is in page-locked memory (cudaHostAlloc, cudaHostRegister), and is copied without a detour.
pub const ACCESS_PINNED: c_int = 4;

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
    const STATUS: bool = true;
    fn failed(_name: &'static str, error: &Error) -> Self {
        Status(code(error))
    }
    fn is_failure(&self) -> bool {
        self.0 != STATUS_SUCCESS
    }
    fn text(&self, own: &Prototype) -> String {
        let argument = usize::try_from(-(self.0 + 1)).ok().and_then(|i| own.arguments.get(i));
        argument.map_or_else(|| format!("status {}", self.0), |name| format!("argument {name} is NULL or out of range"))
    }
}

/// The status of success, for `map`.
fn done<T>(_: T) -> Status {
    Status(STATUS_SUCCESS)
}

fn version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

entry! {
    /// The library's version, "major.minor.patch".
    fn tephra_version() -> *const c_char { Ok(version()) }

    /// How the library was built, as lines of key=value: version, backends, kernel_hash (of the compiled
    /// kernels), archs (GPU architectures with compiled kernels).
    fn tephra_build_info() -> *const c_char { Ok(backend::build_info().as_ptr()) }

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

    /// Sets how calls of the calling thread compute in single precision: TEPHRA_MATH_FP32, or TEPHRA_MATH_TF32, by which
    /// tephra_sgeqrf_batched(), tephra_sgeqrf_strided_batched(), tephra_sgeqrf() and MAGMA's sgeqrf apply blocks of
    /// reflectors in TF32 on CUDA: A = Q R then holds to TF32's precision only (docs/accuracy.md), Q stays orthogonal to
    /// FP32's. Or TEPHRA_MATH_FP32_TENSOR, by which they use tensor cores for more than 2048 rows, with errors at most twice
    /// FP32's. Or TEPHRA_MATH_FP16, by which they do as in TF32, and with as large errors use FP16 for more than 2048 rows.
    /// 0: what the environment says again, TEPHRA_MATH=tf32, fp32_tensor or fp16, else FP32. A permission: other
    /// operations and types, the CPU backend, and in TF32 updates of more than 2048 rows compute in FP32 as ever, and
    /// NVIDIA_TF32_OVERRIDE=0 in the environment forbids TF32 and FP16 (not tensor cores to FP32's accuracy).
    /// cuBLAS's names do as their handle's math mode says (CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_FP32_EMULATED_BF16X9_MATH)
    /// instead.
    fn tephra_set_thread_math(math: c_int) -> Status {
        math::set_for_thread(match math {
            0 => None,
            MATH_FP32 => Some(Math::Fp32),
            MATH_TF32 => Some(Math::Tf32),
            MATH_FP32_TENSOR => Some(Math::Fp32Tensor),
            MATH_FP16 => Some(Math::Fp16),
            _ => return Ok(Status(-1)),
        });
        Ok(done(()))
    }

    /// Writes the plan for a shape on the current backend as text: op is a routine's name as it is here, with a precision's
    /// letter and without affixes, such as dgeqrf or zungqr. Its other arguments are what they are most often: from the
    /// left, min(m,n) reflectors (m x n of larft, min(m,32) of larfb), a thin Q, one right-hand side, n terms of a product.
    /// The options --k, --nrhs and --trans after the name say otherwise, where the routine has such an argument: "dgemm --k 16
    /// --trans t", "zgesv --nrhs 8".
    /// At most size bytes are written, the NUL included; *needed (may be NULL) receives the size of all of it, so
    /// that a call with size 0 asks for it. Arguments are numbered op, options included, 1, m 2, n 3, batch_count 4: for a
    /// name or an option that is not known the answer is -1, and tephra_last_error() lists those that are.
    fn tephra_explain(
        op: *const c_char, m: i64, n: i64, batch_count: i64, text: *mut c_char, size: usize, needed: *mut usize,
    ) -> Status {
        let Some(op) = read_text(op) else { return Ok(Status(-1)) };
        let question = Question { own: PROTOTYPE, op: &op, m, n, batch: batch_count };
        Ok(Status(explain(question, text, size, needed)))
    }

    /// Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates: on CUDA
    /// resident, blocked, tree, gram, generic of factorisations, large of LU and Cholesky, stepped of geqp3, thin and
    /// blocked of ormqr, fused and parts of solves, inverses and least squares, halves of trsm, iterative and direct of
    /// gels_iterative, lanes, tiles and split of products; on the CPU, of geqrf, interleaved, unblocked, blocked. A name
    /// may be followed by "=" and its parameters: resident=KERNEL, the name of a kernel or the end of one, and
    /// blocked=NB/ORDER, the most columns of a panel and the order up to which the rest is factored by one launch
    /// (QR's), blocked=NB (LU's and Cholesky's), and lanes=KERNEL and tiles=KERNEL of products. Of those
    /// named, the one that the backend would prefer is taken; TEPHRA_STATUS_NOT_SUPPORTED when none accepts a shape.
    /// NULL or "" lifts the restriction; for a list with a name that is none of these, or with parameters that it cannot
    /// have, the answer is -1, and nothing changes. TEPHRA_PLAN in the environment is the initial list.
    fn tephra_set_plan(candidates: *const c_char) -> Status {
        Ok(Status(if settings::set_allowed(read_text(candidates).as_deref()) { STATUS_SUCCESS } else { -1 }))
    }

    /// Writes the plans that tephra_set_plan() can pin for a shape, one a line, the one first that is taken where
    /// nothing was measured. A line of a plan for matrices up to a certain size ends in that many rows and columns.
    /// Arguments as for tephra_explain().
    fn tephra_candidates(
        op: *const c_char, m: i64, n: i64, batch_count: i64, text: *mut c_char, size: usize, needed: *mut usize,
    ) -> Status {
        let Some(op) = read_text(op) else { return Ok(Status(-1)) };
        let question = Question { own: PROTOTYPE, op: &op, m, n, batch: batch_count };
        Ok(Status(candidates(question, text, size, needed)))
    }

    /// With a nonzero argument plans of later calls, in the whole process, leave the batch count out of account: a
    /// matrix gives the same bits in every batch and at every place of it, at some cost in speed where the batch is
    /// far from about 1000. With 0 (the default) another batch count may round otherwise. TEPHRA_BATCH_INVARIANT=1 in
    /// the environment is the same as a call with 1.
    fn tephra_set_batch_invariant(on: c_int) -> Status {
        settings::set_batch_invariant(on != 0);
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

    /// Copies bytes between any two places, host or device, in the order of the stream, and waits for it. Arguments are
    /// numbered dst 1, src 2, bytes 3; NULL is fine where bytes is 0.
    fn tephra_memcpy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: *mut c_void) -> Status {
        let bad = [bytes > 0 && dst.is_null(), bytes > 0 && src.is_null(), isize::try_from(bytes).is_err()];
        if let Some(i) = bad.iter().position(|&bad| bad) { return Ok(Status(-(i as i32 + 1))); }
        copy(dst, src, bytes, Stream(stream)).map(done)
    }

    /// Makes a stream that is ordered with the default stream (cudaStreamCreate's kind).
    fn tephra_stream_create(stream: *mut *mut c_void) -> Status {
        if stream.is_null() { return Ok(Status(-1)); }
        *stream = backend::current()?.stream_create()?.0;
        Ok(done(()))
    }

    /// Destroys a stream of tephra_stream_create(); NULL is fine.
    fn tephra_stream_destroy(stream: *mut c_void) -> Status {
        backend::current()?.stream_destroy(Stream(stream)).map(done)
    }

    /// Waits for everything in a stream.
    fn tephra_stream_synchronize(stream: *mut c_void) -> Status {
        backend::current()?.stream_synchronize(Stream(stream)).map(done)
    }
}
