//! The native API. `include/tephra.h` is generated from this folder, so these doc comments are the reference manual.

// The modules are in the order of the header; the blank lines keep rustfmt from sorting them.
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

/// Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of the
/// positive TEPHRA_STATUS_* values. tephra_last_error() returns the message. After a bad argument, or if there is no
/// device or plan, nothing has been written; if memory or the driver fails midway, the contents of the outputs are
/// unspecified.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(i32);

/// Success.
pub const STATUS_SUCCESS: i32 = 0;
/// No plan supports the shape (on CUDA, a matrix with 2^31 or more rows or columns), tephra_set_plan() excludes every
/// plan that would, or the call has to wait for a stream that is being captured.
pub const STATUS_NOT_SUPPORTED: i32 = 1;
/// No usable device, driver or kernel image for the chosen backend.
pub const STATUS_NO_DEVICE: i32 = 2;
/// Device or host memory could not be allocated.
pub const STATUS_OUT_OF_MEMORY: i32 = 3;
/// A CUDA driver call or a kernel launch failed.
pub const STATUS_DRIVER_ERROR: i32 = 4;
/// A bug in the library.
pub const STATUS_INTERNAL_ERROR: i32 = 5;
/// The ranks of a communicator made different calls, one of them failed, or one could not be reached in time.
pub const STATUS_COMMUNICATION_ERROR: i32 = 6;
/// A callback returned a nonzero value; tephra_last_error() says for which device and members.
pub const STATUS_FUNCTION_ERROR: i32 = 7;

/// Host memory and host threads.
pub const BACKEND_CPU: c_int = 1;
/// Device memory, on the caller's current CUDA device.
pub const BACKEND_CUDA: c_int = 2;

/// Single precision computes in FP32.
pub const MATH_FP32: c_int = 1;
/// Real single precision may compute products in TF32 where that is faster: operands rounded to 10 mantissa bits, FP32
/// sums.
pub const MATH_TF32: c_int = 2;
/// Real single precision may compute products on tensor cores where that is faster: each operand split in two parts,
/// errors at most twice those of FP32.
pub const MATH_FP32_TENSOR: c_int = 3;
/// Real single precision may compute products in FP16 or TF32 where that is faster: operands scaled and rounded to 10
/// mantissa bits, FP32 sums.
pub const MATH_FP16: c_int = 4;

/// The operator is on the left: op(Q) C, op(A) X = B. The TEPHRA_SIDE_, _TRANS_, _UPLO_ and _DIAG_ values are those of
/// CBLAS.
pub const SIDE_LEFT: c_int = 141;
/// The operator is on the right: C op(Q), X op(A) = B.
pub const SIDE_RIGHT: c_int = 142;
/// op(X) = X.
pub const TRANS_N: c_int = 111;
/// op(X) = X^T.
pub const TRANS_T: c_int = 112;
/// op(X) = X^H, which is X^T for real types.
pub const TRANS_C: c_int = 113;
/// The upper triangle, with the diagonal.
pub const UPLO_UPPER: c_int = 121;
/// The lower triangle, with the diagonal.
pub const UPLO_LOWER: c_int = 122;
/// The whole matrix; only for lacpy and laset.
pub const UPLO_FULL: c_int = 123;
/// The diagonal as stored.
pub const DIAG_NON_UNIT: c_int = 131;
/// The diagonal is taken to be all ones and is not read.
pub const DIAG_UNIT: c_int = 132;

/// IEEE 754 binary16, CUDA's __half: 11-bit significand, up to 65504. The TEPHRA_STORAGE_ values are those of
/// cudaDataType.
pub const STORAGE_FP16: c_int = 2;
/// bfloat16, CUDA's __nv_bfloat16, the upper half of a float: 8-bit significand, the range of a float.
pub const STORAGE_BF16: c_int = 14;

/// R only: Q is neither formed nor written.
pub const Q_NONE: c_int = 0;
/// The first min(m,n) columns of Q.
pub const Q_THIN: c_int = 1;
/// All m columns of Q.
pub const Q_FULL: c_int = 2;

/// Scratch memory on the device: nothing is copied.
pub const ACCESS_SCRATCH: c_int = 0;
/// Copied to the device before the callback.
pub const ACCESS_READ: c_int = 1;
/// Copied back to the host after the callback.
pub const ACCESS_WRITE: c_int = 2;
/// Both.
pub const ACCESS_READ_WRITE: c_int = 3;
/// A flag added to one of the others: the operand is in page-locked memory (cudaHostAlloc, cudaHostRegister), so it is
/// copied directly, without a staging buffer.
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
    fn text(&self, prototype: &Prototype) -> String {
        let argument = usize::try_from(-(self.0 + 1)).ok().and_then(|i| prototype.arguments.get(i));
        argument.map_or_else(|| format!("status {}", self.0), |name| format!("argument {name} is NULL or out of range"))
    }
}

/// Maps any success value to the success status, for `Result::map`.
fn done<T>(_: T) -> Status {
    Status(STATUS_SUCCESS)
}

fn version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

entry! {
    /// The library's version, "major.minor.patch".
    fn tephra_version() -> *const c_char { Ok(version()) }

    /// Describes the build as lines of key=value: version, backends, kernel_hash (of the compiled kernels), archs (the
    /// GPU architectures with compiled kernels).
    fn tephra_build_info() -> *const c_char { Ok(backend::build_info().as_ptr()) }

    /// The message of the last failure on the calling thread, "" if there was none; valid until the thread's next
    /// failure. Failures of the cuBLAS- and MAGMA-compatible functions are recorded too.
    fn tephra_last_error() -> *const c_char { Ok(last_error()) }

    /// Writes the backend in use to *backend: TEPHRA_BACKEND_CPU or TEPHRA_BACKEND_CUDA. The backend is chosen at the
    /// first call of any function: by TEPHRA_BACKEND=cpu|cuda in the environment, else CUDA if a device is usable, else
    /// the CPU.
    fn tephra_get_backend(backend: *mut c_int) -> Status {
        if backend.is_null() { return Ok(Status(-1)); }
        *backend = backend::current()?.kind() as c_int;
        Ok(done(()))
    }

    /// Selects the backend for the whole process. Returns TEPHRA_STATUS_NO_DEVICE, and changes nothing, if it is not
    /// usable. Memory, streams, handles and queues created before belong to the old backend and must no longer be used.
    fn tephra_set_backend(backend: c_int) -> Status {
        let kind = match backend {
            BACKEND_CPU => Kind::Cpu,
            BACKEND_CUDA => Kind::Cuda,
            _ => return Ok(Status(-1)),
        };
        backend::select(kind).map(done)
    }

    /// Selects the backend for the calling thread, overriding that of the process; 0 returns to that of the process.
    /// Meant for programs with matrices in both host and device memory. Returns TEPHRA_STATUS_NO_DEVICE, and changes
    /// nothing, if the backend is not usable.
    fn tephra_set_thread_backend(backend: c_int) -> Status {
        let kind = match backend {
            0 => None,
            BACKEND_CPU => Some(Kind::Cpu),
            BACKEND_CUDA => Some(Kind::Cuda),
            _ => return Ok(Status(-1)),
        };
        backend::select_for_thread(kind).map(done)
    }

    /// Sets the arithmetic that single-precision calls of the calling thread may use. It affects
    /// tephra_sgeqrf_batched(), tephra_sgeqrf_strided_batched(), tephra_sgeqrf() and MAGMA's sgeqrf on CUDA, where they
    /// apply blocks of reflectors:
    ///
    /// - TEPHRA_MATH_FP32: FP32.
    /// - TEPHRA_MATH_TF32: TF32 for up to 2048 rows. A = Q R then holds only to TF32 precision (docs/accuracy.md); Q is
    /// still orthogonal to FP32 precision.
    /// - TEPHRA_MATH_FP32_TENSOR: tensor cores for more than 2048 rows, with errors at most twice those of FP32.
    /// - TEPHRA_MATH_FP16: as TEPHRA_MATH_TF32, and FP16 for more than 2048 rows, with errors of the same size.
    /// - 0: returns to the setting of the environment, TEPHRA_MATH=tf32, fp32_tensor or fp16, else FP32.
    ///
    /// This is a permission: all other operations, types and sizes, and the CPU backend, still compute in FP32.
    /// NVIDIA_TF32_OVERRIDE=0 in the environment forbids TF32 and FP16, but not tensor cores with FP32 accuracy. The
    /// cuBLAS-compatible functions follow the math mode of their handle instead (CUBLAS_TF32_TENSOR_OP_MATH,
    /// CUBLAS_FP32_EMULATED_BF16X9_MATH).
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

    /// Writes the plan for a shape on the current backend as text. op is the name of a routine as in this header, with
    /// the letter of the precision but without prefix and suffix, such as dgeqrf, zungqr or sgetrf_vbatched (but for
    /// gemm_grouped, whose groups are planned as gemm). Other arguments have their most common values: side left,
    /// min(m,n) reflectors (m x n for larft, min(m,32) for larfb), a thin Q, one right-hand side, k = n for products.
    /// Square matrices are of order n, those of rank-k updates of order m with k = n. Where the routine has such an
    /// argument, the options --k, --nrhs and --trans after the name change it: "dgemm --k 16 --trans t",
    /// "zgesv --nrhs 8". The matrices are given by arrays of pointers, or with the option --strided by strides, for
    /// which the plan may differ: "dpotrf --strided".
    ///
    /// At most size bytes are written, including the NUL; *needed (may be NULL) receives the size of the whole text, so
    /// a call with size 0 queries it. Arguments are numbered op (with its options) 1, m 2, n 3, batch_count 4. An
    /// unknown name or option gives -1, and tephra_last_error() lists the known ones.
    fn tephra_explain(
        op: *const c_char, m: i64, n: i64, batch_count: i64, text: *mut c_char, size: usize, needed: *mut usize,
    ) -> Status {
        let Some(op) = read_text(op) else { return Ok(Status(-1)) };
        let query = PlanQuery { prototype: PROTOTYPE, op: &op, m, n, batch: batch_count };
        Ok(Status(explain(query, text, size, needed)))
    }

    /// Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates. On CUDA these
    /// are resident, blocked, tree, gram and generic for factorisations; large for LU and Cholesky; stepped for geqp3;
    /// thin, blocked and parts for ormqr, and parts for orgqr; fused and parts for solves, inverses and least squares;
    /// halves for trsm, trsv, trmm, symm and larft; doubling for trtri; padded for few large members of different sizes; iterative and direct for
    /// gels_iterative; lanes, tiles and split for products. On the CPU they are interleaved, unblocked and blocked for
    /// geqrf.
    ///
    /// A name may be followed by "=" and parameters: resident=KERNEL, lanes=KERNEL and tiles=KERNEL (for products) take
    /// the name of a kernel or the end of it; blocked=NB/ORDER (for QR) takes the maximal number of columns of a panel,
    /// at least 1, and the order up to which the trailing matrix is factored by one launch (0: never); blocked=NB is for
    /// LU and Cholesky. A list of lanes=KERNEL and tiles=KERNEL alone restricts products and no other routine.
    ///
    /// Among the named candidates the backend uses the one it prefers; a call returns TEPHRA_STATUS_NOT_SUPPORTED if
    /// none supports its shape. NULL or "" lifts the restriction. An unknown candidate, "=" after one that takes no
    /// parameters, an empty KERNEL, or an NB or ORDER that is not such a number, give -1 and change nothing; whether
    /// there is a kernel of that name is not checked. TEPHRA_PLAN in the environment is the initial list.
    fn tephra_set_plan(candidates: *const c_char) -> Status {
        Ok(Status(if settings::set_allowed(read_text(candidates).as_deref()) { STATUS_SUCCESS } else { -1 }))
    }

    /// Writes the plans that tephra_set_plan() can select for a shape, one per line; the first is the default where
    /// nothing was measured. The line of a plan that is limited to a certain size ends with its maximal rows and
    /// columns. Arguments are as for tephra_explain().
    fn tephra_candidates(
        op: *const c_char, m: i64, n: i64, batch_count: i64, text: *mut c_char, size: usize, needed: *mut usize,
    ) -> Status {
        let Some(op) = read_text(op) else { return Ok(Status(-1)) };
        let query = PlanQuery { prototype: PROTOTYPE, op: &op, m, n, batch: batch_count };
        Ok(Status(candidates(query, text, size, needed)))
    }

    /// With a nonzero argument, the plans of later calls in the whole process do not depend on the batch count: a
    /// matrix gives the same bits in every batch and at every position in it. This costs some speed for batch counts
    /// far from 1000. With 0 (the default), rounding may depend on the batch count. TEPHRA_BATCH_INVARIANT=1 in the
    /// environment has the same effect as a call with 1.
    fn tephra_set_batch_invariant(on: c_int) -> Status {
        settings::set_batch_invariant(on != 0);
        Ok(done(()))
    }

    /// Allocates memory for the current backend: device memory of the current device on CUDA, host memory on the CPU.
    fn tephra_malloc(pointer: *mut *mut c_void, bytes: usize) -> Status {
        if pointer.is_null() { return Ok(Status(-1)); }
        *pointer = backend::current()?.alloc(bytes.max(1))?;
        Ok(done(()))
    }

    /// Frees memory of tephra_malloc(); NULL is allowed.
    fn tephra_free(pointer: *mut c_void) -> Status {
        if !pointer.is_null() { backend::current()?.free(pointer)?; }
        Ok(done(()))
    }

    /// Copies bytes between any two addresses in host or device memory, in stream order, and waits for the copy.
    /// Arguments are numbered dst 1, src 2, bytes 3; the addresses may be NULL if bytes is 0.
    fn tephra_memcpy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: *mut c_void) -> Status {
        let bad = [bytes > 0 && dst.is_null(), bytes > 0 && src.is_null(), isize::try_from(bytes).is_err()];
        if let Some(i) = bad.iter().position(|&bad| bad) { return Ok(Status(-(i as i32 + 1))); }
        copy(dst, src, bytes, Stream(stream)).map(done)
    }

    /// Creates a stream that synchronises with the default stream, as cudaStreamCreate() does.
    fn tephra_stream_create(stream: *mut *mut c_void) -> Status {
        if stream.is_null() { return Ok(Status(-1)); }
        *stream = backend::current()?.stream_create()?.0;
        Ok(done(()))
    }

    /// Destroys a stream of tephra_stream_create(); NULL is allowed.
    fn tephra_stream_destroy(stream: *mut c_void) -> Status {
        backend::current()?.stream_destroy(Stream(stream)).map(done)
    }

    /// Waits for all work in a stream.
    fn tephra_stream_synchronize(stream: *mut c_void) -> Status {
        backend::current()?.stream_synchronize(Stream(stream)).map(done)
    }
}
