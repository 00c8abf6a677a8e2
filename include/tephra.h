/* Tephra: batched dense linear algebra on NVIDIA GPUs and CPUs. The native API, and its reference manual.
 *
 * Generated from src/abi/native/ by scripts/header.sh; do not edit.
 *
 * Matrices are column-major, sizes and leading dimensions count elements, arguments are numbered from 1. "Device
 * memory" means memory of the backend in use: of the current CUDA device, or, on the CPU backend, of the host. Every
 * function may be called from any thread. The cuBLAS-, cuSOLVER- and MAGMA-compatible names are in
 * tephra_cublas.h, tephra_cusolver.h and tephra_magma.h.
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
 * No plan takes the shape: on CUDA a matrix of 2^31 rows or columns and more, or tephra_set_plan() forbids all that would;
 * or the call waits and its stream is captured.
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
 * The ranks of a communicator do not agree about a call, one of them failed, or they could not be reached in time.
 */
#define TEPHRA_STATUS_COMMUNICATION_ERROR 6

/**
 * A function that the caller has handed over answered other than 0; tephra_last_error() says for which device and members.
 */
#define TEPHRA_STATUS_FUNCTION_ERROR 7

/**
 * Host memory and host threads.
 */
#define TEPHRA_BACKEND_CPU 1

/**
 * Device memory and the caller's current CUDA device.
 */
#define TEPHRA_BACKEND_CUDA 2

/**
 * Single precision in FP32.
 */
#define TEPHRA_MATH_FP32 1

/**
 * Single precision real with products in TF32 where that is faster: operands rounded to 10 bits of mantissa, FP32 sums.
 */
#define TEPHRA_MATH_TF32 2

/**
 * Single precision real with products on tensor cores where that is faster: operands in two parts each, errors at most
 * twice FP32's.
 */
#define TEPHRA_MATH_FP32_TENSOR 3

/**
 * Single precision real with products in FP16 or TF32 where that is faster: operands scaled and rounded to 10 bits of
 * mantissa, FP32 sums.
 */
#define TEPHRA_MATH_FP16 4

/**
 * op(Q) C, op(A) X = B: the operator stands on the left. The numbers of sides, transpositions, triangles and diagonals
 * are CBLAS's.
 */
#define TEPHRA_SIDE_LEFT 141

/**
 * C op(Q), X op(A) = B: the operator stands on the right.
 */
#define TEPHRA_SIDE_RIGHT 142

/**
 * op(X) = X.
 */
#define TEPHRA_TRANS_N 111

/**
 * op(X) = X^T.
 */
#define TEPHRA_TRANS_T 112

/**
 * op(X) = X^H, for real types X^T.
 */
#define TEPHRA_TRANS_C 113

/**
 * On and above the diagonal.
 */
#define TEPHRA_UPLO_UPPER 121

/**
 * On and below the diagonal.
 */
#define TEPHRA_UPLO_LOWER 122

/**
 * All of a matrix: of copies and constants.
 */
#define TEPHRA_UPLO_FULL 123

/**
 * The diagonal as stored.
 */
#define TEPHRA_DIAG_NON_UNIT 131

/**
 * The diagonal taken as ones, and not read.
 */
#define TEPHRA_DIAG_UNIT 132

/**
 * IEEE 754's binary16, CUDA's __half: 11 bits of mantissa, up to 65504. The numbers of types are those of cudaDataType.
 */
#define TEPHRA_STORAGE_FP16 2

/**
 * The upper half of a float, CUDA's __nv_bfloat16: 8 bits of mantissa, a float's range.
 */
#define TEPHRA_STORAGE_BF16 14

/**
 * R only: no Q is made or written.
 */
#define TEPHRA_Q_NONE 0

/**
 * The first min(m,n) columns of Q.
 */
#define TEPHRA_Q_THIN 1

/**
 * All m columns of Q.
 */
#define TEPHRA_Q_FULL 2

/**
 * Scratch memory: nothing is copied.
 */
#define TEPHRA_ACCESS_SCRATCH 0

/**
 * Copied to the device.
 */
#define TEPHRA_ACCESS_READ 1

/**
 * Copied back.
 */
#define TEPHRA_ACCESS_WRITE 2

/**
 * Both.
 */
#define TEPHRA_ACCESS_READ_WRITE 3

/**
 * Added to another: the operand is in page-locked memory (cudaHostAlloc, cudaHostRegister), and is copied without a detour.
 */
#define TEPHRA_ACCESS_PINNED 4

/**
 * Ranks that call the same functions together: processes of one or more hosts, or the devices of one process. Made by
 * tephra_comm_create(), tephra_comm_from_nccl() or tephra_comm_init_all(), one for each rank. A communicator is used by one
 * thread at a time.
 */
typedef struct tephra_comm tephra_comm;

/**
 * Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of
 * the positive TEPHRA_STATUS_* values. tephra_last_error() has the text. After a bad argument, and where there is no
 * device or plan, nothing was written; where memory or the driver fails midway, what the call writes is unspecified.
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

/**
 * Gathers `bytes` of host memory of each rank: on return all ranks have all of them at `receive`, in the order of ranks. 0,
 * or a number of its own that says that it failed, which tephra_last_error() then quotes. MPI: `MPI_Allgather`.
 */
typedef int (*tephra_allgather)(const void *send, void *receive, size_t bytes, void *user);

/**
 * Sends `bytes` of host memory of the rank `root` to all ranks, in place; 0, or a number of its own. MPI: `MPI_Bcast`.
 */
typedef int (*tephra_broadcast)(void *buffer, size_t bytes, int root, void *user);

/**
 * Told by the thread that called, after each of its tasks and when all is done, how many tasks are done of how many; other
 * than 0 cancels the call.
 */
typedef int32_t (*tephra_progress)(int64_t done, int64_t total, void *user);

/**
 * Calls Tephra for one part of a batch, in this stream, the part's device being the current one; 0, or what Tephra
 * answered.
 */
typedef int32_t (*tephra_part)(int64_t part, void *stream, void *user);

/**
 * Calls Tephra for members first to first+count-1 of a batch, in this stream; 0, or what Tephra answered. operands[i] is
 * where the first of them has its operand i in device memory; the next ones follow at the distance that a member has in
 * bytes.
 */
typedef int32_t (*tephra_chunk)(int64_t first, int64_t count, void *const *operands, void *stream, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, "major.minor.patch".
 */
const char *tephra_version(void);

/**
 * How the library was built, as lines of key=value: version, backends, kernel_hash (of the compiled
 * kernels), archs (GPU architectures with compiled kernels).
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
 * Sets how calls of the calling thread compute in single precision: TEPHRA_MATH_FP32, or TEPHRA_MATH_TF32, by which
 * tephra_sgeqrf_batched(), tephra_sgeqrf_strided_batched(), tephra_sgeqrf() and MAGMA's sgeqrf apply blocks of
 * reflectors in TF32 on CUDA: A = Q R then holds to TF32's precision only (docs/accuracy.md), Q stays orthogonal to
 * FP32's. Or TEPHRA_MATH_FP32_TENSOR, by which they use tensor cores for more than 2048 rows, with errors at most twice
 * FP32's. Or TEPHRA_MATH_FP16, by which they do as in TF32, and with as large errors use FP16 for more than 2048 rows.
 * 0: what the environment says again, TEPHRA_MATH=tf32, fp32_tensor or fp16, else FP32. A permission: other
 * operations and types, the CPU backend, and in TF32 updates of more than 2048 rows compute in FP32 as ever, and
 * NVIDIA_TF32_OVERRIDE=0 in the environment forbids TF32 and FP16 (not tensor cores to FP32's accuracy).
 * cuBLAS's names do as their handle's math mode says (CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_FP32_EMULATED_BF16X9_MATH)
 * instead.
 */
tephra_status tephra_set_thread_math(int math);

/**
 * Writes the plan for a shape on the current backend as text: op is a routine's name as it is here, with a precision's
 * letter and without affixes, such as dgeqrf or zungqr. Its other arguments are what they are most often: from the
 * left, min(m,n) reflectors (m x n of larft, min(m,32) of larfb), a thin Q, one right-hand side, n terms of a product.
 * The options --k, --nrhs and --trans after the name say otherwise, where the routine has such an argument: "dgemm --k 16
 * --trans t", "zgesv --nrhs 8".
 * At most size bytes are written, the NUL included; *needed (may be NULL) receives the size of all of it, so
 * that a call with size 0 asks for it. Arguments are numbered op, options included, 1, m 2, n 3, batch_count 4: for a
 * name or an option that is not known the answer is -1, and tephra_last_error() lists those that are.
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
 * resident, blocked, tree, gram, generic of factorisations, large of LU and Cholesky, stepped of geqp3, thin and
 * blocked of ormqr, fused and parts of solves, inverses and least squares, halves of trsm, iterative and direct of
 * gels_iterative, lanes, tiles and split of products; on the CPU, of geqrf, interleaved, unblocked, blocked. A name
 * may be followed by "=" and its parameters: resident=KERNEL, the name of a kernel or the end of one, and
 * blocked=NB/ORDER, the most columns of a panel and the order up to which the rest is factored by one launch
 * (QR's), blocked=NB (LU's and Cholesky's), and lanes=KERNEL and tiles=KERNEL of products. Of those
 * named, the one that the backend would prefer is taken; TEPHRA_STATUS_NOT_SUPPORTED when none accepts a shape.
 * NULL or "" lifts the restriction; for a list with a name that is none of these, or with parameters that it cannot
 * have, the answer is -1, and nothing changes. TEPHRA_PLAN in the environment is the initial list.
 */
tephra_status tephra_set_plan(const char *candidates);

/**
 * Writes the plans that tephra_set_plan() can pin for a shape, one a line, the one first that is taken where
 * nothing was measured. A line of a plan for matrices up to a certain size ends in that many rows and columns.
 * Arguments as for tephra_explain().
 */
tephra_status tephra_candidates(const char *op,
                                int64_t m,
                                int64_t n,
                                int64_t batch_count,
                                char *text,
                                size_t size,
                                size_t *needed);

/**
 * With a nonzero argument plans of later calls, in the whole process, leave the batch count out of account: a
 * matrix gives the same bits in every batch and at every place of it, at some cost in speed where the batch is
 * far from about 1000. With 0 (the default) another batch count may round otherwise. TEPHRA_BATCH_INVARIANT=1 in
 * the environment is the same as a call with 1.
 */
tephra_status tephra_set_batch_invariant(int on);

/**
 * Allocates memory of the backend: device memory of the current device on CUDA, host memory on the CPU.
 */
tephra_status tephra_malloc(void **pointer, size_t bytes);

/**
 * Frees what tephra_malloc() gave; NULL is fine.
 */
tephra_status tephra_free(void *pointer);

/**
 * Copies bytes between any two places, host or device, in the order of the stream, and waits for it. Arguments are
 * numbered dst 1, src 2, bytes 3; NULL is fine where bytes is 0.
 */
tephra_status tephra_memcpy(void *dst, const void *src, size_t bytes, void *stream);

/**
 * Makes a stream that is ordered with the default stream (cudaStreamCreate's kind).
 */
tephra_status tephra_stream_create(void **stream);

/**
 * Destroys a stream of tephra_stream_create(); NULL is fine.
 */
tephra_status tephra_stream_destroy(void *stream);

/**
 * Waits for everything in a stream.
 */
tephra_status tephra_stream_synchronize(void *stream);

/**
 * Batched QR factorisation, LAPACK SGEQRF for each matrix: A(i) = Q(i) R(i), in place.
 *
 * On exit the elements on and above the diagonal of A(i) hold the min(m,n) x n upper trapezoidal R(i); those
 * below it, with tau(i), hold Q(i) = H(1) H(2) ... H(k), k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
 * v(1:j-1) = 0 and v(j+1:m) stored in A(j+1:m, j). Signs and conjugations are LAPACK's: the diagonal of R is
 * real in the complex types, and tau(j) = 0 where H(j) = I.
 *
 * The call is asynchronous on the stream, allocates nothing (for more than 2048 rows: scratch memory from a pool, in
 * the stream's order) and can be captured in a CUDA graph; on the CPU backend it is finished when it returns. A
 * NaN or infinity stays inside its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is fine |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 6 | batch_count | number of matrices, >= 0; on CUDA, where a shape takes a block a matrix, less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
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
 * Batched LQ factorisation, LAPACK SGELQF for each matrix: A(i) = L(i) Q(i), in place.
 *
 * On exit the elements on and below the diagonal of A(i) hold the m x min(m,n) lower trapezoidal L(i); those above
 * it, with tau(i), hold Q(i) = H(k)^H ... H(2)^H H(1)^H, k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1, v(1:j-1) = 0
 * and conj(v(j+1:n)) stored in A(j, j+1:n). Signs and conjugations are LAPACK's: the diagonal of L is real in the
 * complex types. A(i) and tau(i) are what tephra_sgeqrf_batched() makes of A(i)^H, transposed and conjugated again.
 *
 * The call is asynchronous on the stream, allocates nothing (for more than 2048 columns: scratch memory from a pool, in
 * the stream's order) and can be captured in a CUDA graph; on the CPU backend it is finished when it returns. A
 * NaN or infinity stays inside its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m > n is fine |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 6 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 8 | work_bytes | its size, at least what tephra_sgelqf_batched_workspace() answers; less is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when m, n or batch_count is 0.
 */
tephra_status tephra_sgelqf_batched(int64_t m,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgelqf_batched() in bytes: room for the transposed matrices on CUDA, 0 on the CPU. The arguments
 * are checked as there, and numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgelqf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgelqf_batched() for matrices at a fixed distance: A(i) starts at a + i*stride_a, tau(i) at
 * tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and
 * stride_tau >= max(1,min(m,n)); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4,
 * stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10, stream 11.
 */
tephra_status tephra_sgelqf_strided_batched(int64_t m,
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
 * Workspace of tephra_sgelqf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
 * stride_tau 5, batch_count 6.
 */
tephra_status tephra_sgelqf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelqf_batched() in double precision (LAPACK DGELQF).
 */
tephra_status tephra_dgelqf_batched(int64_t m,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelqf_batched_workspace() in double precision.
 */
tephra_status tephra_dgelqf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgelqf_strided_batched() in double precision.
 */
tephra_status tephra_dgelqf_strided_batched(int64_t m,
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
 * tephra_sgelqf_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgelqf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelqf_batched() in single precision complex (LAPACK CGELQF).
 */
tephra_status tephra_cgelqf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelqf_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgelqf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgelqf_strided_batched() in single precision complex.
 */
tephra_status tephra_cgelqf_strided_batched(int64_t m,
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
 * tephra_sgelqf_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgelqf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelqf_batched() in double precision complex (LAPACK ZGELQF).
 */
tephra_status tephra_zgelqf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelqf_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgelqf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgelqf_strided_batched() in double precision complex.
 */
tephra_status tephra_zgelqf_strided_batched(int64_t m,
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
 * tephra_sgelqf_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgelqf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched QR factorisation with column pivoting, LAPACK SGEQP3 for each matrix: A(i) P(i) = Q(i) R(i), in place.
 *
 * On entry the columns j of A(i) with jpvt(i)[j] != 0 are chosen to come first, in the order that LAPACK's exchanges
 * leave, and stay there; the others are free. Set all of jpvt to 0 where nothing is chosen. On exit jpvt(i)[j] = k says that
 * column j of A(i) P(i) was column k of A(i), both counted from 1. The elements on and above the diagonal of A(i) hold
 * R(i); those below it, with tau(i), hold Q(i), as tephra_sgeqrf_batched() leaves them. The diagonal of R is real in
 * the complex types; its absolute values do not increase among free columns.
 *
 * Of the free columns that with the largest norm of what is left below the rows of R that are done comes next, the
 * first of those equally large; norms are downdated, and summed anew where too little is left (LAPACK working note 176). A
 * NaN counts as larger than any number, and stays inside its own matrix, as an infinity does.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU backend it is
 * finished when it returns. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is fine |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | jpvt_array | batch_count pointers to vectors of n ints, likewise |
 * | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 7 | info | one int per matrix in device memory, set to 0, or NULL |
 * | 8 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | its size, at least what tephra_sgeqp3_batched_workspace() answers; less is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when m, n or batch_count is 0; info is all 0 then, and jpvt stays as it is.
 */
tephra_status tephra_sgeqp3_batched(int64_t m,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *const *jpvt_array,
                                    float *const *tau_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgeqp3_batched() in bytes: two norms for each column where a matrix does not fit a block's memory, else 0; 0 on
 * the CPU. The arguments are checked as there, and numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgeqp3_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t lda,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgeqp3_batched() for matrices at a fixed distance: A(i) starts at a + i*stride_a, jpvt(i) at
 * jpvt + i*stride_jpvt, tau(i) at tau + i*stride_tau (in elements, device memory). With batch_count > 1,
 * stride_a >= max(1,m), stride_jpvt >= max(1,n) and stride_tau >= max(1,min(m,n)); matrices must not share elements.
 * Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, jpvt 6, stride_jpvt 7, tau 8, stride_tau 9, info 10,
 * batch_count 11, work 12, work_bytes 13, stream 14.
 */
tephra_status tephra_sgeqp3_strided_batched(int64_t m,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            float *tau,
                                            int64_t stride_tau,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgeqp3_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
 * stride_jpvt 5, stride_tau 6, batch_count 7.
 */
tephra_status tephra_sgeqp3_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_jpvt,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqp3_batched() for matrices with sizes of their own: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. m[i] = 0 and n[i] = 0 are fine, and leave jpvt(i) as it is. Where sizes
 * are not valid nothing of that matrix is read or written but its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if
 * not 0 <= n[i] <= max_n, else -4 if not lda[i] >= m[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no matrix has more rows, max_m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | max_n | no matrix has more columns, max_n >= 0, likewise |
 * | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
 * | 4 | n | batch_count ints in device memory: columns, likewise |
 * | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements; not NULL when there is work |
 * | 6 | lda | batch_count ints in device memory: leading dimensions, in elements; not NULL when there is work |
 * | 7 | jpvt_array | batch_count pointers to vectors of n[i] ints, likewise |
 * | 8 | tau_array | batch_count pointers to vectors of max(1,min(m[i],n[i])) elements, likewise |
 * | 9 | info | one int per matrix in device memory, 0 or as above, or NULL |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 12 | work_bytes | its size, at least what tephra_sgeqp3_vbatched_workspace() answers; less is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgeqp3_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int *const *jpvt_array,
                                     float *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgeqp3_vbatched() in bytes: two norms for each of max_n columns where a matrix may have more than
 * 128 rows or columns, else 0; 0 on the CPU. Arguments are numbered max_m 1, max_n 2, batch_count 3.
 */
tephra_status tephra_sgeqp3_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_batched() in double precision (LAPACK DGEQP3).
 */
tephra_status tephra_dgeqp3_batched(int64_t m,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *const *jpvt_array,
                                    double *const *tau_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqp3_batched_workspace() in double precision.
 */
tephra_status tephra_dgeqp3_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_strided_batched() in double precision.
 */
tephra_status tephra_dgeqp3_strided_batched(int64_t m,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            double *tau,
                                            int64_t stride_tau,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqp3_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgeqp3_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_jpvt,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqp3_vbatched() in double precision.
 */
tephra_status tephra_dgeqp3_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int *const *jpvt_array,
                                     double *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqp3_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgeqp3_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_batched() in single precision complex (LAPACK CGEQP3).
 */
tephra_status tephra_cgeqp3_batched(int64_t m,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *const *jpvt_array,
                                    tephra_c32 *const *tau_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqp3_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqp3_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_strided_batched() in single precision complex.
 */
tephra_status tephra_cgeqp3_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            tephra_c32 *tau,
                                            int64_t stride_tau,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqp3_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqp3_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_jpvt,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqp3_vbatched() in single precision complex.
 */
tephra_status tephra_cgeqp3_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *const *jpvt_array,
                                     tephra_c32 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqp3_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqp3_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_batched() in double precision complex (LAPACK ZGEQP3).
 */
tephra_status tephra_zgeqp3_batched(int64_t m,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *const *jpvt_array,
                                    tephra_c64 *const *tau_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgeqp3_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqp3_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_strided_batched() in double precision complex.
 */
tephra_status tephra_zgeqp3_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            tephra_c64 *tau,
                                            int64_t stride_tau,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgeqp3_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqp3_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_jpvt,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgeqp3_vbatched() in double precision complex.
 */
tephra_status tephra_zgeqp3_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *const *jpvt_array,
                                     tephra_c64 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqp3_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqp3_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * Batched LAPACK SORGQR: the first n columns of Q(i) = H(1) H(2) ... H(k), in place of the reflectors.
 *
 * A(i) holds the reflectors in its first k columns as tephra_sgeqrf_batched() leaves them (what is on and above the
 * diagonal is not read); on exit it holds the m x n matrix Q(i), whose columns are orthonormal. The call is
 * asynchronous on the stream, allocates nothing (where rows are divided among blocks, docs/tall-and-large.md: scratch memory
 * from a pool, in the stream's order), needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of Q, m >= 0 |
 * | 2 | n | columns of Q, 0 <= n <= m |
 * | 3 | k | reflectors, 0 <= k <= n |
 * | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
 * | 6 | tau_array | batch_count pointers to vectors of k elements; not NULL when k > 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when n or batch_count is 0.
 */
tephra_status tephra_sorgqr_batched(int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *tau_array,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sorgqr_batched() for matrices at a fixed distance: A(i) starts at a + i*stride_a, tau(i) at
 * tau + i*stride_tau (in elements). With batch_count > 1, stride_a >= max(1,m) and stride_tau >= 0; vectors tau may
 * overlap, and are all the same one with stride_tau 0. Arguments are numbered m 1, n 2, k 3, a 4, lda 5, stride_a 6,
 * tau 7, stride_tau 8, batch_count 9, stream 10.
 */
tephra_status tephra_sorgqr_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const float *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sorgqr_batched() in double precision (LAPACK DORGQR).
 */
tephra_status tephra_dorgqr_batched(int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *tau_array,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sorgqr_strided_batched() in double precision.
 */
tephra_status tephra_dorgqr_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const double *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sorgqr_batched() in single precision complex (LAPACK CUNGQR).
 */
tephra_status tephra_cungqr_batched(int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *tau_array,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sorgqr_strided_batched() in single precision complex.
 */
tephra_status tephra_cungqr_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c32 *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sorgqr_batched() in double precision complex (LAPACK ZUNGQR).
 */
tephra_status tephra_zungqr_batched(int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *tau_array,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sorgqr_strided_batched() in double precision complex.
 */
tephra_status tephra_zungqr_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c64 *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched LAPACK SORMQR: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), with Q(i) = H(1) H(2) ... H(k) as
 * tephra_sgeqrf_batched() leaves it.
 *
 * Only what is below the diagonal of A(i) is read, and nothing of it written, so A(i) and tau(i) may be shared by
 * members. The call is asynchronous on the stream, allocates nothing (where rows are divided among
 * blocks, docs/tall-and-large.md: scratch memory from a pool, in the stream's order), needs no workspace and can
 * be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK has not |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
 * | 6 | a_array | batch_count pointers to q x k matrices; not NULL when there is work |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | tau_array | batch_count pointers to vectors of k elements, likewise |
 * | 9 | c_array | batch_count pointers to m x n matrices, likewise |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when m, n, k or batch_count is 0.
 */
tephra_status tephra_sormqr_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *tau_array,
                                    float *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sormqr_batched() for matrices at a fixed distance (in elements). With batch_count > 1,
 * stride_c >= max(1,m), stride_a >= 0 and stride_tau >= 0; a stride of 0 applies one Q to all C. Arguments are
 * numbered side 1, trans 2, m 3, n 4, k 5, a 6, lda 7, stride_a 8, tau 9, stride_tau 10, c 11, ldc 12, stride_c 13,
 * batch_count 14, stream 15.
 */
tephra_status tephra_sormqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const float *tau,
                                            int64_t stride_tau,
                                            float *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sormqr_batched() in double precision (LAPACK DORMQR).
 */
tephra_status tephra_dormqr_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *tau_array,
                                    double *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sormqr_strided_batched() in double precision.
 */
tephra_status tephra_dormqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const double *tau,
                                            int64_t stride_tau,
                                            double *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sormqr_batched() in single precision complex (LAPACK CUNMQR).
 */
tephra_status tephra_cunmqr_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *tau_array,
                                    tephra_c32 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sormqr_strided_batched() in single precision complex.
 */
tephra_status tephra_cunmqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c32 *tau,
                                            int64_t stride_tau,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sormqr_batched() in double precision complex (LAPACK ZUNMQR).
 */
tephra_status tephra_zunmqr_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *tau_array,
                                    tephra_c64 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sormqr_strided_batched() in double precision complex.
 */
tephra_status tephra_zunmqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c64 *tau,
                                            int64_t stride_tau,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched QR with explicit factors, in one call: A(i) = Q(i) R(i), A kept.
 *
 * The factors are those of LAPACK SGEQRF and SORGQR: the signs of R are LAPACK's, and R is zero below its diagonal.
 * TEPHRA_Q_THIN: Q is m x k and R k x n, k = min(m,n). TEPHRA_Q_FULL: Q is m x m and R m x n. TEPHRA_Q_NONE: R as
 * for thin, and no Q is made. The call is asynchronous on the stream, allocates nothing (where rows are divided
 * among blocks, docs/tall-and-large.md: scratch memory from a pool, in the stream's order) and can be captured in a
 * CUDA graph. A NaN or infinity stays inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | q_array | batch_count pointers, receive Q; not looked at for TEPHRA_Q_NONE |
 * | 7 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 8 | r_array | batch_count pointers, receive R |
 * | 9 | ldr | leading dimension of R, at least max(1, rows of R) |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 12 | work_bytes | its size, at least what tephra_sqr_batched_workspace() answers; less is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Thin Q with m >= n may take the place of A: then q_array is a_array and ldq is lda. Otherwise A, Q and R must not
 * overlap. Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when m or batch_count is 0, or n is 0; only the full Q of a matrix without columns is written, the
 * identity.
 */
tephra_status tephra_sqr_batched(int part,
                                 int64_t m,
                                 int64_t n,
                                 float *const *a_array,
                                 int64_t lda,
                                 float *const *q_array,
                                 int64_t ldq,
                                 float *const *r_array,
                                 int64_t ldr,
                                 int64_t batch_count,
                                 void *work,
                                 size_t work_bytes,
                                 void *stream);

/**
 * Workspace of tephra_sqr_batched() in bytes; 0 for small matrices. The arguments are checked as there, and numbered
 * part 1, m 2, n 3, lda 4, ldq 5, ldr 6, batch_count 7.
 */
tephra_status tephra_sqr_batched_workspace(int part,
                                           int64_t m,
                                           int64_t n,
                                           int64_t lda,
                                           int64_t ldq,
                                           int64_t ldr,
                                           int64_t batch_count,
                                           size_t *bytes);

/**
 * tephra_sqr_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0, and
 * stride_q and stride_r at least the rows of Q and R; matrices that are written must not share elements. Thin Q in the
 * place of A: q, ldq and stride_q are those of A. Arguments are numbered part 1, m 2, n 3, a 4, lda 5, stride_a 6, q 7,
 * ldq 8, stride_q 9, r 10, ldr 11, stride_r 12, batch_count 13, work 14, work_bytes 15, stream 16.
 */
tephra_status tephra_sqr_strided_batched(int part,
                                         int64_t m,
                                         int64_t n,
                                         const float *a,
                                         int64_t lda,
                                         int64_t stride_a,
                                         float *q,
                                         int64_t ldq,
                                         int64_t stride_q,
                                         float *r,
                                         int64_t ldr,
                                         int64_t stride_r,
                                         int64_t batch_count,
                                         void *work,
                                         size_t work_bytes,
                                         void *stream);

/**
 * Workspace of tephra_sqr_strided_batched() in bytes. Arguments are numbered part 1, m 2, n 3, lda 4, stride_a 5,
 * ldq 6, stride_q 7, ldr 8, stride_r 9, batch_count 10.
 */
tephra_status tephra_sqr_strided_batched_workspace(int part,
                                                   int64_t m,
                                                   int64_t n,
                                                   int64_t lda,
                                                   int64_t stride_a,
                                                   int64_t ldq,
                                                   int64_t stride_q,
                                                   int64_t ldr,
                                                   int64_t stride_r,
                                                   int64_t batch_count,
                                                   size_t *bytes);

/**
 * tephra_sqr_batched() in double precision.
 */
tephra_status tephra_dqr_batched(int part,
                                 int64_t m,
                                 int64_t n,
                                 double *const *a_array,
                                 int64_t lda,
                                 double *const *q_array,
                                 int64_t ldq,
                                 double *const *r_array,
                                 int64_t ldr,
                                 int64_t batch_count,
                                 void *work,
                                 size_t work_bytes,
                                 void *stream);

/**
 * tephra_sqr_batched_workspace() in double precision.
 */
tephra_status tephra_dqr_batched_workspace(int part,
                                           int64_t m,
                                           int64_t n,
                                           int64_t lda,
                                           int64_t ldq,
                                           int64_t ldr,
                                           int64_t batch_count,
                                           size_t *bytes);

/**
 * tephra_sqr_strided_batched() in double precision.
 */
tephra_status tephra_dqr_strided_batched(int part,
                                         int64_t m,
                                         int64_t n,
                                         const double *a,
                                         int64_t lda,
                                         int64_t stride_a,
                                         double *q,
                                         int64_t ldq,
                                         int64_t stride_q,
                                         double *r,
                                         int64_t ldr,
                                         int64_t stride_r,
                                         int64_t batch_count,
                                         void *work,
                                         size_t work_bytes,
                                         void *stream);

/**
 * tephra_sqr_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dqr_strided_batched_workspace(int part,
                                                   int64_t m,
                                                   int64_t n,
                                                   int64_t lda,
                                                   int64_t stride_a,
                                                   int64_t ldq,
                                                   int64_t stride_q,
                                                   int64_t ldr,
                                                   int64_t stride_r,
                                                   int64_t batch_count,
                                                   size_t *bytes);

/**
 * tephra_sqr_batched() in single precision complex.
 */
tephra_status tephra_cqr_batched(int part,
                                 int64_t m,
                                 int64_t n,
                                 tephra_c32 *const *a_array,
                                 int64_t lda,
                                 tephra_c32 *const *q_array,
                                 int64_t ldq,
                                 tephra_c32 *const *r_array,
                                 int64_t ldr,
                                 int64_t batch_count,
                                 void *work,
                                 size_t work_bytes,
                                 void *stream);

/**
 * tephra_sqr_batched_workspace() in single precision complex.
 */
tephra_status tephra_cqr_batched_workspace(int part,
                                           int64_t m,
                                           int64_t n,
                                           int64_t lda,
                                           int64_t ldq,
                                           int64_t ldr,
                                           int64_t batch_count,
                                           size_t *bytes);

/**
 * tephra_sqr_strided_batched() in single precision complex.
 */
tephra_status tephra_cqr_strided_batched(int part,
                                         int64_t m,
                                         int64_t n,
                                         const tephra_c32 *a,
                                         int64_t lda,
                                         int64_t stride_a,
                                         tephra_c32 *q,
                                         int64_t ldq,
                                         int64_t stride_q,
                                         tephra_c32 *r,
                                         int64_t ldr,
                                         int64_t stride_r,
                                         int64_t batch_count,
                                         void *work,
                                         size_t work_bytes,
                                         void *stream);

/**
 * tephra_sqr_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cqr_strided_batched_workspace(int part,
                                                   int64_t m,
                                                   int64_t n,
                                                   int64_t lda,
                                                   int64_t stride_a,
                                                   int64_t ldq,
                                                   int64_t stride_q,
                                                   int64_t ldr,
                                                   int64_t stride_r,
                                                   int64_t batch_count,
                                                   size_t *bytes);

/**
 * tephra_sqr_batched() in double precision complex.
 */
tephra_status tephra_zqr_batched(int part,
                                 int64_t m,
                                 int64_t n,
                                 tephra_c64 *const *a_array,
                                 int64_t lda,
                                 tephra_c64 *const *q_array,
                                 int64_t ldq,
                                 tephra_c64 *const *r_array,
                                 int64_t ldr,
                                 int64_t batch_count,
                                 void *work,
                                 size_t work_bytes,
                                 void *stream);

/**
 * tephra_sqr_batched_workspace() in double precision complex.
 */
tephra_status tephra_zqr_batched_workspace(int part,
                                           int64_t m,
                                           int64_t n,
                                           int64_t lda,
                                           int64_t ldq,
                                           int64_t ldr,
                                           int64_t batch_count,
                                           size_t *bytes);

/**
 * tephra_sqr_strided_batched() in double precision complex.
 */
tephra_status tephra_zqr_strided_batched(int part,
                                         int64_t m,
                                         int64_t n,
                                         const tephra_c64 *a,
                                         int64_t lda,
                                         int64_t stride_a,
                                         tephra_c64 *q,
                                         int64_t ldq,
                                         int64_t stride_q,
                                         tephra_c64 *r,
                                         int64_t ldr,
                                         int64_t stride_r,
                                         int64_t batch_count,
                                         void *work,
                                         size_t work_bytes,
                                         void *stream);

/**
 * tephra_sqr_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zqr_strided_batched_workspace(int part,
                                                   int64_t m,
                                                   int64_t n,
                                                   int64_t lda,
                                                   int64_t stride_a,
                                                   int64_t ldq,
                                                   int64_t stride_q,
                                                   int64_t ldr,
                                                   int64_t stride_r,
                                                   int64_t batch_count,
                                                   size_t *bytes);

/**
 * Batched LAPACK SGELS: least-squares or minimum-norm solutions of op(A(i)) X(i) = B(i), A(i) of full rank.
 *
 * TEPHRA_TRANS_N, m >= n: X minimises the 2-norm of each column of B - A X; it is in rows 0..n-1 of B, and the sum of
 * squares of rows n..m-1 of a column is that of its residual. m < n: the X of least 2-norm, in rows 0..n-1.
 * TEPHRA_TRANS_T (real types) or _C: the same for A^H X = B, where B has n rows on entry and X m. A(i) is overwritten.
 * The call is asynchronous on the stream, allocates nothing (where rows are divided among blocks,
 * docs/tall-and-large.md: scratch memory from a pool, in the stream's order) and can be captured in a CUDA graph.
 * A NaN or infinity stays inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | b_array | batch_count pointers to max(m,n) x nrhs matrices; not NULL when nrhs > 0 and there is work |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 9 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the triangular factor's diagonal is exactly 0, so that A(i) does not have full rank and its X is invalid |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 12 | work_bytes | its size, at least what tephra_sgels_batched_workspace() answers; less is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * batch_count or the number of rows of X is 0; info is all 0 then. Without right-hand sides A is factored and info told;
 * without equations X is zero.
 */
tephra_status tephra_sgels_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   int64_t nrhs,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * Workspace of tephra_sgels_batched() in bytes; 0 for small matrices. The arguments are checked as there, and numbered
 * trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6, batch_count 7.
 */
tephra_status tephra_sgels_batched_workspace(int trans,
                                             int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgels_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= max(1,m)
 * and stride_b >= max(1,m,n); matrices must not share elements. Arguments are numbered trans 1, m 2, n 3, nrhs 4, a 5,
 * lda 6, stride_a 7, b 8, ldb 9, stride_b 10, info 11, batch_count 12, work 13, work_bytes 14, stream 15.
 */
tephra_status tephra_sgels_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           int64_t nrhs,
                                           float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_sgels_strided_batched() in bytes. Arguments are numbered trans 1, m 2, n 3, nrhs 4, lda 5,
 * stride_a 6, ldb 7, stride_b 8, batch_count 9.
 */
tephra_status tephra_sgels_strided_batched_workspace(int trans,
                                                     int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgels_batched() in double precision (LAPACK DGELS).
 */
tephra_status tephra_dgels_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   int64_t nrhs,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgels_batched_workspace() in double precision.
 */
tephra_status tephra_dgels_batched_workspace(int trans,
                                             int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgels_strided_batched() in double precision.
 */
tephra_status tephra_dgels_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           int64_t nrhs,
                                           double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgels_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgels_strided_batched_workspace(int trans,
                                                     int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgels_batched() in single precision complex (LAPACK CGELS).
 */
tephra_status tephra_cgels_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   int64_t nrhs,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgels_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgels_batched_workspace(int trans,
                                             int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgels_strided_batched() in single precision complex.
 */
tephra_status tephra_cgels_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           int64_t nrhs,
                                           tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgels_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgels_strided_batched_workspace(int trans,
                                                     int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgels_batched() in double precision complex (LAPACK ZGELS).
 */
tephra_status tephra_zgels_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   int64_t nrhs,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgels_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgels_batched_workspace(int trans,
                                             int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgels_strided_batched() in double precision complex.
 */
tephra_status tephra_zgels_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           int64_t nrhs,
                                           tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgels_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgels_strided_batched_workspace(int trans,
                                                     int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * Batched least squares of matrices of any rank, LAPACK SGELSY for each matrix: of all X(i) that minimise the 2-norms of
 * the columns of B(i) - A(i) X(i), the shortest.
 *
 * A P = Q R by tephra_sgeqp3_batched(). The rank is the order of the largest leading triangle of R whose condition, estimated
 * row by row, is at most 1 / rcond; the rest of R counts as zero. Reflectors from the right make its rows a triangle, by
 * which B is solved for. As in LAPACK, A and B are scaled by a power of two, which is exact, where their largest element is near either end of the
 * range, and X is scaled back.
 *
 * On exit X is in rows 0..n-1 of B. Where m > n and the rank is n, the sum of squares of a column's rows n..m-1 is that of its
 * residual; elsewhere these rows are of no use, as A is.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU backend it is
 * finished when it returns. A NaN or infinity stays inside its own problem.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of A, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns of A, n >= 0, likewise; m < n is fine |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0; with 0 only ranks are found |
 * | 4 | a_array | batch_count pointers to matrices of lda*n elements; overwritten; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to matrices of ldb*nrhs elements: m rows in, n rows out; may be NULL with nrhs 0 |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 8 | jpvt_array | batch_count pointers to vectors of n ints, as for tephra_sgeqp3_batched(): chosen columns in, the permutation out |
 * | 9 | rcond | reciprocal of the largest condition; below zero: max(m,n) times the distance from 1 to the next number |
 * | 10 | rank | one int per matrix in device memory, its rank, or NULL |
 * | 11 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | its size, at least what tephra_sgelsy_batched_workspace() answers; less is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Without unknowns (n = 0) nothing is done;
 * without equations (m = 0) X is zero, and jpvt stays as it is. Ranks are 0 then.
 */
tephra_status tephra_sgelsy_batched(int64_t m,
                                    int64_t n,
                                    int64_t nrhs,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *b_array,
                                    int64_t ldb,
                                    int *const *jpvt_array,
                                    double rcond,
                                    int *rank,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgelsy_batched() in bytes: a few vectors of each matrix on CUDA, 0 on the CPU. The arguments are checked
 * as there, and numbered m 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sgelsy_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelsy_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= max(1,m),
 * stride_b >= max(1,m,n) where there are right-hand sides, and stride_jpvt >= max(1,n); matrices must not share elements. Arguments are numbered m 1, n 2,
 * nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9, jpvt 10, stride_jpvt 11, rcond 12, rank 13, batch_count 14,
 * work 15, work_bytes 16, stream 17.
 */
tephra_status tephra_sgelsy_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t nrhs,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            float *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            double rcond,
                                            int *rank,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgelsy_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4, stride_a 5, ldb 6,
 * stride_b 7, stride_jpvt 8, batch_count 9.
 */
tephra_status tephra_sgelsy_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t stride_jpvt,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelsy_batched() in double precision (LAPACK DGELSY).
 */
tephra_status tephra_dgelsy_batched(int64_t m,
                                    int64_t n,
                                    int64_t nrhs,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *b_array,
                                    int64_t ldb,
                                    int *const *jpvt_array,
                                    double rcond,
                                    int *rank,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelsy_batched_workspace() in double precision.
 */
tephra_status tephra_dgelsy_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelsy_strided_batched() in double precision.
 */
tephra_status tephra_dgelsy_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t nrhs,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            double *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            double rcond,
                                            int *rank,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgelsy_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgelsy_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t stride_jpvt,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelsy_batched() in single precision complex (LAPACK CGELSY).
 */
tephra_status tephra_cgelsy_batched(int64_t m,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    int *const *jpvt_array,
                                    double rcond,
                                    int *rank,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelsy_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgelsy_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelsy_strided_batched() in single precision complex.
 */
tephra_status tephra_cgelsy_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t nrhs,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            double rcond,
                                            int *rank,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgelsy_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgelsy_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t stride_jpvt,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgelsy_batched() in double precision complex (LAPACK ZGELSY).
 */
tephra_status tephra_zgelsy_batched(int64_t m,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    int *const *jpvt_array,
                                    double rcond,
                                    int *rank,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgelsy_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgelsy_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelsy_strided_batched() in double precision complex.
 */
tephra_status tephra_zgelsy_strided_batched(int64_t m,
                                            int64_t n,
                                            int64_t nrhs,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int *jpvt,
                                            int64_t stride_jpvt,
                                            double rcond,
                                            int *rank,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgelsy_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgelsy_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t stride_jpvt,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * QR factorisation of one matrix, LAPACK SGEQRF: A = Q R, in place, of any size that memory holds.
 *
 * What is left of A and tau is as of tephra_sgeqrf_batched() with one matrix, to the last bit: R on and above the
 * diagonal, the reflectors below it. Matrices of more than 2048 rows are divided among the blocks of the GPU
 * (docs/tall-and-large.md).
 *
 * The call is asynchronous on the stream and can be captured in a CUDA graph; scratch memory of divided matrices comes
 * from the stream's pool. On the CPU backend it is finished when it returns. Rows m..lda-1 of A are neither read nor
 * written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is fine |
 * | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau | max(1,min(m,n)) elements of device memory, likewise |
 * | 6 | work | workspace in device memory, or NULL |
 * | 7 | work_bytes | its size, at least what tephra_sgeqrf_workspace() answers |
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * The CPU backend, where all memory is the host's, ignores the stream. Nothing is done and success returned when m or
 * n is 0.
 */
tephra_status tephra_sgeqrf(int64_t m,
                            int64_t n,
                            float *a,
                            int64_t lda,
                            float *tau,
                            void *work,
                            size_t work_bytes,
                            void *stream);

/**
 * Workspace of tephra_sgeqrf() in bytes, at present 0 for every shape. The arguments are checked as there, and
 * numbered m 1, n 2, lda 3.
 */
tephra_status tephra_sgeqrf_workspace(int64_t m, int64_t n, int64_t lda, size_t *bytes);

/**
 * tephra_sgeqrf() in double precision (LAPACK DGEQRF).
 */
tephra_status tephra_dgeqrf(int64_t m,
                            int64_t n,
                            double *a,
                            int64_t lda,
                            double *tau,
                            void *work,
                            size_t work_bytes,
                            void *stream);

/**
 * tephra_sgeqrf_workspace() in double precision.
 */
tephra_status tephra_dgeqrf_workspace(int64_t m, int64_t n, int64_t lda, size_t *bytes);

/**
 * tephra_sgeqrf() in single precision complex (LAPACK CGEQRF).
 */
tephra_status tephra_cgeqrf(int64_t m,
                            int64_t n,
                            tephra_c32 *a,
                            int64_t lda,
                            tephra_c32 *tau,
                            void *work,
                            size_t work_bytes,
                            void *stream);

/**
 * tephra_sgeqrf_workspace() in single precision complex.
 */
tephra_status tephra_cgeqrf_workspace(int64_t m, int64_t n, int64_t lda, size_t *bytes);

/**
 * tephra_sgeqrf() in double precision complex (LAPACK ZGEQRF).
 */
tephra_status tephra_zgeqrf(int64_t m,
                            int64_t n,
                            tephra_c64 *a,
                            int64_t lda,
                            tephra_c64 *tau,
                            void *work,
                            size_t work_bytes,
                            void *stream);

/**
 * tephra_sgeqrf_workspace() in double precision complex.
 */
tephra_status tephra_zgeqrf_workspace(int64_t m, int64_t n, int64_t lda, size_t *bytes);

/**
 * LAPACK SORGQR of one matrix: the first n columns of Q = H(1) H(2) ... H(k), in place of the reflectors that
 * tephra_sgeqrf() left in the first k columns of A. What is on and above the diagonal is not read.
 *
 * The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of Q, m >= 0 |
 * | 2 | n | columns of Q, 0 <= n <= m |
 * | 3 | k | reflectors, 0 <= k <= n |
 * | 4 | a | the reflectors, then Q: lda*n elements of device memory; not NULL when there is work |
 * | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
 * | 6 | tau | k elements of device memory; not NULL when k > 0 and there is work |
 * | 7 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Nothing is done and success returned when n is 0. On the CPU backend, as for tephra_sgeqrf().
 */
tephra_status tephra_sorgqr(int64_t m, int64_t n, int64_t k, float *a, int64_t lda, const float *tau, void *stream);

/**
 * tephra_sorgqr() in double precision (LAPACK DORGQR).
 */
tephra_status tephra_dorgqr(int64_t m, int64_t n, int64_t k, double *a, int64_t lda, const double *tau, void *stream);

/**
 * tephra_sorgqr() in single precision complex (LAPACK CUNGQR).
 */
tephra_status tephra_cungqr(int64_t m,
                            int64_t n,
                            int64_t k,
                            tephra_c32 *a,
                            int64_t lda,
                            const tephra_c32 *tau,
                            void *stream);

/**
 * tephra_sorgqr() in double precision complex (LAPACK ZUNGQR).
 */
tephra_status tephra_zungqr(int64_t m,
                            int64_t n,
                            int64_t k,
                            tephra_c64 *a,
                            int64_t lda,
                            const tephra_c64 *tau,
                            void *stream);

/**
 * LAPACK SORMQR of one matrix: C := op(Q) C or C op(Q), with Q = H(1) H(2) ... H(k) as tephra_sgeqrf() leaves it.
 *
 * Only what is below the diagonal of A is read, and nothing of it written. The call is asynchronous on the stream,
 * needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK has not |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
 * | 6 | a | the reflectors, a q x k matrix in device memory; not NULL when there is work |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | tau | k elements of device memory, likewise |
 * | 9 | c | an m x n matrix in device memory, likewise |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Nothing is done and success returned when m, n or k is 0. On the CPU backend, as for tephra_sgeqrf().
 */
tephra_status tephra_sormqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const float *a,
                            int64_t lda,
                            const float *tau,
                            float *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sormqr() in double precision (LAPACK DORMQR).
 */
tephra_status tephra_dormqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const double *a,
                            int64_t lda,
                            const double *tau,
                            double *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sormqr() in single precision complex (LAPACK CUNMQR).
 */
tephra_status tephra_cunmqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const tephra_c32 *a,
                            int64_t lda,
                            const tephra_c32 *tau,
                            tephra_c32 *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sormqr() in double precision complex (LAPACK ZUNMQR).
 */
tephra_status tephra_zunmqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const tephra_c64 *a,
                            int64_t lda,
                            const tephra_c64 *tau,
                            tephra_c64 *c,
                            int64_t ldc,
                            void *stream);

/**
 * LAPACK SGELS of one matrix: the least-squares or minimum-norm solution of op(A) X = B, A of full rank.
 *
 * TEPHRA_TRANS_N, m >= n: X minimises the 2-norm of each column of B - A X; it is in rows 0..n-1 of B, and the sum of
 * squares of rows n..m-1 of a column is that of its residual. m < n: the X of least 2-norm, in rows 0..n-1.
 * TEPHRA_TRANS_T (real types) or _C: the same for A^H X = B, where B has n rows on entry and X m. A is overwritten.
 * The call is asynchronous on the stream and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 5 | a | an m x n matrix in device memory; not NULL when there is work |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | b | a max(m,n) x nrhs matrix in device memory; not NULL when nrhs > 0 and there is work |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 9 | info | an int in device memory, or NULL: 0, or j when element j (from 1) of the triangular factor's diagonal is exactly 0, so that A does not have full rank and X is invalid |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sgels_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Nothing is done and success returned when the number of rows of X is 0; info is 0 then. Without right-hand sides A is
 * factored and info told; without equations X is zero. On the CPU backend, as for tephra_sgeqrf().
 */
tephra_status tephra_sgels(int trans,
                           int64_t m,
                           int64_t n,
                           int64_t nrhs,
                           float *a,
                           int64_t lda,
                           float *b,
                           int64_t ldb,
                           int *info,
                           void *work,
                           size_t work_bytes,
                           void *stream);

/**
 * Workspace of tephra_sgels() in bytes; 0 for small matrices. The arguments are checked as there, and numbered trans 1,
 * m 2, n 3, nrhs 4, lda 5, ldb 6.
 */
tephra_status tephra_sgels_workspace(int trans,
                                     int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     int64_t lda,
                                     int64_t ldb,
                                     size_t *bytes);

/**
 * tephra_sgels() in double precision (LAPACK DGELS).
 */
tephra_status tephra_dgels(int trans,
                           int64_t m,
                           int64_t n,
                           int64_t nrhs,
                           double *a,
                           int64_t lda,
                           double *b,
                           int64_t ldb,
                           int *info,
                           void *work,
                           size_t work_bytes,
                           void *stream);

/**
 * tephra_sgels_workspace() in double precision.
 */
tephra_status tephra_dgels_workspace(int trans,
                                     int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     int64_t lda,
                                     int64_t ldb,
                                     size_t *bytes);

/**
 * tephra_sgels() in single precision complex (LAPACK CGELS).
 */
tephra_status tephra_cgels(int trans,
                           int64_t m,
                           int64_t n,
                           int64_t nrhs,
                           tephra_c32 *a,
                           int64_t lda,
                           tephra_c32 *b,
                           int64_t ldb,
                           int *info,
                           void *work,
                           size_t work_bytes,
                           void *stream);

/**
 * tephra_sgels_workspace() in single precision complex.
 */
tephra_status tephra_cgels_workspace(int trans,
                                     int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     int64_t lda,
                                     int64_t ldb,
                                     size_t *bytes);

/**
 * tephra_sgels() in double precision complex (LAPACK ZGELS).
 */
tephra_status tephra_zgels(int trans,
                           int64_t m,
                           int64_t n,
                           int64_t nrhs,
                           tephra_c64 *a,
                           int64_t lda,
                           tephra_c64 *b,
                           int64_t ldb,
                           int *info,
                           void *work,
                           size_t work_bytes,
                           void *stream);

/**
 * tephra_sgels_workspace() in double precision complex.
 */
tephra_status tephra_zgels_workspace(int trans,
                                     int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     int64_t lda,
                                     int64_t ldb,
                                     size_t *bytes);

/**
 * QR factorisation of one matrix whose Q is only ever applied, LAPACK SGEQR: A = Q R, in place.
 *
 * On exit the elements on and above the diagonal of A hold the min(m,n) x n upper trapezoidal R. What is below it and
 * in T is Q, for tephra_sgemqr() alone: neither is to be read or changed. With at most 256 columns, by panels of 32 that
 * have more than 2048 rows each, it is the panels' trees of blocks of rows (TSQR), a panel made in one read and one
 * write; R's signs are then any. All other shapes are factored as by tephra_sgeqrf(), and T begins with tau. Which of
 * the two it is depends on the type, the sizes and the device alone, not on settings: Q is applied on the device that
 * made it.
 *
 * The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph. On the CPU
 * backend it is finished when it returns. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31 where there is no tree, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is fine |
 * | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | t | receives T, tsize elements of device memory, which need no alignment beyond their own; likewise |
 * | 6 | tsize | its size in elements, at least what tephra_sgeqr_tsize() answers; less is an error |
 * | 7 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * The CPU backend, where all memory is the host's, ignores the stream. Nothing is done and success returned when m or
 * n is 0.
 */
tephra_status tephra_sgeqr(int64_t m,
                           int64_t n,
                           float *a,
                           int64_t lda,
                           float *t,
                           int64_t tsize,
                           void *stream);

/**
 * Elements of T of tephra_sgeqr() for an m x n matrix, to *tsize: min(m,n), or of trees, for every block of rows and
 * every panel about the square of its columns. The same on all devices and backends. Arguments are numbered m 1, n 2.
 */
tephra_status tephra_sgeqr_tsize(int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgeqr() for matrices at a fixed distance: A(i) starts at a + i*stride_a, T(i) at t + i*stride_t (in
 * elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_t at least what tephra_sgeqr_tsize()
 * answers; matrices must not share elements. A NaN or infinity stays inside its own matrix, and no matrix's result
 * depends on the others. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, t 6, tsize 7, stride_t 8,
 * batch_count 9, stream 10.
 */
tephra_status tephra_sgeqr_strided_batched(int64_t m,
                                           int64_t n,
                                           float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *t,
                                           int64_t tsize,
                                           int64_t stride_t,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeqr() in double precision (LAPACK DGEQR).
 */
tephra_status tephra_dgeqr(int64_t m, int64_t n, double *a, int64_t lda, double *t, int64_t tsize, void *stream);

/**
 * tephra_sgeqr_tsize() in double precision.
 */
tephra_status tephra_dgeqr_tsize(int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgeqr_strided_batched() in double precision.
 */
tephra_status tephra_dgeqr_strided_batched(int64_t m,
                                           int64_t n,
                                           double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *t,
                                           int64_t tsize,
                                           int64_t stride_t,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeqr() in single precision complex (LAPACK CGEQR).
 */
tephra_status tephra_cgeqr(int64_t m,
                           int64_t n,
                           tephra_c32 *a,
                           int64_t lda,
                           tephra_c32 *t,
                           int64_t tsize,
                           void *stream);

/**
 * tephra_sgeqr_tsize() in single precision complex.
 */
tephra_status tephra_cgeqr_tsize(int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgeqr_strided_batched() in single precision complex.
 */
tephra_status tephra_cgeqr_strided_batched(int64_t m,
                                           int64_t n,
                                           tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *t,
                                           int64_t tsize,
                                           int64_t stride_t,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeqr() in double precision complex (LAPACK ZGEQR).
 */
tephra_status tephra_zgeqr(int64_t m,
                           int64_t n,
                           tephra_c64 *a,
                           int64_t lda,
                           tephra_c64 *t,
                           int64_t tsize,
                           void *stream);

/**
 * tephra_sgeqr_tsize() in double precision complex.
 */
tephra_status tephra_zgeqr_tsize(int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgeqr_strided_batched() in double precision complex.
 */
tephra_status tephra_zgeqr_strided_batched(int64_t m,
                                           int64_t n,
                                           tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *t,
                                           int64_t tsize,
                                           int64_t stride_t,
                                           int64_t batch_count,
                                           void *stream);

/**
 * LAPACK SGEMQR of one matrix: C := op(Q) C or C op(Q), with Q as tephra_sgeqr() left it in A and T.
 *
 * Of trees, each block of rows is read once for a few columns of C, level by level, with C in its place. A and T are not
 * written. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT: op(Q) C, Q of order m; TEPHRA_SIDE_RIGHT: C op(Q), Q of order n |
 * | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types LAPACK has no T |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | the smaller one of the sizes that tephra_sgeqr() had, 0 <= k <= order of Q |
 * | 6 | a | what tephra_sgeqr() left, device memory; not NULL when there is work |
 * | 7 | lda | leading dimension, lda >= max(1, order of Q) |
 * | 8 | t | T of tephra_sgeqr() |
 * | 9 | tsize | its size in elements, at least what tephra_sgeqr_tsize() answers for an (order of Q) x k matrix |
 * | 10 | c | the matrix C, device memory |
 * | 11 | ldc | leading dimension, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * The order of Q is the m that tephra_sgeqr() had. Nothing is done and success returned when m, n or k is 0. On the CPU
 * backend, as for tephra_sgeqr().
 */
tephra_status tephra_sgemqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const float *a,
                            int64_t lda,
                            const float *t,
                            int64_t tsize,
                            float *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sgemqr() for matrices at a fixed distance (in elements). With batch_count > 1, stride_c >= max(1,m), stride_a
 * >= 0 and stride_t >= 0; strides of 0 apply one Q to all C. Arguments are numbered side 1, trans 2, m 3, n 4, k 5, a 6,
 * lda 7, stride_a 8, t 9, tsize 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15, stream 16.
 */
tephra_status tephra_sgemqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const float *t,
                                            int64_t tsize,
                                            int64_t stride_t,
                                            float *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sgemqr() in double precision (LAPACK DGEMQR).
 */
tephra_status tephra_dgemqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const double *a,
                            int64_t lda,
                            const double *t,
                            int64_t tsize,
                            double *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sgemqr_strided_batched() in double precision.
 */
tephra_status tephra_dgemqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const double *t,
                                            int64_t tsize,
                                            int64_t stride_t,
                                            double *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sgemqr() in single precision complex (LAPACK CGEMQR).
 */
tephra_status tephra_cgemqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const tephra_c32 *a,
                            int64_t lda,
                            const tephra_c32 *t,
                            int64_t tsize,
                            tephra_c32 *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sgemqr_strided_batched() in single precision complex.
 */
tephra_status tephra_cgemqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c32 *t,
                                            int64_t tsize,
                                            int64_t stride_t,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_sgemqr() in double precision complex (LAPACK ZGEMQR).
 */
tephra_status tephra_zgemqr(int side,
                            int trans,
                            int64_t m,
                            int64_t n,
                            int64_t k,
                            const tephra_c64 *a,
                            int64_t lda,
                            const tephra_c64 *t,
                            int64_t tsize,
                            tephra_c64 *c,
                            int64_t ldc,
                            void *stream);

/**
 * tephra_sgemqr_strided_batched() in double precision complex.
 */
tephra_status tephra_zgemqr_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c64 *t,
                                            int64_t tsize,
                                            int64_t stride_t,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Least squares of one tall matrix by iteration, much faster than tephra_sgels() and as accurate: X minimises the
 * 2-norm of each column of B - A X; A has at least as many rows as columns, and full rank. A and B stay as they are.
 *
 * A^H A is formed in double precision; its Cholesky factor R preconditions conjugate gradients, each of whose steps
 * reads A once for the true residual r = b - A x of the x that it tries. It stops where
 * |A^H r| <= tolerance |A| |r|, or where what A's range has of r is at most tolerance (|A| |x| + |b|) (2-norms,
 * |A| Frobenius's), or where steps bring no more than rounding errors do. One to three steps are usual.
 *
 * QR solves as tephra_sgels() does, on copies of A and B from the stream's pool, where A^H A has no usable R (NaNs, or a
 * condition beyond about 1e8 with columns scaled to one length), where iterations do not end, or where n > 1024. Other
 * right-hand sides keep their solutions.
 *
 * The call waits for the stream, to know whether that is needed. It cannot be captured in a CUDA graph: on a
 * stream that is captured nothing is done, and TEPHRA_STATUS_NOT_SUPPORTED returned.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of A, m >= 0 |
 * | 2 | n | columns of A, 0 <= n <= m |
 * | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 4 | a | an m x n matrix in device memory; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | b | an m x nrhs matrix in device memory, likewise |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
 * | 8 | x | receives the n x nrhs solutions, device memory, likewise; no part of A or B |
 * | 9 | ldx | leading dimension of X, ldx >= max(1,n) |
 * | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
 * | 11 | max_iterations | most steps, >= 0; 0: 16 |
 * | 12 | iterations | nrhs ints in device memory, or NULL: the steps of each right-hand side after its first solution, or why QR has solved it: -1 A^H A has no usable R or squares are out of range, -2 max_iterations were not enough, -3 n > 1024 |
 * | 13 | residuals | nrhs real numbers in device memory, or NULL: the 2-norm of b - A x for each right-hand side, before x is rounded to single precision, to within tolerance (|A| |x| + |b|), but for systems that are nearly consistent and of a condition above about 1e5, where it may be told too large (docs/accuracy.md); NaN where QR has solved and info is not 0 or x not finite |
 * | 14 | info | an int in device memory, or NULL: 0, or tephra_sgels()'s where QR has solved |
 * | 15 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 16 | work_bytes | its size, at least what tephra_sgels_iterative_workspace() answers; less is an error |
 * | 17 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Nothing is done and success returned when n or nrhs is 0; info is 0 then. A right-hand side with a NaN has NaNs as its solution, and
 * 0 iterations. Where QR has solved, x and what the residual is the norm of are what tephra_sgels() leaves in B, also
 * where A is not finite: an infinity that it only divides by, as that of a 1 x 1 matrix, makes x 0 there and adds
 * nothing to the residual. Source: Paige and Saunders, LSQR (1982), for when to stop; Bjorck, Numerical Methods for Least Squares
 * Problems (1996).
 */
tephra_status tephra_sgels_iterative(int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     const float *a,
                                     int64_t lda,
                                     const float *b,
                                     int64_t ldb,
                                     float *x,
                                     int64_t ldx,
                                     double tolerance,
                                     int64_t max_iterations,
                                     int *iterations,
                                     float *residuals,
                                     int *info,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgels_iterative() in bytes; 0 on the CPU backend. The arguments are checked as there, and
 * numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6.
 */
tephra_status tephra_sgels_iterative_workspace(int64_t m,
                                               int64_t n,
                                               int64_t nrhs,
                                               int64_t lda,
                                               int64_t ldb,
                                               int64_t ldx,
                                               size_t *bytes);

/**
 * Batched least squares of tall matrices by iteration: tephra_sgels_iterative() for each of batch_count matrices of one
 * shape, which has the text: X(i) minimises the 2-norm of each column of B(i) - A(i) X(i).
 *
 * All matrices are read, and step, side by side; a group of them whose numbers fit into 128 MiB of workspace at a time.
 * Each right-hand side of each matrix ends by itself, and those that need QR get it by themselves, on copies of at most
 * 64 MiB of matrices (or one) from the stream's pool: a NaN, infinity or singular matrix changes no other one's results.
 * The call waits for the stream once and a few times more for each group, and cannot be captured.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of each A, m >= 0 |
 * | 2 | n | columns of each A, 0 <= n <= m |
 * | 3 | nrhs | right-hand sides of each, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices, which stay as they are and may be the same ones; not NULL when there is work |
 * | 5 | lda | leading dimension of each A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to m x nrhs matrices, likewise |
 * | 7 | ldb | leading dimension of each B, ldb >= max(1,m) |
 * | 8 | x_array | batch_count pointers to n x nrhs matrices that receive the solutions; no part of any A or B, or of each other |
 * | 9 | ldx | leading dimension of each X, ldx >= max(1,n) |
 * | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
 * | 11 | max_iterations | most steps, >= 0; 0: 16 |
 * | 12 | iterations | batch_count * nrhs ints in device memory, nrhs for each matrix, or NULL: as for one matrix |
 * | 13 | residuals | as many real numbers in device memory, or NULL: the 2-norms of b - A x, likewise |
 * | 14 | info | one int per matrix in device memory, or NULL: 0, or tephra_sgels_batched()'s where QR has solved |
 * | 15 | batch_count | number of matrices, >= 0 |
 * | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 17 | work_bytes | its size, at least what tephra_sgels_iterative_batched_workspace() answers; less is an error |
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory. Nothing is done and success returned when n, nrhs or batch_count is 0; info is all 0 then. How
 * rows are divided depends on the batch count, unless TEPHRA_BATCH_INVARIANT is set. For small matrices
 * tephra_sgels_batched() is faster: see docs/tall-and-large.md.
 */
tephra_status tephra_sgels_iterative_batched(int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             float *const *a_array,
                                             int64_t lda,
                                             float *const *b_array,
                                             int64_t ldb,
                                             float *const *x_array,
                                             int64_t ldx,
                                             double tolerance,
                                             int64_t max_iterations,
                                             int *iterations,
                                             float *residuals,
                                             int *info,
                                             int64_t batch_count,
                                             void *work,
                                             size_t work_bytes,
                                             void *stream);

/**
 * Workspace of tephra_sgels_iterative_batched() in bytes: no more than 128 MiB, unless one matrix needs more; 0 on the
 * CPU backend. The arguments are checked as there, and numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6, batch_count 7.
 */
tephra_status tephra_sgels_iterative_batched_workspace(int64_t m,
                                                       int64_t n,
                                                       int64_t nrhs,
                                                       int64_t lda,
                                                       int64_t ldb,
                                                       int64_t ldx,
                                                       int64_t batch_count,
                                                       size_t *bytes);

/**
 * tephra_sgels_iterative_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a and
 * stride_b are >= 0 (0: one matrix for all) and stride_x >= max(1,n); solutions must not share elements. Arguments are
 * numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9, x 10, ldx 11, stride_x 12, tolerance 13,
 * max_iterations 14, iterations 15, residuals 16, info 17, batch_count 18, work 19, work_bytes 20, stream 21.
 */
tephra_status tephra_sgels_iterative_strided_batched(int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     const float *a,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     const float *b,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     float *x,
                                                     int64_t ldx,
                                                     int64_t stride_x,
                                                     double tolerance,
                                                     int64_t max_iterations,
                                                     int *iterations,
                                                     float *residuals,
                                                     int *info,
                                                     int64_t batch_count,
                                                     void *work,
                                                     size_t work_bytes,
                                                     void *stream);

/**
 * Workspace of tephra_sgels_iterative_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4,
 * stride_a 5, ldb 6, stride_b 7, ldx 8, stride_x 9, batch_count 10.
 */
tephra_status tephra_sgels_iterative_strided_batched_workspace(int64_t m,
                                                               int64_t n,
                                                               int64_t nrhs,
                                                               int64_t lda,
                                                               int64_t stride_a,
                                                               int64_t ldb,
                                                               int64_t stride_b,
                                                               int64_t ldx,
                                                               int64_t stride_x,
                                                               int64_t batch_count,
                                                               size_t *bytes);

/**
 * tephra_sgels_iterative() in double precision.
 */
tephra_status tephra_dgels_iterative(int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     const double *a,
                                     int64_t lda,
                                     const double *b,
                                     int64_t ldb,
                                     double *x,
                                     int64_t ldx,
                                     double tolerance,
                                     int64_t max_iterations,
                                     int *iterations,
                                     double *residuals,
                                     int *info,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgels_iterative_workspace() in double precision.
 */
tephra_status tephra_dgels_iterative_workspace(int64_t m,
                                               int64_t n,
                                               int64_t nrhs,
                                               int64_t lda,
                                               int64_t ldb,
                                               int64_t ldx,
                                               size_t *bytes);

/**
 * tephra_sgels_iterative_batched() in double precision.
 */
tephra_status tephra_dgels_iterative_batched(int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             double *const *a_array,
                                             int64_t lda,
                                             double *const *b_array,
                                             int64_t ldb,
                                             double *const *x_array,
                                             int64_t ldx,
                                             double tolerance,
                                             int64_t max_iterations,
                                             int *iterations,
                                             double *residuals,
                                             int *info,
                                             int64_t batch_count,
                                             void *work,
                                             size_t work_bytes,
                                             void *stream);

/**
 * tephra_sgels_iterative_batched_workspace() in double precision.
 */
tephra_status tephra_dgels_iterative_batched_workspace(int64_t m,
                                                       int64_t n,
                                                       int64_t nrhs,
                                                       int64_t lda,
                                                       int64_t ldb,
                                                       int64_t ldx,
                                                       int64_t batch_count,
                                                       size_t *bytes);

/**
 * tephra_sgels_iterative_strided_batched() in double precision.
 */
tephra_status tephra_dgels_iterative_strided_batched(int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     const double *a,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     const double *b,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     double *x,
                                                     int64_t ldx,
                                                     int64_t stride_x,
                                                     double tolerance,
                                                     int64_t max_iterations,
                                                     int *iterations,
                                                     double *residuals,
                                                     int *info,
                                                     int64_t batch_count,
                                                     void *work,
                                                     size_t work_bytes,
                                                     void *stream);

/**
 * tephra_sgels_iterative_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgels_iterative_strided_batched_workspace(int64_t m,
                                                               int64_t n,
                                                               int64_t nrhs,
                                                               int64_t lda,
                                                               int64_t stride_a,
                                                               int64_t ldb,
                                                               int64_t stride_b,
                                                               int64_t ldx,
                                                               int64_t stride_x,
                                                               int64_t batch_count,
                                                               size_t *bytes);

/**
 * tephra_sgels_iterative() in single precision complex.
 */
tephra_status tephra_cgels_iterative(int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     const tephra_c32 *a,
                                     int64_t lda,
                                     const tephra_c32 *b,
                                     int64_t ldb,
                                     tephra_c32 *x,
                                     int64_t ldx,
                                     double tolerance,
                                     int64_t max_iterations,
                                     int *iterations,
                                     float *residuals,
                                     int *info,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgels_iterative_workspace() in single precision complex.
 */
tephra_status tephra_cgels_iterative_workspace(int64_t m,
                                               int64_t n,
                                               int64_t nrhs,
                                               int64_t lda,
                                               int64_t ldb,
                                               int64_t ldx,
                                               size_t *bytes);

/**
 * tephra_sgels_iterative_batched() in single precision complex.
 */
tephra_status tephra_cgels_iterative_batched(int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             tephra_c32 *const *a_array,
                                             int64_t lda,
                                             tephra_c32 *const *b_array,
                                             int64_t ldb,
                                             tephra_c32 *const *x_array,
                                             int64_t ldx,
                                             double tolerance,
                                             int64_t max_iterations,
                                             int *iterations,
                                             float *residuals,
                                             int *info,
                                             int64_t batch_count,
                                             void *work,
                                             size_t work_bytes,
                                             void *stream);

/**
 * tephra_sgels_iterative_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgels_iterative_batched_workspace(int64_t m,
                                                       int64_t n,
                                                       int64_t nrhs,
                                                       int64_t lda,
                                                       int64_t ldb,
                                                       int64_t ldx,
                                                       int64_t batch_count,
                                                       size_t *bytes);

/**
 * tephra_sgels_iterative_strided_batched() in single precision complex.
 */
tephra_status tephra_cgels_iterative_strided_batched(int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     const tephra_c32 *a,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     const tephra_c32 *b,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     tephra_c32 *x,
                                                     int64_t ldx,
                                                     int64_t stride_x,
                                                     double tolerance,
                                                     int64_t max_iterations,
                                                     int *iterations,
                                                     float *residuals,
                                                     int *info,
                                                     int64_t batch_count,
                                                     void *work,
                                                     size_t work_bytes,
                                                     void *stream);

/**
 * tephra_sgels_iterative_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgels_iterative_strided_batched_workspace(int64_t m,
                                                               int64_t n,
                                                               int64_t nrhs,
                                                               int64_t lda,
                                                               int64_t stride_a,
                                                               int64_t ldb,
                                                               int64_t stride_b,
                                                               int64_t ldx,
                                                               int64_t stride_x,
                                                               int64_t batch_count,
                                                               size_t *bytes);

/**
 * tephra_sgels_iterative() in double precision complex.
 */
tephra_status tephra_zgels_iterative(int64_t m,
                                     int64_t n,
                                     int64_t nrhs,
                                     const tephra_c64 *a,
                                     int64_t lda,
                                     const tephra_c64 *b,
                                     int64_t ldb,
                                     tephra_c64 *x,
                                     int64_t ldx,
                                     double tolerance,
                                     int64_t max_iterations,
                                     int *iterations,
                                     double *residuals,
                                     int *info,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgels_iterative_workspace() in double precision complex.
 */
tephra_status tephra_zgels_iterative_workspace(int64_t m,
                                               int64_t n,
                                               int64_t nrhs,
                                               int64_t lda,
                                               int64_t ldb,
                                               int64_t ldx,
                                               size_t *bytes);

/**
 * tephra_sgels_iterative_batched() in double precision complex.
 */
tephra_status tephra_zgels_iterative_batched(int64_t m,
                                             int64_t n,
                                             int64_t nrhs,
                                             tephra_c64 *const *a_array,
                                             int64_t lda,
                                             tephra_c64 *const *b_array,
                                             int64_t ldb,
                                             tephra_c64 *const *x_array,
                                             int64_t ldx,
                                             double tolerance,
                                             int64_t max_iterations,
                                             int *iterations,
                                             double *residuals,
                                             int *info,
                                             int64_t batch_count,
                                             void *work,
                                             size_t work_bytes,
                                             void *stream);

/**
 * tephra_sgels_iterative_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgels_iterative_batched_workspace(int64_t m,
                                                       int64_t n,
                                                       int64_t nrhs,
                                                       int64_t lda,
                                                       int64_t ldb,
                                                       int64_t ldx,
                                                       int64_t batch_count,
                                                       size_t *bytes);

/**
 * tephra_sgels_iterative_strided_batched() in double precision complex.
 */
tephra_status tephra_zgels_iterative_strided_batched(int64_t m,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     const tephra_c64 *a,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     const tephra_c64 *b,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     tephra_c64 *x,
                                                     int64_t ldx,
                                                     int64_t stride_x,
                                                     double tolerance,
                                                     int64_t max_iterations,
                                                     int *iterations,
                                                     double *residuals,
                                                     int *info,
                                                     int64_t batch_count,
                                                     void *work,
                                                     size_t work_bytes,
                                                     void *stream);

/**
 * tephra_sgels_iterative_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgels_iterative_strided_batched_workspace(int64_t m,
                                                               int64_t n,
                                                               int64_t nrhs,
                                                               int64_t lda,
                                                               int64_t stride_a,
                                                               int64_t ldb,
                                                               int64_t stride_b,
                                                               int64_t ldx,
                                                               int64_t stride_x,
                                                               int64_t batch_count,
                                                               size_t *bytes);

/**
 * Batched BLAS STRSM: B(i) := alpha op(A(i))^-1 B(i) or alpha B(i) op(A(i))^-1, A(i) triangular.
 *
 * The other triangle of A(i) is not read, nor is a unit diagonal; a zero on the diagonal gives what the division
 * gives, in its own matrix. With alpha = 0, B is set to zero and A not read (it may be NULL). Members of A may repeat.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 3 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 5 | m | rows of B, m >= 0 |
 * | 6 | n | columns of B, n >= 0 |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
 * | 9 | lda | leading dimension of A, lda >= max(1,q) |
 * | 10 | b_array | batch_count pointers to m x n matrices, likewise |
 * | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * m, n or batch_count is 0.
 */
tephra_status tephra_strsm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0: one A
 * for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6, alpha 7, a 8,
 * lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
 */
tephra_status tephra_strsm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsm_batched() in double precision.
 */
tephra_status tephra_dtrsm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsm_strided_batched() in double precision.
 */
tephra_status tephra_dtrsm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsm_batched() in single precision complex.
 */
tephra_status tephra_ctrsm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsm_strided_batched() in single precision complex.
 */
tephra_status tephra_ctrsm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsm_batched() in double precision complex.
 */
tephra_status tephra_ztrsm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsm_strided_batched() in double precision complex.
 */
tephra_status tephra_ztrsm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS SGEMM: C(i) := alpha op(A(i)) op(B(i)) + beta C(i).
 *
 * With beta = 0, C is not read; with alpha = 0 or k = 0, neither A nor B is (they may be NULL), and C is scaled. Members
 * of A may repeat and overlap each other, and so may those of B. The call is asynchronous on the stream, allocates
 * nothing (for up to eight products by strides with 16,384 terms or more: scratch memory from a pool, in the stream's
 * order), needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
 * | 2 | trans_b | op of B, likewise |
 * | 3 | m | rows of op(A) and C, m >= 0 |
 * | 4 | n | columns of op(B) and C, n >= 0 |
 * | 5 | k | columns of op(A), rows of op(B), k >= 0 |
 * | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 7 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
 * | 8 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
 * | 9 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
 * | 10 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
 * | 11 | beta | one number in host memory, as alpha |
 * | 12 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 13 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 14 | batch_count | number of matrices, >= 0 |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * m, n or batch_count is 0, or beta is 1 and alpha or k is 0.
 */
tephra_status tephra_sgemm_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   int64_t k,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   const float *beta,
                                   float *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0: one A
 * for all), stride_b >= 0 and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4, k 5, alpha 6,
 * a 7, lda 8, stride_a 9, b 10, ldb 11, stride_b 12, beta 13, c 14, ldc 15, stride_c 16, batch_count 17, stream 18.
 */
tephra_status tephra_sgemm_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           int64_t k,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const float *beta,
                                           float *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemm_batched() in double precision.
 */
tephra_status tephra_dgemm_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   int64_t k,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   const double *beta,
                                   double *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemm_strided_batched() in double precision.
 */
tephra_status tephra_dgemm_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           int64_t k,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const double *beta,
                                           double *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemm_batched() in single precision complex.
 */
tephra_status tephra_cgemm_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   int64_t k,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemm_strided_batched() in single precision complex.
 */
tephra_status tephra_cgemm_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           int64_t k,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c32 *beta,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemm_batched() in double precision complex.
 */
tephra_status tephra_zgemm_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   int64_t k,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemm_strided_batched() in double precision complex.
 */
tephra_status tephra_zgemm_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           int64_t k,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c64 *beta,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Products of groups of matrices: C(j) := alpha[i] op(A(j)) op(B(j)) + beta[i] C(j) for all matrices j of group i, which
 * have the same sizes and leading dimensions.
 *
 * What describes the groups is read on the host before the call returns: all arrays but a_array, b_array and c_array are
 * in host memory, with a number for each group. Those have a pointer for each matrix, those of one group behind those
 * of the group before. All groups are looked at before anything is computed. Each group is then a
 * tephra_sgemm_batched() of its own, as are several alike that follow each other. The call is asynchronous on the
 * stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans_a_array | TEPHRA_TRANS_N, _T or _C of A; not NULL when group_count > 0 |
 * | 2 | trans_b_array | TEPHRA_TRANS_N, _T or _C of B, likewise |
 * | 3 | m_array | rows of op(A) and C, >= 0, likewise |
 * | 4 | n_array | columns of op(B) and C, >= 0, likewise |
 * | 5 | k_array | columns of op(A), rows of op(B), >= 0, likewise |
 * | 6 | alpha_array | factors of the products, likewise |
 * | 7 | a_array | pointers to A of all groups; not NULL when there is work and alpha is not 0 |
 * | 8 | lda_array | leading dimensions of A as it is stored; not NULL when group_count > 0 |
 * | 9 | b_array | pointers to B of all groups; not NULL when there is work and alpha is not 0 |
 * | 10 | ldb_array | leading dimensions of B as it is stored; not NULL when group_count > 0 |
 * | 11 | beta_array | factors of what C was, likewise; with 0 it is not read |
 * | 12 | c_array | pointers to C of all groups; not NULL when there is work |
 * | 13 | ldc_array | leading dimensions of C; not NULL when group_count > 0 |
 * | 14 | group_count | number of groups, >= 0 |
 * | 15 | group_size | number of matrices of each group, >= 0; not NULL when group_count > 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Matrices and the arrays of pointers to them are in device memory, as for tephra_sgeqrf_batched(); members of A and B may
 * repeat.
 */
tephra_status tephra_sgemm_grouped_batched(const int *trans_a_array,
                                           const int *trans_b_array,
                                           const int64_t *m_array,
                                           const int64_t *n_array,
                                           const int64_t *k_array,
                                           const float *alpha_array,
                                           float *const *a_array,
                                           const int64_t *lda_array,
                                           float *const *b_array,
                                           const int64_t *ldb_array,
                                           const float *beta_array,
                                           float *const *c_array,
                                           const int64_t *ldc_array,
                                           int64_t group_count,
                                           const int64_t *group_size,
                                           void *stream);

/**
 * tephra_sgemm_grouped_batched() in double precision.
 */
tephra_status tephra_dgemm_grouped_batched(const int *trans_a_array,
                                           const int *trans_b_array,
                                           const int64_t *m_array,
                                           const int64_t *n_array,
                                           const int64_t *k_array,
                                           const double *alpha_array,
                                           double *const *a_array,
                                           const int64_t *lda_array,
                                           double *const *b_array,
                                           const int64_t *ldb_array,
                                           const double *beta_array,
                                           double *const *c_array,
                                           const int64_t *ldc_array,
                                           int64_t group_count,
                                           const int64_t *group_size,
                                           void *stream);

/**
 * tephra_sgemm_grouped_batched() in single precision complex.
 */
tephra_status tephra_cgemm_grouped_batched(const int *trans_a_array,
                                           const int *trans_b_array,
                                           const int64_t *m_array,
                                           const int64_t *n_array,
                                           const int64_t *k_array,
                                           const tephra_c32 *alpha_array,
                                           tephra_c32 *const *a_array,
                                           const int64_t *lda_array,
                                           tephra_c32 *const *b_array,
                                           const int64_t *ldb_array,
                                           const tephra_c32 *beta_array,
                                           tephra_c32 *const *c_array,
                                           const int64_t *ldc_array,
                                           int64_t group_count,
                                           const int64_t *group_size,
                                           void *stream);

/**
 * tephra_sgemm_grouped_batched() in double precision complex.
 */
tephra_status tephra_zgemm_grouped_batched(const int *trans_a_array,
                                           const int *trans_b_array,
                                           const int64_t *m_array,
                                           const int64_t *n_array,
                                           const int64_t *k_array,
                                           const tephra_c64 *alpha_array,
                                           tephra_c64 *const *a_array,
                                           const int64_t *lda_array,
                                           tephra_c64 *const *b_array,
                                           const int64_t *ldb_array,
                                           const tephra_c64 *beta_array,
                                           tephra_c64 *const *c_array,
                                           const int64_t *ldc_array,
                                           int64_t group_count,
                                           const int64_t *group_size,
                                           void *stream);

/**
 * Batched BLAS SGEMV: y(i) := alpha op(A(i)) x(i) + beta y(i).
 *
 * With beta = 0, y is not read; with alpha = 0, neither A nor x is (they may be NULL), and y is scaled. Members of A may
 * repeat and overlap each other, and so may those of x. The call is asynchronous on the stream, allocates nothing, needs
 * no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | op of A: TEPHRA_TRANS_N, _T or _C |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 5 | a_array | batch_count pointers to m x n matrices; not NULL when they are read |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | x_array | batch_count pointers to vectors of n elements (m if transposed), likewise |
 * | 8 | incx | elements from one of x to the next, not 0; if negative, x starts at its end |
 * | 9 | beta | one number in host memory, as alpha |
 * | 10 | y_array | batch_count pointers to vectors of m elements (n if transposed); not NULL when there is work |
 * | 11 | incy | elements from one of y to the next, as incx |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0, or alpha is 0 and beta 1.
 */
tephra_status tephra_sgemv_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *x_array,
                                   int64_t incx,
                                   const float *beta,
                                   float *const *y_array,
                                   int64_t incy,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemv_batched() for matrices and vectors at a fixed distance (in elements). With batch_count > 1, stride_a >= 0
 * (0: one A for all), stride_x >= 0 and stride_y >= 1. Arguments are numbered trans 1, m 2, n 3, alpha 4, a 5, lda 6,
 * stride_a 7, x 8, incx 9, stride_x 10, beta 11, y 12, incy 13, stride_y 14, batch_count 15, stream 16.
 */
tephra_status tephra_sgemv_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           const float *beta,
                                           float *y,
                                           int64_t incy,
                                           int64_t stride_y,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemv_batched() in double precision.
 */
tephra_status tephra_dgemv_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *x_array,
                                   int64_t incx,
                                   const double *beta,
                                   double *const *y_array,
                                   int64_t incy,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemv_strided_batched() in double precision.
 */
tephra_status tephra_dgemv_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           const double *beta,
                                           double *y,
                                           int64_t incy,
                                           int64_t stride_y,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemv_batched() in single precision complex.
 */
tephra_status tephra_cgemv_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *x_array,
                                   int64_t incx,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *y_array,
                                   int64_t incy,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemv_strided_batched() in single precision complex.
 */
tephra_status tephra_cgemv_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           const tephra_c32 *beta,
                                           tephra_c32 *y,
                                           int64_t incy,
                                           int64_t stride_y,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgemv_batched() in double precision complex.
 */
tephra_status tephra_zgemv_batched(int trans,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *x_array,
                                   int64_t incx,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *y_array,
                                   int64_t incy,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgemv_strided_batched() in double precision complex.
 */
tephra_status tephra_zgemv_strided_batched(int trans,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           const tephra_c64 *beta,
                                           tephra_c64 *y,
                                           int64_t incy,
                                           int64_t stride_y,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS STRSV: x(i) := op(A(i))^-1 x(i), A(i) triangular.
 *
 * The other triangle of A(i) is not read, nor is a unit diagonal; a zero on the diagonal gives what the division
 * gives, in its own system. Members of A may repeat.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 3 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 4 | n | order of A, n >= 0 |
 * | 5 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 6 | lda | leading dimension of A, lda >= max(1,n) |
 * | 7 | x_array | batch_count pointers to 1 + (n-1)*abs(incx) elements; not NULL when there is work |
 * | 8 | incx | from one of x's elements to the next, not 0; below zero x begins with its last |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0.
 */
tephra_status tephra_strsv_batched(int uplo,
                                   int trans,
                                   int diag,
                                   int64_t n,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *x_array,
                                   int64_t incx,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsv_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_x >= 1, such that no two x overlap. Arguments are numbered uplo 1, trans 2, diag 3, n
 * 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, batch_count 11, stream 12.
 */
tephra_status tephra_strsv_strided_batched(int uplo,
                                           int trans,
                                           int diag,
                                           int64_t n,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsv_batched() in double precision.
 */
tephra_status tephra_dtrsv_batched(int uplo,
                                   int trans,
                                   int diag,
                                   int64_t n,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *x_array,
                                   int64_t incx,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsv_strided_batched() in double precision.
 */
tephra_status tephra_dtrsv_strided_batched(int uplo,
                                           int trans,
                                           int diag,
                                           int64_t n,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsv_batched() in single precision complex.
 */
tephra_status tephra_ctrsv_batched(int uplo,
                                   int trans,
                                   int diag,
                                   int64_t n,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *x_array,
                                   int64_t incx,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsv_strided_batched() in single precision complex.
 */
tephra_status tephra_ctrsv_strided_batched(int uplo,
                                           int trans,
                                           int diag,
                                           int64_t n,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strsv_batched() in double precision complex.
 */
tephra_status tephra_ztrsv_batched(int uplo,
                                   int trans,
                                   int diag,
                                   int64_t n,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *x_array,
                                   int64_t incx,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strsv_strided_batched() in double precision complex.
 */
tephra_status tephra_ztrsv_strided_batched(int uplo,
                                           int trans,
                                           int diag,
                                           int64_t n,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS STRMM: B(i) := alpha op(A(i)) B(i) or alpha B(i) op(A(i)), A(i) triangular.
 *
 * The other triangle of A(i) is not read, nor is a unit diagonal. With alpha = 0, B is set to zero and A not read
 * (it may be NULL). Members of A may repeat; B must not overlap them.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 3 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 5 | m | rows of B, m >= 0 |
 * | 6 | n | columns of B, n >= 0 |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
 * | 9 | lda | leading dimension of A, lda >= max(1,q) |
 * | 10 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_strmm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strmm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6, alpha
 * 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
 */
tephra_status tephra_strmm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strmm_batched() in double precision.
 */
tephra_status tephra_dtrmm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strmm_strided_batched() in double precision.
 */
tephra_status tephra_dtrmm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strmm_batched() in single precision complex.
 */
tephra_status tephra_ctrmm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strmm_strided_batched() in single precision complex.
 */
tephra_status tephra_ctrmm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_strmm_batched() in double precision complex.
 */
tephra_status tephra_ztrmm_batched(int side,
                                   int uplo,
                                   int trans,
                                   int diag,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_strmm_strided_batched() in double precision complex.
 */
tephra_status tephra_ztrmm_strided_batched(int side,
                                           int uplo,
                                           int trans,
                                           int diag,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched LAPACK STRTRI: A(i) := A(i)^-1, A(i) triangular, in place.
 *
 * The other triangle, and a unit diagonal, are neither read nor written. A matrix with an exact zero on its
 * diagonal stays as it is.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 3 | n | order of A, n >= 0 |
 * | 4 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | info | batch_count ints: 0, or j when the j-th diagonal element (counted from 1) is the first that is exactly zero; NULL: not told |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_strtri_batched(int uplo,
                                    int diag,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strtri_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >=
 * max(1,n). Arguments are numbered uplo 1, diag 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, stream 9.
 */
tephra_status tephra_strtri_strided_batched(int uplo,
                                            int diag,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_strtri_batched() in double precision.
 */
tephra_status tephra_dtrtri_batched(int uplo,
                                    int diag,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strtri_strided_batched() in double precision.
 */
tephra_status tephra_dtrtri_strided_batched(int uplo,
                                            int diag,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_strtri_batched() in single precision complex.
 */
tephra_status tephra_ctrtri_batched(int uplo,
                                    int diag,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strtri_strided_batched() in single precision complex.
 */
tephra_status tephra_ctrtri_strided_batched(int uplo,
                                            int diag,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_strtri_batched() in double precision complex.
 */
tephra_status tephra_ztrtri_batched(int uplo,
                                    int diag,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strtri_strided_batched() in double precision complex.
 */
tephra_status tephra_ztrtri_strided_batched(int uplo,
                                            int diag,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched BLAS SSYMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) symmetric.
 *
 * Only the triangle of A(i) that uplo names is read. With alpha = 0, A and B are not read (and may be NULL), with beta =
 * 0 C is not. Members of A and B may repeat; C must not overlap them. The call is asynchronous on the stream, allocates
 * nothing, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 3 | m | rows of B and C, m >= 0 |
 * | 4 | n | columns of B and C, n >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
 * | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
 * | 10 | beta | one number in host memory, as alpha |
 * | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 13 | batch_count | number of matrices, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when m,
 * n or batch_count is 0.
 */
tephra_status tephra_ssymm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   const float *beta,
                                   float *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssymm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 and
 * stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5, a 6,
 * lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
 */
tephra_status tephra_ssymm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const float *beta,
                                           float *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssymm_batched() in double precision.
 */
tephra_status tephra_dsymm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   const double *beta,
                                   double *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssymm_strided_batched() in double precision.
 */
tephra_status tephra_dsymm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const double *beta,
                                           double *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssymm_batched() in single precision complex.
 */
tephra_status tephra_csymm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssymm_strided_batched() in single precision complex.
 */
tephra_status tephra_csymm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c32 *beta,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssymm_batched() in double precision complex.
 */
tephra_status tephra_zsymm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssymm_strided_batched() in double precision complex.
 */
tephra_status tephra_zsymm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c64 *beta,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS CHEMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) Hermitian.
 *
 * Only the triangle of A(i) that uplo names is read, and of its diagonal no imaginary parts. With alpha = 0, A and B are
 * not read (and may be NULL), with beta = 0 C is not. Members of A and B may repeat; C must not overlap them. The call
 * is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 3 | m | rows of B and C, m >= 0 |
 * | 4 | n | columns of B and C, n >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
 * | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
 * | 10 | beta | one number in host memory, as alpha |
 * | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 13 | batch_count | number of matrices, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when m,
 * n or batch_count is 0.
 */
tephra_status tephra_chemm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_chemm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 and
 * stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5, a 6,
 * lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
 */
tephra_status tephra_chemm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c32 *beta,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_chemm_batched() in double precision complex.
 */
tephra_status tephra_zhemm_batched(int side,
                                   int uplo,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_chemm_strided_batched() in double precision complex.
 */
tephra_status tephra_zhemm_strided_batched(int side,
                                           int uplo,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const tephra_c64 *beta,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS SSYRK: C(i) := alpha op(A(i)) op(A(i))^T + beta C(i), C(i) symmetric.
 *
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or k
 * = 0, A is not read (and may be NULL). Members of A may repeat; C must not overlap them.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
 * | 3 | n | order of C, n >= 0 |
 * | 4 | k | columns of op(A), k >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
 * | 7 | lda | leading dimension of A, at least its rows and 1 |
 * | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
 * | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0.
 */
tephra_status tephra_ssyrk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   const float *beta,
                                   float *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssyrk_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
 * stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
 */
tephra_status tephra_ssyrk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *beta,
                                           float *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssyrk_batched() in double precision.
 */
tephra_status tephra_dsyrk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   const double *beta,
                                   double *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssyrk_strided_batched() in double precision.
 */
tephra_status tephra_dsyrk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *beta,
                                           double *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssyrk_batched() in single precision complex.
 */
tephra_status tephra_csyrk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssyrk_strided_batched() in single precision complex.
 */
tephra_status tephra_csyrk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *beta,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_ssyrk_batched() in double precision complex.
 */
tephra_status tephra_zsyrk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_ssyrk_strided_batched() in double precision complex.
 */
tephra_status tephra_zsyrk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *beta,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS CHERK: C(i) := alpha op(A(i)) op(A(i))^H + beta C(i), C(i) Hermitian.
 *
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
 * C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A is not read (and may be NULL). Members of
 * A may repeat; C must not overlap them.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
 * | 3 | n | order of C, n >= 0 |
 * | 4 | k | columns of op(A), k >= 0 |
 * | 5 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
 * | 7 | lda | leading dimension of A, at least its rows and 1 |
 * | 8 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
 * | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0.
 */
tephra_status tephra_cherk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const float *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   const float *beta,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_cherk_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
 * stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
 */
tephra_status tephra_cherk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const float *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *beta,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_cherk_batched() in double precision complex.
 */
tephra_status tephra_zherk_batched(int uplo,
                                   int trans,
                                   int64_t n,
                                   int64_t k,
                                   const double *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   const double *beta,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_cherk_strided_batched() in double precision complex.
 */
tephra_status tephra_zherk_strided_batched(int uplo,
                                           int trans,
                                           int64_t n,
                                           int64_t k,
                                           const double *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *beta,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched BLAS SSYR2K: C(i) := alpha op(A(i)) op(B(i))^T + alpha op(B(i)) op(A(i))^T + beta C(i), C(i) symmetric.
 *
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or k
 * = 0, A and B are not read (and may be NULL). Members of A and B may repeat; C must not overlap them.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
 * | 3 | n | order of C, n >= 0 |
 * | 4 | k | columns of op(A), k >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
 * | 7 | lda | leading dimension of A, at least its rows and 1 |
 * | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
 * | 9 | ldb | leading dimension of B, at least its rows and 1 |
 * | 10 | beta | one number in host memory, read before the call returns; not NULL when there is work |
 * | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
 * | 13 | batch_count | number of matrices, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0.
 */
tephra_status tephra_ssyr2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const float *alpha,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *b_array,
                                    int64_t ldb,
                                    const float *beta,
                                    float *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
 * alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
 * stream 17.
 */
tephra_status tephra_ssyr2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const float *alpha,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const float *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const float *beta,
                                            float *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_ssyr2k_batched() in double precision.
 */
tephra_status tephra_dsyr2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const double *alpha,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *b_array,
                                    int64_t ldb,
                                    const double *beta,
                                    double *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_strided_batched() in double precision.
 */
tephra_status tephra_dsyr2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const double *alpha,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const double *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const double *beta,
                                            double *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_ssyr2k_batched() in single precision complex.
 */
tephra_status tephra_csyr2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_strided_batched() in single precision complex.
 */
tephra_status tephra_csyr2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c32 *alpha,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const tephra_c32 *beta,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_ssyr2k_batched() in double precision complex.
 */
tephra_status tephra_zsyr2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_strided_batched() in double precision complex.
 */
tephra_status tephra_zsyr2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c64 *alpha,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const tephra_c64 *beta,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched BLAS CHER2K: C(i) := alpha op(A(i)) op(B(i))^H + conj(alpha) op(B(i)) op(A(i))^H + beta C(i), C(i)
 * Hermitian.
 *
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
 * C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A and B are not read (and may be NULL).
 * Members of A and B may repeat; C must not overlap them.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
 * | 3 | n | order of C, n >= 0 |
 * | 4 | k | columns of op(A), k >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
 * | 7 | lda | leading dimension of A, at least its rows and 1 |
 * | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
 * | 9 | ldb | leading dimension of B, at least its rows and 1 |
 * | 10 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
 * | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
 * | 13 | batch_count | number of matrices, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n or batch_count is 0.
 */
tephra_status tephra_cher2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    const float *beta,
                                    tephra_c32 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_cher2k_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
 * alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
 * stream 17.
 */
tephra_status tephra_cher2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c32 *alpha,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const float *beta,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_cher2k_batched() in double precision complex.
 */
tephra_status tephra_zher2k_batched(int uplo,
                                    int trans,
                                    int64_t n,
                                    int64_t k,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    const double *beta,
                                    tephra_c64 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_cher2k_strided_batched() in double precision complex.
 */
tephra_status tephra_zher2k_strided_batched(int uplo,
                                            int trans,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c64 *alpha,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            const double *beta,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched cuBLAS geam: C(i) := alpha op(A(i)) + beta op(B(i)).
 *
 * With alpha = 0, A is not read (it may be NULL), and likewise B with beta = 0. C may be A itself where trans_a is N
 * and the leading dimensions are the same, and B likewise; it must not overlap them otherwise. Members of A and B
 * may repeat.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans_a | TEPHRA_TRANS_N, _T or _C |
 * | 2 | trans_b | likewise, of B |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to m x n matrices, or n x m where trans_a is not N; not NULL when there is work |
 * | 7 | lda | leading dimension of A, at least its rows and 1 |
 * | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
 * | 9 | b_array | batch_count pointers to matrices likewise; not NULL when there is work |
 * | 10 | ldb | leading dimension of B, at least its rows and 1 |
 * | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 13 | batch_count | number of matrices, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_sgeam_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   const float *alpha,
                                   float *const *a_array,
                                   int64_t lda,
                                   const float *beta,
                                   float *const *b_array,
                                   int64_t ldb,
                                   float *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgeam_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a, stride_b
 * >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4, alpha 5, a
 * 6, lda 7, stride_a 8, beta 9, b 10, ldb 11, stride_b 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
 */
tephra_status tephra_sgeam_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           const float *alpha,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *beta,
                                           const float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           float *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeam_batched() in double precision.
 */
tephra_status tephra_dgeam_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   const double *alpha,
                                   double *const *a_array,
                                   int64_t lda,
                                   const double *beta,
                                   double *const *b_array,
                                   int64_t ldb,
                                   double *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgeam_strided_batched() in double precision.
 */
tephra_status tephra_dgeam_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           const double *alpha,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *beta,
                                           const double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           double *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeam_batched() in single precision complex.
 */
tephra_status tephra_cgeam_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c32 *alpha,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   const tephra_c32 *beta,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgeam_strided_batched() in single precision complex.
 */
tephra_status tephra_cgeam_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *alpha,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *beta,
                                           const tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sgeam_batched() in double precision complex.
 */
tephra_status tephra_zgeam_batched(int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   const tephra_c64 *alpha,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   const tephra_c64 *beta,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sgeam_strided_batched() in double precision complex.
 */
tephra_status tephra_zgeam_strided_batched(int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *alpha,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *beta,
                                           const tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * Batched cuBLAS dgmm: C(i) := diag(x(i)) A(i) or A(i) diag(x(i)).
 *
 * C may be A itself, with the same leading dimension, and must not overlap what is read otherwise. Members of A and
 * x may repeat.
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | m | rows of A and C, m >= 0 |
 * | 3 | n | columns of A and C, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | x_array | batch_count pointers to 1 + (q-1)*abs(incx) elements, q = m (left) or n (right); not NULL when there is work |
 * | 7 | incx | from one of x's elements to the next; below zero x begins with its last, with 0 all are the first |
 * | 8 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_sdgmm_batched(int side,
                                   int64_t m,
                                   int64_t n,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *x_array,
                                   int64_t incx,
                                   float *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sdgmm_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a, stride_x
 * >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered side 1, m 2, n 3, a 4, lda 5, stride_a 6,
 * x 7, incx 8, stride_x 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
 */
tephra_status tephra_sdgmm_strided_batched(int side,
                                           int64_t m,
                                           int64_t n,
                                           const float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const float *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           float *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sdgmm_batched() in double precision.
 */
tephra_status tephra_ddgmm_batched(int side,
                                   int64_t m,
                                   int64_t n,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *x_array,
                                   int64_t incx,
                                   double *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sdgmm_strided_batched() in double precision.
 */
tephra_status tephra_ddgmm_strided_batched(int side,
                                           int64_t m,
                                           int64_t n,
                                           const double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const double *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           double *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sdgmm_batched() in single precision complex.
 */
tephra_status tephra_cdgmm_batched(int side,
                                   int64_t m,
                                   int64_t n,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *x_array,
                                   int64_t incx,
                                   tephra_c32 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sdgmm_strided_batched() in single precision complex.
 */
tephra_status tephra_cdgmm_strided_batched(int side,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c32 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           tephra_c32 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * tephra_sdgmm_batched() in double precision complex.
 */
tephra_status tephra_zdgmm_batched(int side,
                                   int64_t m,
                                   int64_t n,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *x_array,
                                   int64_t incx,
                                   tephra_c64 *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *stream);

/**
 * tephra_sdgmm_strided_batched() in double precision complex.
 */
tephra_status tephra_zdgmm_strided_batched(int side,
                                           int64_t m,
                                           int64_t n,
                                           const tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const tephra_c64 *x,
                                           int64_t incx,
                                           int64_t stride_x,
                                           tephra_c64 *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *stream);

/**
 * B(i) := A(i)^T or A(i)^H, for a batch. B must not overlap A; members of A may repeat.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_T or TEPHRA_TRANS_C; for real types they are the same |
 * | 2 | m | rows of A, columns of B, m >= 0 |
 * | 3 | n | columns of A, rows of B, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to n x m matrices; not NULL when there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_stranspose_batched(int trans,
                                        int64_t m,
                                        int64_t n,
                                        float *const *a_array,
                                        int64_t lda,
                                        float *const *b_array,
                                        int64_t ldb,
                                        int64_t batch_count,
                                        void *stream);

/**
 * tephra_stranspose_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0
 * (0: one A for all) and stride_b >= max(1,n). Arguments are numbered trans 1, m 2, n 3, a 4, lda 5, stride_a 6, b
 * 7, ldb 8, stride_b 9, batch_count 10, stream 11.
 */
tephra_status tephra_stranspose_strided_batched(int trans,
                                                int64_t m,
                                                int64_t n,
                                                const float *a,
                                                int64_t lda,
                                                int64_t stride_a,
                                                float *b,
                                                int64_t ldb,
                                                int64_t stride_b,
                                                int64_t batch_count,
                                                void *stream);

/**
 * tephra_stranspose_batched() in double precision.
 */
tephra_status tephra_dtranspose_batched(int trans,
                                        int64_t m,
                                        int64_t n,
                                        double *const *a_array,
                                        int64_t lda,
                                        double *const *b_array,
                                        int64_t ldb,
                                        int64_t batch_count,
                                        void *stream);

/**
 * tephra_stranspose_strided_batched() in double precision.
 */
tephra_status tephra_dtranspose_strided_batched(int trans,
                                                int64_t m,
                                                int64_t n,
                                                const double *a,
                                                int64_t lda,
                                                int64_t stride_a,
                                                double *b,
                                                int64_t ldb,
                                                int64_t stride_b,
                                                int64_t batch_count,
                                                void *stream);

/**
 * tephra_stranspose_batched() in single precision complex.
 */
tephra_status tephra_ctranspose_batched(int trans,
                                        int64_t m,
                                        int64_t n,
                                        tephra_c32 *const *a_array,
                                        int64_t lda,
                                        tephra_c32 *const *b_array,
                                        int64_t ldb,
                                        int64_t batch_count,
                                        void *stream);

/**
 * tephra_stranspose_strided_batched() in single precision complex.
 */
tephra_status tephra_ctranspose_strided_batched(int trans,
                                                int64_t m,
                                                int64_t n,
                                                const tephra_c32 *a,
                                                int64_t lda,
                                                int64_t stride_a,
                                                tephra_c32 *b,
                                                int64_t ldb,
                                                int64_t stride_b,
                                                int64_t batch_count,
                                                void *stream);

/**
 * tephra_stranspose_batched() in double precision complex.
 */
tephra_status tephra_ztranspose_batched(int trans,
                                        int64_t m,
                                        int64_t n,
                                        tephra_c64 *const *a_array,
                                        int64_t lda,
                                        tephra_c64 *const *b_array,
                                        int64_t ldb,
                                        int64_t batch_count,
                                        void *stream);

/**
 * tephra_stranspose_strided_batched() in double precision complex.
 */
tephra_status tephra_ztranspose_strided_batched(int trans,
                                                int64_t m,
                                                int64_t n,
                                                const tephra_c64 *a,
                                                int64_t lda,
                                                int64_t stride_a,
                                                tephra_c64 *b,
                                                int64_t ldb,
                                                int64_t stride_b,
                                                int64_t batch_count,
                                                void *stream);

/**
 * Batched LAPACK SLACPY: B(i) := A(i), all of it or a triangle. What is not copied is neither read nor written. B
 * may be A itself, but not overlap it otherwise; members of A may repeat.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
 * | 2 | m | rows, m >= 0 |
 * | 3 | n | columns, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_slacpy_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slacpy_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_b >= max(1,m). Arguments are numbered uplo 1, m 2, n 3, a 4, lda 5, stride_a 6, b 7,
 * ldb 8, stride_b 9, batch_count 10, stream 11.
 */
tephra_status tephra_slacpy_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            float *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slacpy_batched() in double precision.
 */
tephra_status tephra_dlacpy_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slacpy_strided_batched() in double precision.
 */
tephra_status tephra_dlacpy_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            double *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slacpy_batched() in single precision complex.
 */
tephra_status tephra_clacpy_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slacpy_strided_batched() in single precision complex.
 */
tephra_status tephra_clacpy_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slacpy_batched() in double precision complex.
 */
tephra_status tephra_zlacpy_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slacpy_strided_batched() in double precision complex.
 */
tephra_status tephra_zlacpy_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched LAPACK SLASET: alpha off the diagonal of A(i) and beta on it, everywhere or in a triangle. The rest is
 * not written.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
 * | 2 | m | rows, m >= 0 |
 * | 3 | n | columns, n >= 0 |
 * | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 5 | beta | one number in host memory, read before the call returns; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 7 | lda | leading dimension of A, lda >= max(1,m) |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when m, n or batch_count is 0.
 */
tephra_status tephra_slaset_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    const float *alpha,
                                    const float *beta,
                                    float *const *a_array,
                                    int64_t lda,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaset_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >=
 * max(1,m). Arguments are numbered uplo 1, m 2, n 3, alpha 4, beta 5, a 6, lda 7, stride_a 8, batch_count 9, stream
 * 10.
 */
tephra_status tephra_slaset_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const float *alpha,
                                            const float *beta,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaset_batched() in double precision.
 */
tephra_status tephra_dlaset_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    const double *alpha,
                                    const double *beta,
                                    double *const *a_array,
                                    int64_t lda,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaset_strided_batched() in double precision.
 */
tephra_status tephra_dlaset_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const double *alpha,
                                            const double *beta,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaset_batched() in single precision complex.
 */
tephra_status tephra_claset_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    const tephra_c32 *alpha,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaset_strided_batched() in single precision complex.
 */
tephra_status tephra_claset_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const tephra_c32 *alpha,
                                            const tephra_c32 *beta,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaset_batched() in double precision complex.
 */
tephra_status tephra_zlaset_batched(int uplo,
                                    int64_t m,
                                    int64_t n,
                                    const tephra_c64 *alpha,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaset_strided_batched() in double precision complex.
 */
tephra_status tephra_zlaset_strided_batched(int uplo,
                                            int64_t m,
                                            int64_t n,
                                            const tephra_c64 *alpha,
                                            const tephra_c64 *beta,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched LAPACK SLARFT, forward and columnwise: the k x k upper triangular factor T(i) with
 * H(1) H(2) ... H(k) = I - V(i) T(i) V(i)^H; below its diagonal T is set to zero.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of V, m >= 0 |
 * | 2 | k | reflectors, 0 <= k <= m |
 * | 3 | v_array | batch_count pointers to m x k matrices of reflectors as tephra_sgeqrf_batched() leaves them: only what is below the diagonal is read; not NULL when there is work |
 * | 4 | ldv | leading dimension of V, ldv >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of k elements, likewise |
 * | 6 | t_array | batch_count pointers to k x k matrices, likewise |
 * | 7 | ldt | leading dimension of T, ldt >= max(1,k); rows k..ldt-1 are not written |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Asynchronous, without allocation or workspace; memory as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when k or batch_count is 0.
 */
tephra_status tephra_slarft_batched(int64_t m,
                                    int64_t k,
                                    float *const *v_array,
                                    int64_t ldv,
                                    float *const *tau_array,
                                    float *const *t_array,
                                    int64_t ldt,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarft_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_v >= 0,
 * stride_tau >= 0 and stride_t >= max(1,k). Arguments are numbered m 1, k 2, v 3, ldv 4, stride_v 5, tau 6,
 * stride_tau 7, t 8, ldt 9, stride_t 10, batch_count 11, stream 12.
 */
tephra_status tephra_slarft_strided_batched(int64_t m,
                                            int64_t k,
                                            const float *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const float *tau,
                                            int64_t stride_tau,
                                            float *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarft_batched() in double precision.
 */
tephra_status tephra_dlarft_batched(int64_t m,
                                    int64_t k,
                                    double *const *v_array,
                                    int64_t ldv,
                                    double *const *tau_array,
                                    double *const *t_array,
                                    int64_t ldt,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarft_strided_batched() in double precision.
 */
tephra_status tephra_dlarft_strided_batched(int64_t m,
                                            int64_t k,
                                            const double *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const double *tau,
                                            int64_t stride_tau,
                                            double *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarft_batched() in single precision complex.
 */
tephra_status tephra_clarft_batched(int64_t m,
                                    int64_t k,
                                    tephra_c32 *const *v_array,
                                    int64_t ldv,
                                    tephra_c32 *const *tau_array,
                                    tephra_c32 *const *t_array,
                                    int64_t ldt,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarft_strided_batched() in single precision complex.
 */
tephra_status tephra_clarft_strided_batched(int64_t m,
                                            int64_t k,
                                            const tephra_c32 *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const tephra_c32 *tau,
                                            int64_t stride_tau,
                                            tephra_c32 *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarft_batched() in double precision complex.
 */
tephra_status tephra_zlarft_batched(int64_t m,
                                    int64_t k,
                                    tephra_c64 *const *v_array,
                                    int64_t ldv,
                                    tephra_c64 *const *tau_array,
                                    tephra_c64 *const *t_array,
                                    int64_t ldt,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarft_strided_batched() in double precision complex.
 */
tephra_status tephra_zlarft_strided_batched(int64_t m,
                                            int64_t k,
                                            const tephra_c64 *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const tephra_c64 *tau,
                                            int64_t stride_tau,
                                            tephra_c64 *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched LAPACK SLARFB, forward and columnwise: C(i) := op(H(i)) C(i) or C(i) op(H(i)),
 * H(i) = I - V(i) T(i) V(i)^H with any upper triangular T(i), tephra_slarft_batched()'s or another.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | reflectors, 0 <= k <= q, where q, the order of H, is m (left) or n (right) |
 * | 6 | v_array | batch_count pointers to q x k matrices, as for tephra_slarft_batched() |
 * | 7 | ldv | leading dimension of V, ldv >= max(1,q) |
 * | 8 | t_array | batch_count pointers to k x k matrices; what is below the diagonal is not read |
 * | 9 | ldt | leading dimension of T, ldt >= max(1,k) |
 * | 10 | c_array | batch_count pointers to m x n matrices |
 * | 11 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Asynchronous, without allocation or workspace; memory as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when m, n, k or batch_count is 0.
 * TEPHRA_STATUS_NOT_SUPPORTED: k elements are more than a block's shared memory on the device (k above 14,528 in double
 * complex on an H200).
 */
tephra_status tephra_slarfb_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    float *const *v_array,
                                    int64_t ldv,
                                    float *const *t_array,
                                    int64_t ldt,
                                    float *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarfb_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_v >= 0,
 * stride_t >= 0 and stride_c >= max(1,m). Arguments are numbered side 1, trans 2, m 3, n 4, k 5, v 6, ldv 7,
 * stride_v 8, t 9, ldt 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15, stream 16.
 */
tephra_status tephra_slarfb_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const float *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const float *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            float *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarfb_batched() in double precision.
 */
tephra_status tephra_dlarfb_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    double *const *v_array,
                                    int64_t ldv,
                                    double *const *t_array,
                                    int64_t ldt,
                                    double *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarfb_strided_batched() in double precision.
 */
tephra_status tephra_dlarfb_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const double *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const double *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            double *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarfb_batched() in single precision complex.
 */
tephra_status tephra_clarfb_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c32 *const *v_array,
                                    int64_t ldv,
                                    tephra_c32 *const *t_array,
                                    int64_t ldt,
                                    tephra_c32 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarfb_strided_batched() in single precision complex.
 */
tephra_status tephra_clarfb_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c32 *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const tephra_c32 *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slarfb_batched() in double precision complex.
 */
tephra_status tephra_zlarfb_batched(int side,
                                    int trans,
                                    int64_t m,
                                    int64_t n,
                                    int64_t k,
                                    tephra_c64 *const *v_array,
                                    int64_t ldv,
                                    tephra_c64 *const *t_array,
                                    int64_t ldt,
                                    tephra_c64 *const *c_array,
                                    int64_t ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slarfb_strided_batched() in double precision complex.
 */
tephra_status tephra_zlarfb_strided_batched(int side,
                                            int trans,
                                            int64_t m,
                                            int64_t n,
                                            int64_t k,
                                            const tephra_c64 *v,
                                            int64_t ldv,
                                            int64_t stride_v,
                                            const tephra_c64 *t,
                                            int64_t ldt,
                                            int64_t stride_t,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int64_t batch_count,
                                            void *stream);

/**
 * Batched LU factorisation, LAPACK SGETRF for each matrix: A(i) = P(i) L(i) U(i), in place.
 *
 * On exit the min(m,n) x n upper trapezoidal U(i) is on and above the diagonal of A(i), and below it L(i), whose
 * diagonal of ones is not stored. ipiv(i) says what P(i) is: for j = 1, 2, ..., min(m,n) in turn, row j was exchanged
 * with row ipiv(i)[j-1], counted from 1. The pivot of a column is the first of its largest elements, |re| + |im| in
 * the complex types, where a NaN counts as 0. If it is exactly 0 then info tells, the column is not divided by it, and
 * the factorisation goes on.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity
 * stays inside its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0; m < n is fine |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | ipiv_array | batch_count pointers to vectors of min(m,n) ints, likewise |
 * | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_sgetrf_batched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and
 * success returned when m, n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgetrf_batched(int64_t m,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgetrf_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgetrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_batched() for matrices at a fixed distance (in elements; stride_ipiv in ints). With batch_count > 1,
 * stride_a >= max(1,m) and stride_ipiv >= max(1,min(m,n)); matrices must not share elements. Arguments are numbered m
 * 1, n 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, info 8, batch_count 9, work 10, work_bytes 11, stream 12.
 */
tephra_status tephra_sgetrf_strided_batched(int64_t m,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *ipiv,
                                            int64_t stride_ipiv,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgetrf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
 * stride_ipiv 5, batch_count 6.
 */
tephra_status tephra_sgetrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrf_batched() in double precision (LAPACK DGETRF).
 */
tephra_status tephra_dgetrf_batched(int64_t m,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrf_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_strided_batched() in double precision.
 */
tephra_status tephra_dgetrf_strided_batched(int64_t m,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *ipiv,
                                            int64_t stride_ipiv,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrf_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrf_batched() in single precision complex (LAPACK CGETRF).
 */
tephra_status tephra_cgetrf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrf_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_strided_batched() in single precision complex.
 */
tephra_status tephra_cgetrf_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *ipiv,
                                            int64_t stride_ipiv,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrf_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrf_batched() in double precision complex (LAPACK ZGETRF).
 */
tephra_status tephra_zgetrf_batched(int64_t m,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrf_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_strided_batched() in double precision complex.
 */
tephra_status tephra_zgetrf_strided_batched(int64_t m,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *ipiv,
                                            int64_t stride_ipiv,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrf_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_strided_batched_workspace(int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched LU factorisation without pivoting: A(i) = L(i) U(i), in place. tephra_sgetrf_batched() without its
 * interchanges: for matrices that are known to need none, such as diagonally dominant ones; for others the factors can
 * be inaccurate without bound.
 *
 * Arguments are numbered m 1, n 2, a_array 3, lda 4, info 5, batch_count 6, work 7, work_bytes 8, stream 9.
 */
tephra_status tephra_sgetrf_nopiv_batched(int64_t m,
                                          int64_t n,
                                          float *const *a_array,
                                          int64_t lda,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * Workspace of tephra_sgetrf_nopiv_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgetrf_nopiv_batched_workspace(int64_t m,
                                                    int64_t n,
                                                    int64_t lda,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sgetrf_nopiv_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >=
 * max(1,m); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, info 6,
 * batch_count 7, work 8, work_bytes 9, stream 10.
 */
tephra_status tephra_sgetrf_nopiv_strided_batched(int64_t m,
                                                  int64_t n,
                                                  float *a,
                                                  int64_t lda,
                                                  int64_t stride_a,
                                                  int *info,
                                                  int64_t batch_count,
                                                  void *work,
                                                  size_t work_bytes,
                                                  void *stream);

/**
 * Workspace of tephra_sgetrf_nopiv_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
 * batch_count 5.
 */
tephra_status tephra_sgetrf_nopiv_strided_batched_workspace(int64_t m,
                                                            int64_t n,
                                                            int64_t lda,
                                                            int64_t stride_a,
                                                            int64_t batch_count,
                                                            size_t *bytes);

/**
 * tephra_sgetrf_nopiv_batched() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_batched(int64_t m,
                                          int64_t n,
                                          double *const *a_array,
                                          int64_t lda,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sgetrf_nopiv_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_batched_workspace(int64_t m,
                                                    int64_t n,
                                                    int64_t lda,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sgetrf_nopiv_strided_batched() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_strided_batched(int64_t m,
                                                  int64_t n,
                                                  double *a,
                                                  int64_t lda,
                                                  int64_t stride_a,
                                                  int *info,
                                                  int64_t batch_count,
                                                  void *work,
                                                  size_t work_bytes,
                                                  void *stream);

/**
 * tephra_sgetrf_nopiv_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_strided_batched_workspace(int64_t m,
                                                            int64_t n,
                                                            int64_t lda,
                                                            int64_t stride_a,
                                                            int64_t batch_count,
                                                            size_t *bytes);

/**
 * tephra_sgetrf_nopiv_batched() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_batched(int64_t m,
                                          int64_t n,
                                          tephra_c32 *const *a_array,
                                          int64_t lda,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sgetrf_nopiv_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_batched_workspace(int64_t m,
                                                    int64_t n,
                                                    int64_t lda,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sgetrf_nopiv_strided_batched() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_strided_batched(int64_t m,
                                                  int64_t n,
                                                  tephra_c32 *a,
                                                  int64_t lda,
                                                  int64_t stride_a,
                                                  int *info,
                                                  int64_t batch_count,
                                                  void *work,
                                                  size_t work_bytes,
                                                  void *stream);

/**
 * tephra_sgetrf_nopiv_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_strided_batched_workspace(int64_t m,
                                                            int64_t n,
                                                            int64_t lda,
                                                            int64_t stride_a,
                                                            int64_t batch_count,
                                                            size_t *bytes);

/**
 * tephra_sgetrf_nopiv_batched() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_batched(int64_t m,
                                          int64_t n,
                                          tephra_c64 *const *a_array,
                                          int64_t lda,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sgetrf_nopiv_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_batched_workspace(int64_t m,
                                                    int64_t n,
                                                    int64_t lda,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sgetrf_nopiv_strided_batched() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_strided_batched(int64_t m,
                                                  int64_t n,
                                                  tephra_c64 *a,
                                                  int64_t lda,
                                                  int64_t stride_a,
                                                  int *info,
                                                  int64_t batch_count,
                                                  void *work,
                                                  size_t work_bytes,
                                                  void *stream);

/**
 * tephra_sgetrf_nopiv_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_strided_batched_workspace(int64_t m,
                                                            int64_t n,
                                                            int64_t lda,
                                                            int64_t stride_a,
                                                            int64_t batch_count,
                                                            size_t *bytes);

/**
 * Batched LAPACK SGETRS: B(i) := op(A(i))^-1 B(i), from what tephra_sgetrf_batched() or tephra_sgetrf_nopiv_batched()
 * left of A(i).
 *
 * It does not look whether U(i) is singular: a zero on its diagonal gives what the division gives. Members of A and of
 * ipiv may repeat. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A
 * NaN or infinity stays inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to the factors; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no interchanges |
 * | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,n); rows n..ldb-1 are neither read nor written |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sgetrs_batched_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when n, nrhs or batch_count is 0.
 */
tephra_status tephra_sgetrs_batched(int trans,
                                    int64_t n,
                                    int64_t nrhs,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    float *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgetrs_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and
 * numbered trans 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sgetrs_batched_workspace(int trans,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgetrs_batched() for matrices at a fixed distance (in elements; stride_ipiv in ints). With batch_count > 1,
 * stride_a >= 0 and stride_ipiv >= 0 (0: one for all), stride_b >= max(1,n). Arguments are numbered trans 1, n 2, nrhs
 * 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10, stride_b 11, batch_count 12, work 13, work_bytes 14,
 * stream 15.
 */
tephra_status tephra_sgetrs_strided_batched(int trans,
                                            int64_t n,
                                            int64_t nrhs,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            float *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgetrs_strided_batched() in bytes. Arguments are numbered trans 1, n 2, nrhs 3, lda 4, stride_a
 * 5, stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
 */
tephra_status tephra_sgetrs_strided_batched_workspace(int trans,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrs_batched() in double precision (LAPACK DGETRS).
 */
tephra_status tephra_dgetrs_batched(int trans,
                                    int64_t n,
                                    int64_t nrhs,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    double *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrs_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrs_batched_workspace(int trans,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgetrs_strided_batched() in double precision.
 */
tephra_status tephra_dgetrs_strided_batched(int trans,
                                            int64_t n,
                                            int64_t nrhs,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            double *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrs_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgetrs_strided_batched_workspace(int trans,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrs_batched() in single precision complex (LAPACK CGETRS).
 */
tephra_status tephra_cgetrs_batched(int trans,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrs_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrs_batched_workspace(int trans,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgetrs_strided_batched() in single precision complex.
 */
tephra_status tephra_cgetrs_strided_batched(int trans,
                                            int64_t n,
                                            int64_t nrhs,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrs_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrs_strided_batched_workspace(int trans,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetrs_batched() in double precision complex (LAPACK ZGETRS).
 */
tephra_status tephra_zgetrs_batched(int trans,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetrs_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrs_batched_workspace(int trans,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgetrs_strided_batched() in double precision complex.
 */
tephra_status tephra_zgetrs_strided_batched(int trans,
                                            int64_t n,
                                            int64_t nrhs,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetrs_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrs_strided_batched_workspace(int trans,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched LAPACK SGESV: solves A(i) X(i) = B(i) by an LU factorisation with pivoting.
 *
 * On exit A(i) and ipiv(i) are as tephra_sgetrf_batched() leaves them, and X(i) is in B(i). Where info is not 0, A(i)
 * is singular and no column of B(i) is finite. The call is asynchronous on the stream, allocates nothing and
 * can be captured in a CUDA graph. A NaN or infinity stays inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
 * | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 8 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sgesv_batched_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and
 * success returned when n or batch_count is 0; info is all 0 then. Without right-hand sides A is factored and
 * info told.
 */
tephra_status tephra_sgesv_batched(int64_t n,
                                   int64_t nrhs,
                                   float *const *a_array,
                                   int64_t lda,
                                   int *const *ipiv_array,
                                   float *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * Workspace of tephra_sgesv_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * n 1, nrhs 2, lda 3, ldb 4, batch_count 5.
 */
tephra_status tephra_sgesv_batched_workspace(int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgesv_batched() for matrices at a fixed distance (in elements; stride_ipiv in ints). With batch_count > 1,
 * stride_a >= max(1,n), stride_ipiv >= max(1,n), stride_b >= max(1,n); matrices must not share elements. Arguments are
 * numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, b 8, ldb 9, stride_b 10, info 11, batch_count
 * 12, work 13, work_bytes 14, stream 15.
 */
tephra_status tephra_sgesv_strided_batched(int64_t n,
                                           int64_t nrhs,
                                           float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           int *ipiv,
                                           int64_t stride_ipiv,
                                           float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_sgesv_strided_batched() in bytes. Arguments are numbered n 1, nrhs 2, lda 3, stride_a 4,
 * stride_ipiv 5, ldb 6, stride_b 7, batch_count 8.
 */
tephra_status tephra_sgesv_strided_batched_workspace(int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t stride_ipiv,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgesv_batched() in double precision (LAPACK DGESV).
 */
tephra_status tephra_dgesv_batched(int64_t n,
                                   int64_t nrhs,
                                   double *const *a_array,
                                   int64_t lda,
                                   int *const *ipiv_array,
                                   double *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgesv_batched_workspace() in double precision.
 */
tephra_status tephra_dgesv_batched_workspace(int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgesv_strided_batched() in double precision.
 */
tephra_status tephra_dgesv_strided_batched(int64_t n,
                                           int64_t nrhs,
                                           double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           int *ipiv,
                                           int64_t stride_ipiv,
                                           double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgesv_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgesv_strided_batched_workspace(int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t stride_ipiv,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgesv_batched() in single precision complex (LAPACK CGESV).
 */
tephra_status tephra_cgesv_batched(int64_t n,
                                   int64_t nrhs,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   int *const *ipiv_array,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgesv_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgesv_batched_workspace(int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgesv_strided_batched() in single precision complex.
 */
tephra_status tephra_cgesv_strided_batched(int64_t n,
                                           int64_t nrhs,
                                           tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           int *ipiv,
                                           int64_t stride_ipiv,
                                           tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgesv_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgesv_strided_batched_workspace(int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t stride_ipiv,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgesv_batched() in double precision complex (LAPACK ZGESV).
 */
tephra_status tephra_zgesv_batched(int64_t n,
                                   int64_t nrhs,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   int *const *ipiv_array,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sgesv_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgesv_batched_workspace(int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgesv_strided_batched() in double precision complex.
 */
tephra_status tephra_zgesv_strided_batched(int64_t n,
                                           int64_t nrhs,
                                           tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           int *ipiv,
                                           int64_t stride_ipiv,
                                           tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgesv_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgesv_strided_batched_workspace(int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t stride_ipiv,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * Batched MAGMA SGESV_RBT: solves A(i) X(i) = B(i) by a random butterfly transformation in place of pivoting.
 *
 * U^T A(i) V is factored without pivoting, U^T B(i) solved for with its factors, and V times that is X(i). U and V are
 * butterflies of depth 2 (Parker; Baboulin, Dongarra, Herrmann and Tomov 2013), whose numbers are the same in every call.
 * On exit A(i) holds the factors L and U of U^T A(i) V, which serve nothing else, and B(i) holds X(i). The backward error is
 * as large as growth without pivoting makes it: of matrices with independent random elements mostly 10 to 200 times
 * that of tephra_sgesv_batched(), of one in a hundred to 10,000 times; of some others, such as sparse ones and
 * permutations, without bound. Where info is not 0, no column of B(i) is finite. The call is asynchronous on
 * the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph. A NaN or infinity stays
 * inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | nrhs | columns of B, nrhs >= 0 |
 * | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
 * | 6 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 7 | info | batch_count ints: 0, or j when the j-th diagonal element of the factor U (counted from 1) is the first that is exactly zero; NULL: not told |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n, nrhs or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgesv_rbt_batched(int64_t n,
                                       int64_t nrhs,
                                       float *const *a_array,
                                       int64_t lda,
                                       float *const *b_array,
                                       int64_t ldb,
                                       int *info,
                                       int64_t batch_count,
                                       void *stream);

/**
 * tephra_sgesv_rbt_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a and stride_b
 * >= max(1,n). Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, b 6, ldb 7, stride_b 8, info 9, batch_count 10,
 * stream 11.
 */
tephra_status tephra_sgesv_rbt_strided_batched(int64_t n,
                                               int64_t nrhs,
                                               float *a,
                                               int64_t lda,
                                               int64_t stride_a,
                                               float *b,
                                               int64_t ldb,
                                               int64_t stride_b,
                                               int *info,
                                               int64_t batch_count,
                                               void *stream);

/**
 * tephra_sgesv_rbt_batched() in double precision.
 */
tephra_status tephra_dgesv_rbt_batched(int64_t n,
                                       int64_t nrhs,
                                       double *const *a_array,
                                       int64_t lda,
                                       double *const *b_array,
                                       int64_t ldb,
                                       int *info,
                                       int64_t batch_count,
                                       void *stream);

/**
 * tephra_sgesv_rbt_strided_batched() in double precision.
 */
tephra_status tephra_dgesv_rbt_strided_batched(int64_t n,
                                               int64_t nrhs,
                                               double *a,
                                               int64_t lda,
                                               int64_t stride_a,
                                               double *b,
                                               int64_t ldb,
                                               int64_t stride_b,
                                               int *info,
                                               int64_t batch_count,
                                               void *stream);

/**
 * tephra_sgesv_rbt_batched() in single precision complex.
 */
tephra_status tephra_cgesv_rbt_batched(int64_t n,
                                       int64_t nrhs,
                                       tephra_c32 *const *a_array,
                                       int64_t lda,
                                       tephra_c32 *const *b_array,
                                       int64_t ldb,
                                       int *info,
                                       int64_t batch_count,
                                       void *stream);

/**
 * tephra_sgesv_rbt_strided_batched() in single precision complex.
 */
tephra_status tephra_cgesv_rbt_strided_batched(int64_t n,
                                               int64_t nrhs,
                                               tephra_c32 *a,
                                               int64_t lda,
                                               int64_t stride_a,
                                               tephra_c32 *b,
                                               int64_t ldb,
                                               int64_t stride_b,
                                               int *info,
                                               int64_t batch_count,
                                               void *stream);

/**
 * tephra_sgesv_rbt_batched() in double precision complex.
 */
tephra_status tephra_zgesv_rbt_batched(int64_t n,
                                       int64_t nrhs,
                                       tephra_c64 *const *a_array,
                                       int64_t lda,
                                       tephra_c64 *const *b_array,
                                       int64_t ldb,
                                       int *info,
                                       int64_t batch_count,
                                       void *stream);

/**
 * tephra_sgesv_rbt_strided_batched() in double precision complex.
 */
tephra_status tephra_zgesv_rbt_strided_batched(int64_t n,
                                               int64_t nrhs,
                                               tephra_c64 *a,
                                               int64_t lda,
                                               int64_t stride_a,
                                               tephra_c64 *b,
                                               int64_t ldb,
                                               int64_t stride_b,
                                               int *info,
                                               int64_t batch_count,
                                               void *stream);

/**
 * Batched LAPACK SGETRI: C(i) := A(i)^-1, from what tephra_sgetrf_batched() or tephra_sgetrf_nopiv_batched() left of
 * A(i); in place of it if C is A.
 *
 * Where info is not 0, A(i) has no inverse, and C(i) is NaN throughout. The call is asynchronous on the
 * stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to the factors; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,n) |
 * | 4 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no interchanges |
 * | 5 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array itself: in place. Otherwise C must not overlap A |
 * | 6 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
 * | 7 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | its size, at least what tephra_sgetri_batched_workspace() answers; less is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and
 * success returned when n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgetri_batched(int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    float *const *c_array,
                                    int64_t ldc,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgetri_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and
 * numbered n 1, lda 2, ldc 3, batch_count 4.
 */
tephra_status tephra_sgetri_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_batched() for matrices at a fixed distance (in elements; stride_ipiv in ints). c may be a itself, with
 * ldc = lda and stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 and stride_ipiv >= 0 (0: one for
 * all), stride_c >= max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, ipiv 5, stride_ipiv 6, c 7, ldc 8,
 * stride_c 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
 */
tephra_status tephra_sgetri_strided_batched(int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            float *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_sgetri_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, stride_ipiv 4,
 * ldc 5, stride_c 6, batch_count 7.
 */
tephra_status tephra_sgetri_strided_batched_workspace(int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldc,
                                                      int64_t stride_c,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetri_batched() in double precision (LAPACK DGETRI).
 */
tephra_status tephra_dgetri_batched(int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    double *const *c_array,
                                    int64_t ldc,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetri_batched_workspace() in double precision.
 */
tephra_status tephra_dgetri_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_strided_batched() in double precision.
 */
tephra_status tephra_dgetri_strided_batched(int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            double *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetri_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dgetri_strided_batched_workspace(int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldc,
                                                      int64_t stride_c,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetri_batched() in single precision complex (LAPACK CGETRI).
 */
tephra_status tephra_cgetri_batched(int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    tephra_c32 *const *c_array,
                                    int64_t ldc,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetri_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetri_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_strided_batched() in single precision complex.
 */
tephra_status tephra_cgetri_strided_batched(int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            tephra_c32 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetri_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cgetri_strided_batched_workspace(int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldc,
                                                      int64_t stride_c,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgetri_batched() in double precision complex (LAPACK ZGETRI).
 */
tephra_status tephra_zgetri_batched(int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *const *ipiv_array,
                                    tephra_c64 *const *c_array,
                                    int64_t ldc,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgetri_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetri_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_strided_batched() in double precision complex.
 */
tephra_status tephra_zgetri_strided_batched(int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            tephra_c64 *c,
                                            int64_t ldc,
                                            int64_t stride_c,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_sgetri_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zgetri_strided_batched_workspace(int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_ipiv,
                                                      int64_t ldc,
                                                      int64_t stride_c,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched inverses: C(i) := A(i)^-1, by an LU factorisation with pivoting (LAPACK SGETRF and SGETRI); in place if C is
 * A, otherwise A is only read.
 *
 * Where info is not 0, A(i) has no inverse, and C(i) is NaN throughout. The call is
 * asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays inside
 * its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,n) |
 * | 4 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array itself: in place. Otherwise C must not overlap A |
 * | 5 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
 * | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_sinv_batched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and
 * success returned when n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sinv_batched(int64_t n,
                                  float *const *a_array,
                                  int64_t lda,
                                  float *const *c_array,
                                  int64_t ldc,
                                  int *info,
                                  int64_t batch_count,
                                  void *work,
                                  size_t work_bytes,
                                  void *stream);

/**
 * Workspace of tephra_sinv_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * n 1, lda 2, ldc 3, batch_count 4.
 */
tephra_status tephra_sinv_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sinv_batched() for matrices at a fixed distance (in elements). c may be a itself, with ldc = lda and stride_c
 * = stride_a: in place. With batch_count > 1, stride_a >= 0 (0: one for all) and stride_c >= max(1,n). Arguments are
 * numbered n 1, a 2, lda 3, stride_a 4, c 5, ldc 6, stride_c 7, info 8, batch_count 9, work 10, work_bytes 11, stream
 * 12.
 */
tephra_status tephra_sinv_strided_batched(int64_t n,
                                          float *a,
                                          int64_t lda,
                                          int64_t stride_a,
                                          float *c,
                                          int64_t ldc,
                                          int64_t stride_c,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * Workspace of tephra_sinv_strided_batched() in bytes. Arguments are numbered n 1, lda 2, stride_a 3, ldc 4, stride_c
 * 5, batch_count 6.
 */
tephra_status tephra_sinv_strided_batched_workspace(int64_t n,
                                                    int64_t lda,
                                                    int64_t stride_a,
                                                    int64_t ldc,
                                                    int64_t stride_c,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sinv_batched() in double precision.
 */
tephra_status tephra_dinv_batched(int64_t n,
                                  double *const *a_array,
                                  int64_t lda,
                                  double *const *c_array,
                                  int64_t ldc,
                                  int *info,
                                  int64_t batch_count,
                                  void *work,
                                  size_t work_bytes,
                                  void *stream);

/**
 * tephra_sinv_batched_workspace() in double precision.
 */
tephra_status tephra_dinv_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sinv_strided_batched() in double precision.
 */
tephra_status tephra_dinv_strided_batched(int64_t n,
                                          double *a,
                                          int64_t lda,
                                          int64_t stride_a,
                                          double *c,
                                          int64_t ldc,
                                          int64_t stride_c,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sinv_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dinv_strided_batched_workspace(int64_t n,
                                                    int64_t lda,
                                                    int64_t stride_a,
                                                    int64_t ldc,
                                                    int64_t stride_c,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sinv_batched() in single precision complex.
 */
tephra_status tephra_cinv_batched(int64_t n,
                                  tephra_c32 *const *a_array,
                                  int64_t lda,
                                  tephra_c32 *const *c_array,
                                  int64_t ldc,
                                  int *info,
                                  int64_t batch_count,
                                  void *work,
                                  size_t work_bytes,
                                  void *stream);

/**
 * tephra_sinv_batched_workspace() in single precision complex.
 */
tephra_status tephra_cinv_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sinv_strided_batched() in single precision complex.
 */
tephra_status tephra_cinv_strided_batched(int64_t n,
                                          tephra_c32 *a,
                                          int64_t lda,
                                          int64_t stride_a,
                                          tephra_c32 *c,
                                          int64_t ldc,
                                          int64_t stride_c,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sinv_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cinv_strided_batched_workspace(int64_t n,
                                                    int64_t lda,
                                                    int64_t stride_a,
                                                    int64_t ldc,
                                                    int64_t stride_c,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * tephra_sinv_batched() in double precision complex.
 */
tephra_status tephra_zinv_batched(int64_t n,
                                  tephra_c64 *const *a_array,
                                  int64_t lda,
                                  tephra_c64 *const *c_array,
                                  int64_t ldc,
                                  int *info,
                                  int64_t batch_count,
                                  void *work,
                                  size_t work_bytes,
                                  void *stream);

/**
 * tephra_sinv_batched_workspace() in double precision complex.
 */
tephra_status tephra_zinv_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sinv_strided_batched() in double precision complex.
 */
tephra_status tephra_zinv_strided_batched(int64_t n,
                                          tephra_c64 *a,
                                          int64_t lda,
                                          int64_t stride_a,
                                          tephra_c64 *c,
                                          int64_t ldc,
                                          int64_t stride_c,
                                          int *info,
                                          int64_t batch_count,
                                          void *work,
                                          size_t work_bytes,
                                          void *stream);

/**
 * tephra_sinv_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zinv_strided_batched_workspace(int64_t n,
                                                    int64_t lda,
                                                    int64_t stride_a,
                                                    int64_t ldc,
                                                    int64_t stride_c,
                                                    int64_t batch_count,
                                                    size_t *bytes);

/**
 * Batched LAPACK SLASWP: exchanges rows of A(i), as tephra_sgetrf_batched() did it or backwards. For j = k1, ..., k2
 * (incx > 0) or k2, ..., k1 (incx < 0) in turn, row j is exchanged with row ipiv(i)[k1 - 1 + (j - k1)*|incx|]; rows
 * are counted from 1. With incx = 0 nothing is done.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
 * Members of ipiv may repeat.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | columns of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to matrices that have k2 rows and all those that ipiv names; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,k2) |
 * | 4 | k1 | first row that is exchanged, k1 >= 1 |
 * | 5 | k2 | last row that is exchanged; nothing is done where it is less than k1 |
 * | 6 | ipiv_array | batch_count pointers to k1 + (k2 - k1)*|incx| ints each; not NULL when there is work |
 * | 7 | incx | from one interchange to the next; its sign is the order |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success
 * returned when n or batch_count is 0.
 */
tephra_status tephra_slaswp_batched(int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int64_t k1,
                                    int64_t k2,
                                    int *const *ipiv_array,
                                    int64_t incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaswp_batched() for matrices at a fixed distance (in elements; stride_ipiv in ints). With batch_count > 1,
 * stride_a >= max(1,k2) and stride_ipiv >= 0 (0: one for all). Arguments are numbered n 1, a 2, lda 3, stride_a 4, k1
 * 5, k2 6, ipiv 7, stride_ipiv 8, incx 9, batch_count 10, stream 11.
 */
tephra_status tephra_slaswp_strided_batched(int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t k1,
                                            int64_t k2,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            int64_t incx,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaswp_batched() in double precision (LAPACK DLASWP).
 */
tephra_status tephra_dlaswp_batched(int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int64_t k1,
                                    int64_t k2,
                                    int *const *ipiv_array,
                                    int64_t incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaswp_strided_batched() in double precision.
 */
tephra_status tephra_dlaswp_strided_batched(int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t k1,
                                            int64_t k2,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            int64_t incx,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaswp_batched() in single precision complex (LAPACK CLASWP).
 */
tephra_status tephra_claswp_batched(int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int64_t k1,
                                    int64_t k2,
                                    int *const *ipiv_array,
                                    int64_t incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaswp_strided_batched() in single precision complex.
 */
tephra_status tephra_claswp_strided_batched(int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t k1,
                                            int64_t k2,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            int64_t incx,
                                            int64_t batch_count,
                                            void *stream);

/**
 * tephra_slaswp_batched() in double precision complex (LAPACK ZLASWP).
 */
tephra_status tephra_zlaswp_batched(int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int64_t k1,
                                    int64_t k2,
                                    int *const *ipiv_array,
                                    int64_t incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_slaswp_strided_batched() in double precision complex.
 */
tephra_status tephra_zlaswp_strided_batched(int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int64_t k1,
                                            int64_t k2,
                                            const int *ipiv,
                                            int64_t stride_ipiv,
                                            int64_t incx,
                                            int64_t batch_count,
                                            void *stream);

/**
 * The row interchanges of an LU factorisation as a permutation: row j of L U is row perm(i)[j - 1] of A(i), both
 * counted from 1 as in LAPACK (JAX's and PyTorch's permutations count from 0). That is the order in which the
 * exchanges of rows 1, 2, ..., k with rows ipiv(i)[0], ipiv(i)[1], ..., ipiv(i)[k-1], in turn, leave rows 1, 2, ...,
 * m. There are only ints, so one function serves the factorisations of all precisions. An interchange that names a
 * row outside 1, ..., m is left out.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
 * Members of ipiv may repeat; perm must not overlap them.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of A, 0 <= m < 2^31 |
 * | 2 | k | interchanges, 0 <= k <= m: min(m,n) after tephra_sgetrf_batched() |
 * | 3 | ipiv_array | batch_count pointers to k ints each; not NULL when there is work and k > 0 |
 * | 4 | perm_array | batch_count pointers to m ints each; not NULL when there is work |
 * | 5 | batch_count | number of permutations, >= 0 |
 * | 6 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, interchanges and permutations are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and
 * success returned when m or batch_count is 0.
 */
tephra_status tephra_lu_to_permutation_batched(int64_t m,
                                               int64_t k,
                                               int *const *ipiv_array,
                                               int *const *perm_array,
                                               int64_t batch_count,
                                               void *stream);

/**
 * tephra_lu_to_permutation_batched() for interchanges and permutations at a fixed distance, in ints. With
 * batch_count > 1, stride_ipiv >= 0 (0: one for all) and stride_perm >= max(1,m). Arguments are numbered m 1, k 2,
 * ipiv 3, stride_ipiv 4, perm 5, stride_perm 6, batch_count 7, stream 8.
 */
tephra_status tephra_lu_to_permutation_strided_batched(int64_t m,
                                                       int64_t k,
                                                       const int *ipiv,
                                                       int64_t stride_ipiv,
                                                       int *perm,
                                                       int64_t stride_perm,
                                                       int64_t batch_count,
                                                       void *stream);

/**
 * Batched LAPACK SPOTRF: the Cholesky factorisation A(i) = L(i) L(i)^H or A(i) = U(i)^H U(i) in place, for symmetric
 * (complex: Hermitian) positive definite A(i).
 *
 * The factor takes the place of A(i)'s triangle; the other triangle is neither read nor written. Imaginary parts of A(i)'s
 * diagonal are not looked at, those of the factor's are 0. Where A(i) is not positive definite, info is the order j of the
 * first leading minor that is not: then the factor of the leading minor of order j - 1 is in its place, what was left of
 * element (j, j), which is not above 0, is in its own, and what the rest of the triangle holds is unspecified. A NaN is not
 * above 0: info says where the first one reached the diagonal.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays
 * inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first that is not positive definite |
 * | 6 | batch_count | number of matrices, >= 0 |
 * | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 8 | work_bytes | its size, at least what tephra_spotrf_batched_workspace() answers; less is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_spotrf_batched(int uplo,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_spotrf_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * uplo 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_spotrf_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= max(1,n);
 * matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4, stride_a 5, info 6,
 * batch_count 7, work 8, work_bytes 9, stream 10.
 */
tephra_status tephra_spotrf_strided_batched(int uplo,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_spotrf_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
 * batch_count 5.
 */
tephra_status tephra_spotrf_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrf_batched() in double precision (LAPACK DPOTRF).
 */
tephra_status tephra_dpotrf_batched(int uplo,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrf_batched_workspace() in double precision.
 */
tephra_status tephra_dpotrf_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_strided_batched() in double precision.
 */
tephra_status tephra_dpotrf_strided_batched(int uplo,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrf_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dpotrf_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrf_batched() in single precision complex (LAPACK CPOTRF).
 */
tephra_status tephra_cpotrf_batched(int uplo,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrf_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrf_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_strided_batched() in single precision complex.
 */
tephra_status tephra_cpotrf_strided_batched(int uplo,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrf_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrf_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrf_batched() in double precision complex (LAPACK ZPOTRF).
 */
tephra_status tephra_zpotrf_batched(int uplo,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrf_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrf_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_strided_batched() in double precision complex.
 */
tephra_status tephra_zpotrf_strided_batched(int uplo,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrf_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrf_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched LAPACK SPOTRI: A(i)^-1 in place, from what tephra_spotrf_batched() left of A(i).
 *
 * The inverse is symmetric (complex: Hermitian): its triangle uplo takes the factor's place; the other triangle is neither
 * read nor written. Where the factor has an exact 0 on its diagonal, A(i) has no inverse and stays as it is.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays
 * inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the factor's diagonal is the first that is exactly 0 |
 * | 6 | batch_count | number of matrices, >= 0 |
 * | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 8 | work_bytes | its size, at least what tephra_spotri_batched_workspace() answers; less is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * n or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_spotri_batched(int uplo,
                                    int64_t n,
                                    float *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_spotri_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * uplo 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_spotri_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= max(1,n);
 * matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4, stride_a 5, info 6,
 * batch_count 7, work 8, work_bytes 9, stream 10.
 */
tephra_status tephra_spotri_strided_batched(int uplo,
                                            int64_t n,
                                            float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_spotri_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
 * batch_count 5.
 */
tephra_status tephra_spotri_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotri_batched() in double precision (LAPACK DPOTRI).
 */
tephra_status tephra_dpotri_batched(int uplo,
                                    int64_t n,
                                    double *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotri_batched_workspace() in double precision.
 */
tephra_status tephra_dpotri_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_strided_batched() in double precision.
 */
tephra_status tephra_dpotri_strided_batched(int uplo,
                                            int64_t n,
                                            double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotri_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dpotri_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotri_batched() in single precision complex (LAPACK CPOTRI).
 */
tephra_status tephra_cpotri_batched(int uplo,
                                    int64_t n,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotri_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotri_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_strided_batched() in single precision complex.
 */
tephra_status tephra_cpotri_strided_batched(int uplo,
                                            int64_t n,
                                            tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotri_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotri_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotri_batched() in double precision complex (LAPACK ZPOTRI).
 */
tephra_status tephra_zpotri_batched(int uplo,
                                    int64_t n,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotri_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotri_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_strided_batched() in double precision complex.
 */
tephra_status tephra_zpotri_strided_batched(int uplo,
                                            int64_t n,
                                            tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotri_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotri_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched LAPACK SPOTRS: B(i) := A(i)^-1 B(i), from what tephra_spotrf_batched() left of A(i).
 *
 * It does not look whether A(i) is singular: a 0 on the factor's diagonal gives what the division gives. The other triangle
 * of A(i) is not read.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays
 * inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to n x n matrices; members may repeat; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | its size, at least what tephra_spotrs_batched_workspace() answers; less is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned
 * when n, nrhs or batch_count is 0.
 */
tephra_status tephra_spotrs_batched(int uplo,
                                    int64_t n,
                                    int64_t nrhs,
                                    float *const *a_array,
                                    int64_t lda,
                                    float *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_spotrs_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_spotrs_batched_workspace(int uplo,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one factor for all) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb
 * 8, stride_b 9, batch_count 10, work 11, work_bytes 12, stream 13.
 */
tephra_status tephra_spotrs_strided_batched(int uplo,
                                            int64_t n,
                                            int64_t nrhs,
                                            const float *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            float *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_spotrs_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a 5,
 * ldb 6, stride_b 7, batch_count 8.
 */
tephra_status tephra_spotrs_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrs_batched() in double precision (LAPACK DPOTRS).
 */
tephra_status tephra_dpotrs_batched(int uplo,
                                    int64_t n,
                                    int64_t nrhs,
                                    double *const *a_array,
                                    int64_t lda,
                                    double *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrs_batched_workspace() in double precision.
 */
tephra_status tephra_dpotrs_batched_workspace(int uplo,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_strided_batched() in double precision.
 */
tephra_status tephra_dpotrs_strided_batched(int uplo,
                                            int64_t n,
                                            int64_t nrhs,
                                            const double *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            double *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrs_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dpotrs_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrs_batched() in single precision complex (LAPACK CPOTRS).
 */
tephra_status tephra_cpotrs_batched(int uplo,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c32 *const *a_array,
                                    int64_t lda,
                                    tephra_c32 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrs_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrs_batched_workspace(int uplo,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_strided_batched() in single precision complex.
 */
tephra_status tephra_cpotrs_strided_batched(int uplo,
                                            int64_t n,
                                            int64_t nrhs,
                                            const tephra_c32 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c32 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrs_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrs_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_spotrs_batched() in double precision complex (LAPACK ZPOTRS).
 */
tephra_status tephra_zpotrs_batched(int uplo,
                                    int64_t n,
                                    int64_t nrhs,
                                    tephra_c64 *const *a_array,
                                    int64_t lda,
                                    tephra_c64 *const *b_array,
                                    int64_t ldb,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_spotrs_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrs_batched_workspace(int uplo,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_strided_batched() in double precision complex.
 */
tephra_status tephra_zpotrs_strided_batched(int uplo,
                                            int64_t n,
                                            int64_t nrhs,
                                            const tephra_c64 *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            tephra_c64 *b,
                                            int64_t ldb,
                                            int64_t stride_b,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * tephra_spotrs_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrs_strided_batched_workspace(int uplo,
                                                      int64_t n,
                                                      int64_t nrhs,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t ldb,
                                                      int64_t stride_b,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * Batched LAPACK SPOSV: solves A(i) X(i) = B(i) by a Cholesky factorisation, for symmetric (complex: Hermitian) positive
 * definite A(i).
 *
 * On exit A(i) is as tephra_spotrf_batched() leaves it, and X(i) is in B(i). Where info is not 0, A(i) is not positive
 * definite and what B(i) holds is of no use.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph. A NaN or infinity stays
 * inside its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 8 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first that is not positive definite |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sposv_batched_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). Nothing is done and success returned when
 * n or batch_count is 0; info is all 0 then. Without right-hand sides A is factored and info told.
 */
tephra_status tephra_sposv_batched(int uplo,
                                   int64_t n,
                                   int64_t nrhs,
                                   float *const *a_array,
                                   int64_t lda,
                                   float *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * Workspace of tephra_sposv_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sposv_batched_workspace(int uplo,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sposv_batched() for matrices at a fixed distance (in elements). With batch_count > 1, stride_a >=
 * max(1,n) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb
 * 8, stride_b 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
 */
tephra_status tephra_sposv_strided_batched(int uplo,
                                           int64_t n,
                                           int64_t nrhs,
                                           float *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           float *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_sposv_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a 5,
 * ldb 6, stride_b 7, batch_count 8.
 */
tephra_status tephra_sposv_strided_batched_workspace(int uplo,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sposv_batched() in double precision (LAPACK DPOSV).
 */
tephra_status tephra_dposv_batched(int uplo,
                                   int64_t n,
                                   int64_t nrhs,
                                   double *const *a_array,
                                   int64_t lda,
                                   double *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sposv_batched_workspace() in double precision.
 */
tephra_status tephra_dposv_batched_workspace(int uplo,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sposv_strided_batched() in double precision.
 */
tephra_status tephra_dposv_strided_batched(int uplo,
                                           int64_t n,
                                           int64_t nrhs,
                                           double *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           double *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sposv_strided_batched_workspace() in double precision.
 */
tephra_status tephra_dposv_strided_batched_workspace(int uplo,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sposv_batched() in single precision complex (LAPACK CPOSV).
 */
tephra_status tephra_cposv_batched(int uplo,
                                   int64_t n,
                                   int64_t nrhs,
                                   tephra_c32 *const *a_array,
                                   int64_t lda,
                                   tephra_c32 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sposv_batched_workspace() in single precision complex.
 */
tephra_status tephra_cposv_batched_workspace(int uplo,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sposv_strided_batched() in single precision complex.
 */
tephra_status tephra_cposv_strided_batched(int uplo,
                                           int64_t n,
                                           int64_t nrhs,
                                           tephra_c32 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c32 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sposv_strided_batched_workspace() in single precision complex.
 */
tephra_status tephra_cposv_strided_batched_workspace(int uplo,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sposv_batched() in double precision complex (LAPACK ZPOSV).
 */
tephra_status tephra_zposv_batched(int uplo,
                                   int64_t n,
                                   int64_t nrhs,
                                   tephra_c64 *const *a_array,
                                   int64_t lda,
                                   tephra_c64 *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * tephra_sposv_batched_workspace() in double precision complex.
 */
tephra_status tephra_zposv_batched_workspace(int uplo,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sposv_strided_batched() in double precision complex.
 */
tephra_status tephra_zposv_strided_batched(int uplo,
                                           int64_t n,
                                           int64_t nrhs,
                                           tephra_c64 *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           tephra_c64 *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sposv_strided_batched_workspace() in double precision complex.
 */
tephra_status tephra_zposv_strided_batched_workspace(int uplo,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgeqrf_batched() on matrices whose elements have 16 bits: FP16 or BF16, as `storage` says.
 *
 * All that this file says of 16 bits is this: A(i) and tau(i) are widened, which is exact, the call computes in FP32 as
 * tephra_sgeqrf_batched() does, and what it writes is rounded to the nearest number of the type, ties to even. So errors
 * are FP32's and one rounding of each result, of 2^-11 (FP16) or 2^-8 (BF16) of it. What is too large for FP16, from 65520
 * on, becomes an infinity, and what is below 2^-14 a subnormal number or 0; BF16 has FP32's range. Nothing is scaled to
 * keep results in range: an infinity in them is seen. A NaN or infinity stays inside its own matrix, and padding is
 * neither read nor written. No name of another library computes so.
 *
 * The call is asynchronous on the stream, allocates nothing (but where tephra_sgeqrf_batched() takes scratch memory from a
 * pool) and can be captured in a CUDA graph. On CUDA large batches go through the workspace some members at a time, so
 * that it is bounded; on the CPU backend each thread converts a few members at a time in memory of its own.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and tau |
 * | 2 | m | rows, m >= 0 |
 * | 3 | n | columns, n >= 0 |
 * | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 5 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_xgeqrf_batched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(), and need no alignment beyond their elements'.
 * Nothing is done and success returned when m, n or batch_count is 0.
 */
tephra_status tephra_xgeqrf_batched(int storage,
                                    int64_t m,
                                    int64_t n,
                                    void *const *a_array,
                                    int64_t lda,
                                    void *const *tau_array,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_xgeqrf_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * storage 1, m 2, n 3, lda 4, batch_count 5.
 */
tephra_status tephra_xgeqrf_batched_workspace(int storage,
                                              int64_t m,
                                              int64_t n,
                                              int64_t lda,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_xgeqrf_batched() for matrices at a fixed distance (in elements), as tephra_sgeqrf_strided_batched(). Arguments are
 * numbered storage 1, m 2, n 3, a 4, lda 5, stride_a 6, tau 7, stride_tau 8, batch_count 9, work 10, work_bytes 11,
 * stream 12.
 */
tephra_status tephra_xgeqrf_strided_batched(int storage,
                                            int64_t m,
                                            int64_t n,
                                            void *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            void *tau,
                                            int64_t stride_tau,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_xgeqrf_strided_batched() in bytes. Arguments are numbered storage 1, m 2, n 3, lda 4, stride_a 5,
 * stride_tau 6, batch_count 7.
 */
tephra_status tephra_xgeqrf_strided_batched_workspace(int storage,
                                                      int64_t m,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t stride_tau,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sqr_batched() on matrices whose elements have 16 bits, with the rounding of tephra_xgeqrf_batched(): Q is orthogonal
 * to the type's precision.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, Q and R |
 * | 2 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
 * | 3 | m | rows of A, m >= 0 |
 * | 4 | n | columns of A, n >= 0 |
 * | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | q_array | batch_count pointers, receive Q; not looked at for TEPHRA_Q_NONE |
 * | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 9 | r_array | batch_count pointers, receive R |
 * | 10 | ldr | leading dimension of R, at least max(1, rows of R) |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | its size, at least what tephra_xqr_batched_workspace() answers; less is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Otherwise as tephra_sqr_batched().
 */
tephra_status tephra_xqr_batched(int storage,
                                 int part,
                                 int64_t m,
                                 int64_t n,
                                 void *const *a_array,
                                 int64_t lda,
                                 void *const *q_array,
                                 int64_t ldq,
                                 void *const *r_array,
                                 int64_t ldr,
                                 int64_t batch_count,
                                 void *work,
                                 size_t work_bytes,
                                 void *stream);

/**
 * Workspace of tephra_xqr_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * storage 1, part 2, m 3, n 4, lda 5, ldq 6, ldr 7, batch_count 8.
 */
tephra_status tephra_xqr_batched_workspace(int storage,
                                           int part,
                                           int64_t m,
                                           int64_t n,
                                           int64_t lda,
                                           int64_t ldq,
                                           int64_t ldr,
                                           int64_t batch_count,
                                           size_t *bytes);

/**
 * tephra_xqr_batched() for matrices at a fixed distance (in elements), as tephra_sqr_strided_batched(). Arguments are
 * numbered storage 1, part 2, m 3, n 4, a 5, lda 6, stride_a 7, q 8, ldq 9, stride_q 10, r 11, ldr 12, stride_r 13,
 * batch_count 14, work 15, work_bytes 16, stream 17.
 */
tephra_status tephra_xqr_strided_batched(int storage,
                                         int part,
                                         int64_t m,
                                         int64_t n,
                                         const void *a,
                                         int64_t lda,
                                         int64_t stride_a,
                                         void *q,
                                         int64_t ldq,
                                         int64_t stride_q,
                                         void *r,
                                         int64_t ldr,
                                         int64_t stride_r,
                                         int64_t batch_count,
                                         void *work,
                                         size_t work_bytes,
                                         void *stream);

/**
 * Workspace of tephra_xqr_strided_batched() in bytes. Arguments are numbered storage 1, part 2, m 3, n 4, lda 5, stride_a 6,
 * ldq 7, stride_q 8, ldr 9, stride_r 10, batch_count 11.
 */
tephra_status tephra_xqr_strided_batched_workspace(int storage,
                                                   int part,
                                                   int64_t m,
                                                   int64_t n,
                                                   int64_t lda,
                                                   int64_t stride_a,
                                                   int64_t ldq,
                                                   int64_t stride_q,
                                                   int64_t ldr,
                                                   int64_t stride_r,
                                                   int64_t batch_count,
                                                   size_t *bytes);

/**
 * tephra_spotrf_batched() on matrices whose elements have 16 bits, with the rounding of tephra_xgeqrf_batched(): of the
 * triangle only, the other one is neither read nor written. info is of the factorisation in FP32.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 3 | n | order of A, n >= 0 |
 * | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | info | one int per matrix in device memory, or NULL, as tephra_spotrf_batched() |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_xpotrf_batched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Otherwise as tephra_spotrf_batched().
 */
tephra_status tephra_xpotrf_batched(int storage,
                                    int uplo,
                                    int64_t n,
                                    void *const *a_array,
                                    int64_t lda,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_xpotrf_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * storage 1, uplo 2, n 3, lda 4, batch_count 5.
 */
tephra_status tephra_xpotrf_batched_workspace(int storage,
                                              int uplo,
                                              int64_t n,
                                              int64_t lda,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_xpotrf_batched() for matrices at a fixed distance (in elements), as tephra_spotrf_strided_batched(). Arguments are
 * numbered storage 1, uplo 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, work 9, work_bytes 10, stream 11.
 */
tephra_status tephra_xpotrf_strided_batched(int storage,
                                            int uplo,
                                            int64_t n,
                                            void *a,
                                            int64_t lda,
                                            int64_t stride_a,
                                            int *info,
                                            int64_t batch_count,
                                            void *work,
                                            size_t work_bytes,
                                            void *stream);

/**
 * Workspace of tephra_xpotrf_strided_batched() in bytes. Arguments are numbered storage 1, uplo 2, n 3, lda 4, stride_a 5,
 * batch_count 6.
 */
tephra_status tephra_xpotrf_strided_batched_workspace(int storage,
                                                      int uplo,
                                                      int64_t n,
                                                      int64_t lda,
                                                      int64_t stride_a,
                                                      int64_t batch_count,
                                                      size_t *bytes);

/**
 * tephra_sgesv_batched() on matrices whose elements have 16 bits, with the rounding of tephra_xgeqrf_batched(). ipiv and info
 * are of the factorisation in FP32, from which X is solved before the factors are rounded.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and B |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
 * | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 9 | info | one int per matrix in device memory, or NULL, as tephra_sgesv_batched() |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 12 | work_bytes | its size, at least what tephra_xgesv_batched_workspace() answers; less is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Otherwise as tephra_sgesv_batched().
 */
tephra_status tephra_xgesv_batched(int storage,
                                   int64_t n,
                                   int64_t nrhs,
                                   void *const *a_array,
                                   int64_t lda,
                                   int *const *ipiv_array,
                                   void *const *b_array,
                                   int64_t ldb,
                                   int *info,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * Workspace of tephra_xgesv_batched() in bytes; on the CPU backend 0. The arguments are checked as there, and numbered
 * storage 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_xgesv_batched_workspace(int storage,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_xgesv_batched() for matrices at a fixed distance (in elements), as tephra_sgesv_strided_batched(). Arguments are
 * numbered storage 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10, stride_b 11, info 12,
 * batch_count 13, work 14, work_bytes 15, stream 16.
 */
tephra_status tephra_xgesv_strided_batched(int storage,
                                           int64_t n,
                                           int64_t nrhs,
                                           void *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           int *ipiv,
                                           int64_t stride_ipiv,
                                           void *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_xgesv_strided_batched() in bytes. Arguments are numbered storage 1, n 2, nrhs 3, lda 4, stride_a 5,
 * stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
 */
tephra_status tephra_xgesv_strided_batched_workspace(int storage,
                                                     int64_t n,
                                                     int64_t nrhs,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t stride_ipiv,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgemm_batched() on matrices whose elements have 16 bits, with the rounding of tephra_xgeqrf_batched(): of each element
 * of C once, products and sums are FP32. Products alone are faster by the vendor's tensor cores (cublasGemmBatchedEx), if
 * their sums will do.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, B and C |
 * | 2 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
 * | 3 | trans_b | op of B, likewise |
 * | 4 | m | rows of op(A) and C, m >= 0 |
 * | 5 | n | columns of op(B) and C, n >= 0 |
 * | 6 | k | columns of op(A), rows of op(B), k >= 0 |
 * | 7 | alpha | one float in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
 * | 9 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
 * | 10 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
 * | 11 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
 * | 12 | beta | one float in host memory, as alpha |
 * | 13 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 14 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 15 | batch_count | number of matrices, >= 0 |
 * | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 17 | work_bytes | its size, at least what tephra_xgemm_batched_workspace() answers; less is an error |
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * Otherwise as tephra_sgemm_batched().
 */
tephra_status tephra_xgemm_batched(int storage,
                                   int trans_a,
                                   int trans_b,
                                   int64_t m,
                                   int64_t n,
                                   int64_t k,
                                   const float *alpha,
                                   void *const *a_array,
                                   int64_t lda,
                                   void *const *b_array,
                                   int64_t ldb,
                                   const float *beta,
                                   void *const *c_array,
                                   int64_t ldc,
                                   int64_t batch_count,
                                   void *work,
                                   size_t work_bytes,
                                   void *stream);

/**
 * Workspace of tephra_xgemm_batched() in bytes, whatever the scalars are; on the CPU backend 0. The arguments are checked as
 * there, and numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, lda 7, ldb 8, ldc 9, batch_count 10.
 */
tephra_status tephra_xgemm_batched_workspace(int storage,
                                             int trans_a,
                                             int trans_b,
                                             int64_t m,
                                             int64_t n,
                                             int64_t k,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t ldc,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_xgemm_batched() for matrices at a fixed distance (in elements), as tephra_sgemm_strided_batched(). Arguments are
 * numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13,
 * beta 14, c 15, ldc 16, stride_c 17, batch_count 18, work 19, work_bytes 20, stream 21.
 */
tephra_status tephra_xgemm_strided_batched(int storage,
                                           int trans_a,
                                           int trans_b,
                                           int64_t m,
                                           int64_t n,
                                           int64_t k,
                                           const float *alpha,
                                           const void *a,
                                           int64_t lda,
                                           int64_t stride_a,
                                           const void *b,
                                           int64_t ldb,
                                           int64_t stride_b,
                                           const float *beta,
                                           void *c,
                                           int64_t ldc,
                                           int64_t stride_c,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_xgemm_strided_batched() in bytes, whatever the scalars are. Arguments are numbered storage 1, trans_a 2,
 * trans_b 3, m 4, n 5, k 6, lda 7, stride_a 8, ldb 9, stride_b 10, ldc 11, stride_c 12, batch_count 13.
 */
tephra_status tephra_xgemm_strided_batched_workspace(int storage,
                                                     int trans_a,
                                                     int trans_b,
                                                     int64_t m,
                                                     int64_t n,
                                                     int64_t k,
                                                     int64_t lda,
                                                     int64_t stride_a,
                                                     int64_t ldb,
                                                     int64_t stride_b,
                                                     int64_t ldc,
                                                     int64_t stride_c,
                                                     int64_t batch_count,
                                                     size_t *bytes);

/**
 * tephra_sgetrf_batched() for matrices with sizes of their own: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. m[i] = 0 and n[i] = 0 are fine. Where sizes are not valid nothing of
 * that matrix is read or written but its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n,
 * else -4 if not lda[i] >= m[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no matrix has more rows, max_m >= 0 |
 * | 2 | max_n | no matrix has more columns, max_n >= 0 |
 * | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
 * | 4 | n | batch_count ints in device memory: columns, likewise |
 * | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 7 | ipiv_array | batch_count pointers to vectors of min(m[i],n[i]) ints, likewise |
 * | 8 | info | one int per matrix in device memory, or NULL: as of tephra_sgetrf_batched(), and see above |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sgetrf_vbatched_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgetrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgetrf_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
 */
tephra_status tephra_sgetrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_vbatched() without pivoting. Arguments are numbered max_m 1, max_n 2, m 3, n 4, a_array 5, lda 6, info
 * 7, batch_count 8, work 9, work_bytes 10, stream 11.
 */
tephra_status tephra_sgetrf_nopiv_vbatched(int64_t max_m,
                                           int64_t max_n,
                                           const int *m,
                                           const int *n,
                                           float *const *a_array,
                                           const int *lda,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * Workspace of tephra_sgetrf_nopiv_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
 */
tephra_status tephra_sgetrf_nopiv_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_vbatched() in double precision.
 */
tephra_status tephra_dgetrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrf_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_nopiv_vbatched() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_vbatched(int64_t max_m,
                                           int64_t max_n,
                                           const int *m,
                                           const int *n,
                                           double *const *a_array,
                                           const int *lda,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgetrf_nopiv_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgetrf_nopiv_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_vbatched() in single precision complex.
 */
tephra_status tephra_cgetrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrf_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_nopiv_vbatched() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_vbatched(int64_t max_m,
                                           int64_t max_n,
                                           const int *m,
                                           const int *n,
                                           tephra_c32 *const *a_array,
                                           const int *lda,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgetrf_nopiv_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrf_nopiv_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_vbatched() in double precision complex.
 */
tephra_status tephra_zgetrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrf_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_nopiv_vbatched() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_vbatched(int64_t max_m,
                                           int64_t max_n,
                                           const int *m,
                                           const int *n,
                                           tephra_c64 *const *a_array,
                                           const int *lda,
                                           int *info,
                                           int64_t batch_count,
                                           void *work,
                                           size_t work_bytes,
                                           void *stream);

/**
 * tephra_sgetrf_nopiv_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrf_nopiv_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_batched() for matrices with sizes of their own: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. m[i] = 0 and n[i] = 0 are fine. Where sizes are not valid nothing of
 * that matrix is read or written but its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n,
 * else -4 if not lda[i] >= m[i]. Updates are always in FP32, whatever tephra_set_thread_math() allows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no matrix has more rows, max_m >= 0 |
 * | 2 | max_n | no matrix has more columns, max_n >= 0 |
 * | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
 * | 4 | n | batch_count ints in device memory: columns, likewise |
 * | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 7 | tau_array | batch_count pointers to vectors of min(m[i],n[i]) elements, likewise |
 * | 8 | info | one int per matrix in device memory, or NULL: 0, or as above |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | not used; may be NULL |
 * | 11 | work_bytes | not used |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgeqrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgeqrf_vbatched() in bytes: 0. Arguments are numbered max_m 1, max_n 2, batch_count 3.
 */
tephra_status tephra_sgeqrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_vbatched() in double precision.
 */
tephra_status tephra_dgeqrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqrf_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgeqrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_vbatched() in single precision complex.
 */
tephra_status tephra_cgeqrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqrf_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgeqrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_vbatched() in double precision complex.
 */
tephra_status tephra_zgeqrf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgeqrf_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgeqrf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sorgqr_batched() for matrices with sizes of their own: the first n[i] columns of Q(i), which has m[i] rows, in
 * place of its k[i] reflectors.
 *
 * Sizes are in device memory and never read by the host, as of tephra_sgeqrf_vbatched(). Where they are not valid nothing
 * of that matrix is touched but its info: -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= min(max_n,m[i]),
 * else -3 if not 0 <= k[i] <= min(max_k,n[i]), else -5 if not lda[i] >= m[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no matrix has more rows, max_m >= 0 |
 * | 2 | max_n | no matrix has more columns, max_n >= 0 |
 * | 3 | max_k | none has more reflectors, max_k >= 0 |
 * | 4 | m | batch_count ints in device memory: rows; not NULL when there is work |
 * | 5 | n | batch_count ints in device memory: columns, likewise |
 * | 6 | k | batch_count ints in device memory: reflectors, likewise |
 * | 7 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 8 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 9 | tau_array | batch_count pointers to vectors of k[i] elements; not NULL when there is work and max_k > 0 |
 * | 10 | info | one int per matrix in device memory, or NULL: 0, or as above |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sorgqr_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sormqr_batched() for matrices with sizes of their own: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), where C(i) is
 * m[i] x n[i] and Q(i) has k[i] reflectors.
 *
 * Sizes are in device memory and never read by the host, as of tephra_sgeqrf_vbatched(). Where they are not valid nothing
 * of that member is touched but its info: -3 if not 0 <= m[i] <= max_m, else -4 if not 0 <= n[i] <= max_n, else -5 if
 * not 0 <= k[i] <= min(max_k,q), q being Q's order, m[i] from the left and n[i] from the right; else -7 if not
 * lda[i] >= q, else -10 if not ldc[i] >= m[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT, of all members |
 * | 2 | trans | TEPHRA_OP_N, TEPHRA_OP_T or TEPHRA_OP_C, of all members |
 * | 3 | max_m | no C has more rows, max_m >= 0 |
 * | 4 | max_n | no C has more columns, max_n >= 0 |
 * | 5 | max_k | no Q has more reflectors, max_k >= 0 |
 * | 6 | m | batch_count ints in device memory: rows of C; not NULL when there is work |
 * | 7 | n | batch_count ints in device memory: columns of C, likewise |
 * | 8 | k | batch_count ints in device memory: reflectors, likewise |
 * | 9 | a_array | batch_count pointers to the reflectors, lda[i]*k[i] elements, likewise |
 * | 10 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 11 | tau_array | batch_count pointers to vectors of k[i] elements, likewise |
 * | 12 | c_array | batch_count pointers to matrices of ldc[i]*n[i] elements, likewise |
 * | 13 | ldc | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 14 | info | one int per member in device memory, or NULL: 0, or as above |
 * | 15 | batch_count | number of members, >= 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n, max_k
 * or batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sormqr_vbatched(int side,
                                     int trans,
                                     int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *tau_array,
                                     float *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sorgqr_vbatched() in double precision.
 */
tephra_status tephra_dorgqr_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sormqr_vbatched() in double precision.
 */
tephra_status tephra_dormqr_vbatched(int side,
                                     int trans,
                                     int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *tau_array,
                                     double *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sorgqr_vbatched() in single precision complex.
 */
tephra_status tephra_cungqr_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sormqr_vbatched() in single precision complex. The plain transpose works, too.
 */
tephra_status tephra_cunmqr_vbatched(int side,
                                     int trans,
                                     int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *tau_array,
                                     tephra_c32 *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sorgqr_vbatched() in double precision complex.
 */
tephra_status tephra_zungqr_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sormqr_vbatched() in double precision complex. The plain transpose works, too.
 */
tephra_status tephra_zunmqr_vbatched(int side,
                                     int trans,
                                     int64_t max_m,
                                     int64_t max_n,
                                     int64_t max_k,
                                     const int *m,
                                     const int *n,
                                     const int *k,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *tau_array,
                                     tephra_c64 *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_sgemm_batched() for members with sizes of their own: op(A(i)) is m[i] x k[i], op(B(i)) k[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m, max_n and max_k say how large any of them may be, and
 * the kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. With k[i] = 0, C(i) is scaled by beta. Of a member whose
 * sizes are not valid nothing is read or written, and no code tells: those with m[i], n[i] or k[i] below 0 or above its
 * largest, or with a leading dimension that is less than its matrix has rows, or less than 1.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no C has more rows, max_m >= 0 |
 * | 2 | max_n | no C has more columns, max_n >= 0 |
 * | 3 | max_k | no product has more terms, max_k >= 0 |
 * | 4 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
 * | 5 | trans_b | op of B, likewise |
 * | 6 | m | batch_count ints in device memory: rows of op(A) and C; not NULL when there is work |
 * | 7 | n | batch_count ints in device memory: columns of op(B) and C, likewise |
 * | 8 | k | batch_count ints in device memory: columns of op(A), rows of op(B), likewise |
 * | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 10 | a_array | batch_count pointers to m[i] x k[i] matrices (k[i] x m[i] if transposed); not NULL when they are read |
 * | 11 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
 * | 12 | b_array | batch_count pointers to k[i] x n[i] matrices (n[i] x k[i] if transposed), as a_array |
 * | 13 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
 * | 14 | beta | one number in host memory, as alpha |
 * | 15 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
 * | 16 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
 * | 17 | batch_count | number of members, >= 0 |
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or batch_count
 * is 0, or beta is 1 and alpha or max_k is 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
 */
tephra_status tephra_sgemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_k,
                                    int trans_a,
                                    int trans_b,
                                    const int *m,
                                    const int *n,
                                    const int *k,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    const float *beta,
                                    float *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemv_batched() for members with sizes and increments of their own: A(i) is m[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. Where m[i] or n[i] is 0 nothing is done, as in BLAS. Of a
 * member whose sizes are not valid nothing is read or written, and no code tells: those with m[i] or n[i] below 0 or above
 * its largest, with a leading dimension that is less than m[i], or with an increment of 0.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no A has more rows, max_m >= 0 |
 * | 2 | max_n | no A has more columns, max_n >= 0 |
 * | 3 | trans | op: TEPHRA_TRANS_N, _T or _C |
 * | 4 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
 * | 5 | n | batch_count ints in device memory: columns of A, likewise |
 * | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 7 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when they are read |
 * | 8 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
 * | 9 | x_array | batch_count pointers to vectors of n[i] elements (m[i] if transposed), as a_array |
 * | 10 | incx | batch_count ints in device memory: from an element of x to the next; below 0, x starts at its end; as lda |
 * | 11 | beta | one number in host memory, as alpha |
 * | 12 | y_array | batch_count pointers to vectors of m[i] elements (n[i] if transposed); not NULL when there is work |
 * | 13 | incy | batch_count ints in device memory: from an element of y to the next, as incx |
 * | 14 | batch_count | number of members, >= 0 |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or batch_count
 * is 0, or alpha is 0 and beta 1. With alpha = 0, a_array and x_array may be NULL.
 */
tephra_status tephra_sgemv_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *x_array,
                                    const int *incx,
                                    const float *beta,
                                    float *const *y_array,
                                    const int *incy,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsm_batched() for members with sizes of their own: B(i) is m[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and the kernel
 * is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in
 * a CUDA graph; another replay may find other sizes. Of a member whose sizes are not valid nothing is read or written, and no
 * code tells: those with m[i] or n[i] below 0 or above its largest, or with a leading dimension that is too small.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no B has more rows, max_m >= 0 |
 * | 2 | max_n | no B has more columns, max_n >= 0 |
 * | 3 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 5 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 6 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 7 | m | batch_count ints in device memory: rows of B; not NULL when there is work |
 * | 8 | n | batch_count ints in device memory: columns of B, likewise |
 * | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 10 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL unless alpha is 0 |
 * | 11 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
 * | 12 | b_array | batch_count pointers to m[i] x n[i] matrices, likewise |
 * | 13 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
 * | 14 | batch_count | number of members, >= 0 |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or batch_count
 * is 0.
 */
tephra_status tephra_strsm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemm_vbatched() in double precision.
 */
tephra_status tephra_dgemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_k,
                                    int trans_a,
                                    int trans_b,
                                    const int *m,
                                    const int *n,
                                    const int *k,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    const double *beta,
                                    double *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemv_vbatched() in double precision.
 */
tephra_status tephra_dgemv_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *x_array,
                                    const int *incx,
                                    const double *beta,
                                    double *const *y_array,
                                    const int *incy,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsm_vbatched() in double precision.
 */
tephra_status tephra_dtrsm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemm_vbatched() in single precision complex.
 */
tephra_status tephra_cgemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_k,
                                    int trans_a,
                                    int trans_b,
                                    const int *m,
                                    const int *n,
                                    const int *k,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemv_vbatched() in single precision complex.
 */
tephra_status tephra_cgemv_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *x_array,
                                    const int *incx,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *y_array,
                                    const int *incy,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsm_vbatched() in single precision complex.
 */
tephra_status tephra_ctrsm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemm_vbatched() in double precision complex.
 */
tephra_status tephra_zgemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_k,
                                    int trans_a,
                                    int trans_b,
                                    const int *m,
                                    const int *n,
                                    const int *k,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgemv_vbatched() in double precision complex.
 */
tephra_status tephra_zgemv_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *x_array,
                                    const int *incx,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *y_array,
                                    const int *incy,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsm_vbatched() in double precision complex.
 */
tephra_status tephra_ztrsm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_spotrf_batched() for matrices with orders of their own: A(i) is n[i] x n[i], with leading dimension lda[i].
 *
 * The orders are in device memory and never read by the host: max_n says how large any of them may be, and the kernels are
 * chosen by that. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; another
 * replay may find other orders. n[i] = 0 is fine. Where an order is not valid nothing of that matrix is read or written
 * but its info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 6 | info | one int per matrix in device memory, or NULL: as of tephra_spotrf_batched(), and see above |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_spotrf_vbatched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is 0;
 * info is all 0 then.
 */
tephra_status tephra_spotrf_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_spotrf_vbatched() in bytes. Arguments are numbered max_n 1, uplo 2, batch_count 3.
 */
tephra_status tephra_spotrf_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_vbatched() in double precision.
 */
tephra_status tephra_dpotrf_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrf_vbatched_workspace() in double precision.
 */
tephra_status tephra_dpotrf_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_vbatched() in single precision complex.
 */
tephra_status tephra_cpotrf_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrf_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrf_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_vbatched() in double precision complex.
 */
tephra_status tephra_zpotrf_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrf_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrf_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_batched() for matrices with orders of their own: C(i) := A(i)^-1, from what tephra_sgetrf_vbatched()
 * left of A(i). C must not be A.
 *
 * The orders are in device memory and never read by the host: max_n says how large any of them may be, and the kernels
 * are chosen by that. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph;
 * another replay may find other orders. n[i] = 0 is fine. Where sizes are not valid nothing of that member is read or
 * written but its info, which is -1 if not 0 <= n[i] <= max_n, else -3 if not lda[i] >= n[i], else -6 if not ldc[i] >=
 * n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 3 | a_array | batch_count pointers to the factors, likewise |
 * | 4 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 5 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
 * | 6 | c_array | batch_count pointers to n[i] x n[i] matrices, other ones than A; not NULL when there is work |
 * | 7 | ldc | batch_count ints in device memory: leading dimensions of C, in elements, likewise |
 * | 8 | info | one int per member in device memory, or NULL: as of tephra_sgetri_batched(), and see above |
 * | 9 | batch_count | number of members, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | its size, at least what tephra_sgetri_vbatched_workspace() answers; less is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0; info is all 0 then.
 */
tephra_status tephra_sgetri_vbatched(int64_t max_n,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     float *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgetri_vbatched() in bytes; on the CPU backend 0. Arguments are numbered max_n 1, batch_count 2.
 */
tephra_status tephra_sgetri_vbatched_workspace(int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_batched() for matrices with orders of their own, in place, from what tephra_spotrf_vbatched() left of
 * A(i).
 *
 * The orders are in device memory and never read by the host: max_n says how large any of them may be, and the kernels
 * are chosen by that. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph;
 * another replay may find other orders. n[i] = 0 is fine. Where an order is not valid nothing of that matrix is read or
 * written but its info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to the factors, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 6 | info | one int per member in device memory, or NULL: as of tephra_spotri_batched(), and see above |
 * | 7 | batch_count | number of members, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | its size, at least what tephra_spotri_vbatched_workspace() answers; less is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0; info is all 0 then.
 */
tephra_status tephra_spotri_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_spotri_vbatched() in bytes; on the CPU backend 0. Arguments are numbered max_n 1, uplo 2,
 * batch_count 3.
 */
tephra_status tephra_spotri_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_vbatched() in double precision.
 */
tephra_status tephra_dgetri_vbatched(int64_t max_n,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     double *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetri_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgetri_vbatched_workspace(int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_vbatched() in double precision.
 */
tephra_status tephra_dpotri_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotri_vbatched_workspace() in double precision.
 */
tephra_status tephra_dpotri_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_vbatched() in single precision complex.
 */
tephra_status tephra_cgetri_vbatched(int64_t max_n,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     tephra_c32 *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetri_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgetri_vbatched_workspace(int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_vbatched() in single precision complex.
 */
tephra_status tephra_cpotri_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotri_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cpotri_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_vbatched() in double precision complex.
 */
tephra_status tephra_zgetri_vbatched(int64_t max_n,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     tephra_c64 *const *c_array,
                                     const int *ldc,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetri_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgetri_vbatched_workspace(int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_vbatched() in double precision complex.
 */
tephra_status tephra_zpotri_vbatched(int64_t max_n,
                                     int uplo,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotri_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zpotri_vbatched_workspace(int64_t max_n, int uplo, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgels_batched() for systems with sizes of their own: A(i) is m[i] x n[i], with nrhs[i] right-hand sides, and
 * solved by its own shape: where m[i] >= n[i] X has least squares, else least norm (and the other way round of A^H).
 *
 * The sizes are in device memory and never read by the host: max_m, max_n and max_nrhs say how large any of them may be,
 * and the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in
 * a CUDA graph; another replay may find other sizes. m[i] = 0, n[i] = 0 and nrhs[i] = 0 are fine. Where sizes are not
 * valid nothing of that member is read or written but its info, which is -2 if not 0 <= m[i] <= max_m, else -3 if not
 * 0 <= n[i] <= max_n, else -4 if not 0 <= nrhs[i] <= max_nrhs, else -6 if not lda[i] >= m[i], else -8 if not ldb[i] >=
 * max(m[i],n[i]).
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no matrix has more rows, max_m >= 0 |
 * | 2 | max_n | no matrix has more columns, max_n >= 0 |
 * | 3 | max_nrhs | no B has more columns, max_nrhs >= 0 |
 * | 4 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
 * | 5 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
 * | 6 | n | batch_count ints in device memory: columns of A, likewise |
 * | 7 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
 * | 8 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work, max_m > 0 and max_n > 0 |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A, in elements; not NULL when there is work |
 * | 10 | b_array | batch_count pointers to max(m[i],n[i]) x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
 * | 11 | ldb | batch_count ints in device memory: leading dimensions of B, in elements; not NULL when there is work |
 * | 12 | info | one int per member in device memory, or NULL: as of tephra_sgels_batched(), and see above |
 * | 13 | batch_count | number of members, >= 0 |
 * | 14 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 15 | work_bytes | its size, at least what tephra_sgels_vbatched_workspace() answers; less is an error |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when batch_count or the most
 * rows of X are 0; info is all 0 then.
 */
tephra_status tephra_sgels_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_nrhs,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const int *nrhs,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgels_vbatched() in bytes: it has room for the transposes of members with more columns than rows;
 * on the CPU backend 0. Arguments are numbered max_m 1, max_n 2, max_nrhs 3, trans 4, batch_count 5.
 */
tephra_status tephra_sgels_vbatched_workspace(int64_t max_m,
                                              int64_t max_n,
                                              int64_t max_nrhs,
                                              int trans,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelqf_batched() for matrices with sizes of their own: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. m[i] = 0 and n[i] = 0 are fine. Where sizes are not valid nothing of
 * that matrix is read or written but its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n,
 * else -4 if not lda[i] >= m[i].
 *
 * Arguments are those of tephra_sgeqrf_vbatched(), and numbered alike, but that the workspace is needed, of at least as
 * many bytes as tephra_sgelqf_vbatched_workspace() answers.
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgelqf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgelqf_vbatched() in bytes; on the CPU backend 0. Arguments are numbered max_m 1, max_n 2,
 * batch_count 3.
 */
tephra_status tephra_sgelqf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgels_vbatched() in double precision.
 */
tephra_status tephra_dgels_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_nrhs,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const int *nrhs,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgels_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgels_vbatched_workspace(int64_t max_m,
                                              int64_t max_n,
                                              int64_t max_nrhs,
                                              int trans,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelqf_vbatched() in double precision.
 */
tephra_status tephra_dgelqf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgelqf_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgelqf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgels_vbatched() in single precision complex.
 */
tephra_status tephra_cgels_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_nrhs,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgels_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgels_vbatched_workspace(int64_t max_m,
                                              int64_t max_n,
                                              int64_t max_nrhs,
                                              int trans,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelqf_vbatched() in single precision complex.
 */
tephra_status tephra_cgelqf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgelqf_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgelqf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgels_vbatched() in double precision complex.
 */
tephra_status tephra_zgels_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int64_t max_nrhs,
                                    int trans,
                                    const int *m,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgels_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgels_vbatched_workspace(int64_t max_m,
                                              int64_t max_n,
                                              int64_t max_nrhs,
                                              int trans,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelqf_vbatched() in double precision complex.
 */
tephra_status tephra_zgelqf_vbatched(int64_t max_m,
                                     int64_t max_n,
                                     const int *m,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *tau_array,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgelqf_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgelqf_vbatched_workspace(int64_t max_m, int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_ssyrk_batched() for members with sizes of their own: C(i) has order n[i], op(A(i)) k[i] columns.
 *
 * The sizes are in device memory and never read by the host: max_n and max_k say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. With k[i] = 0, C(i) is scaled by beta. Of a member
 * whose sizes are not valid nothing is read or written, and no code tells: those with n[i] or k[i] below 0 or above its
 * largest, or with a leading dimension that is less than its matrix has rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no C has a higher order, max_n >= 0 |
 * | 2 | max_k | no product has more terms, max_k >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
 * | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
 * | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
 * | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
 * | 10 | beta | one number in host memory, as alpha |
 * | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
 * | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
 * | 13 | batch_count | number of members, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0. With alpha = 0 or max_k = 0, a_array may be NULL.
 */
tephra_status tephra_ssyrk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    const float *beta,
                                    float *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_batched() for members with sizes of their own: C(i) has order n[i], op(A(i)) and op(B(i)) k[i] columns.
 *
 * The sizes are in device memory and never read by the host: max_n and max_k say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. With k[i] = 0, C(i) is scaled by beta. Of a member
 * whose sizes are not valid nothing is read or written, and no code tells: those with n[i] or k[i] below 0 or above its
 * largest, or with a leading dimension that is less than its matrix has rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no C has a higher order, max_n >= 0 |
 * | 2 | max_k | no product has more terms, max_k >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
 * | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
 * | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
 * | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
 * | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
 * | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
 * | 12 | beta | one number in host memory, as alpha |
 * | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
 * | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
 * | 15 | batch_count | number of members, >= 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
 */
tephra_status tephra_ssyr2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const float *alpha,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *b_array,
                                     const int *ldb,
                                     const float *beta,
                                     float *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_ssyrk_vbatched() in double precision.
 */
tephra_status tephra_dsyrk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    const double *beta,
                                    double *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_vbatched() in double precision.
 */
tephra_status tephra_dsyr2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const double *alpha,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *b_array,
                                     const int *ldb,
                                     const double *beta,
                                     double *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_ssyrk_vbatched() in single precision complex.
 */
tephra_status tephra_csyrk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_vbatched() in single precision complex.
 */
tephra_status tephra_csyr2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const tephra_c32 *alpha,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *b_array,
                                     const int *ldb,
                                     const tephra_c32 *beta,
                                     tephra_c32 *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_ssyrk_vbatched() in double precision complex.
 */
tephra_status tephra_zsyrk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssyr2k_vbatched() in double precision complex.
 */
tephra_status tephra_zsyr2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const tephra_c64 *alpha,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *b_array,
                                     const int *ldb,
                                     const tephra_c64 *beta,
                                     tephra_c64 *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_cherk_batched() for members with sizes of their own: C(i) has order n[i], op(A(i)) k[i] columns.
 *
 * The sizes are in device memory and never read by the host: max_n and max_k say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. With k[i] = 0, C(i) is scaled by beta. Of a member
 * whose sizes are not valid nothing is read or written, and no code tells: those with n[i] or k[i] below 0 or above its
 * largest, or with a leading dimension that is less than its matrix has rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no C has a higher order, max_n >= 0 |
 * | 2 | max_k | no product has more terms, max_k >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
 * | 4 | trans | TEPHRA_TRANS_N or _C |
 * | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
 * | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
 * | 7 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
 * | 10 | beta | one real number in host memory, as alpha |
 * | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
 * | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
 * | 13 | batch_count | number of members, >= 0 |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0. With alpha = 0 or max_k = 0, a_array may be NULL.
 */
tephra_status tephra_cherk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const float *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    const float *beta,
                                    tephra_c32 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_cher2k_batched() for members with sizes of their own: C(i) has order n[i], op(A(i)) and op(B(i)) k[i] columns.
 *
 * The sizes are in device memory and never read by the host: max_n and max_k say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. With k[i] = 0, C(i) is scaled by beta. Of a member
 * whose sizes are not valid nothing is read or written, and no code tells: those with n[i] or k[i] below 0 or above its
 * largest, or with a leading dimension that is less than its matrix has rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no C has a higher order, max_n >= 0 |
 * | 2 | max_k | no product has more terms, max_k >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
 * | 4 | trans | TEPHRA_TRANS_N or _C |
 * | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
 * | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
 * | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
 * | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
 * | 12 | beta | one real number in host memory, as alpha |
 * | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
 * | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
 * | 15 | batch_count | number of members, >= 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
 */
tephra_status tephra_cher2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const tephra_c32 *alpha,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *b_array,
                                     const int *ldb,
                                     const float *beta,
                                     tephra_c32 *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_cherk_vbatched() in double precision complex.
 */
tephra_status tephra_zherk_vbatched(int64_t max_n,
                                    int64_t max_k,
                                    int uplo,
                                    int trans,
                                    const int *n,
                                    const int *k,
                                    const double *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    const double *beta,
                                    tephra_c64 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_cher2k_vbatched() in double precision complex.
 */
tephra_status tephra_zher2k_vbatched(int64_t max_n,
                                     int64_t max_k,
                                     int uplo,
                                     int trans,
                                     const int *n,
                                     const int *k,
                                     const tephra_c64 *alpha,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *b_array,
                                     const int *ldb,
                                     const double *beta,
                                     tephra_c64 *const *c_array,
                                     const int *ldc,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_strmm_batched() for members with sizes of their own: B(i) is m[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. Of a member whose sizes are not valid nothing is read
 * or written, and no code tells: those with m[i] or n[i] below 0 or above its largest, or with a leading dimension that
 * is too small.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no B has more rows, max_m >= 0 |
 * | 2 | max_n | no B has more columns, max_n >= 0 |
 * | 3 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 5 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 6 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 7 | m | batch_count ints in device memory: rows of B; not NULL when there is work |
 * | 8 | n | batch_count ints in device memory: columns of B, likewise |
 * | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 10 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL unless alpha is 0 |
 * | 11 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
 * | 12 | b_array | batch_count pointers to m[i] x n[i] matrices, likewise |
 * | 13 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
 * | 14 | batch_count | number of members, >= 0 |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0.
 */
tephra_status tephra_strmm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strmm_vbatched() in double precision.
 */
tephra_status tephra_dtrmm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strmm_vbatched() in single precision complex.
 */
tephra_status tephra_ctrmm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strmm_vbatched() in double precision complex.
 */
tephra_status tephra_ztrmm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *m,
                                    const int *n,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssymm_batched() for members with sizes of their own: B(i) and C(i) are m[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. Of a member whose sizes are not valid nothing is read
 * or written, and no code tells: those with m[i] or n[i] below 0 or above its largest, or with a leading dimension that
 * is too small.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no C has more rows, max_m >= 0 |
 * | 2 | max_n | no C has more columns, max_n >= 0 |
 * | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
 * | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
 * | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
 * | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
 * | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
 * | 12 | beta | one number in host memory, as alpha |
 * | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
 * | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
 * | 15 | batch_count | number of members, >= 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
 */
tephra_status tephra_ssymm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const float *alpha,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    const float *beta,
                                    float *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssymm_vbatched() in double precision.
 */
tephra_status tephra_dsymm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const double *alpha,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    const double *beta,
                                    double *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssymm_vbatched() in single precision complex.
 */
tephra_status tephra_csymm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_ssymm_vbatched() in double precision complex.
 */
tephra_status tephra_zsymm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_chemm_batched() for members with sizes of their own: B(i) and C(i) are m[i] x n[i].
 *
 * The sizes are in device memory and never read by the host: max_m and max_n say how large any of them may be, and the
 * kernel is chosen by these. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; another replay may find other sizes. Of a member whose sizes are not valid nothing is read
 * or written, and no code tells: those with m[i] or n[i] below 0 or above its largest, or with a leading dimension that
 * is too small.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_m | no C has more rows, max_m >= 0 |
 * | 2 | max_n | no C has more columns, max_n >= 0 |
 * | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
 * | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
 * | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
 * | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
 * | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are read |
 * | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
 * | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
 * | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
 * | 12 | beta | one number in host memory, as alpha |
 * | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
 * | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
 * | 15 | batch_count | number of members, >= 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_m, max_n or
 * batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
 */
tephra_status tephra_chemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const tephra_c32 *alpha,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    const tephra_c32 *beta,
                                    tephra_c32 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_chemm_vbatched() in double precision complex.
 */
tephra_status tephra_zhemm_vbatched(int64_t max_m,
                                    int64_t max_n,
                                    int side,
                                    int uplo,
                                    const int *m,
                                    const int *n,
                                    const tephra_c64 *alpha,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    const tephra_c64 *beta,
                                    tephra_c64 *const *c_array,
                                    const int *ldc,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_sgetrs_batched() for systems with sizes of their own: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and never read by the host: max_n and max_nrhs say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. n[i] = 0 and nrhs[i] = 0 are fine. Where sizes are not valid nothing
 * of that member is read or written but its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <=
 * max_nrhs, else -5 if not lda[i] >= n[i], else -8 if not ldb[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
 * | 3 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
 * | 6 | a_array | batch_count pointers to the factors, as tephra_sgetrf_vbatched() leaves them, likewise |
 * | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 8 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
 * | 9 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work |
 * | 10 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
 * | 11 | info | one int per member in device memory, or NULL: 0, or as above |
 * | 12 | batch_count | number of members, >= 0 |
 * | 13 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 14 | work_bytes | its size, at least what tephra_sgetrs_vbatched_workspace() answers; less is an error |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n, max_nrhs or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_sgetrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int trans,
                                     const int *n,
                                     const int *nrhs,
                                     float *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     float *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_sgetrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, trans 3, batch_count 4.
 */
tephra_status tephra_sgetrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int trans,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sgesv_batched() for systems with sizes of their own: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and never read by the host: max_n and max_nrhs say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. n[i] = 0 and nrhs[i] = 0 are fine. Where sizes are not valid nothing
 * of that member is read or written but its info, which is -1 if not 0 <= n[i] <= max_n, else -2 if not 0 <= nrhs[i] <=
 * max_nrhs, else -4 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
 * | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 4 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
 * | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 6 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 7 | ipiv_array | batch_count pointers to vectors of n[i] ints, likewise |
 * | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
 * | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
 * | 10 | info | one int per member in device memory, or NULL: as of tephra_sgesv_batched(), and see above |
 * | 11 | batch_count | number of members, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | its size, at least what tephra_sgesv_vbatched_workspace() answers; less is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0; info is all 0 then. A member without right-hand sides is still factored.
 */
tephra_status tephra_sgesv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    const int *n,
                                    const int *nrhs,
                                    float *const *a_array,
                                    const int *lda,
                                    int *const *ipiv_array,
                                    float *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sgesv_vbatched() in bytes; on the CPU backend 0. Arguments are numbered max_n 1, max_nrhs 2,
 * batch_count 3.
 */
tephra_status tephra_sgesv_vbatched_workspace(int64_t max_n, int64_t max_nrhs, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrs_vbatched() in double precision.
 */
tephra_status tephra_dgetrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int trans,
                                     const int *n,
                                     const int *nrhs,
                                     double *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     double *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrs_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgetrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int trans,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sgesv_vbatched() in double precision.
 */
tephra_status tephra_dgesv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    const int *n,
                                    const int *nrhs,
                                    double *const *a_array,
                                    const int *lda,
                                    int *const *ipiv_array,
                                    double *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgesv_vbatched_workspace() in double precision.
 */
tephra_status tephra_dgesv_vbatched_workspace(int64_t max_n, int64_t max_nrhs, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrs_vbatched() in single precision complex.
 */
tephra_status tephra_cgetrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int trans,
                                     const int *n,
                                     const int *nrhs,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     tephra_c32 *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrs_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgetrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int trans,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sgesv_vbatched() in single precision complex.
 */
tephra_status tephra_cgesv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    int *const *ipiv_array,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgesv_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cgesv_vbatched_workspace(int64_t max_n, int64_t max_nrhs, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrs_vbatched() in double precision complex.
 */
tephra_status tephra_zgetrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int trans,
                                     const int *n,
                                     const int *nrhs,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int *const *ipiv_array,
                                     tephra_c64 *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_sgetrs_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgetrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int trans,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sgesv_vbatched() in double precision complex.
 */
tephra_status tephra_zgesv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    int *const *ipiv_array,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sgesv_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zgesv_vbatched_workspace(int64_t max_n, int64_t max_nrhs, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrs_batched() for systems with sizes of their own: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and never read by the host: max_n and max_nrhs say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. n[i] = 0 and nrhs[i] = 0 are fine. Where sizes are not valid nothing
 * of that member is read or written but its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <=
 * max_nrhs, else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
 * | 6 | a_array | batch_count pointers to the factors, as tephra_spotrf_vbatched() leaves them, likewise |
 * | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices, likewise |
 * | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
 * | 10 | info | one int per member in device memory, or NULL: 0, or as above |
 * | 11 | batch_count | number of members, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | its size, at least what tephra_spotrs_vbatched_workspace() answers; less is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n, max_nrhs or
 * batch_count is 0; info is all 0 then.
 */
tephra_status tephra_spotrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int uplo,
                                     const int *n,
                                     const int *nrhs,
                                     float *const *a_array,
                                     const int *lda,
                                     float *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * Workspace of tephra_spotrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, uplo 3, batch_count 4.
 */
tephra_status tephra_spotrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int uplo,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sposv_batched() for systems with sizes of their own: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and never read by the host: max_n and max_nrhs say how large any of them may be, and
 * the kernels are chosen by these. The call is asynchronous on the stream, allocates nothing and can be captured in a
 * CUDA graph; another replay may find other sizes. n[i] = 0 and nrhs[i] = 0 are fine. Where sizes are not valid nothing
 * of that member is read or written but its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <=
 * max_nrhs, else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
 * | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
 * | 6 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
 * | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
 * | 10 | info | one int per member in device memory, or NULL: as of tephra_sposv_batched(), and see above |
 * | 11 | batch_count | number of members, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | its size, at least what tephra_sposv_vbatched_workspace() answers; less is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is
 * 0; info is all 0 then. A member without right-hand sides is still factored.
 */
tephra_status tephra_sposv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    int uplo,
                                    const int *n,
                                    const int *nrhs,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * Workspace of tephra_sposv_vbatched() in bytes; on the CPU backend 0. Arguments are numbered max_n 1, max_nrhs 2, uplo
 * 3, batch_count 4.
 */
tephra_status tephra_sposv_vbatched_workspace(int64_t max_n,
                                              int64_t max_nrhs,
                                              int uplo,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_vbatched() in double precision.
 */
tephra_status tephra_dpotrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int uplo,
                                     const int *n,
                                     const int *nrhs,
                                     double *const *a_array,
                                     const int *lda,
                                     double *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrs_vbatched_workspace() in double precision.
 */
tephra_status tephra_dpotrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int uplo,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sposv_vbatched() in double precision.
 */
tephra_status tephra_dposv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    int uplo,
                                    const int *n,
                                    const int *nrhs,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sposv_vbatched_workspace() in double precision.
 */
tephra_status tephra_dposv_vbatched_workspace(int64_t max_n,
                                              int64_t max_nrhs,
                                              int uplo,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_vbatched() in single precision complex.
 */
tephra_status tephra_cpotrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int uplo,
                                     const int *n,
                                     const int *nrhs,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     tephra_c32 *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrs_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cpotrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int uplo,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sposv_vbatched() in single precision complex.
 */
tephra_status tephra_cposv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    int uplo,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sposv_vbatched_workspace() in single precision complex.
 */
tephra_status tephra_cposv_vbatched_workspace(int64_t max_n,
                                              int64_t max_nrhs,
                                              int uplo,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_vbatched() in double precision complex.
 */
tephra_status tephra_zpotrs_vbatched(int64_t max_n,
                                     int64_t max_nrhs,
                                     int uplo,
                                     const int *n,
                                     const int *nrhs,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     tephra_c64 *const *b_array,
                                     const int *ldb,
                                     int *info,
                                     int64_t batch_count,
                                     void *work,
                                     size_t work_bytes,
                                     void *stream);

/**
 * tephra_spotrs_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zpotrs_vbatched_workspace(int64_t max_n,
                                               int64_t max_nrhs,
                                               int uplo,
                                               int64_t batch_count,
                                               size_t *bytes);

/**
 * tephra_sposv_vbatched() in double precision complex.
 */
tephra_status tephra_zposv_vbatched(int64_t max_n,
                                    int64_t max_nrhs,
                                    int uplo,
                                    const int *n,
                                    const int *nrhs,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *b_array,
                                    const int *ldb,
                                    int *info,
                                    int64_t batch_count,
                                    void *work,
                                    size_t work_bytes,
                                    void *stream);

/**
 * tephra_sposv_vbatched_workspace() in double precision complex.
 */
tephra_status tephra_zposv_vbatched_workspace(int64_t max_n,
                                              int64_t max_nrhs,
                                              int uplo,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_slaswp_batched() for matrices with columns and a last row of their own: A(i) has n[i] columns, of which rows k1
 * to k2[i] are exchanged.
 *
 * The sizes are in device memory and never read by the host: max_n and max_k2 say how large any of them may be. The call
 * is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph; another
 * replay may find other sizes. Where k2[i] is less than k1 nothing is exchanged. Of a member whose sizes are not valid
 * nothing is read or written, and no code tells: those with n[i] or k2[i] below 0 or above its largest, or with a
 * leading dimension that is less than k2[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has more columns, max_n >= 0 |
 * | 2 | max_k2 | no row behind this one is exchanged with another, max_k2 >= 0 |
 * | 3 | n | batch_count ints in device memory: columns; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to matrices with all rows that ipiv names, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 6 | k1 | first row that is exchanged in all members, k1 >= 1 |
 * | 7 | k2 | batch_count ints in device memory: last row that is exchanged, likewise |
 * | 8 | ipiv_array | batch_count pointers to interchanges, as of tephra_slaswp_batched(), likewise |
 * | 9 | incx | from one interchange to the next; its sign is the order |
 * | 10 | batch_count | number of members, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n, max_k2, incx or
 * batch_count is 0.
 */
tephra_status tephra_slaswp_vbatched(int64_t max_n,
                                     int64_t max_k2,
                                     const int *n,
                                     float *const *a_array,
                                     const int *lda,
                                     int64_t k1,
                                     const int *k2,
                                     int *const *ipiv_array,
                                     int64_t incx,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_slaswp_vbatched() in double precision.
 */
tephra_status tephra_dlaswp_vbatched(int64_t max_n,
                                     int64_t max_k2,
                                     const int *n,
                                     double *const *a_array,
                                     const int *lda,
                                     int64_t k1,
                                     const int *k2,
                                     int *const *ipiv_array,
                                     int64_t incx,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_slaswp_vbatched() in single precision complex.
 */
tephra_status tephra_claswp_vbatched(int64_t max_n,
                                     int64_t max_k2,
                                     const int *n,
                                     tephra_c32 *const *a_array,
                                     const int *lda,
                                     int64_t k1,
                                     const int *k2,
                                     int *const *ipiv_array,
                                     int64_t incx,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_slaswp_vbatched() in double precision complex.
 */
tephra_status tephra_zlaswp_vbatched(int64_t max_n,
                                     int64_t max_k2,
                                     const int *n,
                                     tephra_c64 *const *a_array,
                                     const int *lda,
                                     int64_t k1,
                                     const int *k2,
                                     int *const *ipiv_array,
                                     int64_t incx,
                                     int64_t batch_count,
                                     void *stream);

/**
 * tephra_strsv_batched() for systems with orders and increments of their own.
 *
 * The sizes are in device memory and never read by the host: max_n says how large any order may be. The call is
 * asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph; another replay
 * may find other sizes. Of a member whose sizes are not valid nothing is read or written, and no code tells: those with
 * n[i] below 0 or above max_n, lda[i] below n[i], or incx[i] of 0.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 3 | trans | TEPHRA_TRANS_N, _T or _C |
 * | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 5 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 6 | a_array | batch_count pointers to matrices of order n[i], likewise |
 * | 7 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 8 | x_array | batch_count pointers to 1 + (n[i]-1)*abs(incx[i]) elements, likewise |
 * | 9 | incx | batch_count ints in device memory: from one of x's elements to the next; below zero x begins with its last; likewise |
 * | 10 | batch_count | number of members, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On the CPU backend all of these are in host memory. Nothing is done and success returned when max_n or batch_count is 0.
 */
tephra_status tephra_strsv_vbatched(int64_t max_n,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *n,
                                    float *const *a_array,
                                    const int *lda,
                                    float *const *x_array,
                                    const int *incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsv_vbatched() in double precision.
 */
tephra_status tephra_dtrsv_vbatched(int64_t max_n,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *n,
                                    double *const *a_array,
                                    const int *lda,
                                    double *const *x_array,
                                    const int *incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsv_vbatched() in single precision complex.
 */
tephra_status tephra_ctrsv_vbatched(int64_t max_n,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *n,
                                    tephra_c32 *const *a_array,
                                    const int *lda,
                                    tephra_c32 *const *x_array,
                                    const int *incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * tephra_strsv_vbatched() in double precision complex.
 */
tephra_status tephra_ztrsv_vbatched(int64_t max_n,
                                    int uplo,
                                    int trans,
                                    int diag,
                                    const int *n,
                                    tephra_c64 *const *a_array,
                                    const int *lda,
                                    tephra_c64 *const *x_array,
                                    const int *incx,
                                    int64_t batch_count,
                                    void *stream);

/**
 * Makes a communicator of the caller's functions, as which MPI's and torch.distributed's serve: this process is the
 * rank `rank` of `size`.
 *
 * The functions are called from the thread that calls Tephra, with buffers in host memory, on all ranks in the same
 * order and with the same sizes. How long they wait for a rank that does not come is theirs to say, as is what happens
 * then: a function that answers other than 0 ends the call with TEPHRA_STATUS_COMMUNICATION_ERROR. On the CUDA backend
 * what is sent passes through pinned host memory, and calls wait for it; tephra_comm_from_nccl() sends from device to
 * device.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | rank | this process, 0 <= rank < size |
 * | 2 | size | how many there are, >= 1 |
 * | 3 | allgather | not NULL |
 * | 4 | broadcast | may be NULL where all ranks have the same kind of device, settings and build of Tephra; otherwise calls that need it fail on all ranks |
 * | 5 | user | handed to both functions |
 * | 6 | comm | receives the communicator |
 */
tephra_status tephra_comm_create(int rank,
                                 int size,
                                 tephra_allgather allgather,
                                 tephra_broadcast broadcast,
                                 void *user,
                                 tephra_comm **comm);

/**
 * Makes a communicator of the caller's ncclComm_t, which stays the caller's and must outlive it. NCCL is looked for
 * when this is first called, in libnccl.so.2: what the program has loaded already, or the system's;
 * TEPHRA_STATUS_NOT_SUPPORTED where there is none, and on the CPU backend. The calling thread's device must be the
 * communicator's, as in all calls with it. Arguments are numbered nccl_comm 1, comm 2.
 */
tephra_status tephra_comm_from_nccl(void *nccl_comm, tephra_comm **comm);

/**
 * Makes communicators of `count` ranks of this process, each of which is then used by a thread of its own: all of them
 * call at the same time. On CUDA rank i has the device devices[i] (NULL: device i), which is the current one of its
 * thread; they send to each other through NCCL where it can be loaded, and through pinned host memory where it cannot
 * or a device is named twice. On the CPU backend devices are not looked at. `comms` receives `count` communicators.
 * Arguments are numbered count 1, devices 2, comms 3.
 */
tephra_status tephra_comm_init_all(int count, const int *devices, tephra_comm **comms);

/**
 * Destroys a communicator; NULL is fine. Nothing is sent: other ranks need not do it at the same time.
 */
tephra_status tephra_comm_destroy(tephra_comm *comm);

/**
 * Writes the number of this rank, and of all ranks, to *rank and *size; either may be NULL. Arguments are numbered comm
 * 1, rank 2, size 3.
 */
tephra_status tephra_comm_rank(const tephra_comm *comm, int *rank, int *size);

/**
 * Sets how many seconds a rank waits for the others, 300 unless set: then the call fails on all that came, and with a
 * communicator of tephra_comm_init_all() so do all later ones. Functions of tephra_comm_create() wait as long as they
 * do. With NCCL what waits in the stream stays there until the ncclComm_t is aborted, by its owner. Arguments are
 * numbered comm 1, seconds 2.
 */
tephra_status tephra_comm_set_timeout(tephra_comm *comm, double seconds);

/**
 * QR factorisation of one tall matrix whose rows are distributed over ranks: A = Q R, R on all of them.
 *
 * Rank 0 has the first rows of the matrix, rank 1 the next ones, and so on: any numbers of them, 0 too, with at least n
 * in all. R is the one that SGEQRF gives for the whole matrix, signs included, to rounding; it is zero below its
 * diagonal, and has the same bits on all ranks. TEPHRA_Q_THIN: Q's rows are distributed as A's. TEPHRA_Q_NONE: no Q is
 * made. Each rank sends at most 2 n^2 elements: its rows among the first n of the matrix, and the triangle of the
 * others (TSQR). A matrix with a NaN or infinity anywhere has an R with NaN on all ranks.
 *
 * All ranks call at the same time with the same arguments part and n and the same type; they agree about that first. If
 * one of them has others, or cannot do its part for lack of memory or because its arguments are wrong, all fail: it
 * with its own error, the others with TEPHRA_STATUS_COMMUNICATION_ERROR; nothing was written then. A device that fails
 * later makes R NaN on the other ranks, or fails there, too.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | part | TEPHRA_Q_NONE or TEPHRA_Q_THIN |
 * | 3 | m | rows of this rank, m >= 0; of all ranks together at least n |
 * | 4 | n | columns, n >= 0 |
 * | 5 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | q | receives this rank's rows of Q, not a; likewise; not looked at for TEPHRA_Q_NONE |
 * | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 9 | r | receives R, ldr*n elements of device memory |
 * | 10 | ldr | leading dimension of R, ldr >= max(1,n) |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
 *
 * On CUDA the call waits until the ranks have agreed (with NCCL for what was in the stream before, too), and the rest
 * is asynchronous on the stream, with scratch memory from a pool, unless what is sent passes through host memory; it
 * cannot be captured in a CUDA graph. On the CPU backend it is finished when it returns.
 */
tephra_status tephra_sqr_distributed(const tephra_comm *comm,
                                     int part,
                                     int64_t m,
                                     int64_t n,
                                     float *a,
                                     int64_t lda,
                                     float *q,
                                     int64_t ldq,
                                     float *r,
                                     int64_t ldr,
                                     void *stream);

/**
 * QR factorisation of one tall matrix whose rows are distributed over ranks, with a Q that is only ever applied, by
 * tephra_sgemqr_distributed(): A = Q R.
 *
 * Rows, R and failures are as for tephra_sqr_distributed(). A and T hold Q: neither is to be read or changed. T has the
 * stack of all triangles, which is the same on all ranks, and what belongs to this rank's own rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
 * | 3 | n | columns, n >= 0 |
 * | 4 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
 * | 5 | lda | leading dimension, lda >= max(1,m) |
 * | 6 | t | receives T, tsize elements of device memory |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqr_distributed_tsize() answers; less is an error |
 * | 8 | r | receives R, ldr*n elements of device memory |
 * | 9 | ldr | leading dimension of R, ldr >= max(1,n) |
 * | 10 | stream | as for tephra_sqr_distributed() |
 */
tephra_status tephra_sgeqr_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       float *a,
                                       int64_t lda,
                                       float *t,
                                       int64_t tsize,
                                       float *r,
                                       int64_t ldr,
                                       void *stream);

/**
 * Elements of T of tephra_sgeqr_distributed() for a rank with m rows, to *tsize. Nothing is sent. Arguments are
 * numbered comm 1, m 2, n 3.
 */
tephra_status tephra_sgeqr_distributed_tsize(const tephra_comm *comm, int64_t m, int64_t n, int64_t *tsize);

/**
 * C := op(Q) C of a distributed C, with Q as tephra_sgeqr_distributed() left it in A and T.
 *
 * Q is square and of as many rows as the matrix; C's rows are distributed as A's were. Q^H C has in its first k rows
 * what R belongs to: with C = B the right-hand sides of a triangular system, and below them what is left of B. Failures
 * are as for tephra_sqr_distributed().
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types LAPACK has no T |
 * | 3 | m | rows of this rank, as tephra_sgeqr_distributed() had them |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | columns of A |
 * | 6 | a | what tephra_sgeqr_distributed() left, device memory |
 * | 7 | lda | leading dimension, lda >= max(1,m) |
 * | 8 | t | T of tephra_sgeqr_distributed() |
 * | 9 | tsize | its size in elements |
 * | 10 | c | this rank's rows of C, device memory, overwritten |
 * | 11 | ldc | leading dimension, ldc >= max(1,m) |
 * | 12 | stream | as for tephra_sqr_distributed() |
 */
tephra_status tephra_sgemqr_distributed(const tephra_comm *comm,
                                        int trans,
                                        int64_t m,
                                        int64_t n,
                                        int64_t k,
                                        const float *a,
                                        int64_t lda,
                                        const float *t,
                                        int64_t tsize,
                                        float *c,
                                        int64_t ldc,
                                        void *stream);

/**
 * Least squares with one tall matrix whose rows are distributed over ranks: the X that minimises the 2-norm of each
 * column of B - A X, on all ranks. A must have full rank.
 *
 * Rows and failures are as for tephra_sqr_distributed(); B's rows are distributed as A's.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 5 | a | this rank's rows of A, device memory, overwritten |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | b | this rank's rows of B, device memory, overwritten |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,m) |
 * | 9 | x | receives X, ldx*nrhs elements of device memory |
 * | 10 | ldx | leading dimension of X, ldx >= max(1,n) |
 * | 11 | info | one int in device memory, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so that A does not have full rank and X is invalid |
 * | 12 | stream | as for tephra_sqr_distributed() |
 */
tephra_status tephra_sgels_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       int64_t nrhs,
                                       float *a,
                                       int64_t lda,
                                       float *b,
                                       int64_t ldb,
                                       float *x,
                                       int64_t ldx,
                                       int *info,
                                       void *stream);

/**
 * tephra_sqr_distributed() in double precision.
 */
tephra_status tephra_dqr_distributed(const tephra_comm *comm,
                                     int part,
                                     int64_t m,
                                     int64_t n,
                                     double *a,
                                     int64_t lda,
                                     double *q,
                                     int64_t ldq,
                                     double *r,
                                     int64_t ldr,
                                     void *stream);

/**
 * tephra_sgeqr_distributed() in double precision.
 */
tephra_status tephra_dgeqr_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       double *a,
                                       int64_t lda,
                                       double *t,
                                       int64_t tsize,
                                       double *r,
                                       int64_t ldr,
                                       void *stream);

/**
 * tephra_sgeqr_distributed_tsize() in double precision.
 */
tephra_status tephra_dgeqr_distributed_tsize(const tephra_comm *comm, int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgemqr_distributed() in double precision.
 */
tephra_status tephra_dgemqr_distributed(const tephra_comm *comm,
                                        int trans,
                                        int64_t m,
                                        int64_t n,
                                        int64_t k,
                                        const double *a,
                                        int64_t lda,
                                        const double *t,
                                        int64_t tsize,
                                        double *c,
                                        int64_t ldc,
                                        void *stream);

/**
 * tephra_sgels_distributed() in double precision.
 */
tephra_status tephra_dgels_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       int64_t nrhs,
                                       double *a,
                                       int64_t lda,
                                       double *b,
                                       int64_t ldb,
                                       double *x,
                                       int64_t ldx,
                                       int *info,
                                       void *stream);

/**
 * tephra_sqr_distributed() in single precision complex.
 */
tephra_status tephra_cqr_distributed(const tephra_comm *comm,
                                     int part,
                                     int64_t m,
                                     int64_t n,
                                     tephra_c32 *a,
                                     int64_t lda,
                                     tephra_c32 *q,
                                     int64_t ldq,
                                     tephra_c32 *r,
                                     int64_t ldr,
                                     void *stream);

/**
 * tephra_sgeqr_distributed() in single precision complex.
 */
tephra_status tephra_cgeqr_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       tephra_c32 *a,
                                       int64_t lda,
                                       tephra_c32 *t,
                                       int64_t tsize,
                                       tephra_c32 *r,
                                       int64_t ldr,
                                       void *stream);

/**
 * tephra_sgeqr_distributed_tsize() in single precision complex.
 */
tephra_status tephra_cgeqr_distributed_tsize(const tephra_comm *comm, int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgemqr_distributed() in single precision complex.
 */
tephra_status tephra_cgemqr_distributed(const tephra_comm *comm,
                                        int trans,
                                        int64_t m,
                                        int64_t n,
                                        int64_t k,
                                        const tephra_c32 *a,
                                        int64_t lda,
                                        const tephra_c32 *t,
                                        int64_t tsize,
                                        tephra_c32 *c,
                                        int64_t ldc,
                                        void *stream);

/**
 * tephra_sgels_distributed() in single precision complex.
 */
tephra_status tephra_cgels_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       int64_t nrhs,
                                       tephra_c32 *a,
                                       int64_t lda,
                                       tephra_c32 *b,
                                       int64_t ldb,
                                       tephra_c32 *x,
                                       int64_t ldx,
                                       int *info,
                                       void *stream);

/**
 * tephra_sqr_distributed() in double precision complex.
 */
tephra_status tephra_zqr_distributed(const tephra_comm *comm,
                                     int part,
                                     int64_t m,
                                     int64_t n,
                                     tephra_c64 *a,
                                     int64_t lda,
                                     tephra_c64 *q,
                                     int64_t ldq,
                                     tephra_c64 *r,
                                     int64_t ldr,
                                     void *stream);

/**
 * tephra_sgeqr_distributed() in double precision complex.
 */
tephra_status tephra_zgeqr_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       tephra_c64 *a,
                                       int64_t lda,
                                       tephra_c64 *t,
                                       int64_t tsize,
                                       tephra_c64 *r,
                                       int64_t ldr,
                                       void *stream);

/**
 * tephra_sgeqr_distributed_tsize() in double precision complex.
 */
tephra_status tephra_zgeqr_distributed_tsize(const tephra_comm *comm, int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgemqr_distributed() in double precision complex.
 */
tephra_status tephra_zgemqr_distributed(const tephra_comm *comm,
                                        int trans,
                                        int64_t m,
                                        int64_t n,
                                        int64_t k,
                                        const tephra_c64 *a,
                                        int64_t lda,
                                        const tephra_c64 *t,
                                        int64_t tsize,
                                        tephra_c64 *c,
                                        int64_t ldc,
                                        void *stream);

/**
 * tephra_sgels_distributed() in double precision complex.
 */
tephra_status tephra_zgels_distributed(const tephra_comm *comm,
                                       int64_t m,
                                       int64_t n,
                                       int64_t nrhs,
                                       tephra_c64 *a,
                                       int64_t lda,
                                       tephra_c64 *b,
                                       int64_t ldb,
                                       tephra_c64 *x,
                                       int64_t ldx,
                                       int *info,
                                       void *stream);

/**
 * QR factorisation of one large matrix in host memory by all cores: A = Q R, in tiles of nb rows and columns.
 *
 * All operands are host memory, whichever backend is in use, and the call returns when it is done. It takes working
 * memory of its own: about 100 nb elements for each of the TEPHRA_NUM_THREADS threads, and 100 bytes for each of about
 * m n min(m,n) / (2 nb^3) tasks. The tasks, kernels on tiles (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35
 * (2009)), are done as soon as what they need is there. Results do not depend on threads, look_ahead or chance, but on nb.
 *
 * R is on and above the diagonal of A, as SGEQRF leaves it, but for the signs of its rows; what is below belongs with T
 * and is for tephra_sormqr_tiled() and tephra_sorgqr_tiled() only. A NaN or infinity in A shows in R.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0 |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | nb | rows and columns of a tile; 0: chosen. Very many tiles are made larger ones |
 * | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() answers; less is an error |
 * | 8 | look_ahead | how many steps (columns of tiles) a task may be ahead of the first that is not finished; 0: any number |
 * | 9 | call | told of the progress, from this thread; NULL: nobody is told |
 * | 10 | user | handed to it |
 *
 * A call that is cancelled returns TEPHRA_STATUS_FUNCTION_ERROR. A and T are unspecified then, and where memory is
 * missing.
 */
tephra_status tephra_sgeqrf_tiled(int64_t m,
                                  int64_t n,
                                  float *a,
                                  int64_t lda,
                                  int64_t nb,
                                  float *t,
                                  int64_t tsize,
                                  int64_t look_ahead,
                                  tephra_progress call,
                                  void *user);

/**
 * Elements of T of tephra_sgeqrf_tiled(), to *tsize: about ib min(m,n) times the rows of tiles, half of that where A is
 * square. Arguments are checked as there.
 */
tephra_status tephra_sgeqrf_tiled_tsize(int64_t m, int64_t n, int64_t nb, int64_t *tsize);

/**
 * C := op(Q) C with Q as tephra_sgeqrf_tiled() left it in A and T, by all cores. All operands are host memory.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
 * | 2 | m | rows of C and of the matrix that was factored, m >= 0 |
 * | 3 | n | columns of C, n >= 0 |
 * | 4 | k | reflectors, 0 <= k <= m, no more than that matrix had columns |
 * | 5 | a | what tephra_sgeqrf_tiled() left |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | t | T of tephra_sgeqrf_tiled() |
 * | 8 | tsize | its size in elements |
 * | 9 | c | ldc*n elements, overwritten |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,m) |
 *
 * With m, n or k 0 there is nothing to do.
 */
tephra_status tephra_sormqr_tiled(int trans,
                                  int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const float *a,
                                  int64_t lda,
                                  const float *t,
                                  int64_t tsize,
                                  float *c,
                                  int64_t ldc);

/**
 * The first n columns of Q as tephra_sgeqrf_tiled() left it in A and T, by all cores. All operands are host memory.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of Q and of the matrix that was factored, m >= 0 |
 * | 2 | n | columns of Q, 0 <= n <= m |
 * | 3 | k | reflectors, 0 <= k <= n, no more than that matrix had columns |
 * | 4 | a | what tephra_sgeqrf_tiled() left; it is kept |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | t | T of tephra_sgeqrf_tiled() |
 * | 7 | tsize | its size in elements |
 * | 8 | q | receives Q, ldq*n elements, not A |
 * | 9 | ldq | leading dimension of Q, ldq >= max(1,m) |
 */
tephra_status tephra_sorgqr_tiled(int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const float *a,
                                  int64_t lda,
                                  const float *t,
                                  int64_t tsize,
                                  float *q,
                                  int64_t ldq);

/**
 * Least-squares or minimum-norm solutions of op(A) X = B (LAPACK SGELS) with one large matrix in host memory, by all
 * cores. A must have full rank.
 *
 * TEPHRA_TRANS_N, m >= n: X minimises the 2-norm of each column of B - A X; it is in rows 0..n-1 of B, and the sum of
 * squares of rows n..m-1 of a column is that of its residual. m < n: the X of least 2-norm, in rows 0..n-1.
 * TEPHRA_TRANS_T (real types) or _C: the same for A^H X = B, where B has n rows on entry and X m. A is overwritten. All
 * operands are host memory; the call takes memory for T (tephra_sgeqrf_tiled_tsize()), and of a wide A for a copy. A NaN
 * or infinity shows in X.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 5 | a | lda*n elements, overwritten |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | b | ldb*nrhs elements, overwritten with X |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 9 | nb | rows and columns of a tile, as for tephra_sgeqrf_tiled() |
 * | 10 | info | one int, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so that A does not have full rank and X is invalid |
 *
 * Without unknowns nothing is done; without equations X is zero; without right-hand sides info is told.
 */
tephra_status tephra_sgels_tiled(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t nrhs,
                                 float *a,
                                 int64_t lda,
                                 float *b,
                                 int64_t ldb,
                                 int64_t nb,
                                 int *info);

/**
 * QR factorisation of one large matrix in host memory by devices, or by devices and all cores together: A = Q R
 * (Kurzak, Nath, Du and Dongarra, An implementation of the tile QR factorization for a GPU and multiple CPUs).
 *
 * A, T and what `devices` points to are host memory, whichever backend is in use. Devices have the first columns, and
 * factor them as tephra_sgeqrf_host() does: blocks of columns of which two are on a device at a time, so that A may be larger
 * than its memory. The cores have the last ones, each a stripe of them at a time, and apply to them what the devices
 * have finished, which comes back in pieces; a device factors what is left of them. Other than tephra_sgeqrf_tiled() it stacks
 * the tiles of a column: R, signs included, and the reflectors below it are SGEQRF's but for rounding, and the
 * min(m,n) elements of T from element 3 on are its tau, so that tephra_sormqr_host() and LAPACK's routines can go on with them, as can
 * tephra_sormqr_tiled() and tephra_sorgqr_tiled(). On the CPU backend, and where all columns are the host's, the call is
 * tephra_sgeqrf_tiled(). A NaN or infinity in A shows in R.
 *
 * The same host_columns, budget, number of devices and TEPHRA_NUM_THREADS give the same bits. With host_columns -1 that holds within a
 * process: rates of its first device and of the threads are measured at the first call for the type (some
 * tens of milliseconds, at most 340 MB of the device's memory; where the budget is less cores get nothing), and all later calls
 * go by them. tephra_sgeqrf_tiled_host_columns() tells the number, with which another process gives the same bits.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | nb | reflectors that a core applies at a time, and the tile without a device; 0: chosen |
 * | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() answers for m, n and nb |
 * | 8 | look_ahead | how many steps (nb columns) a core may be ahead of the first that is not finished; 0: any number |
 * | 9 | host_columns | how many of the last columns are the cores', rounded up so that the others are whole inner blocks; 0: devices alone; n or more: cores alone; -1: so many that both need about as long, by measured rates, and none where that would be less than 5 % of the work |
 * | 10 | budget | bytes of each device's memory that the call may take, as for tephra_sgeqrf_host(); 0: what is free, but for a margin |
 * | 11 | device_count | how many devices take part; 0: the current one |
 * | 12 | devices | which; not looked at for 0 |
 * | 13 | call | told of the progress, from this thread: how many steps have been given to the devices, and at the end that all is done; NULL: nobody is told |
 * | 14 | user | handed to it |
 *
 * The call waits, takes memory and fails as tephra_sgeqrf_host(): TEPHRA_STATUS_OUT_OF_MEMORY where a device or the host has too
 * little (less budget than is needed: before anything was written), TEPHRA_STATUS_FUNCTION_ERROR where it is cancelled. A and T
 * are unspecified after a failure on the way.
 */
tephra_status tephra_sgeqrf_tiled_devices(int64_t m,
                                          int64_t n,
                                          float *a,
                                          int64_t lda,
                                          int64_t nb,
                                          float *t,
                                          int64_t tsize,
                                          int64_t look_ahead,
                                          int64_t host_columns,
                                          int64_t budget,
                                          int device_count,
                                          const int *devices,
                                          tephra_progress call,
                                          void *user);

/**
 * How many columns the host's cores get from tephra_sgeqrf_tiled_devices() with host_columns -1, to *columns; on the CPU backend
 * all. m, n, nb, budget, device_count and devices are those of that call, and are checked as there. The first call for a
 * type measures.
 */
tephra_status tephra_sgeqrf_tiled_host_columns(int64_t m,
                                               int64_t n,
                                               int64_t nb,
                                               int64_t budget,
                                               int device_count,
                                               const int *devices,
                                               int64_t *columns);

/**
 * tephra_sgels_tiled() whose factorisation is done as by tephra_sgeqrf_tiled_devices(): by devices, or by devices and cores. B
 * is the host's.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
 * | 5 | a | lda*n elements, overwritten; not in device memory |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | b | ldb*nrhs elements, overwritten with X |
 * | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 9 | nb | as for tephra_sgeqrf_tiled_devices() |
 * | 10 | info | as for tephra_sgels_tiled() |
 * | 11 | host_columns | as for tephra_sgeqrf_tiled_devices(), of A, or of A^H where A is wide |
 * | 12 | budget | bytes of each device's memory; 0: what is free |
 * | 13 | device_count | how many devices take part; 0: the current one |
 * | 14 | devices | which; not looked at for 0 |
 * | 15 | call | told of the progress of the factorisation; NULL: nobody is told |
 * | 16 | user | handed to it |
 */
tephra_status tephra_sgels_tiled_devices(int trans,
                                         int64_t m,
                                         int64_t n,
                                         int64_t nrhs,
                                         float *a,
                                         int64_t lda,
                                         float *b,
                                         int64_t ldb,
                                         int64_t nb,
                                         int *info,
                                         int64_t host_columns,
                                         int64_t budget,
                                         int device_count,
                                         const int *devices,
                                         tephra_progress call,
                                         void *user);

/**
 * tephra_sgeqrf_tiled() in double precision.
 */
tephra_status tephra_dgeqrf_tiled(int64_t m,
                                  int64_t n,
                                  double *a,
                                  int64_t lda,
                                  int64_t nb,
                                  double *t,
                                  int64_t tsize,
                                  int64_t look_ahead,
                                  tephra_progress call,
                                  void *user);

/**
 * tephra_sgeqrf_tiled_tsize() in double precision.
 */
tephra_status tephra_dgeqrf_tiled_tsize(int64_t m, int64_t n, int64_t nb, int64_t *tsize);

/**
 * tephra_sormqr_tiled() in double precision.
 */
tephra_status tephra_dormqr_tiled(int trans,
                                  int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const double *a,
                                  int64_t lda,
                                  const double *t,
                                  int64_t tsize,
                                  double *c,
                                  int64_t ldc);

/**
 * tephra_sorgqr_tiled() in double precision.
 */
tephra_status tephra_dorgqr_tiled(int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const double *a,
                                  int64_t lda,
                                  const double *t,
                                  int64_t tsize,
                                  double *q,
                                  int64_t ldq);

/**
 * tephra_sgels_tiled() in double precision.
 */
tephra_status tephra_dgels_tiled(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t nrhs,
                                 double *a,
                                 int64_t lda,
                                 double *b,
                                 int64_t ldb,
                                 int64_t nb,
                                 int *info);

/**
 * tephra_sgeqrf_tiled_devices() in double precision.
 */
tephra_status tephra_dgeqrf_tiled_devices(int64_t m,
                                          int64_t n,
                                          double *a,
                                          int64_t lda,
                                          int64_t nb,
                                          double *t,
                                          int64_t tsize,
                                          int64_t look_ahead,
                                          int64_t host_columns,
                                          int64_t budget,
                                          int device_count,
                                          const int *devices,
                                          tephra_progress call,
                                          void *user);

/**
 * tephra_sgeqrf_tiled_host_columns() in double precision.
 */
tephra_status tephra_dgeqrf_tiled_host_columns(int64_t m,
                                               int64_t n,
                                               int64_t nb,
                                               int64_t budget,
                                               int device_count,
                                               const int *devices,
                                               int64_t *columns);

/**
 * tephra_sgels_tiled_devices() in double precision.
 */
tephra_status tephra_dgels_tiled_devices(int trans,
                                         int64_t m,
                                         int64_t n,
                                         int64_t nrhs,
                                         double *a,
                                         int64_t lda,
                                         double *b,
                                         int64_t ldb,
                                         int64_t nb,
                                         int *info,
                                         int64_t host_columns,
                                         int64_t budget,
                                         int device_count,
                                         const int *devices,
                                         tephra_progress call,
                                         void *user);

/**
 * tephra_sgeqrf_tiled() in single precision complex.
 */
tephra_status tephra_cgeqrf_tiled(int64_t m,
                                  int64_t n,
                                  tephra_c32 *a,
                                  int64_t lda,
                                  int64_t nb,
                                  tephra_c32 *t,
                                  int64_t tsize,
                                  int64_t look_ahead,
                                  tephra_progress call,
                                  void *user);

/**
 * tephra_sgeqrf_tiled_tsize() in single precision complex.
 */
tephra_status tephra_cgeqrf_tiled_tsize(int64_t m, int64_t n, int64_t nb, int64_t *tsize);

/**
 * tephra_sormqr_tiled() in single precision complex, with Q^H instead of Q^T.
 */
tephra_status tephra_cunmqr_tiled(int trans,
                                  int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const tephra_c32 *a,
                                  int64_t lda,
                                  const tephra_c32 *t,
                                  int64_t tsize,
                                  tephra_c32 *c,
                                  int64_t ldc);

/**
 * tephra_sorgqr_tiled() in single precision complex.
 */
tephra_status tephra_cungqr_tiled(int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const tephra_c32 *a,
                                  int64_t lda,
                                  const tephra_c32 *t,
                                  int64_t tsize,
                                  tephra_c32 *q,
                                  int64_t ldq);

/**
 * tephra_sgels_tiled() in single precision complex.
 */
tephra_status tephra_cgels_tiled(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t nrhs,
                                 tephra_c32 *a,
                                 int64_t lda,
                                 tephra_c32 *b,
                                 int64_t ldb,
                                 int64_t nb,
                                 int *info);

/**
 * tephra_sgeqrf_tiled_devices() in single precision complex.
 */
tephra_status tephra_cgeqrf_tiled_devices(int64_t m,
                                          int64_t n,
                                          tephra_c32 *a,
                                          int64_t lda,
                                          int64_t nb,
                                          tephra_c32 *t,
                                          int64_t tsize,
                                          int64_t look_ahead,
                                          int64_t host_columns,
                                          int64_t budget,
                                          int device_count,
                                          const int *devices,
                                          tephra_progress call,
                                          void *user);

/**
 * tephra_sgeqrf_tiled_host_columns() in single precision complex.
 */
tephra_status tephra_cgeqrf_tiled_host_columns(int64_t m,
                                               int64_t n,
                                               int64_t nb,
                                               int64_t budget,
                                               int device_count,
                                               const int *devices,
                                               int64_t *columns);

/**
 * tephra_sgels_tiled_devices() in single precision complex.
 */
tephra_status tephra_cgels_tiled_devices(int trans,
                                         int64_t m,
                                         int64_t n,
                                         int64_t nrhs,
                                         tephra_c32 *a,
                                         int64_t lda,
                                         tephra_c32 *b,
                                         int64_t ldb,
                                         int64_t nb,
                                         int *info,
                                         int64_t host_columns,
                                         int64_t budget,
                                         int device_count,
                                         const int *devices,
                                         tephra_progress call,
                                         void *user);

/**
 * tephra_sgeqrf_tiled() in double precision complex.
 */
tephra_status tephra_zgeqrf_tiled(int64_t m,
                                  int64_t n,
                                  tephra_c64 *a,
                                  int64_t lda,
                                  int64_t nb,
                                  tephra_c64 *t,
                                  int64_t tsize,
                                  int64_t look_ahead,
                                  tephra_progress call,
                                  void *user);

/**
 * tephra_sgeqrf_tiled_tsize() in double precision complex.
 */
tephra_status tephra_zgeqrf_tiled_tsize(int64_t m, int64_t n, int64_t nb, int64_t *tsize);

/**
 * tephra_sormqr_tiled() in double precision complex, with Q^H instead of Q^T.
 */
tephra_status tephra_zunmqr_tiled(int trans,
                                  int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const tephra_c64 *a,
                                  int64_t lda,
                                  const tephra_c64 *t,
                                  int64_t tsize,
                                  tephra_c64 *c,
                                  int64_t ldc);

/**
 * tephra_sorgqr_tiled() in double precision complex.
 */
tephra_status tephra_zungqr_tiled(int64_t m,
                                  int64_t n,
                                  int64_t k,
                                  const tephra_c64 *a,
                                  int64_t lda,
                                  const tephra_c64 *t,
                                  int64_t tsize,
                                  tephra_c64 *q,
                                  int64_t ldq);

/**
 * tephra_sgels_tiled() in double precision complex.
 */
tephra_status tephra_zgels_tiled(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t nrhs,
                                 tephra_c64 *a,
                                 int64_t lda,
                                 tephra_c64 *b,
                                 int64_t ldb,
                                 int64_t nb,
                                 int *info);

/**
 * tephra_sgeqrf_tiled_devices() in double precision complex.
 */
tephra_status tephra_zgeqrf_tiled_devices(int64_t m,
                                          int64_t n,
                                          tephra_c64 *a,
                                          int64_t lda,
                                          int64_t nb,
                                          tephra_c64 *t,
                                          int64_t tsize,
                                          int64_t look_ahead,
                                          int64_t host_columns,
                                          int64_t budget,
                                          int device_count,
                                          const int *devices,
                                          tephra_progress call,
                                          void *user);

/**
 * tephra_sgeqrf_tiled_host_columns() in double precision complex.
 */
tephra_status tephra_zgeqrf_tiled_host_columns(int64_t m,
                                               int64_t n,
                                               int64_t nb,
                                               int64_t budget,
                                               int device_count,
                                               const int *devices,
                                               int64_t *columns);

/**
 * tephra_sgels_tiled_devices() in double precision complex.
 */
tephra_status tephra_zgels_tiled_devices(int trans,
                                         int64_t m,
                                         int64_t n,
                                         int64_t nrhs,
                                         tephra_c64 *a,
                                         int64_t lda,
                                         tephra_c64 *b,
                                         int64_t ldb,
                                         int64_t nb,
                                         int *info,
                                         int64_t host_columns,
                                         int64_t budget,
                                         int device_count,
                                         const int *devices,
                                         tephra_progress call,
                                         void *user);

/**
 * QR factorisation of one matrix in host memory, which may be larger than the device's memory: A = Q R (LAPACK SGEQRF).
 *
 * A, tau and what `devices` points to are host memory, whichever backend is in use. The matrix is dealt in blocks of columns:
 * two of them are on a device at a time, and the columns before them stream past (a left-looking algorithm), while blocks
 * are brought and taken back beside what is computed. The call waits for the devices and must not be captured; it takes
 * streams, memory of the devices and 8 pieces of up to 16 MiB of page-locked memory for its time. Where A is in page-locked memory
 * (cudaHostAlloc, cudaHostRegister) it is copied without a detour. On the CPU backend A is factored where it is, in one step.
 *
 * R, the reflectors below it and tau are SGEQRF's, signs included, and those of tephra_sgeqrf() but for rounding, which
 * depends on the budget and the number of devices. A NaN or infinity in A shows in R. Products are computed in FP32.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | tau | receives min(m,n) scalar factors |
 * | 6 | budget | bytes of each device's memory that the call may take, the kernels' scratch memory included; 0: what is free, but for a margin |
 * | 7 | device_count | how many devices take part; 0: the current one |
 * | 8 | devices | which; not looked at for 0 |
 * | 9 | call | told of the progress, from this thread: how many steps have been given to the devices, and at the end that all are done; NULL: nobody is told |
 * | 10 | user | handed to it |
 *
 * A device has room for two blocks of at least 32 columns and two panels of as many, with m rows: if the budget is less,
 * or a device has no such memory, the status is TEPHRA_STATUS_OUT_OF_MEMORY, in the first case before anything was written.
 * A call that is cancelled returns TEPHRA_STATUS_FUNCTION_ERROR. A and tau are unspecified then, and after any other failure on the way.
 */
tephra_status tephra_sgeqrf_host(int64_t m,
                                 int64_t n,
                                 float *a,
                                 int64_t lda,
                                 float *tau,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * C := op(Q) C with Q as tephra_sgeqrf_host() or SGEQRF left it in A and tau (LAPACK SORMQR from the left). All operands are
 * host memory; A and C may be larger than the device's memory.
 *
 * Blocks of C's columns are dealt over the devices, and A streams past them. The call waits, and takes memory, as
 * tephra_sgeqrf_host().
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
 * | 2 | m | rows of C and of A, m >= 0 |
 * | 3 | n | columns of C, n >= 0 |
 * | 4 | k | reflectors, 0 <= k <= m |
 * | 5 | a | the reflectors, lda*k elements, not in device memory |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | tau | k scalar factors |
 * | 8 | c | ldc*n elements, overwritten; not in device memory |
 * | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 10 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
 * | 11 | device_count | how many devices take part; 0: the current one |
 * | 12 | devices | which; not looked at for 0 |
 * | 13 | call | told of the progress; NULL: nobody is told |
 * | 14 | user | handed to it |
 */
tephra_status tephra_sormqr_host(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t k,
                                 const float *a,
                                 int64_t lda,
                                 const float *tau,
                                 float *c,
                                 int64_t ldc,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sgeqrf_host() in double precision.
 */
tephra_status tephra_dgeqrf_host(int64_t m,
                                 int64_t n,
                                 double *a,
                                 int64_t lda,
                                 double *tau,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sormqr_host() in double precision.
 */
tephra_status tephra_dormqr_host(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t k,
                                 const double *a,
                                 int64_t lda,
                                 const double *tau,
                                 double *c,
                                 int64_t ldc,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sgeqrf_host() in single precision complex.
 */
tephra_status tephra_cgeqrf_host(int64_t m,
                                 int64_t n,
                                 tephra_c32 *a,
                                 int64_t lda,
                                 tephra_c32 *tau,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sormqr_host() in single precision complex, with Q^H instead of Q^T.
 */
tephra_status tephra_cunmqr_host(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t k,
                                 const tephra_c32 *a,
                                 int64_t lda,
                                 const tephra_c32 *tau,
                                 tephra_c32 *c,
                                 int64_t ldc,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sgeqrf_host() in double precision complex.
 */
tephra_status tephra_zgeqrf_host(int64_t m,
                                 int64_t n,
                                 tephra_c64 *a,
                                 int64_t lda,
                                 tephra_c64 *tau,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_sormqr_host() in double precision complex, with Q^H instead of Q^T.
 */
tephra_status tephra_zunmqr_host(int trans,
                                 int64_t m,
                                 int64_t n,
                                 int64_t k,
                                 const tephra_c64 *a,
                                 int64_t lda,
                                 const tephra_c64 *tau,
                                 tephra_c64 *c,
                                 int64_t ldc,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * Begins to record what tephra_?geqrf_tiled(), tephra_?geqrf_host() and their kin do when, in all threads of the process.
 * What was recorded before is forgotten. It takes memory for each task, and times each copy on a device by events.
 */
tephra_status tephra_trace_begin(void);

/**
 * Ends the record and writes it to a file in Chrome's trace format, which chrome://tracing and Perfetto show. A file that
 * cannot be written, or no record, is TEPHRA_STATUS_NOT_SUPPORTED.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | file | the path of the file, which is overwritten |
 */
tephra_status tephra_trace_end(const char *file);

/**
 * Runs the parts of a batch that lie on several devices: for each part `call` is called once, in order and from this
 * thread, with the part's device as the current one and a stream of that device, and calls whatever functions of
 * Tephra, asynchronous ones, the part needs. So the devices work at the same time.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | count | parts, >= 0 |
 * | 2 | devices | the device of each |
 * | 3 | streams | a stream for each, of its device: the call then returns when all is enqueued. NULL: streams of Tephra's, one for each device; the call waits for them |
 * | 4 | call | the function |
 * | 5 | user | handed to it |
 *
 * The first part whose function answers other than 0 ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and
 * tephra_last_error() names the part, its device and what went wrong there; what was enqueued before is done. Codes of
 * members (info) are written as by the functions that are called. The thread's device is afterwards what it was before.
 * The CPU backend has device 0.
 */
tephra_status tephra_run_parts(int64_t count,
                               const int *devices,
                               void *const *streams,
                               tephra_part call,
                               void *user);

/**
 * Runs a batch that lies in host memory, and may be larger than all devices: chunks of it are copied to the devices in
 * turn, `call` is called for each chunk, and what it writes is copied back, while other chunks are copied and computed.
 * `call` calls whatever functions of Tephra (those for matrices at a fixed distance) it likes.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | count | members, >= 0 |
 * | 2 | operands | how many operands the members have: matrices, vectors, codes; >= 0 |
 * | 3 | host | where member 0 has each of them, in host memory; not looked at for scratch memory |
 * | 4 | bytes | of each operand the bytes of one member, also the distance of members; a multiple of 16 keeps the members aligned on the device as their matrices best are |
 * | 5 | access | of each operand TEPHRA_ACCESS_READ, _WRITE or _READ_WRITE, plus TEPHRA_ACCESS_PINNED where it is in page-locked memory; or TEPHRA_ACCESS_SCRATCH |
 * | 6 | chunk | members of a chunk; 0: as many as have 64 MiB, or 16 where most passes through page-locked memory of the library |
 * | 7 | device_count | how many devices take part; 0: all |
 * | 8 | devices | which; not looked at for 0 |
 * | 9 | call | the function, called from this thread |
 * | 10 | user | handed to it |
 *
 * Each device has room for three chunks, and for operands that are not in page-locked memory there is as much of that,
 * taken for the time of the call: what is large is best in page-locked memory itself. The call waits for all of it. A
 * chunk whose function answers other than 0 ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and tephra_last_error()
 * names its members and device; operands that are written are then unspecified. On the CPU backend the function gets
 * the members where they are.
 */
tephra_status tephra_run_host(int64_t count,
                              int operands,
                              void *const *host,
                              const size_t *bytes,
                              const int *access,
                              int64_t chunk,
                              int device_count,
                              const int *devices,
                              tephra_chunk call,
                              void *user);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TEPHRA_H */
