// A C program that uses cuSOLVER's batched Cholesky routines, served by Tephra. It factors Hermitian positive definite
// matrices by either triangle in four precisions, solves systems with the factors, and checks that a matrix that is not
// positive definite is reported.
#include "tephra.h"
#include "tephra_cusolver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 21, COUNT = 5, BAD = 3, AT = 7 };

static int failures;

static void expect(int good, const char *what, char precision) {
    if (good) return;
    fprintf(stderr, "cusolver client: %s fails in precision %c\n", what, precision);
    failures++;
}

static void *on_device(const void *host, size_t bytes) {
    void *p = NULL;
    if (tephra_malloc(&p, bytes) != 0 || tephra_memcpy(p, host, bytes, NULL) != 0) abort();
    return p;
}

static void from_device(void *host, const void *device, size_t bytes) {
    if (tephra_memcpy(host, device, bytes, NULL) != 0) abort();
}

// Elements have type T, which consists of one number of type R, or of a real and an imaginary part.
#define DEFINE_TRY(p, LETTER, T, R, EPS)                                                                               \
    static void try_##p(cusolverDnHandle_t handle, cublasFillMode_t uplo) {                                            \
        enum { PARTS = sizeof(T) / sizeof(R) };                                                                        \
        R *a = calloc((size_t)COUNT * N * N * PARTS, sizeof(R)), *b = calloc((size_t)COUNT * N * PARTS, sizeof(R));    \
        /* 1, i and -i off the diagonal, and a dominant diagonal; B = A times ones. */                                 \
        for (int k = 0; k < COUNT; k++)                                                                                \
            for (int j = 0; j < N; j++)                                                                                \
                for (int i = 0; i < N; i++) {                                                                          \
                    R *x = a + ((size_t)(k * N + j) * N + i) * PARTS, *y = b + (size_t)(k * N + i) * PARTS;            \
                    x[0] = i == j ? 3 * N + k : 1;                                                                     \
                    y[0] += x[0];                                                                                      \
                    if (PARTS == 2 && i != j) x[PARTS - 1] = i > j ? 1 : -1, y[PARTS - 1] += x[PARTS - 1];             \
                }                                                                                                      \
        a[((size_t)(BAD * N + AT) * N + AT) * PARTS] = -1;                                                             \
        T *da = on_device(a, sizeof(T) * COUNT * N * N), *db = on_device(b, sizeof(T) * COUNT * N);                    \
        T *as[COUNT], *bs[COUNT];                                                                                      \
        for (int k = 0; k < COUNT; k++) as[k] = da + (size_t)k * N * N, bs[k] = db + (size_t)k * N;                    \
        T **das = on_device(as, sizeof as), **dbs = on_device(bs, sizeof bs);                                          \
        int codes[COUNT] = {0}, one = -1, *dcodes = on_device(codes, sizeof codes),                                    \
            *done = on_device(&one, sizeof one);                                                                       \
        expect(cusolverDn##LETTER##potrfBatched(handle, uplo, N, das, N, dcodes, COUNT) == CUSOLVER_STATUS_SUCCESS,    \
               "potrf", LETTER##_);                                                                                    \
        expect(cusolverDn##LETTER##potrsBatched(handle, uplo, N, 1, das, N, dbs, N, done, COUNT) ==                    \
                   CUSOLVER_STATUS_SUCCESS,                                                                            \
               "potrs", LETTER##_);                                                                                    \
        from_device(codes, dcodes, sizeof codes);                                                                      \
        from_device(&one, done, sizeof one);                                                                           \
        from_device(b, db, sizeof(T) * COUNT * N);                                                                     \
        expect(one == 0, "the code of potrs", LETTER##_);                                                              \
        for (int k = 0; k < COUNT; k++) {                                                                              \
            expect(codes[k] == (k == BAD ? AT + 1 : 0), "a code of potrf", LETTER##_);                                 \
            double worst = 0;                                                                                          \
            for (int i = 0; i < N; i++) {                                                                              \
                const R *x = b + (size_t)(k * N + i) * PARTS;                                                          \
                worst = fmax(worst, fabs((double)x[0] - 1) + (PARTS == 2 ? fabs((double)x[PARTS - 1]) : 0));           \
            }                                                                                                          \
            expect(k == BAD || worst < 100 * EPS, "a solution", LETTER##_);                                            \
        }                                                                                                              \
        expect(cusolverDn##LETTER##potrfBatched(handle, uplo, N, das, N - 1, dcodes, COUNT) ==                         \
                   CUSOLVER_STATUS_INVALID_VALUE,                                                                      \
               "the refusal of a leading dimension", LETTER##_);                                                       \
        tephra_free(da), tephra_free(db), tephra_free(das), tephra_free(dbs), tephra_free(dcodes), tephra_free(done);  \
        free(a), free(b);                                                                                              \
    }
enum { S_ = 's', D_ = 'd', C_ = 'c', Z_ = 'z' };
DEFINE_TRY(s, S, float, float, 1.2e-7)
DEFINE_TRY(d, D, double, double, 2.2e-16)
DEFINE_TRY(c, C, cuComplex, float, 1.2e-7)
DEFINE_TRY(z, Z, cuDoubleComplex, double, 2.2e-16)

int main(void) {
    cusolverDnHandle_t handle = NULL;
    int version = 0;
    if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS ||
        cusolverDnSetStream(handle, NULL) != CUSOLVER_STATUS_SUCCESS) {
        fprintf(stderr, "cusolver client: no handle\n");
        return 1;
    }
    expect(cusolverGetVersion(&version) == CUSOLVER_STATUS_SUCCESS && version >= 11000, "the version", '-');
    const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
    for (int i = 0; i < 2; i++) {
        try_s(handle, triangles[i]);
        try_d(handle, triangles[i]);
        try_c(handle, triangles[i]);
        try_z(handle, triangles[i]);
    }
    expect(cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS, "the handle's end", '-');
    printf("cusolver client: %s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
