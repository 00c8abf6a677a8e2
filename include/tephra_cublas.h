/* Tephra: the cuBLAS names that libtephra.so exports, for builds without NVIDIA's headers. C99 and later, C++11 and
 * later.
 *
 * Where the compiler finds NVIDIA's own <cublas_v2.h>, this file includes it and adds nothing, so that NVIDIA's headers
 * may be included before and after it, in any order. With TEPHRA_OWN_DECLARATIONS defined it does not look for them
 * (and they must not be included after it). What each function does is cuBLAS's documentation's business;
 * docs/symbols.md says what is served and where Tephra differs.
 */
#ifndef TEPHRA_CUBLAS_H
#define TEPHRA_CUBLAS_H

#include <stddef.h>
#include <stdint.h>

/* NVIDIA's headers, as far as they are there with what they include themselves: a complete <cublas_v2.h>, or else those
 * of the CUDA runtime that define the types needed below. In CUDA 13 <nv/target> may be in a folder of its own. */
#if !defined(CUBLAS_API_H_) && !defined(TEPHRA_OWN_DECLARATIONS) && defined(__has_include)
#if __has_include(<crt/host_defines.h>)
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* their unnamed structures, in C99 */
#endif
#if __has_include(<cublas_v2.h>) && __has_include(<driver_types.h>) && \
    (__has_include(<nv/target>) || !__has_include(<cccl/nv/target>))
#include <cublas_v2.h>
#else
#if __has_include(<driver_types.h>)
#include <driver_types.h>
#endif
#if __has_include(<cuComplex.h>)
#include <cuComplex.h>
#endif
#if __has_include(<library_types.h>)
#include <library_types.h>
#endif
#endif
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#endif
#endif

#ifndef CUBLAS_API_H_

#ifndef CU_COMPLEX_H_
#include <math.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types of the CUDA runtime, unless its headers have them ---- */

#ifndef __DRIVER_TYPES_H__
typedef struct CUstream_st *cudaStream_t;
#endif

#ifndef CU_COMPLEX_H_
#if defined(__GNUC__)
#define TEPHRA_ALIGNED(bytes) __attribute__((aligned(bytes)))
#elif defined(__cplusplus)
#define TEPHRA_ALIGNED(bytes) alignas(bytes)
#else
#define TEPHRA_ALIGNED(bytes) _Alignas(bytes)
#endif
typedef struct {
    TEPHRA_ALIGNED(8) float x;
    float y;
} cuFloatComplex;
typedef struct {
    TEPHRA_ALIGNED(16) double x;
    double y;
} cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The arithmetic of <cuComplex.h>; f: the suffix of its names in single precision. */
#define TEPHRA_COMPLEX(T, real, f)                                                                                     \
    static inline T make_##T(real re, real im) {                                                                       \
        T z;                                                                                                           \
        z.x = re;                                                                                                      \
        z.y = im;                                                                                                      \
        return z;                                                                                                      \
    }                                                                                                                  \
    static inline real cuCreal##f(T a) { return a.x; }                                                                 \
    static inline real cuCimag##f(T a) { return a.y; }                                                                 \
    static inline T cuConj##f(T a) { return make_##T(a.x, -a.y); }                                                     \
    static inline T cuCadd##f(T a, T b) { return make_##T(a.x + b.x, a.y + b.y); }                                     \
    static inline T cuCsub##f(T a, T b) { return make_##T(a.x - b.x, a.y - b.y); }                                     \
    static inline T cuCmul##f(T a, T b) { return make_##T(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }             \
    static inline T cuCfma##f(T a, T b, T c) { return cuCadd##f(cuCmul##f(a, b), c); }                                 \
    static inline real cuCabs##f(T a) { return hypot##f(a.x, a.y); }                                                   \
    /* Smith's way: no intermediate overflows or underflows where the quotient does not. */                            \
    static inline T cuCdiv##f(T a, T b) {                                                                              \
        if (fabs##f(b.x) >= fabs##f(b.y)) {                                                                            \
            const real ratio = b.y / b.x, scale = b.x + b.y * ratio;                                                   \
            return make_##T((a.x + a.y * ratio) / scale, (a.y - a.x * ratio) / scale);                                 \
        } else {                                                                                                       \
            const real ratio = b.x / b.y, scale = b.x * ratio + b.y;                                                   \
            return make_##T((a.x * ratio + a.y) / scale, (a.y * ratio - a.x) / scale);                                 \
        }                                                                                                              \
    }
TEPHRA_COMPLEX(cuFloatComplex, float, f)
TEPHRA_COMPLEX(cuDoubleComplex, double, )
#undef TEPHRA_COMPLEX
static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_cuDoubleComplex(a.x, a.y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#endif

#ifndef __LIBRARY_TYPES_H__
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
/* Of its values those of products that are served. */
typedef enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_C_32F = 4, CUDA_C_64F = 5 } cudaDataType;
#endif

/* ---- cuBLAS's types ---- */

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

typedef enum {
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *msg);

/* The names without a suffix are cuBLAS's legacy interface at link level; in source they mean these. */
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetPointerMode cublasSetPointerMode_v2

/* ---- handles ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *smCountTarget);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle, cublasEmulationStrategy_t *emulationStrategy);
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle, cublasEmulationStrategy_t emulationStrategy);

/* ---- versions, texts, logging ---- */

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback);
void cublasXerbla(const char *srName, int info);

/* ---- copies ---- */

#define TEPHRA_CUBLAS_COPIES(suffix, integer)                                                                          \
    cublasStatus_t cublasSetMatrix##suffix(integer rows, integer cols, integer elemSize, const void *A, integer lda,   \
                                           void *B, integer ldb);                                                      \
    cublasStatus_t cublasGetMatrix##suffix(integer rows, integer cols, integer elemSize, const void *A, integer lda,   \
                                           void *B, integer ldb);                                                      \
    cublasStatus_t cublasSetVector##suffix(integer n, integer elemSize, const void *x, integer incx, void *devicePtr,  \
                                           integer incy);                                                              \
    cublasStatus_t cublasGetVector##suffix(integer n, integer elemSize, const void *x, integer incx, void *y,          \
                                           integer incy);                                                              \
    cublasStatus_t cublasSetMatrixAsync##suffix(integer rows, integer cols, integer elemSize, const void *A,           \
                                                integer lda, void *B, integer ldb, cudaStream_t stream);               \
    cublasStatus_t cublasGetMatrixAsync##suffix(integer rows, integer cols, integer elemSize, const void *A,           \
                                                integer lda, void *B, integer ldb, cudaStream_t stream);               \
    cublasStatus_t cublasSetVectorAsync##suffix(integer n, integer elemSize, const void *hostPtr, integer incx,        \
                                                void *devicePtr, integer incy, cudaStream_t stream);                   \
    cublasStatus_t cublasGetVectorAsync##suffix(integer n, integer elemSize, const void *devicePtr, integer incx,      \
                                                void *hostPtr, integer incy, cudaStream_t stream)
TEPHRA_CUBLAS_COPIES(, int);
TEPHRA_CUBLAS_COPIES(_64, int64_t);
#undef TEPHRA_CUBLAS_COPIES

/* ---- batched QR: LAPACK geqrf of each matrix; info is one host integer, 0 or -i (the handle is not counted) ---- */

cublasStatus_t cublasSgeqrfBatched(cublasHandle_t handle, int m, int n, float *const Aarray[], int lda,
                                   float *const TauArray[], int *info, int batchSize);
cublasStatus_t cublasDgeqrfBatched(cublasHandle_t handle, int m, int n, double *const Aarray[], int lda,
                                   double *const TauArray[], int *info, int batchSize);
cublasStatus_t cublasCgeqrfBatched(cublasHandle_t handle, int m, int n, cuComplex *const Aarray[], int lda,
                                   cuComplex *const TauArray[], int *info, int batchSize);
cublasStatus_t cublasZgeqrfBatched(cublasHandle_t handle, int m, int n, cuDoubleComplex *const Aarray[], int lda,
                                   cuDoubleComplex *const TauArray[], int *info, int batchSize);

/* ---- batched least squares: the X that minimises the 2-norms of the columns of C - A X, for m >= n and trans N ----
 * A is overwritten by its QR factors, rows 0..n-1 of C by X, the rest of C by what is left of the right-hand sides.
 * info is one host integer, 0 or -i in cuBLAS's numbers (m 1, nrhs 2, n 3, lda 5, ldc 7, batchSize 8); devInfoArray,
 * which may be NULL, one device integer per matrix: 0, or j when the j-th diagonal element of R is exactly 0. Larger
 * shapes take a workspace from the driver's pool and give it back, both in stream order. */

#define TEPHRA_CUBLAS_GELS(letter, type)                                                                               \
    cublasStatus_t cublas##letter##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, \
                                               type *const Aarray[], int lda, type *const Carray[], int ldc,           \
                                               int *info, int *devInfoArray, int batchSize)
TEPHRA_CUBLAS_GELS(S, float);
TEPHRA_CUBLAS_GELS(D, double);
TEPHRA_CUBLAS_GELS(C, cuComplex);
TEPHRA_CUBLAS_GELS(Z, cuDoubleComplex);
#undef TEPHRA_CUBLAS_GELS

/* ---- batched triangular solves: B := alpha op(A)^-1 B or alpha B op(A)^-1; alpha is read where the pointer mode says,
 * and with alpha = 0 A is not read ---- */

#define TEPHRA_CUBLAS_TRSM(letter, type, suffix, integer)                                                              \
    cublasStatus_t cublas##letter##trsmBatched##suffix(                                                                \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                  \
        cublasDiagType_t diag, integer m, integer n, const type *alpha, const type *const A[], integer lda,            \
        type *const B[], integer ldb, integer batchCount)
TEPHRA_CUBLAS_TRSM(S, float, , int);
TEPHRA_CUBLAS_TRSM(D, double, , int);
TEPHRA_CUBLAS_TRSM(C, cuComplex, , int);
TEPHRA_CUBLAS_TRSM(Z, cuDoubleComplex, , int);
TEPHRA_CUBLAS_TRSM(S, float, _64, int64_t);
TEPHRA_CUBLAS_TRSM(D, double, _64, int64_t);
TEPHRA_CUBLAS_TRSM(C, cuComplex, _64, int64_t);
TEPHRA_CUBLAS_TRSM(Z, cuDoubleComplex, _64, int64_t);
#undef TEPHRA_CUBLAS_TRSM

/* ---- batched products: C := alpha op(A) op(B) + beta C, y := alpha op(A) x + beta y; alpha and beta are read where
 * the pointer mode says, beta = 0 reads no C or y, alpha = 0 no A, B or x. The forms with types serve real and complex
 * matrices of single and double precision, all of one type, in their own precision ---- */

#define TEPHRA_CUBLAS_PRODUCTS(letter, type, suffix, integer)                                                          \
    cublasStatus_t cublas##letter##gemmBatched##suffix(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n, integer k,    \
        const type *alpha, const type *const Aarray[], integer lda, const type *const Barray[], integer ldb,           \
        const type *beta, type *const Carray[], integer ldc, integer batchCount);                                      \
    cublasStatus_t cublas##letter##gemmStridedBatched##suffix(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n, integer k,    \
        const type *alpha, const type *A, integer lda, long long int strideA, const type *B, integer ldb,              \
        long long int strideB, const type *beta, type *C, integer ldc, long long int strideC, integer batchCount);     \
    cublasStatus_t cublas##letter##gemvBatched##suffix(                                                                \
        cublasHandle_t handle, cublasOperation_t trans, integer m, integer n, const type *alpha,                       \
        const type *const Aarray[], integer lda, const type *const xarray[], integer incx, const type *beta,           \
        type *const yarray[], integer incy, integer batchCount);                                                       \
    cublasStatus_t cublas##letter##gemvStridedBatched##suffix(                                                         \
        cublasHandle_t handle, cublasOperation_t trans, integer m, integer n, const type *alpha, const type *A,        \
        integer lda, long long int strideA, const type *x, integer incx, long long int stridex, const type *beta,      \
        type *y, integer incy, long long int stridey, integer batchCount)
TEPHRA_CUBLAS_PRODUCTS(S, float, , int);
TEPHRA_CUBLAS_PRODUCTS(D, double, , int);
TEPHRA_CUBLAS_PRODUCTS(C, cuComplex, , int);
TEPHRA_CUBLAS_PRODUCTS(Z, cuDoubleComplex, , int);
TEPHRA_CUBLAS_PRODUCTS(S, float, _64, int64_t);
TEPHRA_CUBLAS_PRODUCTS(D, double, _64, int64_t);
TEPHRA_CUBLAS_PRODUCTS(C, cuComplex, _64, int64_t);
TEPHRA_CUBLAS_PRODUCTS(Z, cuDoubleComplex, _64, int64_t);
#undef TEPHRA_CUBLAS_PRODUCTS

#define TEPHRA_CUBLAS_PRODUCTS_EX(suffix, integer)                                                                     \
    cublasStatus_t cublasGemmBatchedEx##suffix(                                                                        \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n, integer k,    \
        const void *alpha, const void *const Aarray[], cudaDataType Atype, integer lda, const void *const Barray[],    \
        cudaDataType Btype, integer ldb, const void *beta, void *const Carray[], cudaDataType Ctype, integer ldc,      \
        integer batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);                                   \
    cublasStatus_t cublasGemmStridedBatchedEx##suffix(                                                                 \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n, integer k,    \
        const void *alpha, const void *A, cudaDataType Atype, integer lda, long long int strideA, const void *B,       \
        cudaDataType Btype, integer ldb, long long int strideB, const void *beta, void *C, cudaDataType Ctype,         \
        integer ldc, long long int strideC, integer batchCount, cublasComputeType_t computeType,                       \
        cublasGemmAlgo_t algo)
TEPHRA_CUBLAS_PRODUCTS_EX(, int);
TEPHRA_CUBLAS_PRODUCTS_EX(_64, int64_t);
#undef TEPHRA_CUBLAS_PRODUCTS_EX

/* ---- products of groups: all matrices of a group are alike, and every array but the matrices' own is in host memory,
 * with a number for each group. Those have a pointer for each matrix, one group's behind those of the one before, in
 * device memory. In CUBLAS_POINTER_MODE_DEVICE they are not supported ---- */

#define TEPHRA_CUBLAS_GROUPED(letter, type, suffix, integer)                                                           \
    cublasStatus_t cublas##letter##gemmGroupedBatched##suffix(                                                         \
        cublasHandle_t handle, const cublasOperation_t transa_array[], const cublasOperation_t transb_array[],         \
        const integer m_array[], const integer n_array[], const integer k_array[], const type alpha_array[],           \
        const type *const Aarray[], const integer lda_array[], const type *const Barray[], const integer ldb_array[],  \
        const type beta_array[], type *const Carray[], const integer ldc_array[], integer group_count,                 \
        const integer group_size[])
TEPHRA_CUBLAS_GROUPED(S, float, , int);
TEPHRA_CUBLAS_GROUPED(D, double, , int);
TEPHRA_CUBLAS_GROUPED(S, float, _64, int64_t);
TEPHRA_CUBLAS_GROUPED(D, double, _64, int64_t);
#undef TEPHRA_CUBLAS_GROUPED

#define TEPHRA_CUBLAS_GROUPED_EX(suffix, integer)                                                                      \
    cublasStatus_t cublasGemmGroupedBatchedEx##suffix(                                                                 \
        cublasHandle_t handle, const cublasOperation_t transa_array[], const cublasOperation_t transb_array[],         \
        const integer m_array[], const integer n_array[], const integer k_array[], const void *alpha_array,            \
        const void *const Aarray[], cudaDataType Atype, const integer lda_array[], const void *const Barray[],         \
        cudaDataType Btype, const integer ldb_array[], const void *beta_array, void *const Carray[],                   \
        cudaDataType Ctype, const integer ldc_array[], integer group_count, const integer group_size[],                \
        cublasComputeType_t computeType)
TEPHRA_CUBLAS_GROUPED_EX(, int);
TEPHRA_CUBLAS_GROUPED_EX(_64, int64_t);
#undef TEPHRA_CUBLAS_GROUPED_EX

/* ---- one matrix: C := alpha op(A) + beta op(B), and C := diag(x) A or A diag(x) ----
 * Factors are read where the pointer mode says; what has a factor of zero on the host is not read. C may be an operand
 * that is not transposed, with its leading dimension. */

#define TEPHRA_CUBLAS_ONE(letter, type, suffix, integer)                                                               \
    cublasStatus_t cublas##letter##geam##suffix(cublasHandle_t handle, cublasOperation_t transa,                       \
                                                cublasOperation_t transb, integer m, integer n, const type *alpha,     \
                                                const type *A, integer lda, const type *beta, const type *B,           \
                                                integer ldb, type *C, integer ldc);                                    \
    cublasStatus_t cublas##letter##dgmm##suffix(cublasHandle_t handle, cublasSideMode_t mode, integer m, integer n,    \
                                                const type *A, integer lda, const type *x, integer incx, type *C,      \
                                                integer ldc)
TEPHRA_CUBLAS_ONE(S, float, , int);
TEPHRA_CUBLAS_ONE(S, float, _64, int64_t);
TEPHRA_CUBLAS_ONE(D, double, , int);
TEPHRA_CUBLAS_ONE(D, double, _64, int64_t);
TEPHRA_CUBLAS_ONE(C, cuComplex, , int);
TEPHRA_CUBLAS_ONE(C, cuComplex, _64, int64_t);
TEPHRA_CUBLAS_ONE(Z, cuDoubleComplex, , int);
TEPHRA_CUBLAS_ONE(Z, cuDoubleComplex, _64, int64_t);
#undef TEPHRA_CUBLAS_ONE

/* ---- batched LU of square matrices, LAPACK getrf of each, and what follows it ----
 * P, or devIpiv, is one device array of n ints a matrix, one matrix behind the other: row j was exchanged with row
 * P[i*n + j-1], for j = 1, 2, ... in turn. NULL: getrf does not pivot, getrs and getri exchange nothing.
 * info holds one device integer a matrix: 0, or j when the j-th diagonal element of U is the first that is exactly
 * zero: then there is no inverse, and C is NaN throughout, of getri and matinv. getrs's info is one host
 * integer, 0 or -i (the handle is not counted). matinv is getrf and getri in one call for n <= 32, and leaves A as it
 * is. */

#define TEPHRA_CUBLAS_LU(letter, type)                                                                                 \
    cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, type *const A[], int lda, int *P,        \
                                                int *info, int batchSize);                                             \
    cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,       \
                                                const type *const Aarray[], int lda, const int *devIpiv,               \
                                                type *const Barray[], int ldb, int *info, int batchSize);              \
    cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n, const type *const A[], int lda,          \
                                                const int *P, type *const C[], int ldc, int *info, int batchSize);     \
    cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t handle, int n, const type *const A[], int lda,         \
                                                 type *const Ainv[], int lda_inv, int *info, int batchSize)
TEPHRA_CUBLAS_LU(S, float);
TEPHRA_CUBLAS_LU(D, double);
TEPHRA_CUBLAS_LU(C, cuComplex);
TEPHRA_CUBLAS_LU(Z, cuDoubleComplex);
#undef TEPHRA_CUBLAS_LU

#ifdef __cplusplus
}
#endif
#endif /* CUBLAS_API_H_ */
#endif /* TEPHRA_CUBLAS_H */
