// Dense matrices for the programs' checks: column-major, in host memory, and always in double precision complex,
// whatever the precision under test.
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

// Loads or stores element i of an array of the given type.
value element_load(char dtype, const void *p, size_t i);
void element_store(char dtype, void *p, size_t i, value x);

// Allocates memory, or exits the program.
void *allocate(size_t bytes);
// A random number, uniform in (-1, 1).
double uniform(uint64_t *state);

dense dense_zeros(int m, int n);
// Loads the m x n matrix at p with leading dimension ld.
dense dense_load(char dtype, const void *p, int m, int n, int ld);
// Uniform entries that every precision can represent; real types have no imaginary part.
dense dense_random(char dtype, int m, int n, uint64_t *state);
void dense_free(dense *a);
// Stores a matrix with leading dimension ld; padding rows are not modified.
void dense_store(const dense *a, char dtype, void *p, int ld);
// c += factor * op(a) * op(b); the letters are 'N' or 'C' (conjugate transpose).
void dense_multiply(dense *c, double factor, char op_a, const dense *a, char op_b, const dense *b);
// Frobenius norm; infinity if an element is not finite.
double dense_norm(const dense *a);

#endif
