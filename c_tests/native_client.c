// A C program that uses Tephra's native API: pointer arrays, strided batches, workspace, plans and errors.
#include "device_case.h"

#include <stdio.h>
#include <string.h>

#define WHO "native client"

typedef struct {
    void *stream;
    int strided, one_by_one;
} mode;

// The calls in one precision: p is its letter, and T the element type.
#define DEFINE_GEQRF(p, T)                                                                                             \
    static tephra_status p##geqrf_of_one(const qr_case *c, const device_case *d, int i, void *stream) {                \
        T *a = (T *)d->a + (int64_t)c->lda * c->n * i, *tau = (T *)d->tau + (int64_t)(c->tau_bytes / sizeof(T)) * i;   \
        size_t bytes = 1;                                                                                              \
        tephra_status status = tephra_##p##geqrf_workspace(c->m, c->n, c->lda, &bytes);                                \
        if (status != 0 || bytes != 0) return status != 0 ? status : TEPHRA_STATUS_INTERNAL_ERROR;                     \
        return tephra_##p##geqrf(c->m, c->n, a, c->lda, tau, NULL, 0, stream);                                         \
    }                                                                                                                  \
    static tephra_status p##geqrf(const qr_case *c, const device_case *d, const mode *how) {                           \
        const int64_t stride = (int64_t)c->lda * c->n, stride_tau = (int64_t)(c->tau_bytes / sizeof(T));               \
        void *work = NULL;                                                                                             \
        if (how->one_by_one) {                                                                                         \
            tephra_status status = 0;                                                                                  \
            for (int i = 0; i < c->batch && status == 0; i++) status = p##geqrf_of_one(c, d, i, how->stream);          \
            return status;                                                                                             \
        }                                                                                                              \
        size_t bytes = 1;                                                                                              \
        tephra_status status = how->strided                                                                            \
                                   ? tephra_##p##geqrf_strided_batched_workspace(c->m, c->n, c->lda, stride,           \
                                                                                 stride_tau, c->batch, &bytes)         \
                                   : tephra_##p##geqrf_batched_workspace(c->m, c->n, c->lda, c->batch, &bytes);        \
        if (status == 0 && bytes > 0) status = tephra_malloc(&work, bytes);                                            \
        if (status != 0) return status;                                                                                \
        status = how->strided                                                                                          \
                     ? tephra_##p##geqrf_strided_batched(c->m, c->n, (T *)d->a, c->lda, stride, (T *)d->tau,           \
                                                         stride_tau, c->batch, work, bytes, how->stream)               \
                     : tephra_##p##geqrf_batched(c->m, c->n, (T *const *)d->a_array, c->lda, (T *const *)d->tau_array, \
                                                 c->batch, work, bytes, how->stream);                                  \
        if (work) tephra_stream_synchronize(how->stream), tephra_free(work);                                           \
        return status;                                                                                                 \
    }
DEFINE_GEQRF(s, float)
DEFINE_GEQRF(d, double)
DEFINE_GEQRF(c, tephra_c32)
DEFINE_GEQRF(z, tephra_c64)

static int run(qr_case *c, void *context) {
    const mode *how = context;
    device_case d;
    if (device_case_upload(&d, c, how->stream) != 0) return 1;
    tephra_status status = TEPHRA_STATUS_INTERNAL_ERROR;
    switch (c->dtype) {
    case 's':
        status = sgeqrf(c, &d, how);
        break;
    case 'd':
        status = dgeqrf(c, &d, how);
        break;
    case 'c':
        status = cgeqrf(c, &d, how);
        break;
    case 'z':
        status = zgeqrf(c, &d, how);
        break;
    }
    if (status != 0) fprintf(stderr, WHO ": status %d, %s\n", (int)status, tephra_last_error());
    return device_case_download(&d, c, how->stream) != 0 || status != 0;
}

static int check_errors_and_texts(void) {
    int failed = tephra_dgeqrf_batched(-1, 4, NULL, 4, NULL, 1, NULL, 0, NULL) != -1;
    failed |= strlen(tephra_last_error()) == 0;
    failed |= tephra_dgeqrf_batched(4, -1, NULL, 4, NULL, 1, NULL, 0, NULL) != -2;
    failed |= tephra_dgeqrf_batched(4, 4, NULL, 3, NULL, 1, NULL, 0, NULL) != -4;
    failed |= tephra_dgeqrf_batched(4, 4, NULL, 4, NULL, -1, NULL, 0, NULL) != -6;
    failed |= tephra_dgeqrf_batched(4, 4, NULL, 4, NULL, 0, NULL, 0, NULL) != 0;
    char text[4096];
    size_t needed = 0;
    failed |= tephra_explain("dgeqrf", 32, 32, 1000, text, sizeof text, &needed) != 0 || needed == 0;
    failed |= strlen(tephra_version()) == 0 || strstr(tephra_build_info(), "kernel_hash") == NULL;
    if (failed) fprintf(stderr, WHO ": a bad argument or a text has the wrong answer\n");
    return failed;
}

int main(void) {
    mode how = {0};
    if (tephra_stream_create(&how.stream) != 0) {
        fprintf(stderr, WHO ": no stream: %s\n", tephra_last_error());
        return 1;
    }
    int failed = qr_sweep(WHO ", pointer arrays", run, &how);
    how.strided = 1;
    failed += qr_sweep(WHO ", strided", run, &how);
    how.one_by_one = 1;
    failed += qr_sweep(WHO ", one matrix at a time", run, &how);
    failed += check_errors_and_texts();
    failed += tephra_stream_destroy(how.stream) != 0;
    return failed != 0;
}
