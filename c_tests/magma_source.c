// Tests what programs written for MAGMA use besides the batched QR: the strings and letters of constants, complex
// arithmetic, laset, lacpy and the out-of-place triangular solve, on the backend in use.
#include "dense.h"
#include <tephra_magma.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHO "MAGMA source"

static int failed = 0;
static magma_queue_t queue;
static const char *told; // the name that xerbla was called with
static magma_int_t told_info;

// As with MAGMA, a program's own xerbla replaces the library's.
void magma_xerbla(const char *name, magma_int_t info) {
    static char copy[64];
    snprintf(copy, sizeof copy, "%s", name);
    told = copy;
    told_info = info;
}

static void expect(int good, const char *what, char dtype, int m, int n) {
    if (good) return;
    fprintf(stderr, WHO ": %s: wrong (%c, %d x %d)\n", what, dtype, m, n);
    failed = 1;
}

// The routines in one precision, on untyped memory; scalars are passed as double precision complex.
typedef struct {
    char dtype;
    void (*laset)(magma_uplo_t, int m, int n, value off, value on, void *a, int lda);
    void (*lacpy)(magma_uplo_t, int m, int n, const void *a, int lda, void *b, int ldb);
    void (*trsm)(int in_place, int m, int n, value alpha, void *a, int lda, void *b, int ldb, void *x, int ldx,
                 int count);
} routines;

static void *array_of(void *base, size_t stride, int count) {
    void **host = allocate(sizeof(void *) * (size_t)count), *device = NULL;
    for (int i = 0; i < count; i++) host[i] = (char *)base + stride * (size_t)i;
    magma_malloc(&device, sizeof(void *) * (size_t)count);
    magma_setvector(count, sizeof(void *), host, 1, device, 1, queue);
    free(host);
    return device;
}

#define DEFINE_ROUTINES(p, letter, T, MAKE)                                                                            \
    static void p##_laset(magma_uplo_t uplo, int m, int n, value off, value on, void *a, int lda) {                    \
        magmablas_##p##laset(uplo, m, n, MAKE(off), MAKE(on), (T *)a, lda, queue);                                     \
    }                                                                                                                  \
    static void p##_lacpy(magma_uplo_t uplo, int m, int n, const void *a, int lda, void *b, int ldb) {                 \
        magmablas_##p##lacpy(uplo, m, n, (const T *)a, lda, (T *)b, ldb, queue);                                       \
    }                                                                                                                  \
    static void p##_trsm(int in_place, int m, int n, value alpha, void *a, int lda, void *b, int ldb, void *x,         \
                         int ldx, int count) {                                                                         \
        T **as = array_of(a, sizeof(T) * (size_t)(lda * m), count),                                                    \
          **bs = array_of(b, sizeof(T) * (size_t)(ldb * n), count),                                                    \
          **xs = array_of(x, sizeof(T) * (size_t)(ldx * n), count);                                                    \
        if (in_place)                                                                                                  \
            magmablas_##p##trsm_batched(MagmaLeft, MagmaUpper, MagmaConjTrans, MagmaNonUnit, m, n, MAKE(alpha), as,    \
                                        lda, bs, ldb, count, queue);                                                   \
        else                                                                                                           \
            magmablas_##p##trsm_inv_outofplace_batched(MagmaLeft, MagmaUpper, MagmaConjTrans, MagmaNonUnit, 1, m, n,   \
                                                       MAKE(alpha), as, lda, bs, ldb, xs, ldx, NULL, 0, NULL, NULL,    \
                                                       NULL, NULL, 1, count, queue);                                   \
        magma_queue_sync(queue);                                                                                       \
        magma_free(as);                                                                                                \
        magma_free(bs);                                                                                                \
        magma_free(xs);                                                                                                \
    }                                                                                                                  \
    static const routines p##_routines = {letter, p##_laset, p##_lacpy, p##_trsm};
#define MAKE_S(v) (float)creal(v)
#define MAKE_D(v) creal(v)
#define MAKE_C(v) MAGMA_C_MAKE((float)creal(v), (float)cimag(v))
#define MAKE_Z(v) MAGMA_Z_MAKE(creal(v), cimag(v))
DEFINE_ROUTINES(s, 's', float, MAKE_S)
DEFINE_ROUTINES(d, 'd', double, MAKE_D)
DEFINE_ROUTINES(c, 'c', magmaFloatComplex, MAKE_C)
DEFINE_ROUTINES(z, 'z', magmaDoubleComplex, MAKE_Z)

// Elements in host and device memory, initially equal: small numbers that every precision can represent.
typedef struct {
    size_t bytes;
    void *host, *device;
} area;

static area area_create(char dtype, int count, int seed) {
    area a = {element_bytes(dtype) * (size_t)count, NULL, NULL};
    a.host = allocate(a.bytes + 1);
    for (int i = 0; i < count; i++) element_store(dtype, a.host, (size_t)i, (i * 7 + seed) % 97 + I * (i % 5));
    magma_malloc(&a.device, a.bytes);
    magma_setvector((magma_int_t)a.bytes, 1, a.host, 1, a.device, 1, queue);
    return a;
}
static void area_download(area *a) { magma_getvector((magma_int_t)a->bytes, 1, a->device, 1, a->host, 1, queue); }
static void area_free(area *a) {
    magma_free(a->device);
    free(a->host);
}

static int inside(magma_uplo_t uplo, int i, int j) {
    return uplo == MagmaFull || (uplo == MagmaUpper ? i <= j : i >= j);
}

static void try_assignments(const routines *f, magma_uplo_t uplo, int m, int n) {
    const int lda = m + 3, ldb = m + 1, size_a = lda * n + 1, size_b = ldb * n + 1;
    const value off = -3 + 2 * I, on = 5 - I;
    area a = area_create(f->dtype, size_a, 1), b = area_create(f->dtype, size_b, 2);
    area wanted_a = area_create(f->dtype, size_a, 1), wanted_b = area_create(f->dtype, size_b, 2);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            if (!inside(uplo, i, j)) continue;
            element_store(f->dtype, wanted_b.host, (size_t)(j * ldb + i),
                          element_load(f->dtype, a.host, (size_t)(j * lda + i)));
            element_store(f->dtype, wanted_a.host, (size_t)(j * lda + i), i == j ? on : off);
        }
    f->lacpy(uplo, m, n, a.device, lda, b.device, ldb);
    f->laset(uplo, m, n, off, on, a.device, lda);
    area_download(&a);
    area_download(&b);
    expect(!memcmp(a.host, wanted_a.host, a.bytes), "laset", f->dtype, m, n);
    expect(!memcmp(b.host, wanted_b.host, b.bytes), "lacpy", f->dtype, m, n);
    area_free(&a), area_free(&b), area_free(&wanted_a), area_free(&wanted_b);
}

// Checks that the out-of-place solve gives the same bits as in place, and modifies neither B nor the padding of X.
static void try_solve(const routines *f, int m, int n, value alpha) {
    const int count = 5, lda = m + 1, ldb = m + 2, ldx = m + 3;
    area a = area_create(f->dtype, lda * m * count, 3), b = area_create(f->dtype, ldb * n * count, 4);
    area x = area_create(f->dtype, ldx * n * count, 5), same_b = area_create(f->dtype, ldb * n * count, 4);
    area same_x = area_create(f->dtype, ldx * n * count, 5);
    for (int i = 0; i < count * m; i++) // well conditioned
        element_store(f->dtype, a.host, (size_t)(i / m * lda * m + i % m * (lda + 1)), 1000 + i);
    magma_setvector((magma_int_t)a.bytes, 1, a.host, 1, a.device, 1, queue);
    f->trsm(0, m, n, alpha, a.device, lda, b.device, ldb, x.device, ldx, count);
    area_download(&b);
    area_download(&x);
    expect(!memcmp(b.host, same_b.host, b.bytes), "B of a solve out of place", f->dtype, m, n);
    f->trsm(1, m, n, alpha, a.device, lda, b.device, ldb, x.device, ldx, count);
    area_download(&b);
    const size_t element = element_bytes(f->dtype);
    for (int j = 0; j < n * count; j++)
        memcpy((char *)same_x.host + (size_t)(j * ldx) * element, (char *)b.host + (size_t)(j * ldb) * element,
               (size_t)m * element);
    expect(!memcmp(x.host, same_x.host, x.bytes), "solve out of place", f->dtype, m, n);
    area_free(&a), area_free(&b), area_free(&x), area_free(&same_b), area_free(&same_x);
}

static void refused(const char *what, const char *name, magma_int_t argument) {
    expect(told && !strcmp(told, name) && told_info == argument, what, '-', argument, told_info);
    told = NULL;
}

static void try_refusals(void) {
    double *p = (double *)(uintptr_t)64; // never dereferenced
    magmablas_dlaset((magma_uplo_t)7, 1, 1, 0, 0, p, 1, queue);
    refused("laset's uplo", "magmablas_dlaset", 1);
    magmablas_dlaset(MagmaFull, -1, 1, 0, 0, p, 1, queue);
    refused("laset's m", "magmablas_dlaset", 2);
    magmablas_dlaset(MagmaFull, 1, -1, 0, 0, p, 1, queue);
    refused("laset's n", "magmablas_dlaset", 3);
    magmablas_dlaset(MagmaFull, 2, 1, 0, 0, p, 1, queue);
    refused("laset's ldda", "magmablas_dlaset", 7);
    magmablas_dlaset(MagmaFull, 2, 1, 0, 0, NULL, 2, queue);
    refused("laset's matrix", "magmablas_dlaset", 6);
    magmablas_dlacpy(MagmaFull, 2, 1, p, 1, p, 2, queue);
    refused("lacpy's ldda", "magmablas_dlacpy", 5);
    magmablas_dlacpy(MagmaFull, 2, 1, p, 2, p, 1, queue);
    refused("lacpy's lddb", "magmablas_dlacpy", 7);
    magmablas_dlacpy(MagmaFull, 2, 1, NULL, 2, p, 2, queue);
    refused("lacpy's source", "magmablas_dlacpy", 4);
    magmablas_dlacpy(MagmaFull, 2, 0, NULL, 2, NULL, 2, queue);
    magmablas_dlaset(MagmaFull, 0, 2, 0, 0, NULL, 1, queue);
    expect(!told, "an empty matrix needs no memory", 'd', 0, 0);
    double **q = (double **)p;
    magmablas_dtrsm_inv_outofplace_batched(MagmaLeft, MagmaUpper, MagmaNoTrans, MagmaNonUnit, 1, 2, 1, 1, q, 1, q, 2, q,
                                           2, q, 0, q, q, q, q, 1, 1, queue);
    refused("out of place: ldda", "magmablas_dtrsm_inv_outofplace_batched", 9);
    magmablas_dtrsm_inv_outofplace_batched(MagmaLeft, MagmaUpper, MagmaNoTrans, MagmaNonUnit, 1, 2, 1, 1, q, 2, q, 2, q,
                                           1, q, 0, q, q, q, q, 1, 1, queue);
    refused("out of place: lddx", "magmablas_dtrsm_inv_outofplace_batched", 13);
    magmablas_dtrsm_inv_outofplace_batched(MagmaLeft, MagmaUpper, MagmaNoTrans, MagmaNonUnit, 1, 2, 1, 1, q, 2, q, 2,
                                           NULL, 2, q, 0, q, q, q, q, 1, 1, queue);
    refused("out of place: X", "magmablas_dtrsm_inv_outofplace_batched", 12);
}

static int close_to(magmaDoubleComplex z, double re, double im) {
    return fabs(MAGMA_Z_REAL(z) - re) <= 1e-15 * fabs(re) && fabs(MAGMA_Z_IMAG(z) - im) <= 1e-15 * fabs(im);
}

static void try_words_and_numbers(void) {
    assert(MagmaUpperStr[0] == 'U');
    expect(!strcmp(MagmaConjTransStr, "ConjTrans") && !strcmp(MagmaFrobeniusNormStr, "Fro"), "strings", '-', 0, 0);
    expect(lapacke_trans_const(MagmaConjTrans) == 'C' && lapacke_uplo_const(MagmaFull) == 'G' &&
               lapacke_side_const(MagmaRight) == 'R' && lapacke_diag_const(MagmaUnit) == 'U' &&
               lapacke_norm_const(MagmaOneNorm) == '1' && lapacke_const(MagmaLower) == 'L' &&
               lapacke_bool_const(MagmaTrue) == 'Y' && lapacke_vec_const(MagmaNoVec) == 'N',
           "letters", '-', 0, 0);
    const magmaDoubleComplex x = MAGMA_Z_MAKE(5, 10), y = MAGMA_Z_MAKE(3, 4);
    expect(close_to(MAGMA_Z_DIV(x, y), 2.2, 0.4), "z division", 'z', 0, 0);
    expect(close_to(MAGMA_Z_DIV(y, x), 0.44, -0.08), "z division", 'z', 0, 1);
    const magmaDoubleComplex large = MAGMA_Z_MAKE(1e300, 1e300), small = MAGMA_Z_MAKE(0, 2e-300);
    expect(close_to(MAGMA_Z_DIV(large, large), 1, 0), "z division of large numbers", 'z', 0, 0);
    expect(close_to(MAGMA_Z_DIV(small, small), 1, 0), "z division of small numbers", 'z', 0, 0);
    expect(MAGMA_Z_ABS(y) == 5 && close_to(MAGMA_Z_MUL(x, y), -25, 50), "z modulus and product", 'z', 0, 0);
    const magmaFloatComplex c = MAGMA_C_DIV(MAGMA_C_MAKE(5, 10), MAGMA_C_MAKE(0, 5));
    expect(MAGMA_C_REAL(c) == 2 && MAGMA_C_IMAG(c) == -1, "c division", 'c', 0, 0);
    expect(MAGMA_D_DIV(6.0, 3.0) == 2 && MAGMA_S_DIV(6.0f, 3.0f) == 2, "real division", 'd', 0, 0);
}

int main(void) {
    const routines *all[] = {&s_routines, &d_routines, &c_routines, &z_routines};
    const int shapes[][2] = {{1, 1}, {5, 3}, {3, 5}, {33, 33}, {700, 3}, {3, 700}, {257, 260}};
    const magma_uplo_t parts[] = {MagmaFull, MagmaUpper, MagmaLower};
    if (magma_init() != MAGMA_SUCCESS) return 1;
    magma_queue_create(0, &queue);
    try_words_and_numbers();
    try_refusals();
    for (int t = 0; t < 4; t++) {
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int u = 0; u < 3; u++) try_assignments(all[t], parts[u], shapes[i][0], shapes[i][1]);
        try_solve(all[t], 1, 1, 1);
        try_solve(all[t], 7, 3, 2);
        try_solve(all[t], 70, 9, -1);
        try_solve(all[t], 9, 4, 0);
    }
    magma_queue_destroy(queue);
    magma_finalize();
    if (!failed) printf(WHO ": passed\n");
    return failed;
}
