#include "dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int is_complex(char dtype) { return dtype == 'c' || dtype == 'z'; }
int is_single(char dtype) { return dtype == 's' || dtype == 'c'; }
size_t element_bytes(char dtype) { return (is_single(dtype) ? 4 : 8) * (size_t)(is_complex(dtype) ? 2 : 1); }
double epsilon(char dtype) { return is_single(dtype) ? FLT_EPSILON : DBL_EPSILON; }

value element_load(char dtype, const void *p, size_t i) {
    switch (dtype) {
    case 's':
        return ((const float *)p)[i];
    case 'd':
        return ((const double *)p)[i];
    case 'c':
        return ((const float complex *)p)[i];
    default:
        return ((const double complex *)p)[i];
    }
}

void element_store(char dtype, void *p, size_t i, value x) {
    switch (dtype) {
    case 's':
        ((float *)p)[i] = (float)creal(x);
        break;
    case 'd':
        ((double *)p)[i] = creal(x);
        break;
    case 'c':
        ((float complex *)p)[i] = (float complex)x;
        break;
    default:
        ((double complex *)p)[i] = x;
    }
}

void *allocate(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

dense dense_zeros(int m, int n) {
    const size_t count = (size_t)m * (size_t)n;
    dense a = {m, n, allocate(sizeof(value) * count)};
    for (size_t i = 0; i < count; i++) a.x[i] = 0;
    return a;
}

dense dense_load(char dtype, const void *p, int m, int n, int ld) {
    dense a = dense_zeros(m, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) a.x[j * m + i] = element_load(dtype, p, (size_t)j * (size_t)ld + (size_t)i);
    return a;
}

dense dense_random(char dtype, int m, int n, uint64_t *state) {
    dense a = dense_zeros(m, n);
    for (int i = 0; i < m * n; i++) {
        const float re = (float)uniform(state), im = is_complex(dtype) ? (float)uniform(state) : 0;
        a.x[i] = re + im * I;
    }
    return a;
}

void dense_free(dense *a) { free(a->x); }

void dense_store(const dense *a, char dtype, void *p, int ld) {
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++) element_store(dtype, p, (size_t)j * (size_t)ld + (size_t)i, a->x[j * a->m + i]);
}

static value at(const dense *a, char op, int i, int j) {
    return op == 'N' ? a->x[j * a->m + i] : conj(a->x[i * a->m + j]);
}

void dense_multiply(dense *c, double factor, char op_a, const dense *a, char op_b, const dense *b) {
    const int inner = op_a == 'N' ? a->n : a->m;
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++) {
            value sum = 0;
            for (int p = 0; p < inner; p++) sum += at(a, op_a, i, p) * at(b, op_b, p, j);
            c->x[j * c->m + i] += factor * sum;
        }
}

double dense_norm(const dense *a) {
    double sum = 0;
    for (int i = 0; i < a->m * a->n; i++) sum += creal(a->x[i] * conj(a->x[i]));
    return isfinite(sum) ? sqrt(sum) : INFINITY;
}
