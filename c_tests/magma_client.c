// A program written for MAGMA, compiled with Tephra's header and linked with -ltephra.
#include "qr_case.h"
#include <tephra_magma.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WHO "MAGMA client"

// The batched call in one precision: T is MAGMA's type, and p its letter.
#define DEFINE_GEQRF(p, T)                                                                                             \
    static magma_int_t p##geqrf(const qr_case *c, void *dA, void *dtau, magma_int_t *dinfo, magma_queue_t queue) {     \
        const magma_int_t k = c->m < c->n ? c->m : c->n;                                                               \
        T **dA_array = NULL, **dtau_array = NULL;                                                                      \
        magma_malloc((void **)&dA_array, (size_t)c->batch * sizeof(T *));                                              \
        magma_malloc((void **)&dtau_array, (size_t)c->batch * sizeof(T *));                                            \
        magma_##p##set_pointer(dA_array, dA, c->lda, 0, 0, c->lda * c->n, c->batch, queue);                            \
        magma_##p##set_pointer(dtau_array, dtau, 1, 0, 0, k, c->batch, queue);                                         \
        const magma_int_t info =                                                                                       \
            magma_##p##geqrf_batched(c->m, c->n, dA_array, c->lda, dtau_array, dinfo, c->batch, queue);                \
        magma_free(dA_array);                                                                                          \
        magma_free(dtau_array);                                                                                        \
        return info;                                                                                                   \
    }
DEFINE_GEQRF(s, float)
DEFINE_GEQRF(d, double)
DEFINE_GEQRF(c, magmaFloatComplex)
DEFINE_GEQRF(z, magmaDoubleComplex)

static int run(qr_case *c, void *context) {
    magma_queue_t queue = context;
    const magma_int_t columns = c->n * c->batch, k = c->m < c->n ? c->m : c->n, element = (magma_int_t)c->element_bytes;
    void *dA = NULL, *dtau = NULL;
    magma_int_t *dinfo = NULL, *info = malloc((size_t)c->batch * sizeof(magma_int_t));
    if (magma_malloc(&dA, c->matrix_bytes * (size_t)c->batch) != MAGMA_SUCCESS ||
        magma_malloc(&dtau, c->tau_bytes * (size_t)c->batch) != MAGMA_SUCCESS ||
        magma_malloc((void **)&dinfo, (size_t)c->batch * sizeof(magma_int_t)) != MAGMA_SUCCESS || !info) {
        fprintf(stderr, WHO ": out of memory\n");
        return 1;
    }
    for (int i = 0; i < c->batch; i++) info[i] = 123;
    magma_setvector(c->batch, sizeof(magma_int_t), info, 1, dinfo, 1, queue);
    magma_setmatrix(c->lda, columns, element, c->f, c->lda, dA, c->lda, queue);

    magma_int_t status = -1;
    switch (c->dtype) {
    case 's':
        status = sgeqrf(c, dA, dtau, dinfo, queue);
        break;
    case 'd':
        status = dgeqrf(c, dA, dtau, dinfo, queue);
        break;
    case 'c':
        status = cgeqrf(c, dA, dtau, dinfo, queue);
        break;
    case 'z':
        status = zgeqrf(c, dA, dtau, dinfo, queue);
        break;
    }

    magma_getmatrix(c->lda, columns, element, dA, c->lda, c->f, c->lda, queue);
    magma_getvector(k * c->batch, element, dtau, 1, c->tau, 1, queue);
    magma_getvector(c->batch, sizeof(magma_int_t), dinfo, 1, info, 1, queue);
    int failed = status != 0;
    for (int i = 0; i < c->batch; i++) failed |= info[i] != 0;
    if (failed)
        fprintf(stderr, WHO ": returned %d (%s), info[0] %d\n", (int)status, magma_strerror(status), (int)info[0]);
    magma_free(dA);
    magma_free(dtau);
    magma_free(dinfo);
    free(info);
    return failed;
}

// Tests the typed helpers that most programs use, on one matrix.
static int typed_helpers(magma_queue_t queue) {
    enum { M = 20, N = 6 };
    qr_case c = qr_case_create('d', M, N, M, 1);
    double *dA = NULL, *dtau = NULL, **dA_array = NULL, **dtau_array = NULL;
    magma_int_t *dinfo = NULL, info = 123;
    magma_dmalloc(&dA, M * N);
    magma_dmalloc(&dtau, N);
    magma_imalloc(&dinfo, 1);
    magma_malloc((void **)&dA_array, sizeof(double *));
    magma_malloc((void **)&dtau_array, sizeof(double *));
    magma_dsetmatrix(M, N, (double *)c.f, M, dA, M, queue);
    magma_dset_pointer(dA_array, dA, M, 0, 0, 0, 1, queue);
    magma_dset_pointer(dtau_array, dtau, 1, 0, 0, 0, 1, queue);
    const double start = magma_sync_wtime(queue);
    int failed = magma_dgeqrf_batched(M, N, dA_array, M, dtau_array, dinfo, 1, queue) != 0;
    failed |= magma_sync_wtime(queue) < start;
    magma_dgetmatrix(M, N, dA, M, (double *)c.f, M, queue);
    magma_dgetvector(N, dtau, 1, (double *)c.tau, 1, queue);
    magma_igetvector(1, dinfo, 1, &info, 1, queue);
    failed |= info != 0;
    failed |= qr_case_check(&c, WHO);
    magma_free(dA);
    magma_free(dtau);
    magma_free(dinfo);
    magma_free(dA_array);
    magma_free(dtau_array);
    qr_case_free(&c);
    return failed;
}

// Tests the routines for one matrix whose factors and info are in host memory: LAPACK's form, and the form with T,
// whose Q^T A must reproduce R.
static int one_matrix(magma_queue_t queue) {
    enum { M = 300, N = 150 };
    qr_case c = qr_case_create('d', M, N, M, 1);
    double *dA = NULL, *dC = NULL, *dT = NULL, *tau = (double *)c.tau, *r = calloc(M * N, sizeof *r), size = 0;
    const magma_int_t nb = magma_get_dgeqrf_nb(M, N);
    magma_int_t info = 123;
    magma_dmalloc(&dA, M * N);
    magma_dmalloc(&dC, M * N);
    magma_dmalloc(&dT, (2 * N + (N + 31) / 32 * 32) * nb);
    magma_dsetmatrix(M, N, (double *)c.f, M, dA, M, queue);
    magma_dsetmatrix(M, N, (double *)c.f, M, dC, M, queue);
    int failed = magma_dgeqrf_gpu(M, N, dA, M, tau, dT, &info) != 0 || info != 0;
    failed |= magma_dormqr_gpu(MagmaLeft, MagmaTrans, M, N, N, dA, M, tau, dC, M, &size, -1, dT, nb, &info) != 0;
    double *work = calloc((size_t)size, sizeof *work);
    failed |= size < 1 || magma_dormqr_gpu(MagmaLeft, MagmaTrans, M, N, N, dA, M, tau, dC, M, work, (magma_int_t)size,
                                           dT, nb, &info) != 0;
    magma_dgetmatrix(M, N, dC, M, r, M, queue);

    magma_dsetmatrix(M, N, (double *)c.f, M, dA, M, queue);
    failed |= magma_dgeqrf2_gpu(M, N, dA, M, tau, &info) != 0 || info != 0;
    magma_dgetmatrix(M, N, dA, M, (double *)c.f, M, queue);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) failed |= fabs(r[i + j * M] - (i <= j ? ((double *)c.f)[i + j * M] : 0)) > 1e-11;
    failed |= qr_case_check(&c, WHO);
    if (failed) fprintf(stderr, WHO ": one matrix\n");
    magma_free(dA);
    magma_free(dC);
    magma_free(dT);
    free(r);
    free(work);
    qr_case_free(&c);
    return failed;
}

// Checks argument errors: MAGMA numbers them by its own argument lists, and writes messages to stderr.
static int check_errors(magma_queue_t queue) {
    int failed = magma_dgeqrf_batched(-1, 4, NULL, 4, NULL, NULL, 1, queue) != -1;
    failed |= magma_dgeqrf_batched(4, -1, NULL, 4, NULL, NULL, 1, queue) != -2;
    failed |= magma_dgeqrf_batched(4, 4, NULL, 3, NULL, NULL, 1, queue) != -4;
    failed |= magma_dgeqrf_batched(0, 4, NULL, 1, NULL, NULL, 1, queue) != 0;
    if (failed) fprintf(stderr, WHO ": a bad argument has the wrong answer\n");
    return failed;
}

int main(void) {
    if (magma_init() != MAGMA_SUCCESS) {
        fprintf(stderr, WHO ": magma_init failed\n");
        return 1;
    }
    magma_queue_t queue = NULL;
    magma_queue_create(0, &queue);
    int failed = qr_sweep(WHO, run, queue);
    failed += typed_helpers(queue);
    failed += one_matrix(queue);
    failed += check_errors(queue);
    magma_queue_destroy(queue);
    failed += magma_finalize() != MAGMA_SUCCESS;
    return failed != 0;
}
