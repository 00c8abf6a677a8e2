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
 * Success.
 */
#define TEPHRA_STATUS_SUCCESS 0

/**
 * No plan supports the shape (on CUDA, a matrix with 2^31 or more rows or columns), tephra_set_plan() excludes every
 * plan that would, or the call has to wait for a stream that is being captured.
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
 * A bug in the library.
 */
#define TEPHRA_STATUS_INTERNAL_ERROR 5

/**
 * The ranks of a communicator made different calls, one of them failed, or one could not be reached in time.
 */
#define TEPHRA_STATUS_COMMUNICATION_ERROR 6

/**
 * A callback returned a nonzero value; tephra_last_error() says for which device and members.
 */
#define TEPHRA_STATUS_FUNCTION_ERROR 7

/**
 * Host memory and host threads.
 */
#define TEPHRA_BACKEND_CPU 1

/**
 * Device memory, on the caller's current CUDA device.
 */
#define TEPHRA_BACKEND_CUDA 2

/**
 * Single precision computes in FP32.
 */
#define TEPHRA_MATH_FP32 1

/**
 * Real single precision may compute products in TF32 where that is faster: operands rounded to 10 mantissa bits, FP32
 * sums.
 */
#define TEPHRA_MATH_TF32 2

/**
 * Real single precision may compute products on tensor cores where that is faster: each operand split in two parts,
 * errors at most twice those of FP32.
 */
#define TEPHRA_MATH_FP32_TENSOR 3

/**
 * Real single precision may compute products in FP16 or TF32 where that is faster: operands scaled and rounded to 10
 * mantissa bits, FP32 sums.
 */
#define TEPHRA_MATH_FP16 4

/**
 * The operator is on the left: op(Q) C, op(A) X = B. The TEPHRA_SIDE_, _TRANS_, _UPLO_ and _DIAG_ values are those of
 * CBLAS.
 */
#define TEPHRA_SIDE_LEFT 141

/**
 * The operator is on the right: C op(Q), X op(A) = B.
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
 * op(X) = X^H, which is X^T for real types.
 */
#define TEPHRA_TRANS_C 113

/**
 * The upper triangle, with the diagonal.
 */
#define TEPHRA_UPLO_UPPER 121

/**
 * The lower triangle, with the diagonal.
 */
#define TEPHRA_UPLO_LOWER 122

/**
 * The whole matrix; only for lacpy and laset.
 */
#define TEPHRA_UPLO_FULL 123

/**
 * The diagonal as stored.
 */
#define TEPHRA_DIAG_NON_UNIT 131

/**
 * The diagonal is taken to be all ones and is not read.
 */
#define TEPHRA_DIAG_UNIT 132

/**
 * IEEE 754 binary16, CUDA's __half: 11-bit significand, up to 65504. The TEPHRA_STORAGE_ values are those of
 * cudaDataType.
 */
#define TEPHRA_STORAGE_FP16 2

/**
 * bfloat16, CUDA's __nv_bfloat16, the upper half of a float: 8-bit significand, the range of a float.
 */
#define TEPHRA_STORAGE_BF16 14

/**
 * R only: Q is neither formed nor written.
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
 * Scratch memory on the device: nothing is copied.
 */
#define TEPHRA_ACCESS_SCRATCH 0

/**
 * Copied to the device before the callback.
 */
#define TEPHRA_ACCESS_READ 1

/**
 * Copied back to the host after the callback.
 */
#define TEPHRA_ACCESS_WRITE 2

/**
 * Both.
 */
#define TEPHRA_ACCESS_READ_WRITE 3

/**
 * A flag added to one of the others: the operand is in page-locked memory (cudaHostAlloc, cudaHostRegister), so it is
 * copied directly, without a staging buffer.
 */
#define TEPHRA_ACCESS_PINNED 4

/**
 * A communicator connects ranks that make the same calls together: processes on one or more hosts, or the devices of
 * one process. Each rank has its own, from tephra_comm_create(), tephra_comm_from_nccl() or tephra_comm_init_all().
 * Only one thread at a time may use a communicator.
 */
typedef struct tephra_comm tephra_comm;

/**
 * Result of a call: TEPHRA_STATUS_SUCCESS; -i when the i-th argument (counted from 1) is out of range; or one of the
 * positive TEPHRA_STATUS_* values. tephra_last_error() returns the message. After a bad argument, or if there is no
 * device or plan, nothing has been written; if memory or the driver fails midway, the contents of the outputs are
 * unspecified.
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
 * Gathers `bytes` of host memory from each rank: on return every rank has all of them at `receive`, in rank order.
 * Returns 0, or any error code, which tephra_last_error() then quotes. With MPI this is `MPI_Allgather`.
 */
typedef int (*tephra_allgather)(const void *send, void *receive, size_t bytes, void *user);

/**
 * Broadcasts `bytes` of host memory from the rank `root` to all ranks, in place. Returns 0 or any error code. With MPI
 * this is `MPI_Bcast`.
 */
typedef int (*tephra_broadcast)(void *buffer, size_t bytes, int root, void *user);

/**
 * Progress callback: receives the number of finished tasks and their total. The calling thread calls it after each of
 * its tasks and at the end. A nonzero return value cancels the call. No exception may leave it.
 */
typedef int32_t (*tephra_progress)(int64_t done, int64_t total, void *user);

/**
 * Callback for one part of a batch: calls Tephra on `stream`, with the part's device as the current one. Returns 0, or
 * the status that Tephra returned. It must return: an exception or a `longjmp` out of it would end the process.
 */
typedef int32_t (*tephra_part)(int64_t part, void *stream, void *user);

/**
 * Callback for members first to first+count-1 of a batch: calls Tephra on `stream`. operands[i] is the address of
 * operand i of the first of these members in device memory; the others follow at a stride of one member's bytes.
 * Returns 0, or the status that Tephra returned. No exception may leave it.
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
 * Describes the build as lines of key=value: version, backends, kernel_hash (of the compiled kernels), archs (the
 * GPU architectures with compiled kernels).
 */
const char *tephra_build_info(void);

/**
 * The message of the last failure on the calling thread, "" if there was none; valid until the thread's next
 * failure. Failures of the cuBLAS- and MAGMA-compatible functions are recorded too.
 */
const char *tephra_last_error(void);

/**
 * Writes the backend in use to *backend: TEPHRA_BACKEND_CPU or TEPHRA_BACKEND_CUDA. The backend is chosen at the
 * first call of any function: by TEPHRA_BACKEND=cpu|cuda in the environment, else CUDA if a device is usable, else
 * the CPU.
 */
tephra_status tephra_get_backend(int *backend);

/**
 * Selects the backend for the whole process. Returns TEPHRA_STATUS_NO_DEVICE, and changes nothing, if it is not
 * usable. Memory, streams, handles and queues created before belong to the old backend and must no longer be used.
 */
tephra_status tephra_set_backend(int backend);

/**
 * Selects the backend for the calling thread, overriding that of the process; 0 returns to that of the process.
 * Meant for programs with matrices in both host and device memory. Returns TEPHRA_STATUS_NO_DEVICE, and changes
 * nothing, if the backend is not usable.
 */
tephra_status tephra_set_thread_backend(int backend);

/**
 * Sets the arithmetic that single-precision calls of the calling thread may use. It affects
 * tephra_sgeqrf_batched(), tephra_sgeqrf_strided_batched(), tephra_sgeqrf() and MAGMA's sgeqrf on CUDA, where they
 * apply blocks of reflectors:
 *
 * - TEPHRA_MATH_FP32: FP32.
 * - TEPHRA_MATH_TF32: TF32 for up to 2048 rows. A = Q R then holds only to TF32 precision (docs/accuracy.md); Q is
 * still orthogonal to FP32 precision.
 * - TEPHRA_MATH_FP32_TENSOR: tensor cores for more than 2048 rows, with errors at most twice those of FP32.
 * - TEPHRA_MATH_FP16: as TEPHRA_MATH_TF32, and FP16 for more than 2048 rows, with errors of the same size.
 * - 0: returns to the setting of the environment, TEPHRA_MATH=tf32, fp32_tensor or fp16, else FP32.
 *
 * This is a permission: all other operations, types and sizes, and the CPU backend, still compute in FP32.
 * NVIDIA_TF32_OVERRIDE=0 in the environment forbids TF32 and FP16, but not tensor cores with FP32 accuracy. The
 * cuBLAS-compatible functions follow the math mode of their handle instead (CUBLAS_TF32_TENSOR_OP_MATH,
 * CUBLAS_FP32_EMULATED_BF16X9_MATH).
 */
tephra_status tephra_set_thread_math(int math);

/**
 * Writes the plan for a shape on the current backend as text. op is the name of a routine as in this header, with
 * the letter of the precision but without prefix and suffix, such as dgeqrf, zungqr or sgetrf_vbatched (but for
 * gemm_grouped, whose groups are planned as gemm). Other arguments have their most common values: side left,
 * min(m,n) reflectors (m x n for larft, min(m,32) for larfb), a thin Q, one right-hand side, k = n for products.
 * Square matrices are of order n, those of rank-k updates of order m with k = n. Where the routine has such an
 * argument, the options --k, --nrhs and --trans after the name change it: "dgemm --k 16 --trans t",
 * "zgesv --nrhs 8". The matrices are given by arrays of pointers, or with the option --strided by strides, for
 * which the plan may differ: "dpotrf --strided".
 *
 * At most size bytes are written, including the NUL; *needed (may be NULL) receives the size of the whole text, so
 * a call with size 0 queries it. Arguments are numbered op (with its options) 1, m 2, n 3, batch_count 4. An
 * unknown name or option gives -1, and tephra_last_error() lists the known ones.
 */
tephra_status tephra_explain(const char *op,
                             int64_t m,
                             int64_t n,
                             int64_t batch_count,
                             char *text,
                             size_t size,
                             size_t *needed);

/**
 * Restricts the plans of later calls, in the whole process, to a comma-separated list of candidates. On CUDA these
 * are resident, blocked, tree, gram and generic for factorisations; large for LU and Cholesky; stepped for geqp3;
 * thin, blocked and parts for ormqr, and parts for orgqr; fused and parts for solves, inverses and least squares;
 * halves for trsm, trsv, trmm, symm and larft; doubling for trtri; padded for few large members of different sizes; iterative and direct for
 * gels_iterative; lanes, tiles and split for products. On the CPU they are interleaved, unblocked and blocked for
 * geqrf.
 *
 * A name may be followed by "=" and parameters: resident=KERNEL, lanes=KERNEL and tiles=KERNEL (for products) take
 * the name of a kernel or the end of it; blocked=NB/ORDER (for QR) takes the maximal number of columns of a panel,
 * at least 1, and the order up to which the trailing matrix is factored by one launch (0: never); blocked=NB is for
 * LU and Cholesky. A list of lanes=KERNEL and tiles=KERNEL alone restricts products and no other routine.
 *
 * Among the named candidates the backend uses the one it prefers; a call returns TEPHRA_STATUS_NOT_SUPPORTED if
 * none supports its shape. NULL or "" lifts the restriction. An unknown candidate, "=" after one that takes no
 * parameters, an empty KERNEL, or an NB or ORDER that is not such a number, give -1 and change nothing; whether
 * there is a kernel of that name is not checked. TEPHRA_PLAN in the environment is the initial list.
 */
tephra_status tephra_set_plan(const char *candidates);

/**
 * Writes the plans that tephra_set_plan() can select for a shape, one per line; the first is the default where
 * nothing was measured. The line of a plan that is limited to a certain size ends with its maximal rows and
 * columns. Arguments are as for tephra_explain().
 */
tephra_status tephra_candidates(const char *op,
                                int64_t m,
                                int64_t n,
                                int64_t batch_count,
                                char *text,
                                size_t size,
                                size_t *needed);

/**
 * With a nonzero argument, the plans of later calls in the whole process do not depend on the batch count: a
 * matrix gives the same bits in every batch and at every position in it. This costs some speed for batch counts
 * far from 1000. With 0 (the default), rounding may depend on the batch count. TEPHRA_BATCH_INVARIANT=1 in the
 * environment has the same effect as a call with 1.
 */
tephra_status tephra_set_batch_invariant(int on);

/**
 * Allocates memory for the current backend: device memory of the current device on CUDA, host memory on the CPU.
 */
tephra_status tephra_malloc(void **pointer, size_t bytes);

/**
 * Frees memory of tephra_malloc(); NULL is allowed.
 */
tephra_status tephra_free(void *pointer);

/**
 * Copies bytes between any two addresses in host or device memory, in stream order, and waits for the copy.
 * Arguments are numbered dst 1, src 2, bytes 3; the addresses may be NULL if bytes is 0.
 */
tephra_status tephra_memcpy(void *dst, const void *src, size_t bytes, void *stream);

/**
 * Creates a stream that synchronises with the default stream, as cudaStreamCreate() does.
 */
tephra_status tephra_stream_create(void **stream);

/**
 * Destroys a stream of tephra_stream_create(); NULL is allowed.
 */
tephra_status tephra_stream_destroy(void *stream);

/**
 * Waits for all work in a stream.
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
 * The call is asynchronous on the stream, allocates nothing (except, for more than 2048 rows, scratch memory from
 * the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it returns.
 * A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is allowed |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements, see below; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 6 | batch_count | number of matrices, >= 0; less than 2^31 for CUDA plans of one thread block per matrix |
 * | 7 | work | workspace in device memory, or NULL |
 * | 8 | work_bytes | size of work, at least what tephra_sgeqrf_batched_workspace() reports |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The matrices and vectors are in device memory and need no alignment beyond their elements'. The two arrays of
 * pointers are in device memory too, or in host memory that the device can read (pinned or managed). The CPU
 * backend, where all of these are in host memory, ignores the stream.
 *
 * The call does nothing and returns success when m, n or batch_count is 0.
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
 * Workspace of tephra_sgeqrf_batched() in bytes, at present 0 for every shape. Its arguments are checked as in
 * that call, and are numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgeqrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqrf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
 * i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
 * max(1,min(m,n)); matrices must not share elements (lda*n <= stride_a, or rows packed side by side). Arguments
 * are numbered m 1, n 2, a 3, lda 4, stride_a 5, tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10,
 * stream 11.
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
 * it, with tau(i), hold Q(i) = H(k)^H ... H(2)^H H(1)^H, k = min(m,n), H(j) = I - tau(j) v v^H, v(j) = 1,
 * v(1:j-1) = 0 and conj(v(j+1:n)) stored in A(j, j+1:n). Signs and conjugations are LAPACK's: the diagonal of L is
 * real in the complex types. A(i) and tau(i) are the result of tephra_sgeqrf_batched() for A(i)^H,
 * conjugate-transposed back.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for more than 2048 columns, scratch memory
 * from the stream-ordered pool) and can be captured in a CUDA graph; on the CPU backend it is finished when it
 * returns. A NaN or infinity affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m > n is allowed |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 6 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 8 | work_bytes | size of work, at least what tephra_sgelqf_batched_workspace() reports; a smaller one is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n or batch_count is 0.
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
 * Workspace of tephra_sgelqf_batched() in bytes: space for the transposed matrices on CUDA, 0 on the CPU. Its
 * arguments are checked as in that call, and are numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgelqf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgelqf_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
 * i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_tau >=
 * max(1,min(m,n)); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5,
 * tau 6, stride_tau 7, batch_count 8, work 9, work_bytes 10, stream 11.
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
 * On entry, columns j of A(i) with jpvt(i)[j] != 0 are initial columns: they are moved to the front, in the order
 * that LAPACK's interchanges produce, and stay there. The others are free. Set all of jpvt to 0 if all columns are
 * free. On exit jpvt(i)[j] = k means that column j of A(i) P(i) was column k of A(i), both counted from 1. The
 * elements on and above the diagonal of A(i) hold R(i); those below it, with tau(i), hold Q(i), as
 * tephra_sgeqrf_batched() leaves them. The diagonal of R is real in the complex types; its absolute values do not
 * increase over the free columns.
 *
 * The next column is the free column whose part below the finished rows of R has the largest norm, the first one
 * in case of a tie. Norms are downdated, and recomputed where cancellation leaves too few digits (LAPACK Working
 * Note 176). A NaN counts as larger than any number. A NaN or infinity affects only its own matrix.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
 * backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, 0 <= n < 2^31; m < n is allowed |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | jpvt_array | batch_count pointers to vectors of n ints, likewise |
 * | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
 * | 7 | info | one int per matrix in device memory, set to 0, or NULL |
 * | 8 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | size of work, at least what tephra_sgeqp3_batched_workspace() reports; a smaller one is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n or batch_count is 0; all of info is then set to 0, and jpvt is left unchanged.
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
 * Workspace of tephra_sgeqp3_batched() in bytes: two norms per column if a matrix does not fit into the memory of
 * a thread block, else 0; 0 on the CPU. Its arguments are checked as in that call, and are numbered m 1, n 2,
 * lda 3, batch_count 4.
 */
tephra_status tephra_sgeqp3_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgeqp3_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, jpvt(i) at jpvt +
 * i*stride_jpvt, tau(i) at tau + i*stride_tau (in elements, device memory). With batch_count > 1, stride_a >=
 * max(1,m), stride_jpvt >= max(1,n) and stride_tau >= max(1,min(m,n)); matrices must not share elements. Arguments
 * are numbered m 1, n 2, a 3, lda 4, stride_a 5, jpvt 6, stride_jpvt 7, tau 8, stride_tau 9, info 10,
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
 * tephra_sgeqp3_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA
 * graph; each replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed, and leave jpvt(i) as it is. If
 * the sizes of a matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <=
 * m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= m[i].
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
 * | 12 | work_bytes | size of work, at least what tephra_sgeqp3_vbatched_workspace() reports; a smaller one is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgeqp3_vbatched() in bytes: two norms for each of max_n columns if a matrix may have more
 * than 128 rows or columns, else 0; 0 on the CPU. Arguments are numbered max_m 1, max_n 2, batch_count 3.
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
 * Batched LAPACK SORGQR: the first n columns of Q(i) = H(1) H(2) ... H(k), overwriting the reflectors.
 *
 * A(i) holds the reflectors in its first k columns as tephra_sgeqrf_batched() leaves them (elements on and above
 * the diagonal are not read); on exit it holds the m x n matrix Q(i), whose columns are orthonormal. The call is
 * asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows are
 * divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and can
 * be captured in a CUDA graph.
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
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n or batch_count is 0.
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
 * tephra_sorgqr_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
 * i*stride_tau (in elements). With batch_count > 1, stride_a >= max(1,m) and stride_tau >= 0; vectors tau may
 * overlap, and with stride_tau 0 all members share one. Arguments are numbered m 1, n 2, k 3, a 4, lda 5,
 * stride_a 6, tau 7, stride_tau 8, batch_count 9, stream 10.
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
 * A(i) is read only below its diagonal and is not written, so members of the batch may share A and tau. The call
 * is asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows
 * are divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and
 * can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
 * | 6 | a_array | batch_count pointers to q x k matrices; not NULL when there is work |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | tau_array | batch_count pointers to vectors of k elements, likewise |
 * | 9 | c_array | batch_count pointers to m x n matrices, likewise |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n, k or batch_count is 0.
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
 * tephra_sormqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >=
 * max(1,m), stride_a >= 0 and stride_tau >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1,
 * trans 2, m 3, n 4, k 5, a 6, lda 7, stride_a 8, tau 9, stride_tau 10, c 11, ldc 12, stride_c 13, batch_count 14,
 * stream 15.
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
 * Batched QR with explicit factors, in one call: A(i) = Q(i) R(i). A is not modified.
 *
 * The factors are those of LAPACK SGEQRF and SORGQR: the signs of R are LAPACK's, and R is zero below its
 * diagonal. With TEPHRA_Q_THIN, Q is m x k and R is k x n, k = min(m,n). With TEPHRA_Q_FULL, Q is m x m and R is m
 * x n. With TEPHRA_Q_NONE, R is k x n, and Q is not formed. The call is asynchronous on the stream, allocates
 * nothing (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all
 * reflectors act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects
 * only its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
 * | 2 | m | rows of A, m >= 0 |
 * | 3 | n | columns of A, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
 * | 7 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 8 | r_array | batch_count pointers, receive R |
 * | 9 | ldr | leading dimension of R, at least max(1, rows of R) |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 12 | work_bytes | size of work, at least what tephra_sqr_batched_workspace() reports; a smaller one is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * A thin Q with m >= n may overwrite A: q_array is then a_array, and ldq is lda. Otherwise A, Q and R must not
 * overlap. Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n or batch_count is 0, except that with n = 0 a full Q is set to the identity.
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
 * Workspace of tephra_sqr_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call, and
 * are numbered part 1, m 2, n 3, lda 4, ldq 5, ldr 6, batch_count 7.
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
 * tephra_sqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0, and
 * stride_q and stride_r at least the rows of Q and R; matrices that are written must not share elements. For a
 * thin Q that overwrites A, q, ldq and stride_q are those of A. Arguments are numbered part 1, m 2, n 3, a 4,
 * lda 5, stride_a 6, q 7, ldq 8, stride_q 9, r 10, ldr 11, stride_r 12, batch_count 13, work 14, work_bytes 15,
 * stream 16.
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
 * With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
 * of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
 * least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
 * rows on entry and X has m. A(i) is overwritten. The call is asynchronous on the stream, allocates nothing
 * (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all reflectors
 * act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects only its
 * own matrix.
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
 * | 12 | work_bytes | size of work, at least what tephra_sgels_batched_workspace() reports; a smaller one is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when batch_count or the number of rows of X is 0; all of info is then set to 0. Without right-hand sides
 * A is still factored and info set; without equations X is set to zero.
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
 * Workspace of tephra_sgels_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call,
 * and are numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6, batch_count 7.
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
 * tephra_sgels_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,m), and stride_b >= max(1,m,n) where there are right-hand sides; matrices must not share elements.
 * Arguments are numbered trans 1, m 2, n 3, nrhs 4, a 5, lda 6, stride_a 7, b 8, ldb 9, stride_b 10, info 11,
 * batch_count 12, work 13, work_bytes 14, stream 15.
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
 * Batched least squares with matrices of any rank, LAPACK SGELSY for each matrix: among all X(i) that minimise the
 * 2-norm of each column of B(i) - A(i) X(i), the one of least 2-norm.
 *
 * A P = Q R is computed as by tephra_sgeqp3_batched(). The rank is the order of the largest leading triangle of R
 * whose condition number, estimated row by row, is at most 1 / rcond; the rest of R is taken to be zero.
 * Reflectors from the right then reduce the leading rows of R to a triangle, which is solved for B (complete
 * orthogonal factorisation). As in LAPACK, A and B are scaled if their largest element is near either end of the
 * range, here by a power of two, which is exact, and X is scaled back.
 *
 * On exit X is in rows 0..n-1 of B. If m > n and the rank is n, the sum of squares of rows n..m-1 of a column is
 * that of its residual; otherwise the contents of these rows are unspecified. The contents of A are unspecified.
 *
 * The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
 * backend it has finished when it returns. A NaN or infinity affects only its own problem.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of A, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns of A, 0 <= n < 2^31; m < n is allowed |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0; with 0 only the ranks are computed |
 * | 4 | a_array | batch_count pointers to matrices of lda*n elements; overwritten; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to matrices of ldb*nrhs elements: m rows in, n rows out; may be NULL with nrhs 0 |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,m,n) |
 * | 8 | jpvt_array | batch_count pointers to vectors of n ints, as for tephra_sgeqp3_batched(): initial columns in, permutation out |
 * | 9 | rcond | reciprocal of the largest condition number; if negative: max(m,n) times the distance from 1 to the next number |
 * | 10 | rank | one int per matrix in device memory, its rank, or NULL |
 * | 11 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | size of work, at least what tephra_sgelsy_batched_workspace() reports; a smaller one is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Without unknowns (n = 0) the
 * call only sets the ranks; without equations (m = 0) it sets X to zero and leaves jpvt unchanged. The ranks are
 * then 0.
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
 * Workspace of tephra_sgelsy_batched() in bytes: a few vectors of each matrix on CUDA, 0 on the CPU. Its arguments
 * are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sgelsy_batched_workspace(int64_t m,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelsy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,m), stride_b >= max(1,m,n) where there are right-hand sides, and stride_jpvt >= max(1,n); matrices must
 * not share elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9,
 * jpvt 10, stride_jpvt 11, rcond 12, rank 13, batch_count 14, work 15, work_bytes 16, stream 17.
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
 * QR factorisation of one matrix, LAPACK SGEQRF: A = Q R, in place, of any size that fits into memory.
 *
 * A and tau are left as by tephra_sgeqrf_batched() with one matrix, to the last bit: R on and above the diagonal,
 * the reflectors below it. Matrices of more than 2048 rows are divided among the thread blocks of the GPU
 * (docs/tall-and-large.md).
 *
 * The call is asynchronous on the stream and can be captured in a CUDA graph; scratch memory for divided matrices
 * comes from the stream-ordered pool. On the CPU backend it has finished when it returns. Rows m..lda-1 of A are
 * neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is allowed |
 * | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | tau | max(1,min(m,n)) elements of device memory, likewise |
 * | 6 | work | workspace in device memory, or NULL |
 * | 7 | work_bytes | size of work, at least what tephra_sgeqrf_workspace() reports |
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
 * when m or n is 0.
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
 * Workspace of tephra_sgeqrf() in bytes, at present 0 for every shape. Its arguments are checked as in that call,
 * and are numbered m 1, n 2, lda 3.
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
 * LAPACK SORGQR of one matrix: the first n columns of Q = H(1) H(2) ... H(k), overwriting the reflectors that
 * tephra_sgeqrf() left in the first k columns of A. Elements on and above the diagonal are not read.
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
 * | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The call does nothing and returns success when n is 0. On the CPU backend, as for tephra_sgeqrf().
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
 * A is read only below its diagonal, and is not written. The call is asynchronous on the stream, needs no
 * workspace and can be captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
 * | 6 | a | the reflectors, a q x k matrix in device memory; not NULL when there is work |
 * | 7 | lda | leading dimension of A, lda >= max(1,q) |
 * | 8 | tau | k elements of device memory, likewise |
 * | 9 | c | an m x n matrix in device memory, likewise |
 * | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The call does nothing and returns success when m, n or k is 0. On the CPU backend, as for tephra_sgeqrf().
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
 * With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
 * of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
 * least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
 * rows on entry and X has m. A is overwritten. The call is asynchronous on the stream and can be captured in a
 * CUDA graph.
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
 * | 11 | work_bytes | size of work, at least what tephra_sgels_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The call does nothing and returns success when the number of rows of X is 0; info is then set to 0. Without
 * right-hand sides A is still factored and info set; without equations X is set to zero. On the CPU backend, as
 * for tephra_sgeqrf().
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
 * Workspace of tephra_sgels() in bytes; 0 for small matrices. Its arguments are checked as in that call, and are
 * numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6.
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
 * QR factorisation of one matrix with an implicit Q, LAPACK SGEQR: A = Q R, in place.
 *
 * On exit the elements on and above the diagonal of A hold the min(m,n) x n upper trapezoidal R. The elements
 * below the diagonal and T represent Q in an internal format, for tephra_sgemqr() only, and must not be changed.
 * Matrices of at most 256 columns whose panels of 32 columns have more than 2048 rows each are factored panel by
 * panel with a reduction tree over blocks of rows (TSQR), which reads and writes each panel once; the signs of R
 * are then arbitrary. All other shapes are factored as by tephra_sgeqrf(), and T begins with tau. The choice
 * depends only on the type, the sizes and the device, not on settings; Q must be applied on the device that
 * computed it.
 *
 * The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph. On the CPU
 * backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0; on CUDA less than 2^31 for shapes without a tree, else TEPHRA_STATUS_NOT_SUPPORTED |
 * | 2 | n | columns, n >= 0, likewise; m < n is allowed |
 * | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | t | receives T, tsize elements of device memory, which need no alignment beyond their own; likewise |
 * | 6 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports; a smaller one is an error |
 * | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
 * when m or n is 0.
 */
tephra_status tephra_sgeqr(int64_t m, int64_t n, float *a, int64_t lda, float *t, int64_t tsize, void *stream);

/**
 * Writes the number of elements of T of tephra_sgeqr() for an m x n matrix to *tsize: min(m,n), or with a tree
 * about the square of the panel's columns for every block of rows of every panel. It is the same on all devices
 * and backends. Arguments are numbered m 1, n 2.
 */
tephra_status tephra_sgeqr_tsize(int64_t m, int64_t n, int64_t *tsize);

/**
 * tephra_sgeqr() for matrices at a constant stride: A(i) starts at a + i*stride_a, T(i) at t + i*stride_t (in
 * elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_t at least what
 * tephra_sgeqr_tsize() reports; matrices must not share elements. A NaN or infinity affects only its own matrix,
 * and the result of a matrix does not depend on the others. Arguments are numbered m 1, n 2, a 3, lda 4,
 * stride_a 5, t 6, tsize 7, stride_t 8, batch_count 9, stream 10.
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
 * With a tree, each block of rows is read once for every few columns of C, level by level, and C is updated in
 * place. A and T are not written. The call is asynchronous on the stream, needs no workspace and can be captured
 * in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT: op(Q) C, Q of order m; TEPHRA_SIDE_RIGHT: C op(Q), Q of order n |
 * | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
 * | 3 | m | rows of C, m >= 0 |
 * | 4 | n | columns of C, n >= 0 |
 * | 5 | k | the smaller one of the sizes given to tephra_sgeqr(), 0 <= k <= order of Q |
 * | 6 | a | what tephra_sgeqr() left, device memory; not NULL when there is work |
 * | 7 | lda | leading dimension, lda >= max(1, order of Q) |
 * | 8 | t | T of tephra_sgeqr() |
 * | 9 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports for an (order of Q) x k matrix |
 * | 10 | c | the matrix C, device memory |
 * | 11 | ldc | leading dimension, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * The order of Q is the m given to tephra_sgeqr(). The call does nothing and returns success when m, n or k is 0.
 * On the CPU backend, as for tephra_sgeqr().
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
 * tephra_sgemqr() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >= max(1,m),
 * stride_a >= 0 and stride_t >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1, trans 2,
 * m 3, n 4, k 5, a 6, lda 7, stride_a 8, t 9, tsize 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15,
 * stream 16.
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
 * Iterative least squares with one tall matrix, much faster than tephra_sgels() and as accurate: X minimises the
 * 2-norm of each column of B - A X. A must have at least as many rows as columns, and full rank. A and B are not
 * modified.
 *
 * A^H A is formed in double precision, and its Cholesky factor R preconditions the method of conjugate gradients.
 * Each step reads A once to compute the true residual r = b - A x of its new x. The iteration stops when |A^H
 * r| <= tolerance |A| |r|, when the component of r in the range of A is at most tolerance (|A| |x| + |b|), or when
 * further steps only change x by rounding errors (2-norms, and the Frobenius norm for |A|). One to three steps are
 * usual.
 *
 * The call falls back to QR, as in tephra_sgels(), on copies of A and B in memory of the stream-ordered pool, if
 * A^H A has no usable R (because of NaNs, or of a condition number of A beyond about 1e8 after its columns are
 * scaled to equal length), if the iteration does not converge, or if n > 1024. Right-hand sides that have
 * converged keep their solutions.
 *
 * The call waits for the stream to learn whether the fallback is needed. It cannot be captured in a CUDA graph: on
 * a stream that is being captured it does nothing and returns TEPHRA_STATUS_NOT_SUPPORTED.
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
 * | 8 | x | receives the n x nrhs solutions, device memory, likewise; must not overlap A or B |
 * | 9 | ldx | leading dimension of X, ldx >= max(1,n) |
 * | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
 * | 11 | max_iterations | most steps, >= 0; 0: 16 |
 * | 12 | iterations | nrhs ints in device memory, or NULL: steps or a reason for the fallback to QR, see below |
 * | 13 | residuals | nrhs real numbers in device memory, or NULL: the 2-norms of b - A x, see below |
 * | 14 | info | an int in device memory, or NULL: 0, or that of tephra_sgels() after a fallback to QR |
 * | 15 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 16 | work_bytes | size of work, at least what tephra_sgels_iterative_workspace() reports; a smaller one is an error |
 * | 17 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * iterations receives, for each right-hand side, the number of steps after its first solution, or why QR solved
 * it: -1 if A^H A has no usable R or squares are out of range, -2 if max_iterations were not enough, -3 if n >
 * 1024. residuals receives the 2-norms of b - A x, before x is rounded to single precision, to within tolerance
 * (|A| |x| + |b|); for systems that are nearly consistent and have a condition number above about 1e5 it may be
 * too large (docs/accuracy.md). It is NaN if QR solved the system and info is not 0 or x is not finite.
 *
 * The call does nothing and returns success when n or nrhs is 0; info is then set to 0. A right-hand side with a
 * NaN has NaNs as its solution, and 0 iterations. After a fallback to QR, x and the vector whose norm is the
 * residual are what tephra_sgels() leaves in B, even if A is not finite: an infinity that it only divides by, as
 * with a 1 x 1 matrix, makes x 0 and adds nothing to the residual. Sources: Paige and Saunders, LSQR (1982), for
 * the stopping criteria; Bjorck, Numerical Methods for Least Squares Problems (1996).
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
 * Workspace of tephra_sgels_iterative() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, ldx 6.
 */
tephra_status tephra_sgels_iterative_workspace(int64_t m,
                                               int64_t n,
                                               int64_t nrhs,
                                               int64_t lda,
                                               int64_t ldb,
                                               int64_t ldx,
                                               size_t *bytes);

/**
 * Batched iterative least squares with tall matrices of one shape: X(i) minimises the 2-norm of each column of
 * B(i) - A(i) X(i). tephra_sgels_iterative() describes the method.
 *
 * The matrices iterate concurrently, in groups whose data fit into 128 MiB of workspace. Each right-hand side of
 * each matrix converges independently, and those that need the fallback to QR get it independently, on copies in
 * memory of the stream-ordered pool, of up to 64 MiB of matrices (or a single larger one) at a time. A NaN, an
 * infinity or a singular matrix does not affect the results of other matrices. The call waits for the stream a few
 * times per group, and cannot be captured.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of each A, m >= 0 |
 * | 2 | n | columns of each A, 0 <= n <= m |
 * | 3 | nrhs | right-hand sides of each, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices, which are not modified and may coincide; not NULL when there is work |
 * | 5 | lda | leading dimension of each A, lda >= max(1,m) |
 * | 6 | b_array | batch_count pointers to m x nrhs matrices, likewise |
 * | 7 | ldb | leading dimension of each B, ldb >= max(1,m) |
 * | 8 | x_array | batch_count pointers to n x nrhs matrices that receive the solutions; must not overlap any A or B, or each other |
 * | 9 | ldx | leading dimension of each X, ldx >= max(1,n) |
 * | 10 | tolerance | >= 0; 0: 2^-24 in single precision, 2^-52 in double, which is the least |
 * | 11 | max_iterations | most steps, >= 0; 0: 16 |
 * | 12 | iterations | batch_count * nrhs ints in device memory, nrhs for each matrix, or NULL: as for one matrix |
 * | 13 | residuals | as many real numbers in device memory, or NULL: the 2-norms of b - A x, likewise |
 * | 14 | info | one int per matrix in device memory, or NULL: 0, or that of tephra_sgels_batched() after a fallback to QR |
 * | 15 | batch_count | number of matrices, >= 0 |
 * | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 17 | work_bytes | size of work, at least what tephra_sgels_iterative_batched_workspace() reports; a smaller one is an error |
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory. The call does nothing and returns success when n, nrhs or batch_count
 * is 0; all of info is then set to 0. The division of the rows depends on the batch count, unless
 * TEPHRA_BATCH_INVARIANT is set. For small matrices tephra_sgels_batched() is faster: see docs/tall-and-large.md.
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
 * Workspace of tephra_sgels_iterative_batched() in bytes: no more than 128 MiB, unless one matrix needs more; 0 on
 * the CPU backend. Its arguments are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5,
 * ldx 6, batch_count 7.
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
 * tephra_sgels_iterative_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a
 * and stride_b are >= 0 (0: one matrix for all members) and stride_x >= max(1,n); solutions must not share
 * elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9, x 10, ldx 11,
 * stride_x 12, tolerance 13, max_iterations 14, iterations 15, residuals 16, info 17, batch_count 18, work 19,
 * work_bytes 20, stream 21.
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
 * The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
 * a division by zero is limited to B(i). With alpha = 0, B is set to zero and A is not read (and may be NULL).
 * Members of the batch may share one A. The call is asynchronous on the stream, allocates nothing, needs no
 * workspace and can be captured in a CUDA graph.
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
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_strsm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
 * alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
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
 * With beta = 0, C is not read; with alpha = 0 or k = 0, A and B are not read (and may be NULL), and C is scaled.
 * Matrices A may coincide or overlap each other, and so may matrices B. The call is asynchronous on the stream,
 * allocates nothing (except scratch memory from the stream-ordered pool for batches of up to eight strided
 * products with k >= 16,384), needs no workspace and can be captured in a CUDA graph.
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
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0, or beta is 1 and alpha or k is 0.
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
 * tephra_sgemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all), stride_b >= 0 and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
 * k 5, alpha 6, a 7, lda 8, stride_a 9, b 10, ldb 11, stride_b 12, beta 13, c 14, ldc 15, stride_c 16,
 * batch_count 17, stream 18.
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
 * All arrays except a_array, b_array and c_array are in host memory, have one element per group, and are read
 * before the call returns. a_array, b_array and c_array have one pointer per matrix, group after group. All groups
 * are checked before anything is computed. Each group then runs as a tephra_sgemm_batched(), and so does each run
 * of consecutive groups with equal parameters. The call is asynchronous on the stream, allocates nothing, needs no
 * workspace and can be captured in a CUDA graph.
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
 * | 11 | beta_array | factors of C on entry, likewise; with 0, C is not read |
 * | 12 | c_array | pointers to C of all groups; not NULL when there is work |
 * | 13 | ldc_array | leading dimensions of C; not NULL when group_count > 0 |
 * | 14 | group_count | number of groups, >= 0 |
 * | 15 | group_size | number of matrices of each group, >= 0; not NULL when group_count > 0 |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Matrices and the arrays of pointers to them are in device memory, as for tephra_sgeqrf_batched(); members of the
 * batch may share A or B.
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
 * With beta = 0, y is not read; with alpha = 0, A and x are not read (and may be NULL), and y is scaled. Matrices
 * A may coincide or overlap each other, and so may vectors x. The call is asynchronous on the stream, allocates
 * nothing, needs no workspace and can be captured in a CUDA graph.
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
 * | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
 * | 9 | beta | one number in host memory, as alpha |
 * | 10 | y_array | batch_count pointers to vectors of m elements (n if transposed); not NULL when there is work |
 * | 11 | incy | increment between elements of y, as incx |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n or batch_count is 0, or alpha is 0 and beta 1.
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
 * tephra_sgemv_batched() for matrices and vectors at constant strides (in elements). With batch_count > 1,
 * stride_a >= 0 (0: one A for all), stride_x >= 0 and stride_y >= 1. Arguments are numbered trans 1, m 2, n 3,
 * alpha 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, beta 11, y 12, incy 13, stride_y 14, batch_count 15,
 * stream 16.
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
 * The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
 * a division by zero is limited to x(i). Members of the batch may share one A. The call is asynchronous on the
 * stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
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
 * | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0.
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
 * tephra_strsv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_x >= 1, such that no two x overlap. Arguments are numbered uplo 1, trans 2, diag 3,
 * n 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, batch_count 11, stream 12.
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
 * (it may be NULL). Members of the batch may share one A; B must not overlap it. The call is asynchronous on the
 * stream, needs no workspace and can be captured in a CUDA graph. On CUDA, products with large triangles (of order
 * 256 or more, or of 192 or more with little to do at a time) use scratch memory from the library's pool for copies
 * of B, at most 1 GiB at a time. Smaller ones allocate nothing.
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
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_strmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
 * alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
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
 * The other triangle and a unit diagonal are neither read nor written. A matrix with an exact zero on its diagonal
 * is left unchanged. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA
 * graph. On CUDA, triangles of order 192 or more (s, d 128; z 160), and those of order 33 or more in some batches of up
 * to 256 or from 200 on, are inverted in scratch memory from the library's pool, up to 1.9 times their size, for at
 * most 1 GiB or one matrix at a time; there, a NaN or an infinity may spread to any element of its matrix's inverse.
 * The others allocate nothing; tephra_explain() says how a shape is inverted.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
 * | 2 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
 * | 3 | n | order of A, n >= 0 |
 * | 4 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | info | batch_count ints, or NULL: 0, or j when diagonal element j (from 1) is the first that is exactly 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0; all of info is then set to 0.
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
 * tephra_strtri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
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
 * Only the triangle of A(i) that uplo names is read. With alpha = 0, A and B are not read (and may be NULL), with
 * beta = 0 C is not. Members of the batch may share A or B; C must not overlap either. The call is asynchronous on
 * the stream, needs no workspace and can be captured in a CUDA graph. It allocates nothing, except, on CUDA for A
 * of order 192 or more, room for addresses from the library's pool.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_ssymm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
 * stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
 * a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
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
 * Only the triangle of A(i) that uplo names is read, and of its diagonal no imaginary parts. With alpha = 0, A and
 * B are not read (and may be NULL), with beta = 0 C is not. Members of the batch may share A or B; C must not
 * overlap either. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
 * It allocates nothing, except, on CUDA for A of order 192 or more, room for addresses from the library's pool.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_chemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
 * stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
 * a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
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
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
 * k = 0, A is not read (and may be NULL). Members of the batch may share one A; C must not overlap it. The call is
 * asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
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
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0.
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
 * tephra_ssyrk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
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
 * the batch may share one A; C must not overlap it. The call is asynchronous on the stream, allocates nothing,
 * needs no workspace and can be captured in a CUDA graph.
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
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0.
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
 * tephra_cherk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
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
 * Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
 * k = 0, A and B are not read (and may be NULL). Members of the batch may share A or B; C must not overlap either.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0.
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
 * tephra_ssyr2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
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
 * Members of the batch may share A or B; C must not overlap either. The call is asynchronous on the stream,
 * allocates nothing, needs no workspace and can be captured in a CUDA graph.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n or batch_count is 0.
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
 * tephra_cher2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
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
 * With alpha = 0, A is not read and may be NULL; likewise B with beta = 0. C may be A itself if trans_a is N and
 * the leading dimensions are equal, and likewise B; otherwise it must not overlap them. Members of the batch may
 * share A or B. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured
 * in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | trans_a | TEPHRA_TRANS_N, _T or _C |
 * | 2 | trans_b | likewise, for B |
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_sgeam_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
 * stride_b >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
 * alpha 5, a 6, lda 7, stride_a 8, beta 9, b 10, ldb 11, stride_b 12, c 13, ldc 14, stride_c 15, batch_count 16,
 * stream 17.
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
 * C may be A itself, with the same leading dimension; otherwise it must not overlap A or x. Members of the batch
 * may share A or x. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
 * | 2 | m | rows of A and C, m >= 0 |
 * | 3 | n | columns of A and C, n >= 0 |
 * | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | x_array | batch_count pointers to 1 + (q-1)*abs(incx) elements, q = m (left) or n (right); not NULL when there is work |
 * | 7 | incx | increment between elements of x; if negative, x starts with its last element; if 0, all elements are the first one |
 * | 8 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
 * | 10 | batch_count | number of matrices, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_sdgmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
 * stride_x >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered side 1, m 2, n 3, a 4, lda 5,
 * stride_a 6, x 7, incx 8, stride_x 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
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
 * B(i) := A(i)^T or A(i)^H, for a batch. B must not overlap A; members of the batch may share one A.
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
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_stranspose_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0
 * (0: one A for all) and stride_b >= max(1,n). Arguments are numbered trans 1, m 2, n 3, a 4, lda 5, stride_a 6,
 * b 7, ldb 8, stride_b 9, batch_count 10, stream 11.
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
 * Batched LAPACK SLACPY: B(i) := A(i), the whole matrix or a triangle. Elements that are not copied are neither
 * read nor written. B may be A itself, but must not overlap it otherwise; members of the batch may share one A.
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
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_slacpy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
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
 * Batched LAPACK SLASET: sets the elements of A(i) off the diagonal to alpha and those on it to beta, in the whole
 * matrix or in a triangle. Other elements are not written.
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
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when m, n or batch_count is 0.
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
 * tephra_slaset_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,m). Arguments are numbered uplo 1, m 2, n 3, alpha 4, beta 5, a 6, lda 7, stride_a 8, batch_count 9,
 * stream 10.
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
 * Batched LAPACK SLARFT, forward and columnwise: the k x k upper triangular factor T(i), for reflectors of
 * tephra_sgeqrf_batched(), with H(1) H(2) ... H(k) = I - V(i) T(i) V(i)^H; the elements below its diagonal are set
 * to zero.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of V, m >= 0 |
 * | 2 | k | reflectors, 0 <= k <= m |
 * | 3 | v_array | batch_count pointers to m x k reflectors, read only below the diagonal; not NULL when there is work |
 * | 4 | ldv | leading dimension of V, ldv >= max(1,m) |
 * | 5 | tau_array | batch_count pointers to vectors of k elements, likewise |
 * | 6 | t_array | batch_count pointers to k x k matrices, likewise |
 * | 7 | ldt | leading dimension of T, ldt >= max(1,k); rows k..ldt-1 are not written |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Asynchronous, without a workspace, and without allocation (except, for more than 2048 rows, scratch memory from
 * the stream-ordered pool); memory as for tephra_sgeqrf_batched(). The call does nothing and returns success when k
 * or batch_count is 0.
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
 * tephra_slarft_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
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
 * Batched LAPACK SLARFB, forward and columnwise: C(i) := op(H(i)) C(i) or C(i) op(H(i)), H(i) = I - V(i) T(i)
 * V(i)^H with an upper triangular T(i), of tephra_slarft_batched() or any other.
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
 * | 8 | t_array | batch_count pointers to k x k matrices, not read below the diagonal |
 * | 9 | ldt | leading dimension of T, ldt >= max(1,k) |
 * | 10 | c_array | batch_count pointers to m x n matrices |
 * | 11 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
 * | 12 | batch_count | number of matrices, >= 0 |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Asynchronous, without allocation or workspace; memory as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when m, n, k or batch_count is 0. Returns TEPHRA_STATUS_NOT_SUPPORTED if k elements do not fit
 * into the shared memory of a thread block (k above 14,528 in double complex on an H200).
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
 * tephra_slarfb_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
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
 * On exit the min(m,n) x n upper trapezoidal U(i) is on and above the diagonal of A(i), and the unit lower
 * trapezoidal L(i) is below it; its ones are not stored. ipiv(i) defines P(i): for j = 1, 2, ..., min(m,n) in
 * turn, row j was interchanged with row ipiv(i)[j-1], counted from 1. The pivot of a column is the first of its
 * largest elements, by |re| + |im| in the complex types; a NaN counts as 0. If the pivot is exactly 0, info
 * reports it, the column is not divided, and the factorisation continues.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for few large matrices and for more than
 * 32,768 rows, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
 * affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, 0 <= m < 2^31 |
 * | 2 | n | columns, n >= 0; m < n is allowed |
 * | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
 * | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
 * | 5 | ipiv_array | batch_count pointers to vectors of min(m,n) ints, likewise |
 * | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | size of work, at least what tephra_sgetrf_batched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
 * nothing and returns success when m, n or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgetrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered m 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_sgetrf_batched_workspace(int64_t m, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetrf_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
 * 1, stride_a >= max(1,m) and stride_ipiv >= max(1,min(m,n)); matrices must not share elements. Arguments are
 * numbered m 1, n 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, info 8, batch_count 9, work 10, work_bytes 11,
 * stream 12.
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
 * Batched LU factorisation without pivoting: A(i) = L(i) U(i), in place, as tephra_sgetrf_batched() without its
 * interchanges. It is meant for matrices that are known to need none, such as diagonally dominant ones; for others
 * the error of the factors is unbounded.
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
 * tephra_sgetrf_nopiv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
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
 * Batched LAPACK SGETRS: B(i) := op(A(i))^-1 B(i), from the factors that tephra_sgetrf_batched() or
 * tephra_sgetrf_nopiv_batched() left in A(i).
 *
 * U(i) is not checked for singularity: the result of a division by a zero on its diagonal is passed on. Members of
 * the batch may share A or ipiv. The call is asynchronous on the stream, allocates nothing (except, for few large
 * matrices, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
 * affects only its own matrix.
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
 * | 11 | work_bytes | size of work, at least what tephra_sgetrs_batched_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
 * and returns success when n, nrhs or batch_count is 0.
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
 * Workspace of tephra_sgetrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered trans 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sgetrs_batched_workspace(int trans,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgetrs_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
 * 1, stride_a >= 0 and stride_ipiv >= 0 (0: one for all members), stride_b >= max(1,n). Arguments are numbered
 * trans 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10, stride_b 11, batch_count 12,
 * work 13, work_bytes 14, stream 15.
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
 * On exit A(i) and ipiv(i) are as tephra_sgetrf_batched() leaves them, and X(i) is in B(i). If info is not 0, A(i)
 * is singular, and every column of B(i) contains non-finite values. The call is asynchronous on the stream,
 * allocates nothing (except where tephra_sgetrf_batched() or tephra_sgetrs_batched() uses scratch memory) and can
 * be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
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
 * | 11 | work_bytes | size of work, at least what tephra_sgesv_batched_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
 * nothing and returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A
 * is still factored and info set.
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
 * Workspace of tephra_sgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered n 1, nrhs 2, lda 3, ldb 4, batch_count 5.
 */
tephra_status tephra_sgesv_batched_workspace(int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sgesv_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
 * 1, stride_a >= max(1,n), stride_ipiv >= max(1,n), stride_b >= max(1,n); matrices must not share elements.
 * Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, b 8, ldb 9, stride_b 10,
 * info 11, batch_count 12, work 13, work_bytes 14, stream 15.
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
 * Batched MAGMA SGESV_RBT: solves A(i) X(i) = B(i) with a random butterfly transformation instead of pivoting.
 *
 * U^T A(i) V is factored without pivoting, the system U^T A(i) V Y = U^T B(i) is solved, and X(i) = V Y. U and V
 * are butterflies of depth 2 (Parker; Baboulin, Dongarra, Herrmann and Tomov 2013) with the same random numbers in
 * every call. On exit A(i) holds the factors L and U of U^T A(i) V, which no other routine can use, and B(i) holds
 * X(i). The backward error depends on the element growth without pivoting. For matrices with independent random
 * elements it is mostly 10 to 200 times that of tephra_sgesv_batched(), and up to 10,000 times for one in a
 * hundred; for some others, such as sparse matrices and permutations, it is unbounded. If info is not 0, every
 * column of B(i) contains non-finite values. The call is asynchronous on the stream, allocates nothing (except
 * where tephra_sgetrf_nopiv_batched() or tephra_sgetrs_batched() uses scratch memory), needs no workspace and can
 * be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | nrhs | columns of B, nrhs >= 0 |
 * | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
 * | 6 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 7 | info | batch_count ints, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n, nrhs or batch_count is 0; all of info is then set to 0.
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
 * tephra_sgesv_rbt_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a and
 * stride_b >= max(1,n). Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, b 6, ldb 7, stride_b 8,
 * info 9, batch_count 10, stream 11.
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
 * Batched LAPACK SGETRI: C(i) := A(i)^-1, from the factors that tephra_sgetrf_batched() or
 * tephra_sgetrf_nopiv_batched() left in A(i); in place if C is A.
 *
 * If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
 * nothing and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to the factors; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,n) |
 * | 4 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no interchanges |
 * | 5 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not overlap A |
 * | 6 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
 * | 7 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | size of work, at least what tephra_sgetri_batched_workspace() reports; a smaller one is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
 * nothing and returns success when n or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgetri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered n 1, lda 2, ldc 3, batch_count 4.
 */
tephra_status tephra_sgetri_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sgetri_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). c may be a itself,
 * with ldc = lda and stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 and stride_ipiv >= 0 (0:
 * one for all members), stride_c >= max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, ipiv 5,
 * stride_ipiv 6, c 7, ldc 8, stride_c 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
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
 * Batched inverses: C(i) := A(i)^-1, by an LU factorisation with pivoting (LAPACK SGETRF and SGETRI). It is in
 * place if C is A; otherwise A is not modified.
 *
 * If info is not 0, A(i) has no inverse, and all of C(i) is NaN. The call is asynchronous on the stream, allocates
 * nothing (except where tephra_sgetrf_batched() uses scratch memory) and can be captured in a CUDA graph. A NaN or
 * infinity affects only its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | order of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,n) |
 * | 4 | c_array | batch_count pointers to n x n matrices that receive the inverses, likewise; a_array, or C must not overlap A |
 * | 5 | ldc | leading dimension of C, ldc >= max(1,n), in place lda |
 * | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | size of work, at least what tephra_sinv_batched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sinv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered n 1, lda 2, ldc 3, batch_count 4.
 */
tephra_status tephra_sinv_batched_workspace(int64_t n, int64_t lda, int64_t ldc, int64_t batch_count, size_t *bytes);

/**
 * tephra_sinv_batched() for matrices at a constant stride (in elements). c may be a itself, with ldc = lda and
 * stride_c = stride_a: in place. With batch_count > 1, stride_a >= 0 (0: one for all members) and stride_c >=
 * max(1,n). Arguments are numbered n 1, a 2, lda 3, stride_a 4, c 5, ldc 6, stride_c 7, info 8, batch_count 9,
 * work 10, work_bytes 11, stream 12.
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
 * Batched LAPACK SLASWP: interchanges rows of A(i), in the order of tephra_sgetrf_batched() or in reverse. For j =
 * k1, ..., k2 (incx > 0) or k2, ..., k1 (incx < 0) in turn, row j is interchanged with row ipiv(i)[k1 - 1 + (j -
 * k1)*|incx|]; rows are counted from 1. With incx = 0 the call does nothing.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph. Members of the batch may share one ipiv.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | n | columns of A, n >= 0 |
 * | 2 | a_array | batch_count pointers to matrices with at least k2 rows and all rows in ipiv; not NULL when there is work |
 * | 3 | lda | leading dimension of A, lda >= max(1,k2) |
 * | 4 | k1 | first row to interchange, k1 >= 1 |
 * | 5 | k2 | last row to interchange; nothing is done if it is less than k1 |
 * | 6 | ipiv_array | batch_count pointers to k1 + (k2 - k1)*|incx| ints each; not NULL when there is work |
 * | 7 | incx | increment between interchanges; its sign gives the order |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
 * and returns success when n or batch_count is 0.
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
 * tephra_slaswp_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
 * 1, stride_a >= max(1,k2) and stride_ipiv >= 0 (0: one for all members). Arguments are numbered n 1, a 2, lda 3,
 * stride_a 4, k1 5, k2 6, ipiv 7, stride_ipiv 8, incx 9, batch_count 10, stream 11.
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
 * Converts the row interchanges of an LU factorisation to a permutation: row j of L U is row perm(i)[j - 1] of
 * A(i), both counted from 1 as in LAPACK (permutations of JAX and PyTorch count from 0). It applies the
 * interchanges of rows 1, 2, ..., k with rows ipiv(i)[0], ipiv(i)[1], ..., ipiv(i)[k-1], in turn, to the list 1,
 * 2, ..., m. All operands are ints, so one function serves all precisions. An interchange with a row outside 1,
 * ..., m is ignored.
 *
 * The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
 * graph. Members of the batch may share one ipiv; perm must not overlap it.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of A, 0 <= m < 2^31 |
 * | 2 | k | interchanges, 0 <= k <= m: min(m,n) after tephra_sgetrf_batched() |
 * | 3 | ipiv_array | batch_count pointers to k ints each; not NULL when there is work and k > 0 |
 * | 4 | perm_array | batch_count pointers to m ints each; not NULL when there is work |
 * | 5 | batch_count | number of permutations, >= 0 |
 * | 6 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, interchanges and permutations are in device memory, as for tephra_sgeqrf_batched(). The call does
 * nothing and returns success when m or batch_count is 0.
 */
tephra_status tephra_lu_to_permutation_batched(int64_t m,
                                               int64_t k,
                                               int *const *ipiv_array,
                                               int *const *perm_array,
                                               int64_t batch_count,
                                               void *stream);

/**
 * tephra_lu_to_permutation_batched() for interchanges and permutations at constant strides (in ints). With
 * batch_count > 1, stride_ipiv >= 0 (0: one for all members) and stride_perm >= max(1,m). Arguments are numbered
 * m 1, k 2, ipiv 3, stride_ipiv 4, perm 5, stride_perm 6, batch_count 7, stream 8.
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
 * The factor overwrites the triangle uplo of A(i); the other triangle is neither read nor written. Imaginary parts
 * on the diagonal of A(i) are ignored; those of the factor are 0. If A(i) is not positive definite, info is the
 * order j of the first leading minor that is not. The factor of the leading minor of order j - 1 is then complete,
 * element (j, j) holds the updated diagonal element, which is not positive, and the rest of the triangle is
 * unspecified. A NaN counts as not positive, so info is where the first one reached the diagonal.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
 * the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
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
 * | 8 | work_bytes | size of work, at least what tephra_spotrf_batched_workspace() reports; a smaller one is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_spotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered uplo 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_spotrf_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotrf_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
 * stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
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
 * Batched LAPACK SPOTRI: A(i)^-1 in place, from the factor that tephra_spotrf_batched() left in A(i).
 *
 * The inverse is symmetric (complex: Hermitian): its triangle uplo overwrites the factor; the other triangle is
 * neither read nor written. If the factor has an exact 0 on its diagonal, A(i) has no inverse and is left
 * unchanged.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
 * the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
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
 * | 8 | work_bytes | size of work, at least what tephra_spotri_batched_workspace() reports; a smaller one is an error |
 * | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_spotri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered uplo 1, n 2, lda 3, batch_count 4.
 */
tephra_status tephra_spotri_batched_workspace(int uplo, int64_t n, int64_t lda, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
 * stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
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
 * Batched LAPACK SPOTRS: B(i) := A(i)^-1 B(i), from the factor that tephra_spotrf_batched() left in A(i).
 *
 * A(i) is not checked for singularity: the result of a division by a 0 on the factor's diagonal is passed on. The
 * other triangle of A(i) is not read.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
 * the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 2 | n | order of A, n >= 0 |
 * | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
 * | 4 | a_array | batch_count pointers to n x n matrices, which may coincide; not NULL when there is work |
 * | 5 | lda | leading dimension of A, lda >= max(1,n) |
 * | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
 * | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
 * | 8 | batch_count | number of matrices, >= 0 |
 * | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 10 | work_bytes | size of work, at least what tephra_spotrs_batched_workspace() reports; a smaller one is an error |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
 * success when n, nrhs or batch_count is 0.
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
 * Workspace of tephra_spotrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_spotrs_batched_workspace(int uplo,
                                              int64_t n,
                                              int64_t nrhs,
                                              int64_t lda,
                                              int64_t ldb,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_spotrs_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
 * one factor for all members) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5,
 * stride_a 6, b 7, ldb 8, stride_b 9, batch_count 10, work 11, work_bytes 12, stream 13.
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
 * On exit A(i) is as tephra_spotrf_batched() leaves it, and X(i) is in B(i). If info is not 0, A(i) is not
 * positive definite, and the contents of B(i) are unspecified.
 *
 * The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
 * the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
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
 * | 11 | work_bytes | size of work, at least what tephra_sposv_batched_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
 * returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A is still
 * factored and info set.
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
 * Workspace of tephra_sposv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_sposv_batched_workspace(int uplo,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_sposv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
 * max(1,n) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7,
 * ldb 8, stride_b 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
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
 * tephra_sgeqrf_batched() on matrices stored in FP16 or BF16, as `storage` says.
 *
 * All routines with 16-bit storage work in the same way: operands are widened to FP32, which is exact, the call
 * computes in FP32 as tephra_sgeqrf_batched() does, and results are rounded to the nearest number of the type,
 * ties to even. So the errors are those of FP32 plus one rounding of each result, of relative size 2^-11 (FP16) or
 * 2^-8 (BF16). In FP16, results of 65520 and more become infinite, and results below 2^-14 become subnormal or 0;
 * BF16 has the range of FP32. Nothing is scaled to keep results in range. A NaN or infinity affects only its own
 * matrix, and padding is neither read nor written. Of the cuBLAS-compatible functions, only cublasGemmBatchedEx
 * and cublasGemmStridedBatchedEx compute in this way.
 *
 * The call is asynchronous on the stream, allocates nothing (except where tephra_sgeqrf_batched() uses scratch
 * memory from the stream-ordered pool) and can be captured in a CUDA graph. On CUDA, large batches pass through
 * the workspace a few members at a time, so its size is bounded; on the CPU backend each thread converts a few
 * members at a time in memory of its own.
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
 * | 9 | work_bytes | size of work, at least what tephra_xgeqrf_batched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(), and need no alignment beyond their
 * elements'. The call does nothing and returns success when m, n or batch_count is 0.
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
 * Workspace of tephra_xgeqrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered storage 1, m 2, n 3, lda 4, batch_count 5.
 */
tephra_status tephra_xgeqrf_batched_workspace(int storage,
                                              int64_t m,
                                              int64_t n,
                                              int64_t lda,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_xgeqrf_batched() for matrices at a constant stride (in elements), as tephra_sgeqrf_strided_batched().
 * Arguments are numbered storage 1, m 2, n 3, a 4, lda 5, stride_a 6, tau 7, stride_tau 8, batch_count 9, work 10,
 * work_bytes 11, stream 12.
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
 * tephra_sqr_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): Q is
 * orthogonal to the type's precision.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, Q and R |
 * | 2 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
 * | 3 | m | rows of A, m >= 0 |
 * | 4 | n | columns of A, n >= 0 |
 * | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
 * | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 9 | r_array | batch_count pointers, receive R |
 * | 10 | ldr | leading dimension of R, at least max(1, rows of R) |
 * | 11 | batch_count | number of matrices, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | size of work, at least what tephra_xqr_batched_workspace() reports; a smaller one is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
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
 * Workspace of tephra_xqr_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call, and
 * are numbered storage 1, part 2, m 3, n 4, lda 5, ldq 6, ldr 7, batch_count 8.
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
 * tephra_xqr_batched() for matrices at a constant stride (in elements), as tephra_sqr_strided_batched(). Arguments
 * are numbered storage 1, part 2, m 3, n 4, a 5, lda 6, stride_a 7, q 8, ldq 9, stride_q 10, r 11, ldr 12,
 * stride_r 13, batch_count 14, work 15, work_bytes 16, stream 17.
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
 * tephra_spotrf_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). Only the
 * triangle is converted; the other one is neither read nor written. info is that of the factorisation in FP32.
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
 * | 9 | work_bytes | size of work, at least what tephra_xpotrf_batched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
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
 * Workspace of tephra_xpotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered storage 1, uplo 2, n 3, lda 4, batch_count 5.
 */
tephra_status tephra_xpotrf_batched_workspace(int storage,
                                              int uplo,
                                              int64_t n,
                                              int64_t lda,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_xpotrf_batched() for matrices at a constant stride (in elements), as tephra_spotrf_strided_batched().
 * Arguments are numbered storage 1, uplo 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, work 9,
 * work_bytes 10, stream 11.
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
 * tephra_sgesv_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). ipiv and
 * info are those of the factorisation in FP32; X is computed from its factors before they are rounded.
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
 * | 12 | work_bytes | size of work, at least what tephra_xgesv_batched_workspace() reports; a smaller one is an error |
 * | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
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
 * Workspace of tephra_xgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
 * and are numbered storage 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
 */
tephra_status tephra_xgesv_batched_workspace(int storage,
                                             int64_t n,
                                             int64_t nrhs,
                                             int64_t lda,
                                             int64_t ldb,
                                             int64_t batch_count,
                                             size_t *bytes);

/**
 * tephra_xgesv_batched() for matrices at a constant stride (in elements), as tephra_sgesv_strided_batched().
 * Arguments are numbered storage 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10,
 * stride_b 11, info 12, batch_count 13, work 14, work_bytes 15, stream 16.
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
 * tephra_sgemm_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): products
 * and sums are in FP32, and each element of C is rounded once. cublasGemmBatchedEx on tensor cores is faster, if
 * the accuracy of their sums is sufficient.
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
 * | 17 | work_bytes | size of work, at least what tephra_xgemm_batched_workspace() reports; a smaller one is an error |
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
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
 * Workspace of tephra_xgemm_batched() in bytes, whatever the scalars are; 0 on the CPU backend. Its arguments are
 * checked as in that call, and are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, lda 7, ldb 8, ldc 9,
 * batch_count 10.
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
 * tephra_xgemm_batched() for matrices at a constant stride (in elements), as tephra_sgemm_strided_batched().
 * Arguments are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, alpha 7, a 8, lda 9, stride_a 10, b 11,
 * ldb 12, stride_b 13, beta 14, c 15, ldc 16, stride_c 17, batch_count 18, work 19, work_bytes 20, stream 21.
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
 * tephra_sgetrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
 * the stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
 * sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing of it is read or written
 * except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i]
 * >= m[i].
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
 * | 8 | info | one int per matrix in device memory, or NULL: as for tephra_sgetrf_batched(), and see above |
 * | 9 | batch_count | number of matrices, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | size of work, at least what tephra_sgetrf_vbatched_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0; all of info is then set to 0.
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
 * tephra_sgeqrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
 * the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
 * replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
 * of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
 * max_n, else -4 if not lda[i] >= m[i]. Computation is always in FP32, whatever tephra_set_thread_math() allows.
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
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0; all of info is then set to 0.
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
 * tephra_sorgqr_batched() for matrices with individual sizes: the first n[i] columns of Q(i), which has m[i] rows,
 * overwriting its k[i] reflectors.
 *
 * The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
 * matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m,
 * else -2 if not 0 <= n[i] <= min(max_n,m[i]), else -3 if not 0 <= k[i] <= min(max_k,n[i]), else -5 if not
 * lda[i] >= m[i].
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
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0; all of info is then set to 0.
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
 * tephra_sormqr_batched() for matrices with individual sizes: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), where C(i)
 * is m[i] x n[i] and Q(i) has k[i] reflectors.
 *
 * The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
 * member are invalid, nothing of it is read or written except its info, which is -3 if not 0 <= m[i] <= max_m,
 * else -4 if not 0 <= n[i] <= max_n, else -5 if not 0 <= k[i] <= min(max_k,q), where the order q of Q is m[i]
 * (left) or n[i] (right); else -7 if not lda[i] >= q, else -10 if not ldc[i] >= m[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT, for all members |
 * | 2 | trans | TEPHRA_TRANS_N, _T or _C, for all members |
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
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n,
 * max_k or batch_count is 0; all of info is then set to 0.
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
 * tephra_sgemm_batched() for members with individual sizes: op(A(i)) is m[i] x k[i], op(B(i)) k[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m, max_n and max_k are their upper bounds, by
 * which the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and
 * can be captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta.
 * Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i], n[i]
 * or k[i] below 0 or above its maximum, or with a leading dimension less than the rows of its matrix; and those
 * of which a matrix that is needed is NULL.
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
 * | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0, or beta is 1 and alpha or max_k is 0. With alpha = 0 or max_k = 0, a_array and b_array may
 * be NULL.
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
 * tephra_sgemv_batched() for members with individual sizes and increments: A(i) is m[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. If m[i] or n[i] is 0, nothing is done, as in
 * BLAS. Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i]
 * or n[i] below 0 or above its maximum, with a leading dimension that is less than m[i], or with an increment
 * of 0.
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
 * | 10 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element; as lda |
 * | 11 | beta | one number in host memory, as alpha |
 * | 12 | y_array | batch_count pointers to vectors of m[i] elements (n[i] if transposed); not NULL when there is work |
 * | 13 | incy | batch_count ints in device memory: increments of y, as incx |
 * | 14 | batch_count | number of members, >= 0 |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0, or alpha is 0 and beta 1. With alpha = 0, a_array and x_array may be NULL.
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
 * tephra_strsm_batched() for members with individual sizes: B(i) is m[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, needs no workspace, allocates nothing (except
 * scratch memory from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each
 * replay may see different sizes. Members with invalid sizes are neither read nor written, and no error code
 * reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading dimension that is too
 * small.
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
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0.
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
 * tephra_spotrf_batched() for matrices with individual orders: A(i) is n[i] x n[i], with leading dimension lda[i].
 *
 * The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
 * are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
 * stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
 * orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
 * info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 6 | info | one int per matrix in device memory, or NULL: as for tephra_spotrf_batched(), and see above |
 * | 7 | batch_count | number of matrices, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | size of work, at least what tephra_spotrf_vbatched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0; all of info is then set to 0.
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
 * tephra_sgetri_batched() for matrices with individual orders: C(i) := A(i)^-1, from the factors that
 * tephra_sgetrf_vbatched() left in A(i). C must not be A.
 *
 * The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
 * are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
 * stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
 * orders. n[i] = 0 is allowed. If the sizes of a member are invalid, nothing of it is read or written except its
 * info, which is -1 if not 0 <= n[i] <= max_n, else -3 if not lda[i] >= n[i], else -6 if not ldc[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 3 | a_array | batch_count pointers to the factors, likewise |
 * | 4 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 5 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
 * | 6 | c_array | batch_count pointers to n[i] x n[i] matrices, which must not be A; not NULL when there is work |
 * | 7 | ldc | batch_count ints in device memory: leading dimensions of C, in elements, likewise |
 * | 8 | info | one int per member in device memory, or NULL: as for tephra_sgetri_batched(), and see above |
 * | 9 | batch_count | number of members, >= 0 |
 * | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 11 | work_bytes | size of work, at least what tephra_sgetri_vbatched_workspace() reports; a smaller one is an error |
 * | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgetri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1,
 * batch_count 2.
 */
tephra_status tephra_sgetri_vbatched_workspace(int64_t max_n, int64_t batch_count, size_t *bytes);

/**
 * tephra_spotri_batched() for matrices with individual orders, in place, from the factors that
 * tephra_spotrf_vbatched() left in A(i).
 *
 * The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
 * are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
 * stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
 * orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
 * info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has a higher order, max_n >= 0 |
 * | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
 * | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to the factors, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
 * | 6 | info | one int per member in device memory, or NULL: as for tephra_spotri_batched(), and see above |
 * | 7 | batch_count | number of members, >= 0 |
 * | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 9 | work_bytes | size of work, at least what tephra_spotri_vbatched_workspace() reports; a smaller one is an error |
 * | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_spotri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, uplo 2,
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
 * tephra_sgels_batched() for systems with individual sizes: A(i) is m[i] x n[i], with nrhs[i] right-hand sides.
 * The shape of each system decides: with m[i] >= n[i], X(i) is the least-squares solution, else that of least norm
 * (the other way round for A^H).
 *
 * The sizes are in device memory and are never read by the host; max_m, max_n and max_nrhs are their upper bounds,
 * by which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch
 * memory from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA
 * graph; each replay may see different sizes. m[i] = 0, n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a
 * member are invalid, nothing of it is read or written except its info, which is -2 if not 0 <= m[i] <= max_m,
 * else -3 if not 0 <= n[i] <= max_n, else -4 if not 0 <= nrhs[i] <= max_nrhs, else -6 if not lda[i] >= m[i], else
 * -8 if not ldb[i] >= max(m[i],n[i]).
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
 * | 12 | info | one int per member in device memory, or NULL: as for tephra_sgels_batched(), and see above |
 * | 13 | batch_count | number of members, >= 0 |
 * | 14 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 15 | work_bytes | size of work, at least what tephra_sgels_vbatched_workspace() reports; a smaller one is an error |
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when batch_count
 * or the upper bound of the rows of X is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgels_vbatched() in bytes: space for the transposes of members with more columns than rows;
 * 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2, max_nrhs 3, trans 4, batch_count 5.
 */
tephra_status tephra_sgels_vbatched_workspace(int64_t max_m,
                                              int64_t max_n,
                                              int64_t max_nrhs,
                                              int trans,
                                              int64_t batch_count,
                                              size_t *bytes);

/**
 * tephra_sgelqf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
 * the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
 * replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
 * of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
 * max_n, else -4 if not lda[i] >= m[i].
 *
 * The arguments are those of tephra_sgeqrf_vbatched() and are numbered in the same way, except that the call needs
 * a workspace of at least tephra_sgelqf_vbatched_workspace() bytes.
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0; all of info is then set to 0.
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
 * Workspace of tephra_sgelqf_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_m 1, max_n 2,
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
 * tephra_ssyrk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
 *
 * The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
 * with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
 * or above its maximum, or with a leading dimension less than the rows of its matrix.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is
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
 * tephra_ssyr2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
 * columns.
 *
 * The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
 * with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
 * or above its maximum, or with a leading dimension less than the rows of its matrix.
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
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is
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
 * tephra_cherk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
 *
 * The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
 * with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
 * or above its maximum, or with a leading dimension less than the rows of its matrix.
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
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is
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
 * tephra_cher2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
 * columns.
 *
 * The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
 * with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
 * or above its maximum, or with a leading dimension less than the rows of its matrix.
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
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is
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
 * tephra_strmm_batched() for members with individual sizes: B(i) is m[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
 * written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
 * dimension that is too small.
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
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0.
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
 * tephra_ssymm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
 * written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
 * dimension that is too small; and those of which a matrix that is needed is NULL.
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
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
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
 * tephra_chemm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
 *
 * The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
 * the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
 * captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
 * written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
 * dimension that is too small; and those of which a matrix that is needed is NULL.
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
 * | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
 * or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
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
 * tephra_sgetrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
 * which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
 * from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
 * different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
 * read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
 * else -5 if not lda[i] >= n[i], else -8 if not ldb[i] >= n[i].
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
 * | 14 | work_bytes | size of work, at least what tephra_sgetrs_vbatched_workspace() reports; a smaller one is an error |
 * | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
 * max_nrhs or batch_count is 0; all of info is then set to 0.
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
 * tephra_sgesv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
 * which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
 * from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
 * each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
 * nothing of it is read or written except its info, which is -1 if not 0 <= n[i] <= max_n, else -2 if not 0 <=
 * nrhs[i] <= max_nrhs, else -4 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
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
 * | 10 | info | one int per member in device memory, or NULL: as for tephra_sgesv_batched(), and see above |
 * | 11 | batch_count | number of members, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | size of work, at least what tephra_sgesv_vbatched_workspace() reports; a smaller one is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
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
 * Workspace of tephra_sgesv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
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
 * tephra_spotrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
 * which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
 * from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
 * different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
 * read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
 * else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
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
 * | 13 | work_bytes | size of work, at least what tephra_spotrs_vbatched_workspace() reports; a smaller one is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
 * max_nrhs or batch_count is 0; all of info is then set to 0.
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
 * tephra_sposv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
 *
 * The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
 * which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
 * from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
 * each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
 * nothing of it is read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <=
 * nrhs[i] <= max_nrhs, else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
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
 * | 10 | info | one int per member in device memory, or NULL: as for tephra_sposv_batched(), and see above |
 * | 11 | batch_count | number of members, >= 0 |
 * | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
 * | 13 | work_bytes | size of work, at least what tephra_sposv_vbatched_workspace() reports; a smaller one is an error |
 * | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
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
 * Workspace of tephra_sposv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
 * uplo 3, batch_count 4.
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
 * tephra_slaswp_batched() for matrices with individual numbers of columns and last rows: A(i) has n[i] columns,
 * and its rows k1 to k2[i] are interchanged.
 *
 * The sizes are in device memory and are never read by the host; max_n and max_k2 are their upper bounds. The call
 * is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph; each
 * replay may see different sizes. If k2[i] is less than k1, nothing is interchanged. Members with invalid sizes
 * are neither read nor written, and no error code reports them: those with n[i] or k2[i] below 0 or above its
 * maximum, or with a leading dimension less than k2[i].
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | max_n | no matrix has more columns, max_n >= 0 |
 * | 2 | max_k2 | no matrix has a larger k2, max_k2 >= 0 |
 * | 3 | n | batch_count ints in device memory: columns; not NULL when there is work |
 * | 4 | a_array | batch_count pointers to matrices with all rows in ipiv, likewise |
 * | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
 * | 6 | k1 | first row to interchange, for all members, k1 >= 1 |
 * | 7 | k2 | batch_count ints in device memory: last row to interchange, likewise |
 * | 8 | ipiv_array | batch_count pointers to interchanges, as for tephra_slaswp_batched(), likewise |
 * | 9 | incx | increment between interchanges; its sign gives the order |
 * | 10 | batch_count | number of members, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
 * max_k2, incx or batch_count is 0.
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
 * tephra_strsv_batched() for systems with individual orders and increments.
 *
 * The sizes are in device memory and are never read by the host; max_n is the upper bound of the orders. The call
 * is asynchronous on the stream, needs no workspace, allocates nothing (except scratch memory from the
 * stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
 * sizes. Members with invalid sizes are neither read nor written, and no error code reports them: those with n[i]
 * below 0 or above max_n, lda[i] below n[i], or incx[i] of 0.
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
 * | 9 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element; likewise |
 * | 10 | batch_count | number of members, >= 0 |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
 * batch_count is 0.
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
 * Makes a communicator from functions of the caller, such as wrappers of MPI or torch.distributed. This process is
 * rank `rank` of `size`.
 *
 * The functions are called from the thread that calls Tephra, with buffers in host memory, on all ranks in the
 * same order and with the same sizes. They decide how long to wait for a missing rank; a nonzero return value ends
 * the call with TEPHRA_STATUS_COMMUNICATION_ERROR. On the CUDA backend data passes through pinned host memory, and
 * calls wait for it; tephra_comm_from_nccl() sends from device to device.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | rank | this process, 0 <= rank < size |
 * | 2 | size | number of ranks, >= 1 |
 * | 3 | allgather | not NULL |
 * | 4 | broadcast | may be NULL if device kind, settings and build of Tephra are the same on all ranks; else calls may fail |
 * | 5 | user | passed to both functions |
 * | 6 | comm | receives the communicator |
 */
tephra_status tephra_comm_create(int rank,
                                 int size,
                                 tephra_allgather allgather,
                                 tephra_broadcast broadcast,
                                 void *user,
                                 tephra_comm **comm);

/**
 * Makes a communicator from the caller's ncclComm_t, which the caller keeps owning and which must outlive it. The
 * first call looks for NCCL, in libnccl.so.2: a copy that the program has already loaded, or the system's. Returns
 * TEPHRA_STATUS_NOT_SUPPORTED if there is none, and on the CPU backend. The calling thread's current device must
 * be that of the communicator, as in all calls with it. Arguments are numbered nccl_comm 1, comm 2.
 */
tephra_status tephra_comm_from_nccl(void *nccl_comm, tephra_comm **comm);

/**
 * Makes communicators for `count` ranks of this process, each to be used by a thread of its own, all of which call
 * at the same time. On CUDA, rank i uses the device devices[i] (NULL: device i), which must be the current one of
 * its thread. The ranks communicate through NCCL if it can be loaded, and through pinned host memory if it cannot
 * or if a device is named twice. On the CPU backend devices is ignored. `comms` receives `count` communicators.
 * Arguments are numbered count 1, devices 2, comms 3.
 */
tephra_status tephra_comm_init_all(int count, const int *devices, tephra_comm **comms);

/**
 * Destroys a communicator; NULL is allowed. This does not communicate, so other ranks need not call it at the same
 * time.
 */
tephra_status tephra_comm_destroy(tephra_comm *comm);

/**
 * Writes the index of this rank and the number of ranks to *rank and *size; either may be NULL. Arguments are
 * numbered comm 1, rank 2, size 3.
 */
tephra_status tephra_comm_rank(const tephra_comm *comm, int *rank, int *size);

/**
 * Sets how many seconds a rank waits for the others; the default is 300. After that time the call fails on all
 * ranks that made it, and with a communicator of tephra_comm_init_all() so do all later calls. The functions of
 * tephra_comm_create() are not affected. With NCCL, work that waits in the stream stays there until the owner of
 * the ncclComm_t aborts it. Arguments are numbered comm 1, seconds 2: more than 0, at most 1e9.
 */
tephra_status tephra_comm_set_timeout(tephra_comm *comm, double seconds);

/**
 * QR factorisation of one tall matrix whose rows are distributed over ranks: A = Q R. Every rank receives R.
 *
 * Rank 0 has the first rows of the matrix, rank 1 the next ones, and so on. A rank may have any number of rows,
 * including 0; all ranks together have at least n. Up to rounding, R is that of SGEQRF for the whole matrix, signs
 * included; it is zero below its diagonal and has the same bits on all ranks. With TEPHRA_Q_THIN, the rows of Q
 * are distributed as those of A; with TEPHRA_Q_NONE, Q is not formed. Each rank sends at most 2 n^2 elements: its
 * rows among the first n of the matrix, and the triangular factor of its others (TSQR). If the matrix contains a
 * NaN or infinity, R is not finite on all ranks.
 *
 * All ranks make the call together, with the same type, part and n, which they verify first. If these differ, or a
 * rank cannot take part because it lacks memory or has invalid arguments, the call fails on all ranks before
 * anything is written: on that rank with its own error, on the others with TEPHRA_STATUS_COMMUNICATION_ERROR. If a
 * device fails later, the other ranks get NaN in R or fail, too.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | part | TEPHRA_Q_NONE or TEPHRA_Q_THIN |
 * | 3 | m | rows of this rank, m >= 0; of all ranks together at least n |
 * | 4 | n | columns, n >= 0 |
 * | 5 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
 * | 6 | lda | leading dimension of A, lda >= max(1,m) |
 * | 7 | q | receives this rank's rows of Q, which must not be a; likewise; ignored for TEPHRA_Q_NONE |
 * | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
 * | 9 | r | receives R, ldr*n elements of device memory |
 * | 10 | ldr | leading dimension of R, ldr >= max(1,n) |
 * | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
 *
 * On CUDA the call waits for the ranks to verify their arguments and, with NCCL, for earlier work in the stream.
 * The rest is asynchronous on the stream, with scratch memory from the stream-ordered pool, unless data passes
 * through host memory. The call cannot be captured in a CUDA graph. On the CPU backend it has finished when it
 * returns.
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
 * QR factorisation of one tall matrix whose rows are distributed over ranks, A = Q R, with an implicit Q that
 * tephra_sgemqr_distributed() can apply.
 *
 * Rows, R and failures are as for tephra_sqr_distributed(). A and T represent Q in an internal format and must not
 * be changed. T holds the factored stack of all ranks' triangular factors, which is the same on all ranks, and the
 * factors of this rank's own rows.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
 * | 3 | n | columns, n >= 0 |
 * | 4 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
 * | 5 | lda | leading dimension, lda >= max(1,m) |
 * | 6 | t | receives T, tsize elements of device memory |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqr_distributed_tsize() reports; a smaller one is an error |
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
 * Writes the number of elements of T of tephra_sgeqr_distributed() for a rank with m rows to *tsize, without
 * communication. Arguments are numbered comm 1, m 2, n 3.
 */
tephra_status tephra_sgeqr_distributed_tsize(const tephra_comm *comm, int64_t m, int64_t n, int64_t *tsize);

/**
 * C := op(Q) C for a distributed C, with Q as tephra_sgeqr_distributed() left it in A and T.
 *
 * Q is square, of the order of the matrix's rows; the rows of C are distributed as those of A were. The first k
 * rows of Q^H C correspond to R: with C = B they are the right-hand sides of the triangular system of a
 * least-squares problem, and the rows below them give the residual. Failures are as for tephra_sqr_distributed().
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | comm | the communicator |
 * | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
 * | 3 | m | rows of this rank, as in tephra_sgeqr_distributed() |
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
 * Least squares with one tall matrix whose rows are distributed over ranks: every rank receives the X that
 * minimises the 2-norm of each column of B - A X. A must have full rank.
 *
 * Rows and failures are as for tephra_sqr_distributed(); the rows of B are distributed as those of A. Unlike
 * tephra_sgels(), the call does not scale A and B: X is not finite if the norm of one of their columns overflows,
 * and loses digits where their elements are subnormal.
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
 * QR factorisation of one large matrix in host memory on all CPU cores: A = Q R, in tiles of nb rows and columns.
 *
 * All operands are in host memory, whichever backend is in use, and the call returns when it has finished. It
 * allocates working memory: about 1 MB for each of the TEPHRA_NUM_THREADS threads (or 100 nb elements if that is
 * more), and 100 to 200 bytes for each of about m n min(m,n) / (2 nb^3) tasks. The tasks are kernels on tiles
 * (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35 (2009)) and run as soon as their inputs are ready.
 * Results depend on nb, but not on the number of threads, on look_ahead or on timing.
 *
 * R is on and above the diagonal of A, as SGEQRF leaves it except for the signs of its rows. The elements below
 * the diagonal and T represent Q, for tephra_sormqr_tiled() and tephra_sorgqr_tiled() only. A NaN or infinity in A
 * appears in R.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0 |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | nb | rows and columns of a tile; 0: chosen by the library. It is raised if there would be too many tiles |
 * | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports; a smaller one is an error |
 * | 8 | look_ahead | how many steps (columns of tiles) a task may be ahead of the first unfinished one; 0: any number |
 * | 9 | call | progress callback, called from this thread; or NULL |
 * | 10 | user | passed to it |
 *
 * A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and T are then unspecified, as after a
 * failed allocation.
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
 * Writes the number of elements of T of tephra_sgeqrf_tiled() to *tsize: about ib min(m,n) times the number of
 * tile rows, ib being the inner block size (32, or nb if that is less), and half of that if A is square. Here
 * min(m,n) is rounded up to a multiple of nb, so the T of a single column has ib m elements. The arguments are
 * checked as in that call.
 */
tephra_status tephra_sgeqrf_tiled_tsize(int64_t m, int64_t n, int64_t nb, int64_t *tsize);

/**
 * C := op(Q) C with Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands are in host
 * memory.
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
 * The call does nothing when m, n or k is 0.
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
 * Computes the first n columns of Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands
 * are in host memory.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows of Q and of the matrix that was factored, m >= 0 |
 * | 2 | n | columns of Q, 0 <= n <= m |
 * | 3 | k | reflectors, 0 <= k <= n, no more than that matrix had columns |
 * | 4 | a | what tephra_sgeqrf_tiled() left; not modified |
 * | 5 | lda | leading dimension of A, lda >= max(1,m) |
 * | 6 | t | T of tephra_sgeqrf_tiled() |
 * | 7 | tsize | its size in elements |
 * | 8 | q | receives Q, ldq*n elements; must not be A |
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
 * Least-squares or minimum-norm solutions of op(A) X = B (LAPACK SGELS) with one large matrix in host memory, on
 * all CPU cores. A must have full rank.
 *
 * With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
 * of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
 * least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
 * rows on entry and X has m. A is overwritten. All operands are in host memory; the call allocates T
 * (tephra_sgeqrf_tiled_tsize()), and a copy of A if m < n. A NaN appears in X; so does an
 * infinity, unless X is only divided by it.
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
 * Without unknowns the call only sets info, to 0; without equations it also sets X to zero; without right-hand
 * sides it sets info as otherwise.
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
 * QR factorisation of one large matrix in host memory on devices, or on devices and all CPU cores together: A = Q
 * R (Kurzak, Nath, Du and Dongarra, An implementation of the tile QR factorization for a GPU and multiple CPUs).
 *
 * A, T and the array `devices` are in host memory, whichever backend is in use. The devices own the first columns
 * and factor them as tephra_sgeqrf_host() does: in blocks of columns, two of which are on a device at a time, so A
 * may be larger than its memory. The CPU cores own the last columns, each working on one stripe of them at a time,
 * and apply the devices' finished reflectors to them as these are copied back; a device then factors the rest of
 * these columns. Unlike tephra_sgeqrf_tiled(), the call factors the tiles of a column together: R, signs included,
 * and the reflectors below it are those of SGEQRF up to rounding, and the min(m,n) elements of T from element 3 on
 * are tau. So tephra_sormqr_host(), LAPACK routines, tephra_sormqr_tiled() and tephra_sorgqr_tiled() can all use
 * the result. On the CPU backend, and if the CPU cores own all columns, the call is the same as
 * tephra_sgeqrf_tiled(). A NaN or infinity in A appears in R.
 *
 * host_columns is rounded up so that the devices' columns are whole inner blocks; -1 balances the work by measured
 * speeds, and gives the CPU cores no columns if they would do less than 5 % of the work. The same host_columns,
 * budget, number of devices and TEPHRA_NUM_THREADS give the same bits. With host_columns -1 this holds within one
 * process: the first call for a type measures the speeds of the first device and of the threads (in some tens of
 * milliseconds, with at most 340 MB of device memory; with a smaller budget the CPU cores get no columns), and all
 * later calls use the result. tephra_sgeqrf_tiled_host_columns() reports the number of columns, with which another
 * process gives the same bits.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | nb | reflectors that a core applies at a time, and the tile size without a device; 0: chosen by the library |
 * | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
 * | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports for m, n and nb |
 * | 8 | look_ahead | how many steps (nb columns) a core may be ahead of the first unfinished one; 0: any number |
 * | 9 | host_columns | number of last columns that the CPU cores own; 0: devices only; n or more: cores only; -1: see above |
 * | 10 | budget | bytes of each device's memory that the call may use, as for tephra_sgeqrf_host(); 0: what is free, less a margin |
 * | 11 | device_count | how many devices take part; 0: the current one |
 * | 12 | devices | which ones; ignored if device_count is 0 |
 * | 13 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or NULL |
 * | 14 | user | passed to it |
 *
 * The call waits, uses memory and fails as tephra_sgeqrf_host() does: it returns TEPHRA_STATUS_OUT_OF_MEMORY if a
 * device or the host has too little memory (before anything is written, if the budget is too small), and
 * TEPHRA_STATUS_FUNCTION_ERROR if the callback cancels it. A and T are unspecified after a failure midway.
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
 * Writes the number of columns that the CPU cores get from tephra_sgeqrf_tiled_devices() with host_columns -1 to
 * *columns; on the CPU backend, all. m, n, nb, budget, device_count and devices are as in that call, and are
 * checked in the same way. The first call for a type measures.
 */
tephra_status tephra_sgeqrf_tiled_host_columns(int64_t m,
                                               int64_t n,
                                               int64_t nb,
                                               int64_t budget,
                                               int device_count,
                                               const int *devices,
                                               int64_t *columns);

/**
 * tephra_sgels_tiled() with the factorisation of tephra_sgeqrf_tiled_devices(): on devices, or on devices and CPU
 * cores. B is processed on the host.
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
 * | 14 | devices | which ones; ignored if device_count is 0 |
 * | 15 | call | progress callback of the factorisation, or NULL |
 * | 16 | user | passed to it |
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
 * A, tau and the array `devices` are in host memory, whichever backend is in use. The matrix is divided into
 * blocks of columns. Two of them are on a device at a time, and the columns before them stream through the device
 * (a left-looking algorithm); transfers overlap the computation. The call waits for the devices and must not be
 * captured. While it runs it uses streams, device memory and 8 page-locked buffers of up to 16 MiB. If A is in
 * page-locked memory (cudaHostAlloc, cudaHostRegister), it is copied directly, without these buffers. On the CPU
 * backend A is factored in place, in one step.
 *
 * R, the reflectors below it and tau are those of SGEQRF and tephra_sgeqrf(), signs included, up to rounding,
 * which depends on the budget and the number of devices. A NaN or infinity in A appears in R. Products are
 * computed in FP32.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, m >= 0 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | tau | receives min(m,n) scalar factors |
 * | 6 | budget | bytes of each device's memory that the call may use, including scratch memory; 0: what is free, less a margin |
 * | 7 | device_count | how many devices take part; 0: the current one |
 * | 8 | devices | which ones; ignored if device_count is 0 |
 * | 9 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or NULL |
 * | 10 | user | passed to it |
 *
 * A device needs memory for two blocks and two panels of at least 32 columns and m rows each. If the budget is
 * smaller, or a device lacks that memory, the call returns TEPHRA_STATUS_OUT_OF_MEMORY; in the first case before
 * anything is written. A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and tau are then
 * unspecified, as after any other failure midway.
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
 * C := op(Q) C with Q as tephra_sgeqrf_host() or SGEQRF left it in A and tau (LAPACK SORMQR from the left). All
 * operands are in host memory; A and C may be larger than the device's memory.
 *
 * Blocks of columns of C are distributed over the devices, and A streams through each. The call waits, and uses
 * memory, as tephra_sgeqrf_host() does.
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
 * | 12 | devices | which ones; ignored if device_count is 0 |
 * | 13 | call | progress callback, or NULL |
 * | 14 | user | passed to it |
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
 * LU factorisation with partial pivoting of one matrix in host memory, which may be larger than the device's memory:
 * A = P L U (LAPACK SGETRF).
 *
 * All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
 * tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. At the end the host's
 * threads apply the row interchanges of each block to the columns on its left. On the CPU backend A is factored in
 * place, in one step.
 *
 * L, U and the pivots are SGETRF's, and those of tephra_sgetrf_batched() but for rounding, which depends on the budget and the
 * number of devices: where two candidates for a pivot are equal but for rounding, another one may be chosen.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | m | rows, 0 <= m < 2^31 |
 * | 2 | n | columns, n >= 0 |
 * | 3 | a | the matrix, lda*n elements, overwritten by L and U; not NULL unless m or n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,m) |
 * | 5 | ipiv | receives min(m,n) pivots, counted from 1; not NULL unless m or n is 0 |
 * | 6 | info | receives 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0; the factorisation is complete in that case, too. May be NULL |
 * | 7 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
 * | 8 | device_count | how many devices take part; 0: the current one |
 * | 9 | devices | which ones; ignored if device_count is 0 |
 * | 10 | call | progress callback, or NULL |
 * | 11 | user | passed to it |
 */
tephra_status tephra_sgetrf_host(int64_t m,
                                 int64_t n,
                                 float *a,
                                 int64_t lda,
                                 int *ipiv,
                                 int *info,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * Cholesky factorisation of one symmetric positive definite matrix in host memory, which may be larger than the device's
 * memory: A = L L^T or U^T U (LAPACK SPOTRF).
 *
 * All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
 * tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. Only the triangle
 * and the diagonal squares of the blocks are copied. The other triangle keeps its contents. On the CPU backend A is factored in
 * place, in one step.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | uplo | TEPHRA_UPLO_LOWER or TEPHRA_UPLO_UPPER: the triangle of A that is read and overwritten by the factor |
 * | 2 | n | order of A, 0 <= n < 2^31 |
 * | 3 | a | the matrix, lda*n elements; not NULL unless n is 0, and not in device memory |
 * | 4 | lda | leading dimension of A, lda >= max(1,n) |
 * | 5 | info | receives 0, or j when the leading minor of order j is the first that is not positive definite; the call then ends early: the factor of the leading minor of order j - 1 is in its place, and the rest of the triangle is unspecified. May be NULL |
 * | 6 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
 * | 7 | device_count | how many devices take part; 0: the current one |
 * | 8 | devices | which ones; ignored if device_count is 0 |
 * | 9 | call | progress callback, or NULL |
 * | 10 | user | passed to it |
 */
tephra_status tephra_spotrf_host(int uplo,
                                 int64_t n,
                                 float *a,
                                 int64_t lda,
                                 int *info,
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
 * tephra_sgetrf_host() in double precision.
 */
tephra_status tephra_dgetrf_host(int64_t m,
                                 int64_t n,
                                 double *a,
                                 int64_t lda,
                                 int *ipiv,
                                 int *info,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_spotrf_host() in double precision.
 */
tephra_status tephra_dpotrf_host(int uplo,
                                 int64_t n,
                                 double *a,
                                 int64_t lda,
                                 int *info,
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
 * tephra_sgetrf_host() in single precision complex.
 */
tephra_status tephra_cgetrf_host(int64_t m,
                                 int64_t n,
                                 tephra_c32 *a,
                                 int64_t lda,
                                 int *ipiv,
                                 int *info,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_spotrf_host() in single precision complex (Hermitian matrices; A = L L^H or U^H U).
 */
tephra_status tephra_cpotrf_host(int uplo,
                                 int64_t n,
                                 tephra_c32 *a,
                                 int64_t lda,
                                 int *info,
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
 * tephra_sgetrf_host() in double precision complex.
 */
tephra_status tephra_zgetrf_host(int64_t m,
                                 int64_t n,
                                 tephra_c64 *a,
                                 int64_t lda,
                                 int *ipiv,
                                 int *info,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * tephra_spotrf_host() in double precision complex (Hermitian matrices; A = L L^H or U^H U).
 */
tephra_status tephra_zpotrf_host(int uplo,
                                 int64_t n,
                                 tephra_c64 *a,
                                 int64_t lda,
                                 int *info,
                                 int64_t budget,
                                 int device_count,
                                 const int *devices,
                                 tephra_progress call,
                                 void *user);

/**
 * Starts recording a timeline of the tasks of tephra_?geqrf_tiled(), tephra_?geqrf_host() and related functions in
 * all threads of the process, and discards any earlier recording. Recording takes memory per task, and times each
 * copy on a device with events.
 */
tephra_status tephra_trace_begin(void);

/**
 * Ends the recording and writes it to a file in Chrome's trace format, for chrome://tracing and Perfetto. Returns
 * TEPHRA_STATUS_NOT_SUPPORTED if the file cannot be written or nothing is being recorded.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | file | the path of the file, which is overwritten |
 */
tephra_status tephra_trace_end(const char *file);

/**
 * Runs the parts of a batch that is spread over several devices. For each part, in order and from this thread, it
 * calls `call` once, with the part's device as the current one and a stream of that device. `call` enqueues the
 * asynchronous Tephra calls that the part needs, so the devices work concurrently.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | count | parts, >= 0 |
 * | 2 | devices | the device of each part |
 * | 3 | streams | a stream on each part's device; the call only enqueues. NULL: the call uses its own streams and waits for them |
 * | 4 | call | the callback |
 * | 5 | user | passed to it |
 *
 * The first nonzero value that a callback returns ends the call with TEPHRA_STATUS_FUNCTION_ERROR, and
 * tephra_last_error() names the part, its device and the error; work that was enqueued before still runs. The
 * called functions write their members' codes (info) as usual. The thread's current device is restored. The only
 * device of the CPU backend is 0.
 */
tephra_status tephra_run_parts(int64_t count,
                               const int *devices,
                               void *const *streams,
                               tephra_part call,
                               void *user);

/**
 * Runs a batch in host memory, which may be larger than the memory of all devices. Chunks of it are copied to the
 * devices in turn, `call` is called for each chunk, and its results are copied back while other chunks are copied
 * and computed. `call` may call any strided_batched function of Tephra.
 *
 * | # | argument | |
 * | - | -------- | - |
 * | 1 | count | members, >= 0 |
 * | 2 | operands | how many operands the members have: matrices, vectors, codes; >= 0 |
 * | 3 | host | host address of each operand of member 0; ignored for scratch memory |
 * | 4 | bytes | per operand, the bytes of a member, which is also the stride between members; best a multiple of 16 |
 * | 5 | access | per operand, TEPHRA_ACCESS_SCRATCH, _READ, _WRITE or _READ_WRITE; plus _PINNED if it is in page-locked memory |
 * | 6 | chunk | members per chunk; 0: as many as fit in 64 MiB, or in 16 MiB if most data needs staging buffers |
 * | 7 | device_count | how many devices take part; 0: all |
 * | 8 | devices | which ones; ignored if device_count is 0 |
 * | 9 | call | the callback, called from this thread |
 * | 10 | user | passed to it |
 *
 * For the duration of the call, each device holds three chunks, and operands that are not in page-locked memory
 * get page-locked staging buffers of the same size; large operands are best allocated in page-locked memory. The
 * call waits for all work. A callback that returns a nonzero value ends the call with
 * TEPHRA_STATUS_FUNCTION_ERROR, and tephra_last_error() names the members and the device; written operands are
 * then unspecified. On the CPU backend the callback gets the members in place.
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
