// Batches of random matrices for the programs of this folder, and the check of their QR factorisation. The check does
// not use the library: it follows LAPACK's description of geqrf's result, in double precision.
#ifndef QR_CASE_H
#define QR_CASE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A batch in host memory. dtype is 's', 'd', 'c' or 'z'. Matrix i starts at a + i * matrix_bytes and is column-major
// with leading dimension lda; its tau starts at tau + i * tau_bytes. `a` keeps the input; `f` is a copy that the
// factors overwrite.
typedef struct {
    char dtype;
    int m, n, lda, batch;
    size_t element_bytes, matrix_bytes, tau_bytes;
    char *a, *f, *tau;
} qr_case;

// Creates a case with entries uniform in (-1, 1), and poisoned padding rows and tau.
qr_case qr_case_create(char dtype, int m, int n, int lda, int batch);
void qr_case_free(qr_case *c);

// Returns 0 if every matrix of f and tau is a QR factorisation of a, with LAPACK's two test ratios below 30, a real
// diagonal of R, and unmodified padding; else 1, after a message on stderr that starts with `who`.
int qr_case_check(const qr_case *c, const char *who);

// Calls `run` on small cases of all precisions and shapes (square, tall, wide, single, padded) and checks each result.
// Returns the number of failed cases; prints one line on stdout.
int qr_sweep(const char *who, int (*run)(qr_case *c, void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
