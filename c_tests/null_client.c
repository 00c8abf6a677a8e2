// Passes NULL wherever a helper takes a pointer, with a standard error that cannot be written: calls must return, and
// the program must continue.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <tephra.h>
#include <tephra_cublas.h>
#include <tephra_magma.h>
#include <unistd.h>

static int failed;

static void expect(int good, const char *what, int line) {
    if (good) return;
    printf("null client: line %d: %s\n", line, what);
    failed++;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

// Fortran's names, with arguments by reference.
void magmaf_version_(int *, int *, int *);
void magmaf_getdevice_(int *);
void magmaf_setdevice_(const int *);
size_t magmaf_mem_size_(const magma_queue_t *);
void magmaf_queue_create_(const int *, magma_queue_t *);
void magmaf_queue_destroy_(const magma_queue_t *);
void magmaf_queue_sync_(const magma_queue_t *);
int magmaf_queue_get_device_(const magma_queue_t *);
int magmaf_malloc_(void **, const int *);
int magmaf_dmalloc_(void **, const int *);
int magmaf_zmalloc_cpu_(void **, const int *);
int magmaf_smalloc_pinned_(void **, const int *);
int magmaf_free_(void *const *);
int magmaf_free_cpu_(void *const *);
int magmaf_free_pinned_(void *const *);

static void native(void) {
    char byte = 1;
    void *p = NULL;
    EXPECT(tephra_get_backend(NULL) == -1);
    EXPECT(tephra_malloc(NULL, 8) == -1);
    EXPECT(tephra_free(NULL) == 0);
    EXPECT(tephra_memcpy(NULL, &byte, 1, NULL) == -1);
    EXPECT(tephra_memcpy(&byte, NULL, 1, NULL) == -2);
    EXPECT(tephra_memcpy(&byte, &byte, (size_t)-1, NULL) == -3);
    EXPECT(tephra_memcpy(NULL, NULL, 0, NULL) == 0);
    EXPECT(tephra_malloc(&p, (size_t)-1) > 0 && p == NULL);
    EXPECT(tephra_stream_create(NULL) == -1);
    EXPECT(tephra_stream_destroy(NULL) == 0);
    EXPECT(tephra_stream_synchronize(NULL) == 0);
    EXPECT(tephra_set_plan(NULL) == 0);
    EXPECT(tephra_set_plan("blocked,nonsense") == -1);
    EXPECT(tephra_explain(NULL, 1, 1, 1, NULL, 0, NULL) == -1);
    EXPECT(tephra_explain("dgeqrf", 4, 4, 2, NULL, 100, NULL) == 0);
    EXPECT(tephra_candidates(NULL, 1, 1, 1, NULL, 0, NULL) == -1);
    EXPECT(tephra_candidates("dgeqrf", 4, 4, 2, NULL, 0, NULL) == 0);
    EXPECT(tephra_dgeqrf_batched_workspace(4, 4, 4, 2, NULL) == 0);
    EXPECT(tephra_dgels_batched_workspace(TEPHRA_TRANS_N, 4, 4, 1, 4, 4, 2, NULL) == 0);
    EXPECT(tephra_trace_end(NULL) == -1);
    EXPECT(tephra_last_error() != NULL);
}

static void cublas(void) {
    cublasHandle_t handle = NULL;
    double x = 1;
    int info = 0;
    EXPECT(cublasCreate_v2(NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasDestroy_v2(NULL) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasSetStream_v2(NULL, NULL) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasGetStream_v2(NULL, NULL) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasGetStream_v2(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetPointerMode_v2(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetAtomicsMode(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetMathMode(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetSmCountTarget(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetEmulationStrategy(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetWorkspace_v2(handle, NULL, 0) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasGetVersion_v2(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetProperty(MAJOR_VERSION, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasLoggerConfigure(0, 0, 0, NULL) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLoggerConfigure(1, 0, 0, NULL) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasSetLoggerCallback(NULL) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasGetLoggerCallback(NULL) == CUBLAS_STATUS_INVALID_VALUE);
    cublasXerbla(NULL, 3);
    EXPECT(cublasSetMatrix(1, 1, 8, NULL, 1, &x, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetMatrix(1, 1, 8, &x, 1, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetVectorAsync(1, 8, NULL, 1, &x, 1, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetVector(1, 8, &x, 1, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetVector(0, 8, NULL, 1, NULL, 1) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasSetMatrix_64(2, 2, 8, &x, (int64_t)1 << 61, &x, 2) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetVector_64(2, 8, &x, 1, &x, INT64_MAX) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasGetMatrix_64(INT64_MAX, INT64_MAX, INT64_MAX, &x, INT64_MAX, &x, INT64_MAX) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasDgeqrfBatched(handle, 1, 1, NULL, 1, NULL, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasDgeqrfBatched(handle, 1, 1, NULL, 1, NULL, &info, 1) == CUBLAS_STATUS_INVALID_VALUE && info == -3);
    EXPECT(cublasDtrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 1, 1,
                              NULL, NULL, 1, NULL, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasDestroy_v2(handle) == CUBLAS_STATUS_SUCCESS);
}

static void magma(void) {
    char text[4] = "abc";
    int number = 0;
    size_t size = 0;
    double x[1] = {1};
    void *p = NULL;
    EXPECT(magma_malloc(NULL, 8) == -1 && magma_malloc_cpu(NULL, 8) == -1 && magma_malloc_pinned(NULL, 8) == -1);
    EXPECT(magma_malloc_cpu(&p, (size_t)-1) == MAGMA_ERR_HOST_ALLOC);
    EXPECT(magma_free(NULL) == 0 && magma_free_cpu(NULL) == 0 && magma_free_pinned(NULL) == 0);
    EXPECT(magma_memset(NULL, 0, 8) == -1 && magma_memset_async(NULL, 0, 8, NULL) == -1);
    EXPECT(magma_memset(x, 0, (size_t)-1) == -3 && magma_memset(NULL, 0, 0) == 0);
    magma_queue_create(0, NULL);
    magma_queue_create_from_cuda(0, NULL, NULL, NULL, NULL);
    magma_queue_destroy(NULL);
    magma_queue_sync(NULL);
    EXPECT(magma_queue_get_device(NULL) == 0);
    EXPECT(!magma_queue_get_cuda_stream(NULL) && !magma_queue_get_cublas_handle(NULL));
    EXPECT(!magma_queue_get_cusparse_handle(NULL));
    magma_queue_wait_event(NULL, NULL);
    magma_event_create(NULL);
    magma_event_create_untimed(NULL);
    magma_event_destroy(NULL);
    magma_event_record(NULL, NULL);
    magma_event_sync(NULL);
    magma_version(NULL, &number, NULL);
    EXPECT(number == 9);
    magma_getdevice(NULL);
    magma_getdevices(NULL, 1, &number);
    magma_getdevices(&number, 1, NULL);
    EXPECT(magma_mem_info(NULL, &size) == -1 && magma_mem_info(&size, NULL) == -2);
    EXPECT(magma_mem_size(NULL) > 0);
    EXPECT(magma_is_devptr(NULL) <= 1);
    EXPECT(magma_sync_wtime(NULL) > 0);
    magma_xerbla(NULL, 1);
    magma_sset_pointer(NULL, NULL, 1, 0, 0, 1, 1, NULL);
    magma_dset_pointer(NULL, NULL, 1, 0, 0, 1, 1, NULL);
    magma_zset_pointer(NULL, NULL, 1, 0, 0, 1, 0, NULL);
    magma_zset_pointer((magmaDoubleComplex **)x, NULL, 2147483647, 0, 2147483647, 1, 1, NULL);
    EXPECT(x[0] == 1);
    magma_setmatrix(1, 1, 8, NULL, 1, x, 1, NULL);
    magma_getmatrix(1, 1, 8, x, 1, NULL, 1, NULL);
    magma_copyvector(1, 8, NULL, 1, NULL, 1, NULL);
    magma_setvector_async(1, 8, x, 1, NULL, 1, NULL);
    magma_dprint(1, 1, NULL, 1);
    magma_dprint_gpu(1, 1, NULL, 1, NULL);
    EXPECT(magma_cblas_ddot(3, NULL, 1, NULL, 1) == 0 && magma_cblas_dasum(3, NULL, 1) == 0);
    EXPECT(magma_cblas_dnrm2(3, NULL, 1) == 0);
    EXPECT(magma_strlcpy(NULL, "abc", 4) == 3 && magma_strlcpy(text, NULL, 4) == 0 && text[0] == 0);
    magma_indices_1D_bcyclic(2, 1, 0, 0, 4, NULL, NULL);
    magma_indices_1D_bcyclic(0, 0, 0, 0, 4, &number, &number);
    EXPECT(magma_dgeqrf_batched(1, 1, NULL, 1, NULL, NULL, 1, NULL) == -3);
    double *one = x;
    double **list = &one;
    EXPECT(magma_dgeqrf_expert_batched(1, 1, 1, list, 1, NULL, 1, list, 1, list, 1, NULL, NULL, 1, NULL) == -6);
    EXPECT(magma_dgeqrf_expert_batched(1, 1, 1, list, 1, list, 1, NULL, 1, list, 1, NULL, NULL, 1, NULL) == -8);
    EXPECT(magma_dormqr_batched(MagmaLeft, MagmaTrans, 1, 1, 1, NULL, 1, NULL, NULL, 1, NULL, NULL, NULL, 1, NULL) ==
           -12);
}

static void fortran(void) {
    const int number = 1;
    void *p = NULL;
    magma_queue_t queue = NULL;
    magmaf_version_(NULL, NULL, NULL);
    magmaf_getdevice_(NULL);
    magmaf_setdevice_(NULL);
    EXPECT(magmaf_mem_size_(NULL) == 0);
    magmaf_queue_create_(NULL, &queue);
    magmaf_queue_create_(&number, NULL);
    EXPECT(queue == NULL);
    magmaf_queue_destroy_(NULL);
    magmaf_queue_sync_(NULL);
    EXPECT(magmaf_queue_get_device_(NULL) < 0);
    EXPECT(magmaf_malloc_(NULL, &number) == -1 && magmaf_malloc_(&p, NULL) < 0);
    EXPECT(magmaf_dmalloc_(&p, NULL) < 0 && magmaf_zmalloc_cpu_(NULL, &number) == -1);
    EXPECT(magmaf_smalloc_pinned_(&p, NULL) < 0 && p == NULL);
    EXPECT(magmaf_free_(NULL) < 0 && magmaf_free_cpu_(NULL) < 0 && magmaf_free_pinned_(NULL) < 0);
}

static void all(void) {
    native();
    cublas();
    magma();
    fortran();
}

int main(void) {
    // Standard error is first a file, to check the messages; then a device where every write fails; then a pipe without
    // a reader, with SIGPIPE at its default, blocked with one of the program's own pending, and ignored as in Python's
    // children; between these a file that may not grow; and finally a closed descriptor.
    FILE *file = tmpfile();
    if (!file || dup2(fileno(file), 2) < 0) return 1;
    all();
    // Each allocator writes one message, under its own name.
    static const char *const names[] = {"magma_malloc", "magma_malloc_cpu", "magma_malloc_pinned"};
    char line[256], wanted[128];
    int lines = 0, told[3] = {0};
    for (rewind(file); fgets(line, sizeof line, file); lines++)
        for (int i = 0; i < 3; i++) {
            snprintf(wanted, sizeof wanted, "On entry to %s, parameter 1 had an illegal value (info = -1)\n", names[i]);
            told[i] += !strcmp(line, wanted);
        }
    EXPECT(lines > 20 && told[0] == 1 && told[1] == 1 && told[2] == 1);
    int ends[2];
    signal(SIGPIPE, SIG_DFL);
    const int full = open("/dev/full", O_WRONLY);
    if (full < 0 || pipe(ends) != 0) return 1;
    close(ends[0]);
    dup2(full, 2);
    all();
    dup2(ends[1], 2);
    all();
    // A trace goes to a file of the program's choice, which may be such a pipe.
    snprintf(line, sizeof line, "/dev/fd/%d", ends[1]);
    EXPECT(tephra_trace_begin() == 0 && tephra_trace_end(line) == TEPHRA_STATUS_NOT_SUPPORTED);
    // Files that may not grow, with SIGXFSZ at its default.
    FILE *limited = tmpfile();
    struct rlimit limit, none;
    if (!limited || getrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    none = limit;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
    dup2(fileno(limited), 2);
    all();
    snprintf(line, sizeof line, "/dev/fd/%d", fileno(limited));
    EXPECT(tephra_trace_begin() == 0 && tephra_trace_end(line) == TEPHRA_STATUS_NOT_SUPPORTED);
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(ends[1], 2);
    sigset_t broken_pipe, mask;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    EXPECT(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && !sigismember(&mask, SIGPIPE));
    pthread_sigmask(SIG_BLOCK, &broken_pipe, NULL);
    sigpending(&mask);
    EXPECT(!sigismember(&mask, SIGPIPE));
    raise(SIGPIPE);
    all();
    sigpending(&mask);
    EXPECT(sigismember(&mask, SIGPIPE));
    signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_UNBLOCK, &broken_pipe, NULL);
    all();
    close(2);
    all();
    printf("null client: NULL in every helper, seven kinds of stderr: %s\n", failed ? "FAILED" : "passed");
    return failed != 0;
}
