/* A program written for MAGMA, which knows nothing about Tephra. Factors diagonal matrices and checks a solution. */
#include <magma_v2.h>
#include <stdio.h>

enum { N = 5, BATCH = 7 };

int main(void) {
    if (magma_init() != MAGMA_SUCCESS) return 1;
    magma_queue_t queue;
    magma_queue_create(0, &queue);
    double host[BATCH][N][N] = {{{0}}}, right[BATCH][N];
    for (int i = 0; i < BATCH; ++i)
        for (int j = 0; j < N; ++j) host[i][j][j] = 2.0 + i, right[i][j] = (2.0 + i) * (j + 1);
    double *a, *b, **a_array, **b_array;
    magma_int_t *pivots, **pivot_array, *info;
    if (magma_dmalloc(&a, N * N * BATCH) || magma_dmalloc(&b, N * BATCH) || magma_imalloc(&pivots, N * BATCH) ||
        magma_imalloc(&info, BATCH) || magma_malloc((void **)&a_array, BATCH * sizeof *a_array) ||
        magma_malloc((void **)&b_array, BATCH * sizeof *b_array) ||
        magma_malloc((void **)&pivot_array, BATCH * sizeof *pivot_array))
        return 2;
    magma_dset_pointer(a_array, a, N, 0, 0, N * N, BATCH, queue);
    magma_dset_pointer(b_array, b, N, 0, 0, N, BATCH, queue);
    magma_iset_pointer(pivot_array, pivots, 1, 0, 0, N, BATCH, queue);
    magma_dsetvector(N * N * BATCH, &host[0][0][0], 1, a, 1, queue);
    magma_dsetvector(N * BATCH, &right[0][0], 1, b, 1, queue);
    if (magma_dgesv_batched(N, 1, a_array, N, pivot_array, b_array, N, info, BATCH, queue) != MAGMA_SUCCESS) return 3;
    magma_dgetvector(N * BATCH, b, 1, &right[0][0], 1, queue);
    for (int i = 0; i < BATCH; ++i)
        for (int j = 0; j < N; ++j)
            if (right[i][j] != j + 1) return 4;
    magma_free(a), magma_free(b), magma_free(pivots), magma_free(info);
    magma_free(a_array), magma_free(b_array), magma_free(pivot_array);
    magma_queue_destroy(queue);
    magma_finalize();
    puts("solved");
    return 0;
}
