// Makes calls while a program or a thread ends: in destructors of statics and thread_locals, in atexit handlers, and in
// destructors of pthread keys. The library's thread-local memory no longer exists then, but programs that own handles
// still destroy them there. Compiled with libtephra.so, and with STANDIN with the vendor's stand-in, to be run under
// LD_PRELOAD.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef STANDIN
#include "standin.h"
#else
#include <tephra.h>
#include <tephra_cublas.h>
#include <tephra_magma.h>
#endif

namespace {

// A batch large enough for more than one thread.
constexpr int M = 40, N = 24, BATCH = 300;
constexpr size_t COUNT = size_t(M) * N * BATCH;

int report[2];
bool on_cpu = true;
std::vector<double> *input, *expected;

void *get(size_t bytes) {
#ifdef STANDIN
    return std::malloc(bytes);
#else
    void *p = nullptr;
    return tephra_malloc(&p, bytes) == 0 ? p : nullptr;
#endif
}

bool give_back(void *p) {
#ifdef STANDIN
    std::free(p);
    return true;
#else
    return tephra_free(p) == 0;
#endif
}

bool copy(void *to, const void *from, size_t bytes) {
#ifdef STANDIN
    std::memcpy(to, from, bytes);
    return true;
#else
    return tephra_memcpy(to, from, bytes, nullptr) == 0;
#endif
}

bool factor(cublasHandle_t handle, std::vector<double> &result) {
    auto *a = static_cast<double *>(get(COUNT * sizeof(double))), *tau = static_cast<double *>(get(N * BATCH * 8));
    auto **pointers = static_cast<double **>(get(2 * BATCH * sizeof(double *)));
    if (!a || !tau || !pointers) return false;
    std::vector<double *> list(2 * BATCH);
    for (int i = 0; i < BATCH; i++) list[i] = a + size_t(M) * N * i, list[BATCH + i] = tau + N * i;
    bool good = copy(a, input->data(), COUNT * 8) && copy(pointers, list.data(), list.size() * sizeof(double *));
    int info = 1;
    good = good && cublasDgeqrfBatched(handle, M, N, pointers, M, pointers + BATCH, &info, BATCH) == 0 && info == 0;
    good =
        good && cublasDgeqrfBatched(handle, M, N, pointers, M - 1, pointers + BATCH, &info, BATCH) != 0 && info == -4;
    result.resize(COUNT);
    good = good && copy(result.data(), a, COUNT * 8);
    const bool freed[] = {give_back(a), give_back(tau), give_back(pointers)};
    return good && freed[0] && freed[1] && freed[2];
}

// Makes the calls that a destructor may make; on success, sends the stage's letter to the parent.
void work(char stage, cublasHandle_t handle) {
    std::vector<double> result;
    cublasHandle_t own = nullptr;
    bool good = cublasCreate_v2(&own) == 0 && factor(own, result) && result == *expected;
    good = factor(handle, result) && result == *expected && good;
    // On CUDA, the driver may already have shut down; results are then lost, and calls may fail but must not crash.
    if (!on_cpu) good = true;
    good = cublasDestroy_v2(own) == 0 && good;
#ifndef STANDIN
    good = tephra_dgeqrf_batched(-1, 1, nullptr, 1, nullptr, 1, nullptr, 0, nullptr) == -1 && good;
    good = std::strstr(tephra_last_error(), "tephra_dgeqrf_batched: argument m is -1") != nullptr && good;
    if (on_cpu) {
        size_t bytes = 1;
        good = tephra_dqr_batched_workspace(TEPHRA_Q_THIN, 8, 8, 8, 8, 8, 1, &bytes) == 0 && good;
        double a[4] = {2, 0, 1, 4}, b[2] = {5, 8}, one = 1;
        good = tephra_dtrsm_strided_batched(TEPHRA_SIDE_LEFT, TEPHRA_UPLO_UPPER, TEPHRA_TRANS_N, TEPHRA_DIAG_NON_UNIT,
                                            2, 1, &one, a, 2, 4, b, 2, 2, 1, nullptr) == 0 &&
               b[0] == 1.5 && b[1] == 2 && good;
        magma_queue_t queue = nullptr;
        magma_queue_create(0, &queue);
        good = queue != nullptr && good;
        magma_event_t event = nullptr;
        magma_event_create(&event);
        magma_event_record(event, queue);
        magma_event_sync(event);
        magma_event_destroy(event);
        magma_queue_destroy(queue);
    }
#endif
    if (!good) std::fprintf(stderr, "exit client: calls in stage %c went wrong\n", stage);
    const char letter = good ? stage : '!';
    if (write(report[1], &letter, 1) != 1) _exit(9);
}

struct client {
    char stage;
    cublasHandle_t handle = nullptr;
    ~client() {
        if (!handle) return;
        work(stage, handle);
        if (cublasDestroy_v2(handle) != 0) std::fprintf(stderr, "exit client: %c: no handle any more\n", stage);
    }
    void start() {
        if (cublasCreate_v2(&handle) != 0) std::abort();
    }
};

client global{'g'};
thread_local client of_thread{'t'};
client *of_handlers;

void *end_of_key(void *argument) {
    static pthread_key_t key;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] { pthread_key_create(&key, [](void *p) { delete static_cast<client *>(p); }); });
    pthread_setspecific(key, argument);
    return nullptr;
}

// Uses the library first, so that the thread has thread-local state.
void use(const client &c) {
    std::vector<double> result;
    if (!factor(c.handle, result) || result != *expected)
        std::fprintf(stderr, "exit client: a plain call went wrong\n");
}

int child() {
    std::atexit([] { work('a', of_handlers->handle); }); // before the library is used
#ifndef STANDIN
    int backend = 0;
    if (tephra_get_backend(&backend) != 0) return 1;
    on_cpu = backend == TEPHRA_BACKEND_CPU;
#endif
    input = new std::vector<double>(COUNT);
    expected = new std::vector<double>;
    for (size_t i = 0; i < COUNT; i++) (*input)[i] = std::sin(double(i * i % 1013));
    of_handlers = new client{'h'};
    of_handlers->start();
    if (!factor(of_handlers->handle, *expected)) return 1;
    std::atexit([] { work('b', of_handlers->handle); }); // after it
    static client local{'l'};
    for (client *c : {&global, &local, &of_thread}) c->start(), use(*c);
    std::thread([] {
        auto *last = new client{'k'};
        last->start();
        end_of_key(last);
        of_thread.stage = 'u';
        of_thread.start();
        use(*last);
    }).join();
    return 0;
}

} // namespace

int main() {
    if (pipe(report) != 0) return 1;
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(300);
        return child(); // the child's destructors and handlers are under test
    }
    close(report[1]);
    char letters[64] = "";
    for (ssize_t n, at = 0; at < 60 && (n = read(report[0], letters + at, 1)) > 0;) at += n;
    int status = 1;
    waitpid(pid, &status, 0);
    bool good = status == 0 && std::strlen(letters) == 7;
    for (const char *stage = "uktabgl"; *stage; stage++) good = good && std::strchr(letters, *stage);
    std::printf("exit client: calls in destructors and handlers: %s\n", good ? "passed" : "FAILED");
    if (!good) std::fprintf(stderr, "exit client: status %d, stages \"%s\" of \"uktabgl\"\n", status, letters);
    return !good;
}
