// Checks which library's functions are called under LD_PRELOAD, in a process that has its own MAGMA:
//     names PLUGIN.so    the plugin (neighbour.c) has functions with MAGMA's names, as PyTorch's wheels do
#include "standin.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double a[6] = {3, 4, 0, 1, 2, 3}, tau[2] = {0}, *pa = a, *ptau = tau;
    int info = 1, failed = 0;
    cublasHandle_t handle;
    failed += cublasCreate_v2(&handle) != CUBLAS_STATUS_SUCCESS;
    failed += cublasDgeqrfBatched(handle, 3, 2, &pa, 3, &ptau, &info, 1) != CUBLAS_STATUS_SUCCESS || info != 0;
    failed += cublasDestroy_v2(handle) != CUBLAS_STATUS_SUCCESS;
    if (a[0] != -5) {
        fprintf(stderr, "names: geqrf was not served by Tephra\n");
        failed++;
    }
    const char *const hidden[] = {"tephra_version", "magma_init", "magma_dgeqrf_batched", "cublasSetMatrix"};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        if (!dlsym(RTLD_DEFAULT, hidden[i])) continue;
        fprintf(stderr, "names: %s is in the global scope\n", hidden[i]);
        failed++;
    }
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*of_neighbour)(void) = NULL;
    if (plugin) *(void **)&of_neighbour = dlsym(plugin, "of_neighbour");
    if (!of_neighbour || of_neighbour() != 4711) {
        fprintf(stderr, "names: the plugin does not reach its own functions\n");
        failed++;
    }
    printf("names: everybody has his own: %s\n", failed ? "no" : "yes");
    return failed != 0;
}
