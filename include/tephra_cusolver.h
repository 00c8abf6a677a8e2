/* Tephra: the cuSOLVER names that libtephra.so exports, for builds without NVIDIA's headers. C99 and later, C++11 and
 * later.
 *
 * Where the compiler finds NVIDIA's own <cublas_v2.h> and <cusolverDn.h>, this file includes them and adds nothing.
 * With TEPHRA_OWN_DECLARATIONS defined it does not look for them (and they must not be included after it).
 */
#ifndef TEPHRA_CUSOLVER_H
#define TEPHRA_CUSOLVER_H

#include "tephra_cublas.h"

#if defined(CUBLAS_API_H_) && !defined(CUSOLVERDN_H_) && !defined(TEPHRA_OWN_DECLARATIONS) && defined(__has_include)
#if __has_include(<cusolverDn.h>)
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* commas behind their last enumerators, in C++98 */
#endif
#include <cusolverDn.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#endif
#endif

#ifndef CUSOLVERDN_H_

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CUSOLVER_COMMON_H_
typedef enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_STATUS_ZERO_PIVOT = 10,
    CUSOLVER_STATUS_INVALID_LICENSE = 11,
    CUSOLVER_STATUS_INVALID_WORKSPACE = 31
} cusolverStatus_t;

/* The version of the interface, 12.0.4; with a real cuSOLVER in the process, that library's. */
cusolverStatus_t cusolverGetVersion(int *version);
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value);
#endif

/* ---- handles: of a real cuSOLVER where one is in the process (on CUDA), else Tephra's ---- */

typedef struct cusolverDnContext *cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId);

/* ---- batched Cholesky of Hermitian positive definite matrices, LAPACK potrf of each, and potrs ----
 * The other triangle is neither read nor written. infoArray, one device integer a matrix, holds 0, or the order of the
 * first leading minor that is not positive definite; a NaN on the diagonal is such a minor. potrs takes any number of
 * right-hand sides, where cuSOLVER takes one; d_info is one device integer. A bad argument's number, without the
 * handle, is in the first of the codes, too. */

#define TEPHRA_CUSOLVER_CHOLESKY(letter, type)                                                                         \
    cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,         \
                                                      type *Aarray[], int lda, int *infoArray, int batchSize);         \
    cusolverStatus_t cusolverDn##letter##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,         \
                                                      int nrhs, type *A[], int lda, type *B[], int ldb, int *d_info,   \
                                                      int batchSize)
TEPHRA_CUSOLVER_CHOLESKY(S, float);
TEPHRA_CUSOLVER_CHOLESKY(D, double);
TEPHRA_CUSOLVER_CHOLESKY(C, cuComplex);
TEPHRA_CUSOLVER_CHOLESKY(Z, cuDoubleComplex);
#undef TEPHRA_CUSOLVER_CHOLESKY

/* ---- QR of one matrix in device memory: LAPACK geqrf, orgqr (ungqr) and ormqr (unmqr) ----
 * Asynchronous, on the handle's stream. devInfo, one device integer, becomes 0, or -i for a bad i-th argument, counted
 * without the handle, and in geqrf's numbers for cusolverDnXgeqrf: m 1, n 2, A 3, lda 4, tau 5. No buffer is needed:
 * the sizes asked for are those of one element, and the buffers are not looked at. cusolverDnXgeqrf serves the four
 * types, with all three type arguments alike. */

#define TEPHRA_CUSOLVER_QR(letter, q, type)                                                                            \
    cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type *A, int lda,   \
                                                          int *lwork);                                                 \
    cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, type *A, int lda, type *TAU,   \
                                               type *Workspace, int Lwork, int *devInfo);                              \
    cusolverStatus_t cusolverDn##letter##q##gqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,             \
                                                           const type *A, int lda, const type *tau, int *lwork);       \
    cusolverStatus_t cusolverDn##letter##q##gqr(cusolverDnHandle_t handle, int m, int n, int k, type *A, int lda,      \
                                                const type *tau, type *work, int lwork, int *info);                    \
    cusolverStatus_t cusolverDn##letter##q##mqr_bufferSize(                                                            \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const type *A, \
        int lda, const type *tau, const type *C, int ldc, int *lwork);                                                 \
    cusolverStatus_t cusolverDn##letter##q##mqr(                                                                       \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const type *A, \
        int lda, const type *tau, type *C, int ldc, type *work, int lwork, int *devInfo)
TEPHRA_CUSOLVER_QR(S, or, float);
TEPHRA_CUSOLVER_QR(D, or, double);
TEPHRA_CUSOLVER_QR(C, un, cuComplex);
TEPHRA_CUSOLVER_QR(Z, un, cuDoubleComplex);
#undef TEPHRA_CUSOLVER_QR

typedef struct cusolverDnParams *cusolverDnParams_t;

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType dataTypeTau, const void *tau, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeTau, void *tau,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info);

/* ---- LU and Cholesky of one matrix in device memory: LAPACK getrf, getrs, potrf, potrs ----
 * Asynchronous, on the handle's stream. devInfo, one device integer, becomes 0, LAPACK's code above 0 of a
 * factorisation, or -i for a bad i-th argument, counted without the handle (and in the same numbers by the X names,
 * which serve the four types, with their type arguments alike, and have interchanges of 64 bits). Without interchanges
 * where devIpiv is NULL. No buffer is needed: the sizes asked for are those of one element, and the buffers are not
 * looked at. */

#define TEPHRA_CUSOLVER_SYSTEMS(letter, type)                                                                          \
    cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                                          type *A, int lda, int *Lwork);                               \
    cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, type *A,       \
                                               int lda, type *Workspace, int Lwork, int *devInfo);                     \
    cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,      \
                                               const type *A, int lda, type *B, int ldb, int *devInfo);                \
    cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type *A, int lda,   \
                                                          int *Lwork);                                                 \
    cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, type *A, int lda,              \
                                               type *Workspace, int *devIpiv, int *devInfo);                           \
    cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,    \
                                               const type *A, int lda, const int *devIpiv, type *B, int ldb,           \
                                               int *devInfo)
TEPHRA_CUSOLVER_SYSTEMS(S, float);
TEPHRA_CUSOLVER_SYSTEMS(D, double);
TEPHRA_CUSOLVER_SYSTEMS(C, cuComplex);
TEPHRA_CUSOLVER_SYSTEMS(Z, cuDoubleComplex);
#undef TEPHRA_CUSOLVER_SYSTEMS

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A,
                                             int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  cudaDataType dataTypeB, void *B, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb, int *info);

#ifdef __cplusplus
}
#endif
#endif /* CUSOLVERDN_H_ */
#endif /* TEPHRA_CUSOLVER_H */
