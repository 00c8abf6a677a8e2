// Tile QR of one n x n matrix in double precision with StarPU's scheduler and a LAPACK's tile kernels (geqrt, gemqrt,
// tpqrt, tpmqrt), to compare StarPU with src/many/tiled/{graph,execute}.rs. It prints GFLOP/s, and the time per task of
// the same graph if tasks do nothing.
//
//     cc -O2 -o starpu_tiles starpu_tiles.c $(pkg-config --cflags --libs starpu-1.3) -ldl -lm
//     STARPU_NCPU=2 STARPU_SCHED=prio ./starpu_tiles libopenblas.so PREFIX N NB IB [leading dimension]
//
// PREFIX is what the library's names begin with (scipy_, or "" for none).
#include <dlfcn.h>
#include <math.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Routine)();
static Routine lapack_geqrt, lapack_gemqrt, lapack_tpqrt, lapack_tpmqrt;
static int nb, ib, empty;
static _Thread_local double *work;

static double *scratch(void) {
    if (!work) work = malloc(sizeof(double) * nb * (nb + ib));
    return work;
}
#define A(i) ((double *)STARPU_MATRIX_GET_PTR(buffers[i]))
#define LD(i) ((int)STARPU_MATRIX_GET_LD(buffers[i]))
#define ROWS(i) ((int)STARPU_MATRIX_GET_NX(buffers[i]))
#define COLS(i) ((int)STARPU_MATRIX_GET_NY(buffers[i]))

static void do_geqrt(void *buffers[], void *unused) {
    (void)unused;
    if (empty) return;
    int m = ROWS(0), n = COLS(0), k = ib, lda = LD(0), info;
    lapack_geqrt(&m, &n, &k, A(0), &lda, A(1), &ib, scratch(), &info);
}
static void do_gemqrt(void *buffers[], void *unused) {
    (void)unused;
    if (empty) return;
    int m = ROWS(2), n = COLS(2), k = COLS(0), ldv = LD(0), ldc = LD(2), info;
    lapack_gemqrt("L", "T", &m, &n, &k, &ib, A(0), &ldv, A(1), &ib, A(2), &ldc, scratch(), &info, (size_t)1, (size_t)1);
}
static void do_tpqrt(void *buffers[], void *unused) {
    (void)unused;
    if (empty) return;
    int m = ROWS(1), n = COLS(1), l = 0, lda = LD(0), ldb = LD(1), info;
    lapack_tpqrt(&m, &n, &l, &ib, A(0), &lda, A(1), &ldb, A(2), &ib, scratch(), &info);
}
static void do_tpmqrt(void *buffers[], void *unused) {
    (void)unused;
    if (empty) return;
    int m = ROWS(3), n = COLS(3), k = COLS(0), l = 0, ldv = LD(0), lda = LD(2), ldb = LD(3), info;
    lapack_tpmqrt("L", "T", &m, &n, &k, &l, &ib, A(0), &ldv, A(1), &ib, A(2), &lda, A(3), &ldb, scratch(), &info,
                  (size_t)1, (size_t)1);
}
#define CODELET(NAME, BUFFERS)                                                                                         \
    static struct starpu_codelet NAME = {.cpu_funcs = {do_##NAME}, .nbuffers = BUFFERS, .name = #NAME}
CODELET(geqrt, 2);
CODELET(gemqrt, 3);
CODELET(tpqrt, 3);
CODELET(tpmqrt, 4);

// Submits the sequence and waits for it; returns seconds.
static double factor(int p, starpu_data_handle_t *a, starpu_data_handle_t *t) {
    double start = starpu_timing_now();
    const int first = STARPU_MAX_PRIO;
    for (int k = 0; k < p; ++k) {
        starpu_task_insert(&geqrt, STARPU_PRIORITY, first, STARPU_RW, a[k + k * p], STARPU_W, t[k + k * p], 0);
        for (int j = k + 1; j < p; ++j)
            starpu_task_insert(&gemqrt, STARPU_PRIORITY, first - j, STARPU_R, a[k + k * p], STARPU_R, t[k + k * p],
                               STARPU_RW, a[k + j * p], 0);
        for (int i = k + 1; i < p; ++i) {
            starpu_task_insert(&tpqrt, STARPU_PRIORITY, first, STARPU_RW, a[k + k * p], STARPU_RW, a[i + k * p],
                               STARPU_W, t[i + k * p], 0);
            for (int j = k + 1; j < p; ++j)
                starpu_task_insert(&tpmqrt, STARPU_PRIORITY, first - j, STARPU_R, a[i + k * p], STARPU_R, t[i + k * p],
                                   STARPU_RW, a[k + j * p], STARPU_RW, a[i + j * p], 0);
        }
    }
    starpu_task_wait_for_all();
    return 1e-6 * (starpu_timing_now() - start);
}

static Routine find(void *library, const char *prefix, const char *name) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s%s_", prefix, name);
    Routine found = (Routine)dlsym(library, symbol);
    if (!found) exit((fprintf(stderr, "no %s\n", symbol), 1));
    return found;
}

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    const int n = atoi(argv[3]), ld = argc > 6 ? atoi(argv[6]) : n;
    nb = atoi(argv[4]), ib = atoi(argv[5]);
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    lapack_geqrt = find(library, argv[2], "dgeqrt"), lapack_gemqrt = find(library, argv[2], "dgemqrt");
    lapack_tpqrt = find(library, argv[2], "dtpqrt"), lapack_tpmqrt = find(library, argv[2], "dtpmqrt");
    if (starpu_init(NULL)) return 1;
    const int p = (n + nb - 1) / nb;
    double *const a = malloc(sizeof(double) * ld * n), *const t = calloc((size_t)p * p * ib * nb, sizeof(double));
    starpu_data_handle_t *const tiles = malloc(sizeof *tiles * p * p), *const ts = malloc(sizeof *ts * p * p);
    for (int j = 0; j < p; ++j)
        for (int i = 0; i < p; ++i) {
            const int rows = n - i * nb < nb ? n - i * nb : nb, columns = n - j * nb < nb ? n - j * nb : nb;
            starpu_matrix_data_register(&tiles[i + j * p], STARPU_MAIN_RAM,
                                        (uintptr_t)(a + i * nb + (size_t)j * nb * ld), ld, rows, columns,
                                        sizeof(double));
            starpu_matrix_data_register(&ts[i + j * p], STARPU_MAIN_RAM, (uintptr_t)(t + (size_t)(i + j * p) * ib * nb),
                                        ib, ib, nb, sizeof(double));
        }
    const double tasks = p * (p + 1.0) * (2 * p + 1) / 6;
    for (empty = 1; empty >= 0; --empty) {
        double best = 1e30;
        for (int round = 0; round < 5; ++round) {
            starpu_data_acquire(tiles[0], STARPU_RW); // all tasks have ended, so the memory is the program's
            srand(1);
            for (size_t i = 0; i < (size_t)ld * n; ++i) a[i] = rand() / (double)RAND_MAX - 0.5;
            starpu_data_release(tiles[0]);
            best = fmin(best, factor(p, tiles, ts));
        }
        if (empty)
            printf("%.0f tasks, %.2f us each\n", tasks, 1e6 * best / tasks);
        else
            printf("n %d, nb %d, ib %d, %u workers: %.4f s, %.1f GFLOP/s\n", n, nb, ib, starpu_cpu_worker_get_count(),
                   best, 4e-9 / 3 * n * n * n / best);
    }
    double below = 0; // R's diagonal, which any correct factorisation of this matrix has up to signs
    for (int i = 0; i < n; ++i) below += log(fabs(a[i + (size_t)i * ld]));
    printf("log|det| %.10g\n", below);
    for (int i = 0; i < p * p; ++i) starpu_data_unregister(tiles[i]), starpu_data_unregister(ts[i]);
    starpu_shutdown();
    return 0;
}
