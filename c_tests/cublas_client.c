// A program written for cuBLAS, linked with -ltephra. It is compiled twice: with NVIDIA's own <cublas_v2.h>, and with
// -DTEPHRA_HEADER with Tephra's. It uses tephra_malloc for memory, so that no CUDA runtime is needed.
#include "device_case.h"
#ifdef TEPHRA_HEADER
#include <tephra_cublas.h>
#define WHO "cuBLAS client with Tephra's header"
#else
#include <cublas_v2.h>
#define WHO "cuBLAS client with NVIDIA's header"
#endif

#include <stdio.h>
#include <string.h>

static cublasStatus_t geqrf(cublasHandle_t handle, const qr_case *c, const device_case *d, int *info) {
    void *const *a = d->a_array, *const *tau = d->tau_array;
    switch (c->dtype) {
    case 's':
        return cublasSgeqrfBatched(handle, c->m, c->n, (float *const *)a, c->lda, (float *const *)tau, info, c->batch);
    case 'd':
        return cublasDgeqrfBatched(handle, c->m, c->n, (double *const *)a, c->lda, (double *const *)tau, info,
                                   c->batch);
    case 'c':
        return cublasCgeqrfBatched(handle, c->m, c->n, (cuComplex *const *)a, c->lda, (cuComplex *const *)tau, info,
                                   c->batch);
    default:
        return cublasZgeqrfBatched(handle, c->m, c->n, (cuDoubleComplex *const *)a, c->lda,
                                   (cuDoubleComplex *const *)tau, info, c->batch);
    }
}

static int run(qr_case *c, void *context) {
    cublasHandle_t handle = context;
    cudaStream_t stream;
    if (cublasGetStream(handle, &stream) != CUBLAS_STATUS_SUCCESS) return 1;
    device_case d;
    if (device_case_upload(&d, c, stream) != 0) return 1;
    int info = 123; // must be written on success as well
    const cublasStatus_t status = geqrf(handle, c, &d, &info);
    if (device_case_download(&d, c, stream) != 0) return 1;
    if (status == CUBLAS_STATUS_SUCCESS && info == 0) return 0;
    fprintf(stderr, WHO ": status %s, info %d\n", cublasGetStatusName(status), info);
    return 1;
}

// Checks that invalid arguments are reported as by cuBLAS.
static int check_errors(cublasHandle_t handle) {
    static const struct {
        int m, n, lda, batch, status, info;
    } calls[] = {{-1, 4, 4, 1, CUBLAS_STATUS_INVALID_VALUE, -1}, {4, -1, 4, 1, CUBLAS_STATUS_INVALID_VALUE, -2},
                 {4, 4, 3, 1, CUBLAS_STATUS_INVALID_VALUE, -4},  {4, 4, 4, -1, CUBLAS_STATUS_INVALID_VALUE, -7},
                 {4, 4, 4, 0, CUBLAS_STATUS_SUCCESS, 0},         {0, 4, 1, 2, CUBLAS_STATUS_SUCCESS, 0}};
    int failed = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int info = 123;
        const cublasStatus_t status =
            cublasDgeqrfBatched(handle, calls[i].m, calls[i].n, NULL, calls[i].lda, NULL, &info, calls[i].batch);
        if ((int)status != calls[i].status || info != calls[i].info) {
            fprintf(stderr, WHO ": bad call %d: status %d, info %d\n", (int)i, (int)status, info);
            failed++;
        }
    }
    int info;
    failed += cublasDgeqrfBatched(NULL, 4, 4, NULL, 4, NULL, &info, 1) != CUBLAS_STATUS_NOT_INITIALIZED;
    failed += cublasDgeqrfBatched(handle, 4, 4, NULL, 4, NULL, NULL, 1) != CUBLAS_STATUS_INVALID_VALUE;
    failed += strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") != 0;
    return failed;
}

int main(void) {
    cublasHandle_t handle;
    void *stream;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || tephra_stream_create(&stream) != 0) {
        fprintf(stderr, WHO ": no handle or no stream: %s\n", tephra_last_error());
        return 1;
    }
    cublasPointerMode_t mode;
    int version = 0, failed = cublasSetStream(handle, (cudaStream_t)stream) != CUBLAS_STATUS_SUCCESS;
    failed += cublasGetVersion(handle, &version) != CUBLAS_STATUS_SUCCESS || version <= 0;
    failed += cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) != CUBLAS_STATUS_SUCCESS;
    failed += cublasGetPointerMode(handle, &mode) != CUBLAS_STATUS_SUCCESS || mode != CUBLAS_POINTER_MODE_DEVICE;
    if (failed) fprintf(stderr, WHO ": the handle does not keep its settings\n");
    failed += qr_sweep(WHO, run, handle);
    failed += check_errors(handle);
    failed += cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
    failed += tephra_stream_destroy(stream) != 0;
    return failed != 0;
}
