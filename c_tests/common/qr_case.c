#include "qr_case.h"
#include "dense.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char poison = 0xA5;

qr_case qr_case_create(char dtype, int m, int n, int lda, int batch) {
    const int k = m < n ? m : n;
    qr_case c = {.dtype = dtype, .m = m, .n = n, .lda = lda, .batch = batch};
    c.element_bytes = element_bytes(dtype);
    c.matrix_bytes = (size_t)lda * (size_t)n * c.element_bytes;
    c.tau_bytes = (size_t)(k > 1 ? k : 1) * c.element_bytes;
    c.a = allocate(c.matrix_bytes * (size_t)batch);
    c.f = allocate(c.matrix_bytes * (size_t)batch);
    c.tau = allocate(c.tau_bytes * (size_t)batch);
    memset(c.a, poison, c.matrix_bytes * (size_t)batch);
    memset(c.tau, poison, c.tau_bytes * (size_t)batch);
    uint64_t state = (uint64_t)dtype * 1000003u + (uint64_t)m * 1009u + (uint64_t)n;
    for (int b = 0; b < batch; b++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                const double re = uniform(&state), im = is_complex(dtype) ? uniform(&state) : 0;
                element_store(dtype, c.a + (size_t)b * c.matrix_bytes, (size_t)j * (size_t)lda + (size_t)i,
                              re + im * I);
            }
    memcpy(c.f, c.a, c.matrix_bytes * (size_t)batch);
    return c;
}

void qr_case_free(qr_case *c) {
    free(c->a);
    free(c->f);
    free(c->tau);
}

// q := the first `columns` columns of H(1) ... H(k), where H(i) = I - tau v v^H, v(i) = 1, and the rest of v is below
// the diagonal of f.
static void form_q(const qr_case *c, const char *f, const char *tau, int columns, value *q) {
    const int m = c->m, k = m < c->n ? m : c->n;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < m; i++) q[j * m + i] = i == j;
    value *v = allocate(sizeof(value) * (size_t)m);
    for (int p = k - 1; p >= 0; p--) {
        const value t = element_load(c->dtype, tau, (size_t)p);
        for (int i = p; i < m; i++)
            v[i] = i == p ? 1 : element_load(c->dtype, f, (size_t)p * (size_t)c->lda + (size_t)i);
        for (int j = 0; j < columns; j++) {
            value dot = 0;
            for (int i = p; i < m; i++) dot += conj(v[i]) * q[j * m + i];
            for (int i = p; i < m; i++) q[j * m + i] -= t * dot * v[i];
        }
    }
    free(v);
}

// The larger of |A - Q R| / (max(m, n) |A| eps) and |I - Q^H Q| / (m eps), in the Frobenius norm.
static double ratio(const qr_case *c, const char *a, const char *f, const char *tau) {
    const int m = c->m, n = c->n, k = m < n ? m : n;
    const double eps = epsilon(c->dtype);
    value *q = allocate(sizeof(value) * (size_t)m * (size_t)k);
    form_q(c, f, tau, k, q);
    double residual = 0, norm = 0, skew = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const value x = element_load(c->dtype, a, (size_t)j * (size_t)c->lda + (size_t)i);
            value rest = x;
            for (int p = 0; p <= j && p < k; p++)
                rest -= q[p * m + i] * element_load(c->dtype, f, (size_t)j * (size_t)c->lda + (size_t)p);
            residual += creal(rest * conj(rest));
            norm += creal(x * conj(x));
        }
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            value dot = i == j ? -1 : 0;
            for (int p = 0; p < m; p++) dot += conj(q[i * m + p]) * q[j * m + p];
            skew += creal(dot * conj(dot));
        }
    free(q);
    const double backward = sqrt(residual / norm) / ((m > n ? m : n) * eps), orthogonal = sqrt(skew) / (m * eps);
    return isnan(backward) || isnan(orthogonal) ? INFINITY : fmax(backward, orthogonal);
}

static int padding_touched(const qr_case *c, const char *f) {
    for (int j = 0; j < c->n; j++)
        for (size_t i = (size_t)c->m * c->element_bytes; i < (size_t)c->lda * c->element_bytes; i++)
            if ((unsigned char)f[(size_t)j * (size_t)c->lda * c->element_bytes + i] != poison) return 1;
    return 0;
}

int qr_case_check(const qr_case *c, const char *who) {
    const int k = c->m < c->n ? c->m : c->n;
    for (int b = 0; b < c->batch; b++) {
        const char *a = c->a + (size_t)b * c->matrix_bytes, *f = c->f + (size_t)b * c->matrix_bytes;
        const char *tau = c->tau + (size_t)b * c->tau_bytes;
        const char *fault = NULL;
        const double r = ratio(c, a, f, tau);
        if (!(r < 30)) fault = "the test ratio is not below 30";
        for (int p = 0; p < k; p++)
            if (cimag(element_load(c->dtype, f, (size_t)p * (size_t)(c->lda + 1))) != 0)
                fault = "the diagonal of R is not real";
        if (padding_touched(c, f)) fault = "padding rows were written";
        if (fault) {
            fprintf(stderr, "%s: %cgeqrf of %d x %d, lda %d, matrix %d of %d: %s (ratio %.3g)\n", who, c->dtype, c->m,
                    c->n, c->lda, b, c->batch, fault, r);
            return 1;
        }
    }
    return 0;
}

int qr_sweep(const char *who, int (*run)(qr_case *c, void *context), void *context) {
    static const int shapes[][4] = {// m, n, padding, batch
                                    {1, 1, 0, 3},   {4, 4, 0, 100}, {7, 5, 2, 20}, {5, 9, 1, 20},
                                    {32, 32, 0, 9}, {33, 20, 1, 9}, {65, 7, 0, 5}, {90, 70, 3, 2}};
    int failed = 0, cases = 0;
    for (const char *dtype = "sdcz"; *dtype; dtype++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++, cases++) {
            qr_case c = qr_case_create(*dtype, shapes[s][0], shapes[s][1], shapes[s][0] + shapes[s][2], shapes[s][3]);
            failed += run(&c, context) != 0 || qr_case_check(&c, who) != 0;
            qr_case_free(&c);
        }
    printf("%s: %d of %d cases hold\n", who, cases - failed, cases);
    return failed;
}
