/* Tephra: the cuBLAS names that libtephra.so exports, for builds without NVIDIA's headers. C and C++.
 *
 * With NVIDIA's own <cublas_v2.h> included before, this file adds nothing. What each function does is cuBLAS's
 * documentation's business; docs/symbols.md says what is served and where Tephra differs.
 */
#ifndef TEPHRA_CUBLAS_H
#define TEPHRA_CUBLAS_H

#ifndef CUBLAS_API_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types of the CUDA runtime, unless its headers have them ---- */

typedef struct CUstream_st *cudaStream_t;

#ifndef CU_COMPLEX_H_
#ifdef __cplusplus
typedef struct alignas(8) {
    float x, y;
} cuFloatComplex;
typedef struct alignas(16) {
    double x, y;
} cuDoubleComplex;
#else
typedef struct {
    _Alignas(8) float x;
    float y;
} cuFloatComplex;
typedef struct {
    _Alignas(16) double x;
    double y;
} cuDoubleComplex;
#endif
typedef cuFloatComplex cuComplex;

static inline cuFloatComplex make_cuFloatComplex(float re, float im) {
    cuFloatComplex z;
    z.x = re, z.y = im;
    return z;
}
static inline cuDoubleComplex make_cuDoubleComplex(double re, double im) {
    cuDoubleComplex z;
    z.x = re, z.y = im;
    return z;
}
static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
#endif

#ifndef __LIBRARY_TYPES_H__
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
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

#ifdef __cplusplus
}
#endif
#endif /* CUBLAS_API_H_ */
#endif /* TEPHRA_CUBLAS_H */
