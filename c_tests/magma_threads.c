// Tests MAGMA's functions for thread counts in a program that uses OpenMP.
#include <tephra_magma.h>

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int failed = 0;

static void expect(const char *what, int got, int wanted) {
    if (got == wanted) return;
    fprintf(stderr, "MAGMA threads: %s: %d, not %d\n", what, got, wanted);
    failed = 1;
}

static int at_most(int count, int most) { return count < most ? count : most; }

int main(void) {
    const int processors = omp_get_num_procs();
    unsetenv("MAGMA_NUM_THREADS");
    omp_set_num_threads(3);
    expect("LAPACK's threads are OpenMP's", magma_get_lapack_numthreads(), 3);
    expect("OpenMP's threads", magma_get_omp_numthreads(), 3);
    expect("parallel sections follow OpenMP", magma_get_parallel_numthreads(), at_most(3, processors));

    magma_set_lapack_numthreads(2);
    expect("a LAPACK on OpenMP is told", omp_get_max_threads(), 2);
    expect("and the getter says so", magma_get_lapack_numthreads(), 2);
    magma_set_lapack_numthreads(0);
    expect("no threads at all are no wish", magma_get_lapack_numthreads(), 2);
    magma_set_omp_numthreads(4);
    expect("OpenMP is told", omp_get_max_threads(), 4);
    magma_set_omp_numthreads(-1);
    expect("a negative count is no wish", omp_get_max_threads(), 4);

    setenv("MAGMA_NUM_THREADS", "1", 1);
    expect("MAGMA_NUM_THREADS counts before OpenMP", magma_get_parallel_numthreads(), 1);
    setenv("MAGMA_NUM_THREADS", "1000000", 1);
    expect("but not beyond the processors", magma_get_parallel_numthreads(), processors);
    setenv("MAGMA_NUM_THREADS", "many", 1);
    expect("garbage is one thread", magma_get_parallel_numthreads(), 1);
    expect("others do not look at it", magma_get_omp_numthreads(), 4);
    if (!failed) printf("MAGMA threads: passed\n");
    return failed;
}
