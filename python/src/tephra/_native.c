/* Replays calls on plain PyTorch tensors. Optional: without this module the package does everything in Python.
 *
 * The operands' type, device, shapes and strides, together with the options, fully determine the steps of a call. The
 * Python code therefore runs once for each combination and records a plan (_torch/replay.py): create these tensors,
 * copy this one there, call that C function of libtephra.so with these numbers and the addresses of those tensors. This
 * module stores the plans and executes them.
 *
 * Tensors are inspected through DLPack's exchange interface (PyTorch 2.10 and later), which takes about 20 nanoseconds;
 * querying shape, stride, type and address from Python takes 500. Nothing here depends on the version of PyTorch or,
 * thanks to the stable ABI, of Python.
 */
#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* ---- DLPack 1.3 */

typedef struct {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;

typedef struct Exchange {
    uint32_t major, minor;
    struct Exchange *previous;
    void *allocate, *from_object, *to_object;
    /* shape and strides are borrowed and live as long as the tensor */
    int (*dltensor_from_object)(void *object, DLTensor *out);
    int (*stream)(int32_t device_type, int32_t device_id, void **out);
} Exchange;

enum { CPU = 1, CUDA = 2, FLOAT = 2, BFLOAT = 4, COMPLEX = 5 };

/* ---- set by setup() */

static const Exchange *exchange;
static PyObject *tensor_type, *parameter_type;
static PyObject *observers;      /* predicates that are true where something must observe the operators */
static PyObject *forward_ad;     /* the module whose _current_level is >= 0 inside a level of dual numbers */
static PyObject *grad_enabled;   /* whether derivatives are recorded */
static PyObject *current_device; /* the thread's current device */
static int (*set_backend)(int);
/* From PyTorch: creates a tensor, wraps it in a Python object, and deletes the tensor's handle. */
static int32_t (*empty_strided)(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, void **);
static PyObject *(*wrap_tensor)(const void *);
static int32_t (*delete_handle)(void *);

static PyObject *name_level, *name_requires_grad, *name_is_conj, *name_is_neg, *name_zero, *name_out;

/* ---- plans */

typedef struct {
    int slot;         /* the slot of a tensor of the plan, or -1 for a constant */
    PyObject *object; /* for Python functions */
    int64_t number;   /* for C functions */
} Argument;

enum { CALL, LIBRARY, MAKE, ALL_ZERO, WITHIN };
enum {
    MAX_ARGUMENTS = 28,
    MAX_SLOTS = 32,
    MAX_PYTHON_ARGUMENTS = 6,
    MAX_DIMENSIONS = 12,
    MAX_KEY = 256,
    MAX_GIVEN = 8
};

typedef struct {
    int kind, out, count;
    PyObject *function;
    intptr_t address;
    int64_t least, most;
    Argument *arguments;
} Step;

typedef struct Plan {
    struct Plan *next;
    int references; /* one for the table and one for each running call, which may release the GIL */
    uint64_t hash;
    int key_count;
    int64_t *key;
    PyObject *strings;                    /* keeps alive those that the key identifies by address */
    int usable, step_count, result_count; /* result_count is -1 for a single result that is not a tuple */
    Step *steps;
    int results[8]; /* slots, or -1 for None */
    PyObject *type; /* the named tuple type of the results, or NULL */
} Plan;

enum { BUCKETS = 128, MAX_PLANS = 1024 };

typedef struct {
    PyObject_HEAD PyObject *record;
    int plans;
    Plan *buckets[BUCKETS];
} PlanTable;

static void release(Plan *plan) {
    if (--plan->references > 0) return;
    for (int i = 0; i < plan->step_count; i++) {
        Step *step = &plan->steps[i];
        Py_XDECREF(step->function);
        for (int j = 0; j < step->count; j++) Py_XDECREF(step->arguments[j].object);
        PyMem_Free(step->arguments);
    }
    PyMem_Free(plan->steps);
    PyMem_Free(plan->key);
    Py_XDECREF(plan->strings);
    Py_XDECREF(plan->type);
    PyMem_Free(plan);
}

static void clear_plans(PlanTable *table) {
    for (int i = 0; i < BUCKETS; i++) {
        Plan *plan = table->buckets[i];
        table->buckets[i] = NULL;
        while (plan) {
            Plan *next = plan->next;
            release(plan);
            plan = next;
        }
    }
    table->plans = 0;
}

/* Reads a step (kind, function, ((slot, constant), ...), out, least, most) as replay.py writes it. Returns -1 with an
 * exception set on failure. */
static int read_step(PyObject *from, Step *step) {
    PyObject *arguments = NULL;
    const char *kind;
    if (!PyArg_ParseTuple(from, "sOOiLL", &kind, &step->function, &arguments, &step->out, &step->least, &step->most)) {
        step->function = NULL;
        return -1;
    }
    static const char *const kinds[] = {"call", "library", "make", "zero"};
    step->kind = CALL;
    while (step->kind < WITHIN && strcmp(kind, kinds[step->kind])) step->kind++;
    Py_INCREF(step->function);
    if (step->kind == LIBRARY) step->address = (intptr_t)PyLong_AsLongLong(step->function);
    Py_ssize_t count = PyTuple_Size(arguments);
    if (count < 0 || PyErr_Occurred()) return -1;
    if (count > (step->kind == CALL ? MAX_PYTHON_ARGUMENTS : MAX_ARGUMENTS - 1) || step->out >= MAX_SLOTS) {
        PyErr_SetString(PyExc_OverflowError, "a plan is too long");
        return -1;
    }
    step->arguments = PyMem_Calloc(count ? count : 1, sizeof(Argument));
    if (!step->arguments) return PyErr_NoMemory(), -1;
    step->count = (int)count;
    for (int i = 0; i < count; i++) {
        Argument *argument = &step->arguments[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(arguments, i), "iO", &argument->slot, &argument->object)) {
            argument->object = NULL;
            return -1;
        }
        Py_INCREF(argument->object);
        if (step->kind != CALL && argument->slot < 0) {
            argument->number = PyLong_AsLongLong(argument->object);
            if (argument->number == -1 && PyErr_Occurred()) return -1;
        }
    }
    return 0;
}

/* Reads a plan from (steps, result slots, is a tuple, type of the results or None). None yields an unusable plan, which
 * sends such calls to Python. Returns -1 on failure. */
static int read_plan(PyObject *from, Plan *plan) {
    PyObject *steps, *results, *type;
    int tuple;
    if (from == Py_None) return 0;
    if (!PyArg_ParseTuple(from, "OOiO", &steps, &results, &tuple, &type)) return -1;
    Py_ssize_t count = PyTuple_Size(steps), outs = PyTuple_Size(results);
    if (count < 0 || outs < 0 || outs > 8) return -1;
    plan->steps = PyMem_Calloc(count ? count : 1, sizeof(Step));
    if (!plan->steps) return PyErr_NoMemory(), -1;
    for (int i = 0; i < count; i++) {
        plan->step_count = i + 1;
        if (read_step(PyTuple_GetItem(steps, i), &plan->steps[i])) return -1;
    }
    for (int i = 0; i < outs; i++) plan->results[i] = (int)PyLong_AsLong(PyTuple_GetItem(results, i));
    plan->result_count = tuple ? (int)outs : -1;
    if (type != Py_None) Py_INCREF(plan->type = type);
    plan->usable = !PyErr_Occurred();
    return plan->usable ? 0 : -1;
}

/* ---- inspecting operands */

/* The truth value of a call's result, whose reference is consumed; -1 if the call raised an exception. */
static int truth_of(PyObject *answer) {
    if (!answer) return -1;
    int is = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return is;
}

/* Whether nothing on this thread observes operators: no mode, transformation, trace, profiler or dual level. */
static int unobserved(void) {
    Py_ssize_t count = PyTuple_Size(observers);
    for (Py_ssize_t i = 0; i < count; i++) {
        int is = truth_of(PyObject_CallNoArgs(PyTuple_GetItem(observers, i)));
        if (is) return is < 0 ? -1 : 0;
    }
    PyObject *level = PyObject_GetAttr(forward_ad, name_level);
    if (!level) return -1;
    long entered = PyLong_AsLong(level);
    Py_DECREF(level);
    return entered < 0;
}

/* Appends a tensor's type, device, shape and strides to the key. Returns 1, or 0 if the tensor is not plain memory, or
 * -1 with an exception set. */
static int inspect_operand(PyObject *a, int grad, int64_t *key, int *count, DLTensor *t) {
    if (grad) {
        int is = truth_of(PyObject_GetAttr(a, name_requires_grad));
        if (is) return is < 0 ? -1 : 0;
    }
    if (exchange->dltensor_from_object(a, t)) {
        PyErr_Clear(); /* such as a tensor without storage */
        return 0;
    }
    if ((t->device_type != CPU && t->device_type != CUDA) || t->ndim > MAX_DIMENSIONS || t->lanes != 1) return 0;
    /* Autocast computes 16-bit types in single precision, and the key does not cover autocast. */
    if (t->code == BFLOAT || (t->code == FLOAT && t->bits < 32)) return 0;
    /* Lazy conjugation and negation, and zero tensors without storage. */
    PyObject *const names[] = {name_is_neg, name_zero, name_is_conj};
    for (int i = 0; i < (t->code == COMPLEX ? 3 : 2); i++) {
        int is = truth_of(PyObject_CallMethodObjArgs(a, names[i], NULL));
        if (is) return is < 0 ? -1 : 0;
    }
    int64_t size = t->bits / 8 / (t->code == COMPLEX ? 2 : 1);
    if (size == 0 || ((intptr_t)t->data + (int64_t)t->byte_offset) % size) return 0;
    key[(*count)++] = ((int64_t)t->device_type << 56) | ((int64_t)(t->device_id & 0xffff) << 40) |
                      ((int64_t)t->code << 32) | ((int64_t)t->bits << 16) | t->ndim;
    for (int i = 0; i < t->ndim; i++) key[(*count)++] = t->shape[i];
    for (int i = 0; i < t->ndim; i++) key[(*count)++] = t->strides[i];
    return 1;
}

static int64_t address_of(PyObject *a, int *failed) {
    DLTensor t;
    if (exchange->dltensor_from_object(a, &t)) {
        *failed = 1;
        return 0;
    }
    return (int64_t)(intptr_t)t.data + (int64_t)t.byte_offset;
}

/* The interned strings of a call: names of arguments and values of options. */
typedef struct {
    PyObject *at[2 * MAX_GIVEN];
    int count;
} Strings;

/* Appends a string's address to the key. Of equal strings, such as names from JSON, only the interned one has an
 * address that stands for their contents, and only while it lives. Returns it, or NULL for a subclass, which cannot be
 * interned. */
static PyObject *add_string(PyObject *string, Strings *strings, int64_t *key, int *count) {
    if (!PyUnicode_CheckExact(string)) return NULL;
    Py_INCREF(string);
    PyUnicode_InternInPlace(&string);
    strings->at[strings->count++] = string;
    key[(*count)++] = (int64_t)(intptr_t)string;
    return string;
}

/* ---- executing a plan */

enum { FAILED = -1, DONE, FALLBACK, STALE };

/* All arguments are integers and addresses. Every call passes as many as the longest function reads; the calling
 * conventions let shorter ones ignore the rest. */
typedef int (*Function)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                        int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                        int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

static int call_library(const Step *step, PyObject **slots, int device_type, void *stream) {
    int64_t n[MAX_ARGUMENTS] = {0};
    int failed = 0, status;
    for (int i = 0; i < step->count; i++) {
        const Argument *argument = &step->arguments[i];
        n[i] = argument->slot < 0 ? argument->number : address_of(slots[argument->slot], &failed);
    }
    if (failed) return FAILED;
    n[step->count] = (int64_t)(intptr_t)stream;
    Function function = (Function)step->address;
    Py_BEGIN_ALLOW_THREADS status = set_backend(device_type == CUDA ? 2 : 1);
    if (!status) {
        status = function(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], n[14],
                          n[15], n[16], n[17], n[18], n[19], n[20], n[21], n[22], n[23], n[24], n[25], n[26], n[27]);
        set_backend(0);
    }
    Py_END_ALLOW_THREADS return status ? STALE : DONE;
}

/* The step's arguments are the element type, the sizes and the strides. */
static int make_tensor(const Step *step, PyObject **slots, int device_type, int device) {
    int64_t numbers[MAX_ARGUMENTS];
    void *handle;
    for (int i = 0; i < step->count; i++) numbers[i] = step->arguments[i].number;
    int dimensions = (step->count - 1) / 2;
    if (empty_strided(dimensions, numbers + 1, numbers + 1 + dimensions, (int32_t)numbers[0], device_type == CUDA,
                      device, &handle))
        return STALE; /* such as out of memory; the call is repeated in Python, which raises the error */
    PyObject *object = wrap_tensor(handle);
    delete_handle(handle);
    if (!object) return FAILED;
    slots[step->out] = object;
    return DONE;
}

static int call_python(const Step *step, PyObject **slots) {
    PyObject *a[MAX_PYTHON_ARGUMENTS + 1] = {0};
    for (int i = 0; i < step->count; i++)
        a[i] = step->arguments[i].slot < 0 ? step->arguments[i].object : slots[step->arguments[i].slot];
    PyObject *out = PyObject_CallFunctionObjArgs(step->function, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    if (!out) return FAILED;
    if (step->out < 0) {
        Py_DECREF(out);
    } else {
        Py_XDECREF(slots[step->out]);
        slots[step->out] = out;
    }
    return DONE;
}

/* DONE if all 32-bit integers of a contiguous host tensor are in a range, else FALLBACK. */
static int all_within(PyObject *a, int64_t least, int64_t most) {
    DLTensor t;
    if (exchange->dltensor_from_object(a, &t)) return FAILED;
    int64_t count = 1;
    for (int i = 0; i < t.ndim; i++) count *= t.shape[i];
    const int32_t *numbers = (const int32_t *)((const char *)t.data + t.byte_offset);
    for (int64_t i = 0; i < count; i++)
        if (numbers[i] < least || numbers[i] > most) return FALLBACK;
    return DONE;
}

static PyObject *results_of(const Plan *plan, PyObject **slots) {
    if (plan->result_count < 0) {
        Py_INCREF(slots[plan->results[0]]);
        return slots[plan->results[0]];
    }
    PyObject *tuple = PyTuple_New(plan->result_count);
    if (!tuple) return NULL;
    for (int i = 0; i < plan->result_count; i++) {
        PyObject *result = plan->results[i] < 0 ? Py_None : slots[plan->results[i]];
        Py_INCREF(result);
        PyTuple_SetItem(tuple, i, result);
    }
    if (!plan->type) return tuple;
    /* tuple.__new__ directly: a named tuple's own __new__ is a slower Python function. */
    PyObject *arguments = PyTuple_Pack(1, tuple), *named = NULL;
    newfunc tuple_new = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    if (arguments) named = tuple_new((PyTypeObject *)plan->type, arguments, NULL);
    Py_XDECREF(arguments);
    Py_DECREF(tuple);
    return named;
}

static int execute_plan(const Plan *plan, PyObject *const *operands, int operand_count, int device_type, int device,
                        PyObject **out) {
    PyObject *slots[MAX_SLOTS] = {0};
    void *stream = NULL;
    int done = DONE;
    if (device_type == CUDA) {
        PyObject *current = PyObject_CallNoArgs(current_device);
        if (!current) return FAILED;
        long here = PyLong_AsLong(current);
        Py_DECREF(current);
        if (here != device) return FALLBACK;
        if (exchange->stream(device_type, device, &stream)) return FAILED;
    }
    for (int i = 0; i < operand_count; i++) Py_INCREF(slots[i] = operands[i]);
    for (int i = 0; i < plan->step_count && done == DONE; i++) {
        const Step *step = &plan->steps[i];
        switch (step->kind) {
        case CALL:
            done = call_python(step, slots);
            break;
        case MAKE:
            done = make_tensor(step, slots, device_type, device);
            break;
        case LIBRARY:
            done = call_library(step, slots, device_type, stream);
            break;
        case ALL_ZERO:
            done = all_within(slots[step->out], 0, 0);
            break;
        default:
            done = all_within(slots[step->out], step->least, step->most);
            break;
        }
    }
    if (done == DONE && !(*out = results_of(plan, slots))) done = FAILED;
    for (int i = 0; i < MAX_SLOTS; i++) Py_XDECREF(slots[i]);
    return done;
}

/* ---- functions */

static PyObject *decline(void) { Py_RETURN_NONE; }

/* Runs a call in Python and stores its plan. */
static PyObject *record(PlanTable *table, PyObject *const *given, Py_ssize_t count, PyObject *names, uint64_t hash,
                        const int64_t *key, int key_count, const Strings *strings) {
    Py_ssize_t all = count + (names ? PyTuple_Size(names) : 0);
    PyObject *arguments = PyTuple_New(count), *named = PyDict_New(), *kept = PyTuple_New(strings->count),
             *answer = NULL, *result = NULL;
    Plan *plan = NULL;
    if (!arguments || !named || !kept) goto end;
    for (int i = 0; i < strings->count; i++) {
        Py_INCREF(strings->at[i]);
        PyTuple_SetItem(kept, i, strings->at[i]);
    }
    for (Py_ssize_t i = 0; i < all; i++) {
        if (i < count) {
            Py_INCREF(given[i]);
            PyTuple_SetItem(arguments, i, given[i]);
        } else if (PyDict_SetItem(named, PyTuple_GetItem(names, i - count), given[i])) {
            goto end;
        }
    }
    answer = PyObject_CallFunctionObjArgs(table->record, arguments, named, NULL);
    if (!answer) goto end;
    PyObject *written;
    if (!PyArg_ParseTuple(answer, "OO", &result, &written)) {
        result = NULL;
        goto end;
    }
    Py_INCREF(result);
    if (written == Py_False) goto end; /* part of another call, which says nothing about later calls */
    plan = PyMem_Calloc(1, sizeof(Plan));
    if (!plan) {
        PyErr_NoMemory();
        Py_CLEAR(result);
        goto end;
    }
    plan->references = 1;
    if (read_plan(written, plan)) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) Py_CLEAR(result);
        if (result) PyErr_Clear();
        release(plan);
        goto end;
    }
    plan->hash = hash;
    plan->key = PyMem_Malloc((key_count ? key_count : 1) * sizeof *key);
    if (!plan->key) {
        release(plan);
        goto end; /* return the result without storing the plan */
    }
    memcpy(plan->key, key, key_count * sizeof *key);
    plan->key_count = key_count;
    plan->strings = kept;
    kept = NULL;
    if (table->plans >= MAX_PLANS) clear_plans(table);
    plan->next = table->buckets[hash % BUCKETS];
    table->buckets[hash % BUCKETS] = plan;
    table->plans++;
end:
    Py_XDECREF(arguments);
    Py_XDECREF(named);
    Py_XDECREF(kept);
    Py_XDECREF(answer);
    return result;
}

static void remove_plan(PlanTable *table, Plan *plan) {
    for (Plan **at = &table->buckets[plan->hash % BUCKETS]; *at; at = &(*at)->next) {
        if (*at == plan) {
            *at = plan->next;
            table->plans--;
            release(plan);
            return;
        }
    }
}

static PyObject *replay_or_record(PlanTable *table, PyObject *const *given, Py_ssize_t count, PyObject *names,
                                  Strings *strings) {
    PyObject *operands[MAX_SLOTS];
    int64_t key[MAX_KEY];
    DLTensor tensor;
    int operand_count = 0, key_count = 0, device_type = 0, device = 0, grad = -1;
    Py_ssize_t all = count + (names ? PyTuple_Size(names) : 0);
    if (all == 0 || all > MAX_GIVEN) return decline();
    key[key_count++] = count;
    for (Py_ssize_t i = 0; i < all; i++) {
        PyObject *a = given[i], *type = (PyObject *)Py_TYPE(a);
        if (i >= count) {
            PyObject *name = add_string(PyTuple_GetItem(names, i - count), strings, key, &key_count);
            if (!name || name == name_out) return decline();
        }
        if (type == tensor_type || type == parameter_type) {
            if (grad < 0) {
                int is = unobserved();
                if (is <= 0) return is ? NULL : decline();
                grad = truth_of(PyObject_CallNoArgs(grad_enabled));
                if (grad < 0) return NULL;
            }
            int is = inspect_operand(a, grad, key, &key_count, &tensor);
            if (is <= 0) return is ? NULL : decline();
            if (operand_count == 0) {
                device_type = tensor.device_type;
                device = tensor.device_id;
            } else if (tensor.device_type != device_type || tensor.device_id != device) {
                return decline();
            }
            /* A plan recorded with one tensor passed twice does not hold for two tensors, so the key says which
             * operands are the same. */
            int first = 0;
            while (first < operand_count && operands[first] != a) first++;
            key[key_count++] = first;
            operands[operand_count++] = a;
        } else if (a == Py_None || a == Py_True || a == Py_False) {
            key[key_count++] = (int64_t)(intptr_t)a;
        } else if (!add_string(a, strings, key, &key_count)) {
            return decline();
        }
    }
    if (operand_count == 0) return decline();
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < key_count; i++) hash = (hash ^ (uint64_t)key[i]) * 1099511628211u;
    hash ^= hash >> 29;
    for (Plan *plan = table->buckets[hash % BUCKETS]; plan; plan = plan->next) {
        if (plan->hash != hash || plan->key_count != key_count || memcmp(plan->key, key, key_count * sizeof *key))
            continue;
        if (!plan->usable) return decline();
        PyObject *result = NULL;
        plan->references++;
        int done = execute_plan(plan, operands, operand_count, device_type, device, &result);
        if (done == STALE) remove_plan(table, plan);
        release(plan);
        if (done == DONE) return result;
        if (done == FAILED) return NULL;
        if (done == FALLBACK) return decline(); /* Python takes the general path, which handles or reports the cause */
        break;
    }
    return record(table, given, count, names, hash, key, key_count, strings);
}

static PyObject *call(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    Strings strings = {.count = 0};
    PyObject *result = replay_or_record((PlanTable *)self, given, count, names, &strings);
    for (int i = 0; i < strings.count; i++) Py_DECREF(strings.at[i]);
    return result;
}

static void table_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    clear_plans((PlanTable *)self);
    Py_XDECREF(((PlanTable *)self)->record);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot table_slots[] = {{Py_tp_dealloc, table_dealloc}, {0, NULL}};
static PyType_Spec table_spec = {"tephra._native.Plans", sizeof(PlanTable), 0, Py_TPFLAGS_DEFAULT, table_slots};
static PyObject *table_type;
static PyMethodDef call_def = {
    "call", (PyCFunction)(void (*)(void))call, METH_FASTCALL | METH_KEYWORDS,
    "The results of a call on plain tensors, or None for a call that must take the general path."};

/* function(record), where record(arguments, named) runs a call and returns (results, plan or None). */
static PyObject *function(PyObject *module, PyObject *record) {
    (void)module;
    PlanTable *table = (PlanTable *)PyType_GenericAlloc((PyTypeObject *)table_type, 0);
    if (!table) return NULL;
    Py_INCREF(table->record = record);
    PyObject *made = PyCFunction_NewEx(&call_def, (PyObject *)table, NULL);
    Py_DECREF(table);
    return made;
}

static PyObject *setup(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *capsule;
    long long backend, empty_address, wrap_address, delete_address;
    if (!PyArg_ParseTuple(arguments, "OOOO!OOOLLLL", &capsule, &tensor_type, &parameter_type, &PyTuple_Type, &observers,
                          &forward_ad, &grad_enabled, &current_device, &backend, &empty_address, &wrap_address,
                          &delete_address))
        return NULL;
    exchange = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    if (!exchange) return NULL;
    if (exchange->major != 1) {
        PyErr_SetString(PyExc_ImportError, "another version of DLPack's exchange interface than 1");
        return NULL;
    }
    set_backend = (int (*)(int))(intptr_t)backend;
    empty_strided = (int32_t (*)(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, void **))(
        intptr_t)empty_address;
    wrap_tensor = (PyObject * (*)(const void *))(intptr_t)wrap_address;
    delete_handle = (int32_t (*)(void *))(intptr_t)delete_address;
    PyObject *kept[] = {capsule, tensor_type, parameter_type, observers, forward_ad, grad_enabled, current_device};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) Py_INCREF(kept[i]);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, "Sets what the functions need from PyTorch."},
    {"function", function, METH_O, "Returns a function that replays the plans that `record` writes."},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "_native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
    struct {
        PyObject **to;
        const char *text;
    } names[] = {{&name_level, "_current_level"}, {&name_requires_grad, "requires_grad"}, {&name_is_conj, "is_conj"},
                 {&name_is_neg, "is_neg"},        {&name_zero, "_is_zerotensor"},         {&name_out, "out"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(*names[i].to = PyUnicode_InternFromString(names[i].text))) return NULL;
    table_type = PyType_FromSpec(&table_spec);
    return table_type ? PyModule_Create(&module_def) : NULL;
}
