// What the stand-in for the vendor's library exports beside cuBLAS names, and the cuBLAS names used by these tests.
#ifndef STANDIN_H
#define STANDIN_H

#include <tephra_cublas.h>

#ifdef __cplusplus
extern "C" {
#endif

// How often the stand-in's function of this name was called.
int standin_calls(const char *name);

// A name of the family that Tephra does not serve.
cublasStatus_t cublasDgetriBatched(cublasHandle_t handle, int n, const double *const a[], int lda, const int *pivots,
                                   double *const c[], int ldc, int *info, int batch);

#ifdef __cplusplus
}
#endif
#endif
