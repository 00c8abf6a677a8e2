/* Tephra: batched dense factorisations on NVIDIA GPUs and CPUs. The native API, and its reference manual.
 *
 * Generated from src/abi/native.rs by scripts/header.sh; do not edit.
 *
 * Matrices are column-major, sizes and leading dimensions count elements, arguments are numbered from 1. "Device
 * memory" means memory of the backend in use: of the current CUDA device, or, on the CPU backend, of the host. Every
 * function may be called from any thread. The cuBLAS- and MAGMA-compatible names are in tephra_cublas.h and
 * tephra_magma.h.
 */

#ifndef TEPHRA_H
#define TEPHRA_H

#include <stddef.h>
#include <stdint.h>

/**
 * Done.
 */
#define TEPHRA_STATUS_SUCCESS 0

/**
 * The combination is outside the support matrix, or tephra_set_plan() forbids every plan for it.
 */
#define TEPHRA_STATUS_NOT_SUPPORTED 1

/**
 * No usable device, driver or kernel image for the chosen backend.
 */
#define TEPHRA_STATUS_NO_DEVICE 2

/**
 * Device or host memory could not be allocated.
 */
#define TEPHRA_STATUS_OUT_OF_MEMORY 3

/**
 * A CUDA driver call or a kernel launch failed.
 */
#define TEPHRA_STATUS_DRIVER_ERROR 4

/**
 * A defect of the library.
 */
#define TEPHRA_STATUS_INTERNAL_ERROR 5

/**
 * Host memory and host threads.
 */
#define TEPHRA_BACKEND_CPU 1

/**
 * Device memory and the caller's current CUDA device.
 */
#define TEPHRA_BACKEND_CUDA 2

/**
 * Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of
 * the positive TEPHRA_STATUS_* values. tephra_last_error() has the text. After a failure nothing was written.
 */
typedef int32_t tephra_status;

/**
 * Complex number in single precision: layout of cuComplex, float _Complex, std::complex<float>, COMPLEX*8.
 */
typedef struct {
    float re;
    float im;
} tephra_c32;

/**
 * Complex number in double precision: layout of cuDoubleComplex, double _Complex, std::complex<double>, COMPLEX*16.
 */
typedef struct {
    double re;
    double im;
} tephra_c64;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Batched QR factorisation, LAPACK SGEQRF for each matrix: A(i) = Q(i) R(i), in place.
 *
 * On exit the elements on and above the diagonal of A(i) hold the min(m,n) x n upper trapezoidal R(i); those
 * below it, with tau(i), hold Q(i) = H(1) H(2) ... H(k), k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
 * v(1:j-1) = 0 and v(j+1:m) stored in A(j+1:m, j). Signs and conjugations are LAPACK's: the diagonal of R is
 * real in the complex types, and tau(j) = 0 where H(j) = I.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
 * backend it is finished when it returns. A NaN or infinity stays inside its own matrix. Rows m..lda-1 of A
 * are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0; m < n is fine |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 6 | batch_count | number of matrices, >= 0, no upper limit |
 * | 7 | work | workspace in device memory, or NULL |
 * | 8 | work_bytes | its size, at least what tephra_sgeqrf_batched_workspace() answers |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * The matrices and vectors are in device memory and need no alignment beyond their elements'. The two arrays of
 * pointers are in device memory too, or in host memory that the device can read (pinned, managed). The CPU
 * backend, where all of these are host memory, ignores the stream.
 *
 * Nothing is done and success returned when m, n or batch_count is 0.
 */
tephra_status tephra_sgeqrf_batched(int64_t m,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgeqrf_batched() in bytes, at present 0 for every shape. The arguments are checked as
 * there, and numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgeqrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_batched() for matrices at a fixed distance: A(i) starts at a + i*stride_a, tau(i) at
 * tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and
 * stride_tau >= max(1,min(m,n)); matrices must not share elements (lda*n <= stride_a, or rows packed side by
 * side). Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9,
 * work_bytes 10, stream 11.
 */
tephra_status tephra_sgeqrf_strided_batched(int64_t m,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            float *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgeqrf_strided_batched() in bytes, at present 0 for every shape.
 */
tephra_status tephra_sgeqrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqrf_batched() in double precision (LAPACK DGEQRF).
 */
tephra_status tephra_dgeqrf_batched(int64_t m,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqrf_batched_workspace() in double precision.
 */
tephra_status tephra_dgeqrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_strided_batched() in double precision.
 */
tephra_status tephra_dgeqrf_strided_batched(int64_t m,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            double *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqrf_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgeqrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqrf_batched() in single precision complex (LAPACK CGEQRF).
 */
tephra_status tephra_cgeqrf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqrf_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_strided_batched() in single precision complex.
 */
tephra_status tephra_cgeqrf_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c32 *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqrf_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqrf_batched() in double precision complex (LAPACK ZGEQRF).
 */
tephra_status tephra_zgeqrf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqrf_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_strided_batched() in double precision complex.
 */
tephra_status tephra_zgeqrf_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c64 *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqrf_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * The library's version, "major.minor.patch".
 */
const char *tephra_version(void);

/**
 * How the library was built, as lines of key=value: version, backends, kernel_hash (of the kernel and
 * CUDA-backend sources), archs (GPU architectures with compiled kernels).
 */
const char *tephra_build_info(void);

/**
 * The text of the last failure on the calling thread, "" before the first; valid until the thread's next
 * failure. Failures of the cuBLAS- and MAGMA-compatible functions are recorded too.
 */
const char *tephra_last_error(void);

/**
 * Writes the backend in use to *backend: TEPHRA_BACKEND_CPU or TEPHRA_BACKEND_CUDA. The first call of any
 * function decides: TEPHRA_BACKEND=cpu|cuda in the environment, else CUDA when a device is usable, else the
 * CPU.
 */
tephra_status tephra_get_backend(int *backend);

/**
 * Selects the backend for the whole process; TEPHRA_STATUS_NO_DEVICE (and no change) when it is not usable.
 * Memory, streams, handles and queues made before belong to the old backend and must not be used on.
 */
tephra_status tephra_set_backend(int backend);

/**
 * Selects the backend for calls of the calling thread, whatever the process uses; 0: what the process uses, again.
 * For programs with matrices in host and in device memory. TEPHRA_STATUS_NO_DEVICE (and no change) when it is not
 * usable.
 */
tephra_status tephra_set_thread_backend(int backend);

/**
 * Writes the plan for a shape on the current backend as text: op is "sgeqrf", "dgeqrf", "cgeqrf" or "zgeqrf".
 * At most size bytes are written, the NUL included; *needed (may be NULL) receives the size of all of it, so
 * that a call with size 0 asks for it. Arguments are numbered op 1, m 2, n 3, batch_count 4.
 */
tephra_status tephra_explain(const char *op,
                             int64_t m,
                             int64_t n,
                             int64_t batch_count,
                             char *text,
                             size_t size,
                             size_t *needed);

/**
 * Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates: on CUDA
 * resident, blocked, generic; on the CPU interleaved, unblocked, blocked. Of those named, the first in the
 * backend's own order that accepts a shape is taken; TEPHRA_STATUS_NOT_SUPPORTED when none does. NULL or ""
 * lifts the restriction. TEPHRA_PLAN in the environment is the initial list.
 */
tephra_status tephra_set_plan(const char *candidates);

/**
 * Allocates memory of the backend: device memory of the current device on CUDA, host memory on the CPU.
 */
tephra_status tephra_malloc(void **pointer, size_t bytes);

/**
 * Frees what tephra_malloc() gave; NULL is fine.
 */
tephra_status tephra_free(void *pointer);

/**
 * Copies bytes between any two places, host or device, in the order of the stream, and waits for it.
 */
tephra_status tephra_memcpy(void *dst, const void *src, size_t bytes, void *stream);

/**
 * Makes a stream that is ordered with the default stream (cudaStreamCreate's kind).
 */
tephra_status tephra_stream_create(void **stream);

/**
 * Destroys a stream of tephra_stream_create().
 */
tephra_status tephra_stream_destroy(void *stream);

/**
 * Waits for everything in a stream.
 */
tephra_status tephra_stream_synchronize(void *stream);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TEPHRA_H */
