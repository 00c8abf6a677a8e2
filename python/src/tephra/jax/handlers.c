/* Handlers for XLA's foreign function interface, through which compiled JAX programs call libtephra.so.
 *
 * The table ROUTINES below describes the arguments of each routine's C function. It drives the handlers, one for each
 * platform, and the workspace queries, which are made when a program is lowered. Sizes are taken from the buffers that
 * XLA passes, so that they are right for whichever part of a batch a device was assigned.
 *
 * A handler neither allocates nor blocks: the workspace is an additional result of the call. Nothing here depends on
 * Python, and only on those parts of XLA's interface that it has had since version 0.1.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "xla/ffi/api/c_api.h"

/* The arguments, in order. Each is a letter followed by a buffer; 0, 1, 2 are operands and w, x, y, z are results.
 *
 *   &a   the buffer's address          da   number of matrices in it
 *   ma   rows of its matrices          la   their leading dimension
 *   na   columns                       sa   the stride between matrices
 *   ka   elements of its vectors       va   the stride between vectors  ca   number of vectors in it
 *   @name the attribute of that name, an integer          0, 1   the address of that number
 *   %name the attribute of that name, a double's bits     -      a null pointer
 *
 * A row starts with the operands that the function overwrites with results: =w0 means that result w must hold operand 0
 * at the start of the call, and :x1 the same for vectors of 32-bit integers. XLA aliases or copies them, except where
 * it has divided a call among devices; then the handler copies them.
 *
 * The workspace, its size and the stream follow, where the function has them. A workspace query passes the same
 * arguments without the addresses. */
#define ROUTINES(X)                                                                                                    \
    X(geqrf, "=w0 mw nw &w lw sw &x vx dw")                                                                            \
    X(qr, "@part m0 n0 &0 l0 s0 &w lw sw &x lx sx d0")                                                                 \
    X(orgqr, "=w0 mw nw k1 &w lw sw &1 v1 dw")                                                                         \
    X(ormqr, "=w2 @side @trans mw nw k1 &0 l0 s0 &1 v1 &w lw sw dw")                                                   \
    X(getrf, "=w0 mw nw &w lw sw &x vx &y dw")                                                                         \
    X(getrs, "=w2 @trans mw nw &0 l0 s0 &1 v1 &w lw sw dw")                                                            \
    X(gesv, "=w1 =y0 mw nw &y ly sy &z vz &w lw sw &x dw")                                                             \
    X(inv, "mw &0 l0 s0 &w lw sw &x dw")                                                                               \
    X(potrf, "=w0 @uplo mw &w lw sw &x dw")                                                                            \
    X(potrs, "=w1 @uplo mw nw &0 l0 s0 &w lw sw dw")                                                                   \
    X(potri, "=w0 @uplo mw &w lw sw &x dw")                                                                            \
    X(trsm, "=w1 @side @uplo @trans @diag mw nw 1 &0 l0 s0 &w lw sw dw")                                               \
    X(gels, "=w1 =y0 @trans my ny nw &y ly sy &w lw sw &x dw")                                                         \
    X(geqp3, "=w0 :y1 mw nw &w lw sw &y vy &x vx - dw")                                                                \
    X(gelsy, "=w2 =y0 :z1 my ny nw &y ly sy &w lw sw &z vz %rcond &x dw")                                              \
    X(gemm, "@transa @transb mw nw n0 1 &0 l0 s0 &1 l1 s1 0 &w lw sw dw")                                              \
    X(lu_to_permutation, "kw k0 &0 v0 &w vw cw")

enum { CPU = 1, CUDA = 2 };
enum { MAX_ARGUMENTS = 18, MAX_OPERANDS = 3, MAX_RESULTS = 4, PRECISIONS = 5 };

/* Every call passes as many integers and addresses as the longest function reads; the calling conventions let shorter
 * functions ignore the rest. The double, which only one of them reads, is passed in a floating-point register, whatever
 * its position among the arguments. */
typedef int (*Function)(double, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                        int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

typedef struct {
    const char *name, *arguments;
    Function call[PRECISIONS], workspace[PRECISIONS]; /* s, d, c, z, and integers */
} Routine;

#define ROW(name, arguments) {#name, arguments, {0}, {0}},
static Routine routines[] = {ROUTINES(ROW)};
#undef ROW
enum { COUNT = sizeof routines / sizeof *routines };

static Function copy[PRECISIONS]; /* lacpy */
static int (*set_thread_backend)(int);
static const char *(*last_error)(void);

#define EXPORT __attribute__((visibility("default")))

/* ---- the description of a call */

typedef struct {
    int is_there;
    void *data;
    int64_t rank;
    const int64_t *dims;
} Buffer;

typedef struct {
    const Routine *routine;
    int precision;
    Buffer operands[MAX_OPERANDS], results[MAX_RESULTS];
    int attribute_count;
    const char *names[4]; /* not NUL-terminated */
    size_t lengths[4];
    int64_t values[4];
    double real; /* the argument of type double, if there is one */
} Call;

static int64_t product(const int64_t *dims, int64_t count) {
    int64_t n = 1;
    for (int64_t i = 0; i < count; i++) n *= dims[i];
    return n;
}

static int64_t at_least_1(int64_t n) { return n > 1 ? n : 1; }

/* The buffer that a letter of the table stands for; NULL if the call lacks it or it has fewer dimensions. */
static const Buffer *buffer(const Call *call, char which, int64_t least_rank) {
    const Buffer *b = which <= '9' ? &call->operands[which - '0'] : &call->results[which - 'w'];
    return b->is_there && b->rank >= least_rank ? b : NULL;
}

/* Looks up an attribute by name; -1 if the call lacks it. */
static int attribute(const Call *call, const char *name, size_t length, int64_t *value) {
    for (int i = 0; i < call->attribute_count; i++) {
        if (call->lengths[i] == length && !memcmp(call->names[i], name, length)) {
            *value = call->values[i];
            return 0;
        }
    }
    return -1;
}

/* Whether a word of the table is passed: in a workspace query if `is_query`, else in a call. */
static int is_passed(const char *text, int is_query) {
    return !strchr("=:%", *text) && !(is_query && strchr("&01-", *text));
}

/* Evaluates one word of the table; -1 if the call lacks what it names. */
static int argument(const Call *call, const char *text, size_t length, int64_t *value) {
    static const float single_scalars[2][2] = {{0, 0}, {1, 0}};
    static const double double_scalars[2][2] = {{0, 0}, {1, 0}};
    if (*text == '@') return attribute(call, text + 1, length - 1, value);
    if (*text == '-') {
        *value = 0;
        return 0;
    }
    if (*text == '0' || *text == '1') {
        int which = *text - '0';
        *value =
            call->precision % 2 ? (int64_t)(intptr_t)double_scalars[which] : (int64_t)(intptr_t)single_scalars[which];
        return 0;
    }
    const Buffer *b = buffer(call, text[1], *text == '&' ? 0 : strchr("kvc", *text) ? 1 : 2);
    if (!b) return -1;
    if (*text == '&') {
        *value = (int64_t)(intptr_t)b->data;
        return 0;
    }
    int64_t rows = b->rank > 1 ? b->dims[b->rank - 2] : 1, last = b->dims[b->rank - 1];
    switch (*text) {
    case 'm':
        *value = rows;
        return 0;
    case 'n':
    case 'k':
        *value = last;
        return 0;
    case 'l':
        *value = at_least_1(rows);
        return 0;
    case 's':
        *value = at_least_1(rows) * at_least_1(last);
        return 0;
    case 'v':
        *value = at_least_1(last);
        return 0;
    case 'd':
        *value = product(b->dims, b->rank - 2);
        return 0;
    default:
        *value = product(b->dims, b->rank - 1);
        return 0;
    }
}

/* Collects the arguments, without addresses for a workspace query. Returns their number, or -1. */
static int arguments(Call *call, int is_query, int64_t *out) {
    int count = 0;
    for (const char *text = call->routine->arguments; *text;) {
        size_t length = strcspn(text, " ");
        if (is_passed(text, is_query) && argument(call, text, length, &out[count++])) return -1;
        if (*text == '%' && !is_query) {
            int64_t bits;
            if (attribute(call, text + 1, length - 1, &bits)) return -1;
            memcpy(&call->real, &bits, sizeof bits);
        }
        text += length + (text[length] == ' ');
    }
    return count;
}

static int call_function(Function f, double real, const int64_t *n) {
    return f(real, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], n[14], n[15],
             n[16], n[17]);
}

enum { TEPHRA_INTERNAL_ERROR = 5, UPLO_FULL = 123 };

/* Copies operands to the results that the function overwrites, unless XLA has aliased them. Returns the library's
 * status. */
static int copy_overwritten_operands(const Call *call, int64_t stream) {
    for (const char *text = call->routine->arguments; *text == '=' || *text == ':'; text += 4) {
        int rank = *text == '=' ? 2 : 1; /* 32-bit integers are copied as if they were single precision */
        const Buffer *to = buffer(call, text[1], rank), *from = buffer(call, text[2], rank);
        if (!to || !from) return TEPHRA_INTERNAL_ERROR;
        if (to->data == from->data) continue;
        int64_t m = from->dims[from->rank - rank], n = rank == 2 ? from->dims[from->rank - 1] : 1;
        int64_t stride = at_least_1(m) * at_least_1(n);
        const int64_t given[MAX_ARGUMENTS] = {UPLO_FULL,
                                              m,
                                              n,
                                              (int64_t)(intptr_t)from->data,
                                              at_least_1(m),
                                              stride,
                                              (int64_t)(intptr_t)to->data,
                                              at_least_1(m),
                                              stride,
                                              product(from->dims, from->rank - rank),
                                              stream};
        int status = call_function(copy[rank == 2 ? call->precision : 0], 0, given);
        if (status) return status;
    }
    return 0;
}

/* ---- XLA's side */

static XLA_FFI_Error *make_error(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code, const char *routine,
                                 const char *why) {
    char text[1024];
    snprintf(text, sizeof text, "tephra.jax: %s: %s", routine, why);
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, text, code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error_Code code_of(int status) {
    static const XLA_FFI_Error_Code codes[] = {XLA_FFI_Error_Code_OK, XLA_FFI_Error_Code_UNIMPLEMENTED,
                                               XLA_FFI_Error_Code_FAILED_PRECONDITION,
                                               XLA_FFI_Error_Code_RESOURCE_EXHAUSTED};
    if (status < 0) return XLA_FFI_Error_Code_INVALID_ARGUMENT;
    return status < 4 ? codes[status] : XLA_FFI_Error_Code_INTERNAL;
}

/* XLA asks for a handler's interface version when it is registered. The older of the two versions suffices here. */
static void write_metadata(const XLA_FFI_CallFrame *frame) {
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    int minor = frame->api ? frame->api->api_version.minor_version : XLA_FFI_API_MINOR;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = minor < XLA_FFI_API_MINOR ? minor : XLA_FFI_API_MINOR;
    /* Not compatible with command buffers: a kernel is loaded at its first launch, which is not possible while a stream
     * is being captured, and XLA may capture a call that has never run before. */
    metadata->traits = 0;
}

static int precision_of(XLA_FFI_DataType type) {
    switch (type) {
    case XLA_FFI_DataType_F32:
        return 0;
    case XLA_FFI_DataType_F64:
        return 1;
    case XLA_FFI_DataType_C64:
        return 2;
    case XLA_FFI_DataType_C128:
        return 3;
    case XLA_FFI_DataType_S32:
        return 4;
    default:
        return -1;
    }
}

static Buffer buffer_of(const void *from) {
    const XLA_FFI_Buffer *b = from;
    return (Buffer){1, b->data, b->rank, b->dims};
}

/* The workspace is the last result if that has the type U8; else there is none. */
static const XLA_FFI_Buffer *workspace_of(const XLA_FFI_CallFrame *frame) {
    const XLA_FFI_Buffer *last = frame->rets.size ? frame->rets.rets[frame->rets.size - 1] : NULL;
    return last && last->dtype == XLA_FFI_DataType_U8 ? last : NULL;
}

/* Reads XLA's call frame; -1 if it does not describe one of our calls. */
static int read_frame(const XLA_FFI_CallFrame *frame, const Routine *routine, Call *call) {
    int64_t results = frame->rets.size - (workspace_of(frame) != NULL);
    if (frame->args.size > MAX_OPERANDS || results < 1 || results > MAX_RESULTS || frame->attrs.size > 4) return -1;
    call->routine = routine;
    call->precision = precision_of(((XLA_FFI_Buffer *)frame->rets.rets[0])->dtype);
    for (int64_t i = 0; i < frame->args.size; i++) call->operands[i] = buffer_of(frame->args.args[i]);
    for (int64_t i = 0; i < results; i++) call->results[i] = buffer_of(frame->rets.rets[i]);
    for (int64_t i = 0; i < frame->attrs.size; i++) {
        const XLA_FFI_Scalar *scalar = frame->attrs.attrs[i];
        if (frame->attrs.types[i] != XLA_FFI_AttrType_SCALAR || scalar->dtype != XLA_FFI_DataType_S64) return -1;
        call->names[i] = frame->attrs.names[i]->ptr;
        call->lengths[i] = frame->attrs.names[i]->len;
        call->values[i] = *(const int64_t *)scalar->value;
    }
    call->attribute_count = (int)frame->attrs.size;
    return call->precision < 0 || !routine->call[call->precision] ? -1 : 0;
}

static XLA_FFI_Error *handle(const XLA_FFI_CallFrame *frame, const Routine *routine, int backend) {
    if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
        write_metadata(frame);
        return NULL;
    }
    Call call = {0};
    int64_t n[MAX_ARGUMENTS] = {0};
    int count = read_frame(frame, routine, &call) ? -1 : arguments(&call, 0, n);
    if (count < 0)
        return make_error(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, routine->name,
                          "not a call that this version of the package makes");
    if (routine->workspace[call.precision]) {
        const XLA_FFI_Buffer *work = workspace_of(frame);
        n[count++] = work ? (int64_t)(intptr_t)work->data : 0;
        n[count++] = work ? product(work->dims, work->rank) : 0;
    }
    if (backend == CUDA) {
        XLA_FFI_Stream_Get_Args args = {XLA_FFI_Stream_Get_Args_STRUCT_SIZE, NULL, frame->ctx, NULL};
        XLA_FFI_Error *error = frame->api->XLA_FFI_Stream_Get(&args);
        if (error) return error;
        n[count] = (int64_t)(intptr_t)args.stream;
    }
    int status = set_thread_backend(backend);
    if (!status) {
        status = copy_overwritten_operands(&call, n[count]);
        if (!status) status = call_function(routine->call[call.precision], call.real, n);
        set_thread_backend(0);
    }
    return status ? make_error(frame, code_of(status), routine->name, last_error()) : NULL;
}

#define HANDLERS(name, arguments)                                                                                      \
    EXPORT XLA_FFI_Error *tephra_jax_cpu_##name(XLA_FFI_CallFrame *frame) {                                            \
        return handle(frame, &routines[ROW_##name], CPU);                                                              \
    }                                                                                                                  \
    EXPORT XLA_FFI_Error *tephra_jax_cuda_##name(XLA_FFI_CallFrame *frame) {                                           \
        return handle(frame, &routines[ROW_##name], CUDA);                                                             \
    }
#define NUMBER(name, arguments) ROW_##name,
enum { ROUTINES(NUMBER) };
ROUTINES(HANDLERS)

/* ---- Python's side (primitives.py) */

/* The name of routine i, or NULL past the last one; and its row of the table. */
EXPORT const char *tephra_jax_routine(int i) { return i >= 0 && i < COUNT ? routines[i].name : NULL; }

EXPORT const char *tephra_jax_arguments(int i) { return routines[i].arguments; }

/* Sets the library functions that the handlers need besides the routines. */
EXPORT void tephra_jax_library(int (*backend_setter)(int), const char *(*error_getter)(void)) {
    set_thread_backend = backend_setter;
    last_error = error_getter;
}

/* Sets the function that copies matrices in a precision. */
EXPORT void tephra_jax_copy(int precision, Function lacpy) { copy[precision] = lacpy; }

/* Sets a routine's functions in a precision (0 to 4: s, d, c, z, integers); `workspace` is NULL if it needs none. */
EXPORT void tephra_jax_functions(int routine, int precision, Function call, Function workspace) {
    routines[routine].call[precision] = call;
    routines[routine].workspace[precision] = workspace;
}

/* Computes the bytes of workspace for a call. `dims` lists the buffers, operands first, each as its rank followed by
 * its sizes. Returns the library's status. */
EXPORT int tephra_jax_workspace(int routine, int precision, int backend, int operands, int results, const int64_t *dims,
                                int attribute_count, const char *const *names, const int64_t *values, size_t *bytes) {
    Call call = {.routine = &routines[routine], .precision = precision, .attribute_count = attribute_count};
    for (int i = 0; i < operands + results; i++) {
        Buffer *b = i < operands ? &call.operands[i] : &call.results[i - operands];
        *b = (Buffer){1, NULL, dims[0], dims + 1};
        dims += 1 + dims[0];
    }
    for (int i = 0; i < attribute_count; i++) {
        call.names[i] = names[i];
        call.lengths[i] = strlen(names[i]);
        call.values[i] = values[i];
    }
    *bytes = 0;
    if (!call.routine->workspace[precision]) return 0;
    int64_t n[MAX_ARGUMENTS] = {0};
    int count = arguments(&call, 1, n);
    if (count < 0) return TEPHRA_INTERNAL_ERROR;
    n[count] = (int64_t)(intptr_t)bytes;
    int status = set_thread_backend(backend);
    if (status) return status;
    status = call_function(call.routine->workspace[precision], 0, n);
    set_thread_backend(0);
    return status;
}
