// Threads that are about to be cancelled call the library: it must not be interrupted, which would end the process,
// and the threads are cancelled after the calls.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tephra.h>
#include <tephra_magma.h>
#include <unistd.h>

enum { N = 3, BATCH = 40 };
static double a[N * N * BATCH], tau[N * BATCH];
static int status, returned;

static void factor(void) {
    for (int i = 0; i < N * N * BATCH; i++) a[i] = i % 7 + (i % 4 == 0) * 9;
    status = tephra_dgeqrf_strided_batched(N, N, a, N, N * N, tau, N, BATCH, NULL, 0, NULL);
}
static void refused(void) { status = tephra_dgeqrf_strided_batched(N, N, a, 1, N * N, tau, N, BATCH, NULL, 0, NULL); }
static void refused_with_a_message(void) { status = magma_dgeqrf_batched(-1, 1, NULL, 1, NULL, NULL, 1, NULL); }
static int progress(int64_t done, int64_t all, void *user) {
    (void)user;
    printf("%d", done < all && isatty(1)); // a cancellation point
    return 0;
}
static void with_a_callback(void) {
    static double big[90 * 90], t[3 * 90 * 90];
    for (int i = 0; i < 90 * 90; i++) big[i] = i % 11 - 5 + (i % 91 == 0) * 20;
    status = tephra_dgeqrf_tiled(90, 90, big, 90, 32, t, 3 * 90 * 90, 0, progress, NULL);
}

static void *thread(void *call) {
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_cancel(pthread_self());
    (*(void (**)(void))call)();
    returned = 1;
    pthread_testcancel();
    returned = 2;
    return NULL;
}

int main(void) {
    const struct {
        const char *name;
        void (*call)(void);
        int status;
    } cases[] = {{"factor", factor, 0},
                 {"refused", refused, -4},
                 {"message", refused_with_a_message, -1},
                 {"callback", with_a_callback, 0}};
    // The library's first call opens files, and with messages every call writes.
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            fflush(NULL);
            pid_t child = fork();
            if (child == 0) {
                if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
                if (kind == 1) factor();
                if (kind == 2) setenv("TEPHRA_VERBOSE", "1", 1);
                pthread_t other;
                void *result, (*call)(void) = cases[i].call;
                pthread_create(&other, NULL, thread, &call);
                pthread_join(other, &result);
                int right = returned == 1 && result == PTHREAD_CANCELED && status == cases[i].status;
                factor();
                _exit(right && status == 0 ? 0 : 2);
            }
            int end;
            waitpid(child, &end, 0);
            if (end != 0) {
                fprintf(stderr, "cancel client: %s, kind %d ended with %x\n", cases[i].name, kind, (unsigned)end);
                return 1;
            }
        }
    printf("cancel client: all good\n");
    return 0;
}
