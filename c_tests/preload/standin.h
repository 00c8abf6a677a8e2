// What the stand-in for the vendor's library exports besides cuBLAS names, and the cuBLAS names used by these tests.
#ifndef STANDIN_H
#define STANDIN_H

#include <tephra_cublas.h>

#ifdef __cplusplus
extern "C" {
#endif

// The number of calls of the stand-in's function of this name.
int standin_calls(const char *name);

// A function of the same family that Tephra does not serve.
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const double *alpha, const double *const a[], int lda,
                                  const double *const b[], int ldb, const double *beta, double *const c[], int ldc,
                                  int batch);

#ifdef __cplusplus
}
#endif
#endif
