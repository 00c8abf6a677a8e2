// A client of libcublas.so.13 that knows nothing about Tephra, run with and without libtephra_preload.so in LD_PRELOAD.
//     client vendor   every call must reach the vendor's library (the stand-in)
//     client tephra   geqrf, gels, trsm and LU must be served by Tephra, on host memory, all others by the vendor
// It is compiled as a program, and as a plugin that plugin_host.c loads with RTLD_LOCAL, as Python loads its modules.
#include "qr_case.h"
#include "standin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int client(int argc, char **argv);

typedef struct {
    cublasHandle_t handle;
    int by_tephra;
} expectation;

static void **pointers(char *base, size_t step, int count) {
    void **list = malloc(sizeof(void *) * (size_t)count);
    if (!list) abort();
    for (int i = 0; i < count; i++) list[i] = base + (size_t)i * step;
    return list;
}

static int factor(qr_case *c, void *context) {
    cublasHandle_t handle = ((expectation *)context)->handle;
    void **a = pointers(c->f, c->matrix_bytes, c->batch), **tau = pointers(c->tau, c->tau_bytes, c->batch);
    int info = 123;
    cublasStatus_t s = CUBLAS_STATUS_INTERNAL_ERROR;
    switch (c->dtype) {
    case 's':
        s = cublasSgeqrfBatched(handle, c->m, c->n, (float **)a, c->lda, (float **)tau, &info, c->batch);
        break;
    case 'd':
        s = cublasDgeqrfBatched(handle, c->m, c->n, (double **)a, c->lda, (double **)tau, &info, c->batch);
        break;
    case 'c':
        s = cublasCgeqrfBatched(handle, c->m, c->n, (cuComplex **)a, c->lda, (cuComplex **)tau, &info, c->batch);
        break;
    case 'z':
        s = cublasZgeqrfBatched(handle, c->m, c->n, (cuDoubleComplex **)a, c->lda, (cuDoubleComplex **)tau, &info,
                                c->batch);
        break;
    }
    free(a);
    free(tau);
    return s != CUBLAS_STATUS_SUCCESS || info != 0;
}

// The stand-in returns success without modifying the matrix.
static int passes_to_vendor(expectation *e) {
    int failed = 0;
    for (const char *dtype = "sdcz"; *dtype; dtype++) {
        qr_case c = qr_case_create(*dtype, 4, 3, 4, 2);
        failed += factor(&c, e) != 0 || memcmp(c.a, c.f, c.matrix_bytes * (size_t)c.batch) != 0;
        qr_case_free(&c);
    }
    printf("preload client: geqrf passes to the vendor: %s\n", failed ? "no" : "yes");
    return failed;
}

static int near(double x, double y) { return fabs(x - y) < 1e-14; }

// A 3 x 2 least squares problem, then two triangular solves of order 2 whose scalar is in the memory selected by the
// pointer mode. The stand-in returns success without modifying anything.
static int solves(expectation *e) {
    double a[6] = {1, 0, 0, 0, 2, 0}, c[3] = {3, 8, 5}, t[4] = {2, 0, 1, 4}, b[2] = {5, 8}, two = 2;
    double *pa = a, *pc = c, *pb = b;
    const double *pt = t;
    int info = 123, code = 123, failed = 0;
    failed +=
        cublasDgelsBatched(e->handle, CUBLAS_OP_N, 3, 2, 1, &pa, 3, &pc, 3, &info, &code, 1) != CUBLAS_STATUS_SUCCESS;
    failed += info != 0;
    const int solved = near(c[0], 3) && near(c[1], 4) && near(fabs(c[2]), 5) && code == 0;
    failed += e->by_tephra ? !solved : c[1] != 8 || code != 123;
    for (int mode = 0; mode < 2; mode++) {
        b[0] = 5, b[1] = 8;
        failed += cublasSetPointerMode_v2(e->handle, (cublasPointerMode_t)mode) != CUBLAS_STATUS_SUCCESS;
        failed += cublasDtrsmBatched(e->handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                     CUBLAS_DIAG_NON_UNIT, 2, 1, &two, &pt, 2, &pb, 2, 1) != CUBLAS_STATUS_SUCCESS;
        failed += e->by_tephra ? !near(b[0], 3) || !near(b[1], 4) : b[0] != 5;
    }
    failed += cublasSetPointerMode_v2(e->handle, CUBLAS_POINTER_MODE_HOST) != CUBLAS_STATUS_SUCCESS;
    failed += cublasDtrsmBatched_64(e->handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                    CUBLAS_DIAG_NON_UNIT, 2, 0, &two, &pt, 2, &pb, 2, 1) != CUBLAS_STATUS_SUCCESS;
    printf("preload client: gels and trsm %s: %s\n", e->by_tephra ? "are served" : "pass to the vendor",
           failed ? "no" : "yes");
    return failed;
}

// LU of order 2, a solve with it, and the inverse in two ways. The stand-in returns success without modifying anything.
static int factors_and_inverts(expectation *e) {
    double a[4] = {1, 2, 3, 4}, b[2] = {5, 6}, c[4] = {0}, direct[4] = {0};
    double *pa = a, *pb = b, *pc = c, *pd = direct;
    const double *factors = a;
    int pivots[2] = {0}, info = 123, code = 123, failed = 0;
    failed += cublasDmatinvBatched(e->handle, 2, &factors, 2, &pd, 2, &code, 1) != CUBLAS_STATUS_SUCCESS;
    failed += e->by_tephra ? code != 0 || !near(direct[0], -2) || !near(direct[1], 1) : direct[0] != 0 || code != 123;
    code = 123;
    failed += cublasDgetrfBatched(e->handle, 2, &pa, 2, pivots, &code, 1) != CUBLAS_STATUS_SUCCESS;
    failed += e->by_tephra ? code != 0 || pivots[0] != 2 || pivots[1] != 2 : a[0] != 1 || code != 123;
    failed += cublasDgetrsBatched(e->handle, CUBLAS_OP_N, 2, 1, &factors, 2, pivots, &pb, 2, &info, 1) !=
              CUBLAS_STATUS_SUCCESS;
    failed += info != 0;
    failed += e->by_tephra ? !near(b[0], -1) || !near(b[1], 2) : b[0] != 5;
    failed += cublasDgetriBatched(e->handle, 2, &factors, 2, pivots, &pc, 2, &code, 1) != CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < 4; i++) failed += e->by_tephra ? !near(c[i], direct[i]) : c[i] != 0;
    printf("preload client: LU %s: %s\n", e->by_tephra ? "is served" : "passes to the vendor", failed ? "no" : "yes");
    return failed;
}

// A product of order 2, which Tephra serves only on request, and an empty product.
static int multiplies(expectation *e, int by_tephra) {
    double a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 1, 1}, c[4] = {9, 9, 9, 9}, one = 1, zero = 0;
    const double *pa = a, *pb = b;
    double *pc = c;
    int failed = 0;
    failed += cublasDgemmBatched(e->handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, &pa, 2, &pb, 2, &zero, &pc, 2,
                                 1) != CUBLAS_STATUS_SUCCESS;
    failed += by_tephra ? c[0] != 1 || c[1] != 2 || c[2] != 4 || c[3] != 6 : c[0] != 9;
    failed += cublasDgemmBatched(e->handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, 0, &one, &pa, 1, &pb, 1, &zero, &pc, 1,
                                 0) != CUBLAS_STATUS_SUCCESS;
    printf("preload client: gemm %s: %s\n", by_tephra ? "is served" : "passes to the vendor", failed ? "no" : "yes");
    return failed;
}

static int expect_calls(const char *name, int low, int high) {
    const int calls = standin_calls(name);
    if (calls >= low && calls <= high) return 0;
    fprintf(stderr, "preload client: the vendor's %s was called %d times, expected %d to %d\n", name, calls, low, high);
    return 1;
}

int client(int argc, char **argv) {
    expectation e = {.by_tephra = argc > 1 && strcmp(argv[1], "tephra") == 0};
    if (cublasCreate_v2(&e.handle) != CUBLAS_STATUS_SUCCESS) return 1;
    int failed = e.by_tephra ? qr_sweep("preload client", factor, &e) : passes_to_vendor(&e);
    failed += solves(&e);
    failed += factors_and_inverts(&e);
    cublasPointerMode_t mode;
    int version = 0;
    failed += cublasGetPointerMode_v2(e.handle, &mode) != CUBLAS_STATUS_SUCCESS || mode != CUBLAS_POINTER_MODE_HOST;
    failed += cublasGetVersion_v2(e.handle, &version) != CUBLAS_STATUS_SUCCESS || version != 130002;
    const char *wanted = getenv("TEPHRA_PRELOAD");
    const int products = e.by_tephra && wanted && strstr(wanted, "gemm");
    failed += multiplies(&e, products);
    failed += cublasDestroy_v2(e.handle) != CUBLAS_STATUS_SUCCESS;

    // The vendor gets one call in each precision if it serves them, and none if Tephra does.
    const int geqrf = e.by_tephra ? 0 : 1;
    failed += expect_calls("cublasSgeqrfBatched", geqrf, geqrf);
    failed += expect_calls("cublasDgeqrfBatched", geqrf, geqrf);
    failed += expect_calls("cublasCgeqrfBatched", geqrf, geqrf);
    failed += expect_calls("cublasZgeqrfBatched", geqrf, geqrf);
    failed += expect_calls("cublasDgelsBatched", geqrf, geqrf);
    failed += expect_calls("cublasDtrsmBatched", 2 * geqrf, 2 * geqrf);
    failed += expect_calls("cublasDtrsmBatched_64", geqrf, geqrf);
    failed += expect_calls("cublasDgetrfBatched", geqrf, geqrf);
    failed += expect_calls("cublasDgetrsBatched", geqrf, geqrf);
    failed += expect_calls("cublasDgetriBatched", geqrf, geqrf);
    failed += expect_calls("cublasDmatinvBatched", geqrf, geqrf);
    failed += expect_calls("cublasCreate_v2", 1, 1);
    failed += expect_calls("cublasDestroy_v2", 1, 1);
    failed += expect_calls("cublasGetVersion_v2", 1, 1000);
    failed += expect_calls("cublasDgemmBatched", products ? 0 : 2, products ? 0 : 2);
    // The handle is the vendor's, so only the vendor can return its stream.
    if (e.by_tephra) failed += expect_calls("cublasGetStream_v2", 1, 1000);
    return failed != 0;
}

#ifndef PLUGIN
int main(int argc, char **argv) { return client(argc, argv); }
#endif
