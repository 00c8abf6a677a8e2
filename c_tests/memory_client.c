// Calls while allocations fail: each returns a status, and the same call succeeds when there is memory again. The CPU
// backend only: the driver of a GPU is not ours.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tephra.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static volatile int armed, from_here_on;
static volatile long count, failing;

static int fails(void) {
    if (!armed) return 0;
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (number != failing && !(from_here_on && number > failing)) return 0;
    errno = ENOMEM;
    return 1;
}
void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return fails() ? NULL : __libc_calloc(number, size); }
void *realloc(void *p, size_t size) { return fails() ? NULL : __libc_realloc(p, size); }
void *memalign(size_t align, size_t size) { return fails() ? NULL : __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { return fails() ? NULL : __libc_memalign(align, size); }
int posix_memalign(void **p, size_t align, size_t size) {
    if (fails()) return ENOMEM;
    *p = __libc_memalign(align, size);
    return *p ? 0 : ENOMEM;
}

enum { N = 70, BATCH = 3 };
static double a[N * N * BATCH], b[N * N * BATCH], t[3 * N * N * BATCH];
static int pivots[N * BATCH], info[BATCH], ranks[BATCH];

static void fill(void) {
    for (int i = 0; i < N * N * BATCH; i++) a[i] = i % 11 - 5 + (i % (N * N) % (N + 1) == 0) * 3 * N, b[i] = i % 5;
    memset(pivots, 0, sizeof pivots);
}

static int geqrf(void) { return tephra_dgeqrf_strided_batched(N, N, a, N, N * N, t, N, BATCH, NULL, 0, NULL); }
static int gesv(void) {
    return tephra_dgesv_strided_batched(N, 2, a, N, N * N, pivots, N, b, N, N * N, info, BATCH, NULL, 0, NULL);
}
static int gels(void) {
    return tephra_dgels_strided_batched(TEPHRA_TRANS_N, N, N, 2, a, N, N * N, b, N, N * N, info, BATCH, NULL, 0, NULL);
}
static int gelsy(void) {
    return tephra_dgelsy_strided_batched(N, N, 2, a, N, N * N, b, N, N * N, pivots, N, 1e-9, ranks, BATCH, NULL, 0,
                                         NULL);
}
static int tiled(void) { return tephra_dgeqrf_tiled(N, N, a, N, 32, t, 3 * N * N, 0, NULL, NULL); }
static int refused(void) { return tephra_dgeqrf_strided_batched(N, N, a, 1, N * N, t, N, BATCH, NULL, 0, NULL); }

// Ranks: one alone; two threads; one of a hundred, of which the others do and send the same.
static tephra_comm *alone, *of_two[2], *of_hundred;
static double q[2][N * N], r[2][N * N];

static int same_from_all(const void *send, void *receive, size_t bytes, void *user) {
    for (int i = 0; i < *(int *)user; i++) memcpy((char *)receive + (size_t)i * bytes, send, bytes);
    return 0;
}
static void connect_ranks(void) {
    static int hundred = 100;
    int codes = tephra_comm_init_all(1, NULL, &alone) | tephra_comm_init_all(2, NULL, of_two) |
                tephra_comm_set_timeout(of_two[0], 20) | tephra_comm_set_timeout(of_two[1], 20) |
                tephra_comm_create(3, hundred, same_from_all, NULL, &hundred, &of_hundred);
    if (codes != 0) _exit(6);
}
// Before the ranks agree, each makes room for its messages. That one lacks it later is what another rank must not see.
static int of_ranks(tephra_comm *comm, int i) {
    int code = tephra_dqr_distributed(comm, TEPHRA_Q_THIN, N, N, a + i * N * N, N, q[i], N, r[i], N, NULL);
    return code && strstr(tephra_last_error(), "has no memory for its message") ? 97 : code;
}
static int one_rank(void) { return of_ranks(alone, 0); }
static int hundredth(void) {
    return tephra_dqr_distributed(of_hundred, TEPHRA_Q_THIN, N, 5, a, N, q[0], N, r[0], 5, NULL);
}
static int solve_on_one_rank(void) { return tephra_dgels_distributed(alone, N, N, 3, a, N, b, N, t, N, info, NULL); }
static int implicit_on_one_rank(void) {
    int64_t tsize;
    int code = tephra_dgeqr_distributed_tsize(alone, N, N, &tsize);
    if (code == 0) code = tephra_dgeqr_distributed(alone, N, N, a, N, t, tsize, r[0], N, NULL);
    return code ? code : tephra_dgemqr_distributed(alone, TEPHRA_TRANS_T, N, 3, N, a, N, t, tsize, b, N, NULL);
}
static void *second_rank(void *code) {
    *(int *)code = of_ranks(of_two[1], 1);
    return NULL;
}
// If either has no memory, so that the other one cannot go on, this is what both return here.
static int two_ranks(void) {
    pthread_t thread;
    int was_armed = armed, codes[2];
    armed = 0;
    if (pthread_create(&thread, NULL, second_rank, &codes[1])) return 99;
    armed = was_armed;
    codes[0] = of_ranks(of_two[0], 0);
    pthread_join(thread, NULL);
    int lacks = codes[0] == TEPHRA_STATUS_OUT_OF_MEMORY || codes[1] == TEPHRA_STATUS_OUT_OF_MEMORY;
    for (int i = 0; i < 2; i++)
        if (codes[i] &&
            !(lacks && (codes[i] == TEPHRA_STATUS_OUT_OF_MEMORY || codes[i] == TEPHRA_STATUS_COMMUNICATION_ERROR)))
            return 98;
    return lacks ? TEPHRA_STATUS_OUT_OF_MEMORY : 0;
}

static const struct {
    const char *name;
    int (*call)(void);
    int status;
} cases[] = {{"geqrf", geqrf, 0},
             {"gesv", gesv, 0},
             {"gels", gels, 0},
             {"gelsy", gelsy, 0},
             {"tiled", tiled, 0},
             {"refused", refused, -4},
             {"one rank", one_rank, 0},
             {"gels on one rank", solve_on_one_rank, 0},
             {"geqr on one rank", implicit_on_one_rank, 0},
             {"two ranks", two_ranks, 0},
             {"a hundred ranks", hundredth, 0}};

// Status 0: all allocations were made, and there were fewer than `failing`.
static int in_a_child(size_t i, int warm) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        connect_ranks();
        fill();
        if (warm) cases[i].call();
        fill();
        count = 0, armed = 1;
        int status = cases[i].call();
        armed = 0;
        if (status != cases[i].status && status != TEPHRA_STATUS_OUT_OF_MEMORY) _exit(3);
        if (status != 0 && cases[i].call != two_ranks && !*tephra_last_error()) _exit(4);
        int more = count >= failing;
        fill();
        _exit(cases[i].call() == cases[i].status ? more : 5);
    }
    int end;
    waitpid(child, &end, 0);
    return end;
}

int main(void) {
    const char *backend = getenv("TEPHRA_BACKEND");
    if (!backend || strcmp(backend, "cpu") != 0) {
        printf("memory client: only for TEPHRA_BACKEND=cpu\n");
        return 0;
    }
    long runs = 0;
    for (int warm = 0; warm < 2; warm++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (from_here_on = 0; from_here_on < 2; from_here_on++)
                for (failing = 1; failing < 300; failing++) {
                    int end = in_a_child(i, warm);
                    runs++;
                    if (end == 0) break;
                    if (end != 1 << 8) {
                        fprintf(stderr, "memory client: %s, %s, allocation %ld%s: ended with %x\n", cases[i].name,
                                warm ? "warm" : "cold", failing, from_here_on ? " and all after it" : "",
                                (unsigned)end);
                        return 1;
                    }
                }
    printf("memory client: %ld runs, all good\n", runs);
    return 0;
}
