//! QR and LQ factorisation, which have the same arguments.

use super::{C32, C64, Status};
use std::ffi::c_void;
use std::ptr::null_mut;
use tephra_core::face::guard::Prototype;
use tephra_core::face::native::*;
use tephra_core::routine::{Gelqf, Operation, Workspace};
use tephra_core::{Dtype, Geqrf, Operand, Stream, entry};

struct Sizes {
    dtype: Dtype,
    m: i64,
    n: i64,
    lda: i64,
    batch: i64,
}

/// QR needs no workspace.
struct Qr;

impl Qr {
    fn problem(Sizes { dtype, m, n, lda, batch }: Sizes, [a, tau]: [Operand; 2]) -> Geqrf {
        Geqrf { a, tau, ..shape(dtype, m, n, lda, batch) }
    }
    unsafe fn run(
        prototype: &Prototype,
        sizes: Sizes,
        operands: [Operand; 2],
        _: Workspace,
        stream: *mut c_void,
    ) -> Status {
        Status(unsafe { geqrf(prototype, &Qr::problem(sizes, operands), Stream(stream)) })
    }
    unsafe fn workspace(prototype: &Prototype, sizes: Sizes, operands: [Operand; 2], bytes: *mut usize) -> Status {
        Status(unsafe { geqrf_workspace(prototype, &Qr::problem(sizes, operands), bytes) })
    }
}

struct Lq;

impl Lq {
    fn problem(Sizes { dtype, m, n, lda, batch }: Sizes, [a, tau]: [Operand; 2], work: Workspace) -> Operation {
        let (sizes, info) = (None, null_mut());
        Operation::Gelqf(Gelqf { dtype, m, n, a, lda, sizes, tau, batch, info, work })
    }
    unsafe fn run(
        prototype: &Prototype,
        sizes: Sizes,
        operands: [Operand; 2],
        work: Workspace,
        stream: *mut c_void,
    ) -> Status {
        Status(unsafe { run(prototype, Ok(Lq::problem(sizes, operands, work)), Stream(stream)) })
    }
    unsafe fn workspace(prototype: &Prototype, sizes: Sizes, operands: [Operand; 2], bytes: *mut usize) -> Status {
        Status(unsafe { workspace(prototype, Ok(Lq::problem(sizes, operands, Workspace::NONE)), bytes) })
    }
}

macro_rules! factorisation {
    ($Kind:ident: $($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, a_array: *const *mut $ty, lda: i64, tau_array: *const *mut $ty, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { dtype: Dtype::$dtype, m, n, lda, batch: batch_count };
            let (operands, work) = ([pointers(a_array), pointers(tau_array)], Workspace { p: work, bytes: work_bytes });
            Ok($Kind::run(PROTOTYPE, sizes, operands, work, stream))
        }

        $(#[$bw])*
        fn $batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { dtype: Dtype::$dtype, m, n, lda, batch: batch_count };
            Ok($Kind::workspace(PROTOTYPE, sizes, [Operand::NULL; 2], bytes))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, tau: *mut $ty, stride_tau: i64, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { dtype: Dtype::$dtype, m, n, lda, batch: batch_count };
            let operands = [strided(a, stride_a), strided(tau, stride_tau)];
            Ok($Kind::run(PROTOTYPE, sizes, operands, Workspace { p: work, bytes: work_bytes }, stream))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, lda: i64, stride_a: i64, stride_tau: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { dtype: Dtype::$dtype, m, n, lda, batch: batch_count };
            let operands = [stride_a, stride_tau].map(|stride| strided(null_mut::<$ty>(), stride));
            Ok($Kind::workspace(PROTOTYPE, sizes, operands, bytes))
        }
    )*}};
}

factorisation! { Qr:
    f32: S:
    /// Batched QR factorisation, LAPACK SGEQRF for each matrix: A(i) = Q(i) R(i), in place.
    ///
    /// On exit the elements on and above the diagonal of A(i) hold the min(m,n) x n upper trapezoidal R(i); those
    /// below it, with tau(i), hold Q(i) = H(1) H(2) ... H(k), k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
    /// v(1:j-1) = 0 and v(j+1:m) stored in A(j+1:m, j). Signs and conjugations are LAPACK's: the diagonal of R is
    /// real in the complex types, and tau(j) = 0 where H(j) = I.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for more than 2048 rows, scratch memory from
    /// the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it returns.
    /// A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns, n >= 0, likewise; m < n is allowed |
    /// | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
    /// | 6 | batch_count | number of matrices, >= 0; less than 2^31 for CUDA plans of one thread block per matrix |
    /// | 7 | work | workspace in device memory, or NULL |
    /// | 8 | work_bytes | size of work, at least what tephra_sgeqrf_batched_workspace() reports |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The matrices and vectors are in device memory and need no alignment beyond their elements'. The two arrays of
    /// pointers are in device memory too, or in host memory that the device can read (pinned or managed). The CPU
    /// backend, where all of these are in host memory, ignores the stream.
    ///
    /// The call does nothing and returns success when m, n or batch_count is 0.
    tephra_sgeqrf_batched,
    /// Workspace of tephra_sgeqrf_batched() in bytes, at present 0 for every shape. Its arguments are checked as in
    /// that call, and are numbered m 1, n 2, lda 3, batch_count 4.
    tephra_sgeqrf_batched_workspace,
    /// tephra_sgeqrf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
    /// i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
    /// max(1,min(m,n)); matrices must not share elements (lda*n <= stride_a, or rows packed side by side). Arguments
    /// are numbered m 1, n 2, a 3, lda 4, stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10,
    /// stream 11.
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

factorisation! { Lq:
    f32: S:
    /// Batched LQ factorisation, LAPACK SGELQF for each matrix: A(i) = L(i) Q(i), in place.
    ///
    /// On exit the elements on and below the diagonal of A(i) hold the m x min(m,n) lower trapezoidal L(i); those above
    /// it, with tau(i), hold Q(i) = H(k)^H ... H(2)^H H(1)^H, k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
    /// v(1:j-1) = 0 and conj(v(j+1:n)) stored in A(j, j+1:n). Signs and conjugations are LAPACK's: the diagonal of L is
    /// real in the complex types. A(i) and tau(i) are the result of tephra_sgeqrf_batched() for A(i)^H,
    /// conjugate-transposed back.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for more than 2048 columns, scratch memory
    /// from the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it
    /// returns. A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns, n >= 0, likewise; m > n is allowed |
    /// | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
    /// | 6 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
    /// | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 8 | work_bytes | size of work, at least what tephra_sgelqf_batched_workspace() reports; a smaller one is an error |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n or batch_count is 0.
    tephra_sgelqf_batched,
    /// Workspace of tephra_sgelqf_batched() in bytes: space for the transposed matrices on CUDA, 0 on the CPU. Its
    /// arguments are checked as in that call, and are numbered m 1, n 2, lda 3, batch_count 4.
    tephra_sgelqf_batched_workspace,
    /// tephra_sgelqf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
    /// i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
    /// max(1,min(m,n)); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5,
    /// tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10, stream 11.
    tephra_sgelqf_strided_batched,
    /// Workspace of tephra_sgelqf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
    /// stride_tau 5, batch_count 6.
    tephra_sgelqf_strided_batched_workspace;

    f64: D:
    /// tephra_sgelqf_batched() in double precision (LAPACK DGELQF).
    tephra_dgelqf_batched,
    /// tephra_sgelqf_batched_workspace() in double precision.
    tephra_dgelqf_batched_workspace,
    /// tephra_sgelqf_strided_batched() in double precision.
    tephra_dgelqf_strided_batched,
    /// tephra_sgelqf_strided_batched_workspace() in double precision.
    tephra_dgelqf_strided_batched_workspace;

    C32: C:
    /// tephra_sgelqf_batched() in single precision complex (LAPACK CGELQF).
    tephra_cgelqf_batched,
    /// tephra_sgelqf_batched_workspace() in single precision complex.
    tephra_cgelqf_batched_workspace,
    /// tephra_sgelqf_strided_batched() in single precision complex.
    tephra_cgelqf_strided_batched,
    /// tephra_sgelqf_strided_batched_workspace() in single precision complex.
    tephra_cgelqf_strided_batched_workspace;

    C64: Z:
    /// tephra_sgelqf_batched() in double precision complex (LAPACK ZGELQF).
    tephra_zgelqf_batched,
    /// tephra_sgelqf_batched_workspace() in double precision complex.
    tephra_zgelqf_batched_workspace,
    /// tephra_sgelqf_strided_batched() in double precision complex.
    tephra_zgelqf_strided_batched,
    /// tephra_sgelqf_strided_batched_workspace() in double precision complex.
    tephra_zgelqf_strided_batched_workspace;
}
