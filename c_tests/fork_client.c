// Forks while other threads are in all kinds of calls. Each child makes calls with all of its parent's objects, and
// exits.
//     fork_client [COUNT]
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tephra.h>
#include <tephra_cublas.h>
#include <tephra_magma.h>
#include <unistd.h>

enum { THREADS = 4, N = 16, BATCH = 200 };

typedef struct {
    cublasHandle_t handle;
    magma_queue_t queue;
    magma_event_t event;
    double *a, *tau;
} objects;

static volatile sig_atomic_t stop;

static int fail(const char *what) {
    static const char before[] = "fork client: ", after[] = " went wrong\n";
    if (write(1, before, sizeof before - 1) < 0 || write(1, what, strlen(what)) < 0) return 1;
    return write(1, after, sizeof after - 1) < 0 || 1;
}

// Calls everything that has internal state: helper threads, handles, queues, events, plans, messages, lookups, traces.
static int calls(objects *o) {
    for (int i = 0; i < N * N * BATCH; i++) o->a[i] = i % 17 - 8 + (i % (N + 1) == 0 ? 20 : 0);
    if (tephra_dgeqrf_strided_batched(N, N, o->a, N, N * N, o->tau, N, BATCH, NULL, 0, NULL) != 0) return fail("geqrf");
    if (tephra_set_plan("blocked,unblocked") != 0 || tephra_set_plan(NULL) != 0) return fail("set_plan");
    cublasHandle_t handle = NULL;
    int mode = 7, info = 0;
    if (cublasCreate_v2(&handle) != 0 || cublasGetPointerMode_v2(o->handle, (cublasPointerMode_t *)&mode) != 0 ||
        mode != 0)
        return fail("handle");
    if (cublasDgeqrfBatched(o->handle, 1, 1, NULL, 0, NULL, &info, 1) == 0 || info != -4) return fail("info");
    if (cublasDestroy_v2(handle) != 0) return fail("destroy");
    magma_event_record(o->event, o->queue);
    magma_event_sync(o->event);
    if (magma_dgeqrf_batched(-1, 1, NULL, 1, NULL, NULL, 1, o->queue) != -1) return fail("xerbla");
    void *p = NULL;
    if (tephra_malloc(&p, 100) != 0 || tephra_free(p) != 0) return fail("malloc");
    double t[4 * N * N];
    int64_t tsize = 0;
    if (tephra_dgeqrf_tiled_tsize(N, N, 4, &tsize) != 0 || tsize > 4 * N * N) return fail("tsize");
    if (tephra_trace_begin() != 0 || tephra_dgeqrf_tiled(N, N, o->a, N, 4, t, tsize, 0, NULL, NULL) != 0)
        return fail("tiled");
    // Another thread may have ended the recording.
    const tephra_status ended = tephra_trace_end("/dev/null");
    if (ended != 0 && ended != TEPHRA_STATUS_NOT_SUPPORTED) return fail("trace");
    return cublasLoggerConfigure(1, 0, 0, "/dev/null") != 0 || cublasLoggerConfigure(0, 0, 0, NULL) != 0;
}

static int make(objects *o) {
    magma_queue_create(0, &o->queue);
    magma_event_create(&o->event);
    o->a = malloc(sizeof(double) * N * N * BATCH);
    o->tau = malloc(sizeof(double) * N * BATCH);
    return cublasCreate_v2(&o->handle) != 0 || !o->queue || !o->event || !o->a || !o->tau;
}

static void *caller(void *argument) {
    objects o;
    if (make(&o)) return argument;
    while (!stop)
        if (calls(&o)) return argument;
    return NULL;
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 800;
    // Discard the messages about invalid arguments.
    if (!freopen("/dev/null", "w", stderr) || tephra_set_backend(TEPHRA_BACKEND_CPU) != 0) return 1;
    pthread_t threads[THREADS];
    objects o;
    if (make(&o)) return fail("a start");
    // Make no call before the first fork, so that it may occur during the threads' first calls.
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, caller, (void *)1) != 0) return fail("pthread_create");
    int failed = 0;
    for (int i = 0; i < count && failed < 10; i++) {
        const pid_t child = fork();
        if (child < 0) return fail("fork");
        if (child == 0) {
            alarm(60); // a child that waits for its parent's threads must not outlive the test
            _exit(calls(&o));
        }
        int status = 0;
        if (waitpid(child, &status, 0) != child || status != 0) {
            printf("fork client: child %d: %s %d\n", i, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            failed++;
        }
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed += result != NULL;
    }
    failed += calls(&o) != 0;
    printf("fork client: %d forks beside %d threads: %s\n", count, THREADS, failed ? "FAILED" : "passed");
    return failed != 0;
}
