// Stands in for the vendor's libcublas.so.13: it has the same SONAME, version node and -Bsymbolic, its own handles, and
// functions that only count their calls. Its geqrf does not modify the matrices, so that a caller can tell who served
// it.
#include "standin.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 32 };
static struct {
    const char *name;
    int calls;
} counters[NAMES];

static void count(const char *name) {
    for (int i = 0; i < NAMES; i++) {
        if (!counters[i].name) counters[i].name = name;
        if (strcmp(counters[i].name, name) == 0) {
            counters[i].calls++;
            return;
        }
    }
    abort();
}

int standin_calls(const char *name) {
    for (int i = 0; i < NAMES && counters[i].name; i++)
        if (strcmp(counters[i].name, name) == 0) return counters[i].calls;
    return 0;
}

// Handles are opaque: code that wrongly reads one finds garbage first.
typedef struct {
    unsigned char rubbish[64];
    cudaStream_t stream;
    cublasPointerMode_t mode;
} standin_handle;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    count(__func__);
    standin_handle *h = calloc(1, sizeof *h);
    if (!h) return CUBLAS_STATUS_ALLOC_FAILED;
    memset(h->rubbish, 0xEE, sizeof h->rubbish);
    *handle = (cublasHandle_t)h;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    count(__func__);
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    count(__func__);
    ((standin_handle *)handle)->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream) {
    count(__func__);
    *stream = ((standin_handle *)handle)->stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    count(__func__);
    ((standin_handle *)handle)->mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode) {
    count(__func__);
    *mode = ((standin_handle *)handle)->mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    count(__func__);
    (void)handle;
    *version = 130002;
    return CUBLAS_STATUS_SUCCESS;
}

#define DEFINE_GEQRF(P, T)                                                                                             \
    cublasStatus_t cublas##P##geqrfBatched(cublasHandle_t handle, int m, int n, T *const a[], int lda, T *const tau[], \
                                           int *info, int batch) {                                                     \
        count(__func__);                                                                                               \
        *info = handle && m >= 0 && n >= 0 && lda >= m && batch >= 0 && a && tau ? 0 : -1;                             \
        return *info == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;                                       \
    }
DEFINE_GEQRF(S, float)
DEFINE_GEQRF(D, double)
DEFINE_GEQRF(C, cuComplex)
DEFINE_GEQRF(Z, cuDoubleComplex)

#define DEFINE_GELS(P, T)                                                                                              \
    cublasStatus_t cublas##P##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs,      \
                                          T *const a[], int lda, T *const c[], int ldc, int *info, int *codes,         \
                                          int batch) {                                                                 \
        count(__func__);                                                                                               \
        (void)trans, (void)nrhs, (void)ldc, (void)codes, (void)batch, (void)n;                                         \
        *info = handle && m >= 0 && lda >= m && a && c ? 0 : -1;                                                       \
        return *info == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;                                       \
    }
DEFINE_GELS(S, float)
DEFINE_GELS(D, double)
DEFINE_GELS(C, cuComplex)
DEFINE_GELS(Z, cuDoubleComplex)

#define DEFINE_TRSM(NAME, T, INT)                                                                                      \
    cublasStatus_t NAME(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,  \
                        cublasDiagType_t diag, INT m, INT n, const T *alpha, const T *const a[], INT lda,              \
                        T *const b[], INT ldb, INT batch) {                                                            \
        count(__func__);                                                                                               \
        (void)side, (void)uplo, (void)trans, (void)diag, (void)n, (void)lda, (void)batch;                              \
        return handle && alpha && a && b && ldb >= m ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;            \
    }
DEFINE_TRSM(cublasStrsmBatched, float, int)
DEFINE_TRSM(cublasDtrsmBatched, double, int)
DEFINE_TRSM(cublasCtrsmBatched, cuComplex, int)
DEFINE_TRSM(cublasZtrsmBatched, cuDoubleComplex, int)
DEFINE_TRSM(cublasDtrsmBatched_64, double, int64_t)

cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda, int *pivots, int *info,
                                   int batch) {
    count(__func__);
    (void)a, (void)pivots, (void)info, (void)batch;
    return handle && lda >= n ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                   const double *const a[], int lda, const int *pivots, double *const b[], int ldb,
                                   int *info, int batch) {
    count(__func__);
    (void)trans, (void)nrhs, (void)a, (void)pivots, (void)b, (void)ldb, (void)batch;
    *info = handle && lda >= n ? 0 : -1;
    return *info == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasDgetriBatched(cublasHandle_t handle, int n, const double *const a[], int lda, const int *pivots,
                                   double *const c[], int ldc, int *info, int batch) {
    count(__func__);
    (void)a, (void)lda, (void)pivots, (void)c, (void)info, (void)batch;
    return handle && ldc >= n ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasDmatinvBatched(cublasHandle_t handle, int n, const double *const a[], int lda, double *const c[],
                                    int ldc, int *info, int batch) {
    count(__func__);
    (void)a, (void)lda, (void)c, (void)info, (void)batch;
    return handle && ldc >= n ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const double *alpha, const double *const a[], int lda,
                                  const double *const b[], int ldb, const double *beta, double *const c[], int ldc,
                                  int batch) {
    count(__func__);
    (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb;
    (void)beta, (void)c, (void)ldc, (void)batch;
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
