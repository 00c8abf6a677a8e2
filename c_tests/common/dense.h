// Dense matrices of the programs' checks: column-major, in double precision complex whatever was computed in, host
// memory.
#ifndef DENSE_H
#define DENSE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

typedef double complex value;

typedef struct {
    int m, n;
    value *x; // x[j * m + i]
} dense;

int is_complex(char dtype);
int is_single(char dtype);
size_t element_bytes(char dtype);
double epsilon(char dtype);

// Element i of an array of the type that the letter names.
value element_load(char dtype, const void *p, size_t i);
void element_store(char dtype, void *p, size_t i, value x);

// Memory or the end of the program.
void *allocate(size_t bytes);
// Uniform(-1, 1).
double uniform(uint64_t *state);

dense dense_zeros(int m, int n);
// The m x n matrix at p with leading dimension ld.
dense dense_load(char dtype, const void *p, int m, int n, int ld);
// Uniform entries that every precision represents; without an imaginary part for real types.
dense dense_random(char dtype, int m, int n, uint64_t *state);
void dense_free(dense *a);
// Into memory of leading dimension ld; other rows stay.
void dense_store(const dense *a, char dtype, void *p, int ld);
// c += factor * op(a) * op(b); the letters are 'N' or 'C' (conjugate transpose).
void dense_multiply(dense *c, double factor, char op_a, const dense *a, char op_b, const dense *b);
// Frobenius norm; infinity if an element is not finite.
double dense_norm(const dense *a);

#endif
