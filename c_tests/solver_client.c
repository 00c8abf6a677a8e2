// A C program that uses the rest of Tephra's native API for QR: forming and applying Q, QR with explicit factors, least
// squares and triangular solves, on small odd shapes in four precisions. Results are checked against their definitions,
// in double precision.
#include "device_batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WHO "solver client"

// The strided routines in one precision. tau and info are vectors, whose leading dimension is irrelevant.
typedef struct {
    char dtype;
    tephra_status (*geqrf)(device_batch *a, device_batch *tau);
    tephra_status (*orgqr)(device_batch *q, device_batch *tau);
    tephra_status (*ormqr)(int side, int trans, device_batch *a, device_batch *tau, device_batch *c);
    tephra_status (*qr)(device_batch *a, device_batch *q, device_batch *r);
    tephra_status (*gels)(int trans, device_batch *a, device_batch *b, int *info);
    tephra_status (*trsm)(int side, int uplo, int trans, int diag, device_batch *a, device_batch *b);
} routines;

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static tephra_status workspace(tephra_status status, void **work, size_t bytes) {
    return status == 0 && bytes > 0 ? tephra_malloc(work, bytes) : status;
}
static tephra_status finish(tephra_status status, void *work) {
    const tephra_status waited = tephra_stream_synchronize(NULL);
    if (work) tephra_free(work);
    return status ? status : waited;
}

// p is the precision's letter, `letter` the same as a character, ORGQR and ORMQR are the precision's names of these
// routines, T is the element type, and the last argument its 1.
#define DEFINE_ROUTINES(p, letter, ORGQR, ORMQR, T, ...)                                                               \
    static tephra_status p##_geqrf(device_batch *a, device_batch *tau) {                                               \
        void *work = NULL;                                                                                             \
        size_t bytes = 0;                                                                                              \
        tephra_status status =                                                                                         \
            tephra_##p##geqrf_strided_batched_workspace(a->m, a->n, a->ld, a->stride, tau->stride, a->count, &bytes);  \
        status = workspace(status, &work, bytes);                                                                      \
        if (status == 0)                                                                                               \
            status = tephra_##p##geqrf_strided_batched(a->m, a->n, (T *)a->device, a->ld, a->stride, (T *)tau->device, \
                                                       tau->stride, a->count, work, bytes, NULL);                      \
        return finish(status, work);                                                                                   \
    }                                                                                                                  \
    static tephra_status p##_orgqr(device_batch *q, device_batch *tau) {                                               \
        return finish(tephra_##p##ORGQR##_strided_batched(q->m, q->n, tau->m, (T *)q->device, q->ld, q->stride,        \
                                                          (T *)tau->device, tau->stride, q->count, NULL),              \
                      NULL);                                                                                           \
    }                                                                                                                  \
    static tephra_status p##_ormqr(int side, int trans, device_batch *a, device_batch *tau, device_batch *c) {         \
        return finish(tephra_##p##ORMQR##_strided_batched(side, trans, c->m, c->n, tau->m, (T *)a->device, a->ld,      \
                                                          a->stride, (T *)tau->device, tau->stride, (T *)c->device,    \
                                                          c->ld, c->stride, c->count, NULL),                           \
                      NULL);                                                                                           \
    }                                                                                                                  \
    static tephra_status p##_qr(device_batch *a, device_batch *q, device_batch *r) {                                   \
        void *work = NULL;                                                                                             \
        size_t bytes = 0;                                                                                              \
        tephra_status status = tephra_##p##qr_strided_batched_workspace(                                               \
            TEPHRA_Q_THIN, a->m, a->n, a->ld, a->stride, q->ld, q->stride, r->ld, r->stride, a->count, &bytes);        \
        status = workspace(status, &work, bytes);                                                                      \
        if (status == 0)                                                                                               \
            status = tephra_##p##qr_strided_batched(TEPHRA_Q_THIN, a->m, a->n, (T *)a->device, a->ld, a->stride,       \
                                                    (T *)q->device, q->ld, q->stride, (T *)r->device, r->ld,           \
                                                    r->stride, a->count, work, bytes, NULL);                           \
        return finish(status, work);                                                                                   \
    }                                                                                                                  \
    static tephra_status p##_gels(int trans, device_batch *a, device_batch *b, int *info) {                            \
        void *work = NULL;                                                                                             \
        size_t bytes = 0;                                                                                              \
        tephra_status status = tephra_##p##gels_strided_batched_workspace(trans, a->m, a->n, b->n, a->ld, a->stride,   \
                                                                          b->ld, b->stride, a->count, &bytes);         \
        status = workspace(status, &work, bytes);                                                                      \
        if (status == 0)                                                                                               \
            status =                                                                                                   \
                tephra_##p##gels_strided_batched(trans, a->m, a->n, b->n, (T *)a->device, a->ld, a->stride,            \
                                                 (T *)b->device, b->ld, b->stride, info, a->count, work, bytes, NULL); \
        return finish(status, work);                                                                                   \
    }                                                                                                                  \
    static tephra_status p##_trsm(int side, int uplo, int trans, int diag, device_batch *a, device_batch *b) {         \
        const T one = {__VA_ARGS__};                                                                                   \
        return finish(tephra_##p##trsm_strided_batched(side, uplo, trans, diag, b->m, b->n, &one, (T *)a->device,      \
                                                       a->ld, a->stride, (T *)b->device, b->ld, b->stride, b->count,   \
                                                       NULL),                                                          \
                      NULL);                                                                                           \
    }                                                                                                                  \
    static const routines p##_routines = {letter, p##_geqrf, p##_orgqr, p##_ormqr, p##_qr, p##_gels, p##_trsm};

DEFINE_ROUTINES(s, 's', orgqr, ormqr, float, 1)
DEFINE_ROUTINES(d, 'd', orgqr, ormqr, double, 1)
DEFINE_ROUTINES(c, 'c', ungqr, unmqr, tephra_c32, 1, 0)
DEFINE_ROUTINES(z, 'z', ungqr, unmqr, tephra_c64, 1, 0)

// One batch and the results of the operations on it.
typedef struct {
    const routines *f;
    int m, n, k, count;
    dense *a;                 // the input, one per matrix
    device_batch given;       // the input
    device_batch packed, tau; // the results of geqrf
    uint64_t state;           // of the random number generator
    int failed;
} scene;

static void expect(scene *s, const char *what, int i, double ratio) {
    if (ratio < 30) return;
    fprintf(stderr, WHO ": %c%s of %d x %d, matrix %d of %d: ratio %.3g\n", s->f->dtype, what, s->m, s->n, i, s->count,
            ratio);
    s->failed = 1;
}

static void ran(scene *s, const char *what, tephra_status status) {
    if (status == 0) return;
    fprintf(stderr, WHO ": %c%s of %d x %d: status %d, %s\n", s->f->dtype, what, s->m, s->n, (int)status,
            tephra_last_error());
    s->failed = 1;
}

static void set_all(device_batch *b, const dense *a) {
    for (int i = 0; i < b->count; i++) batch_set(b, i, &a[i]);
    batch_upload(b);
}

static dense *random_batch(scene *s, device_batch *b) {
    dense *a = allocate(sizeof(dense) * (size_t)b->count);
    for (int i = 0; i < b->count; i++) a[i] = dense_random(s->f->dtype, b->m, b->n, &s->state);
    set_all(b, a);
    return a;
}

static void free_dense(dense *a, int count) {
    for (int i = 0; i < count; i++) dense_free(&a[i]);
    free(a);
}

// Zeroes the other triangle of a; if `unit`, sets the diagonal to ones.
static void keep_triangle(dense *a, int upper, int unit) {
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++) {
            value *x = &a->x[j * a->m + i];
            if (unit && i == j)
                *x = 1;
            else if (upper ? i > j : i < j)
                *x = 0;
        }
}

// Checks |Q^H Q - I| / (m eps) and |A - Q R| / (|A| max(m, n) eps).
static void check_factors(scene *s, const char *what, device_batch *q, const device_batch *r_in) {
    const double eps = epsilon(s->f->dtype);
    s->failed |= batch_download(q, what);
    for (int i = 0; i < s->count; i++) {
        dense qi = batch_get(q, i), packed = batch_get(r_in, i), r = dense_zeros(s->k, s->n),
              gram = dense_zeros(s->k, s->k);
        for (int j = 0; j < s->n; j++)
            for (int p = 0; p < s->k; p++) r.x[j * s->k + p] = packed.x[j * packed.m + p];
        // An explicit R must have zeros below its diagonal; in packed form, the reflectors are stored there.
        if (r_in == &s->packed) keep_triangle(&r, 1, 0);
        for (int j = 0; j < s->k; j++) gram.x[j * s->k + j] = -1;
        dense_multiply(&gram, 1, 'C', &qi, 'N', &qi);
        dense rest = batch_get(&s->given, i);
        const double norm = dense_norm(&rest);
        dense_multiply(&rest, -1, 'N', &qi, 'N', &r);
        for (int j = 0; j < s->n; j++)
            for (int p = j + 1; p < s->k; p++)
                if (r.x[j * s->k + p] != 0) expect(s, what, i, INFINITY);
        expect(s, what, i, dense_norm(&gram) / (s->m * eps));
        expect(s, what, i, dense_norm(&rest) / (norm * max(s->m, s->n) * eps));
        dense_free(&qi), dense_free(&packed), dense_free(&r), dense_free(&gram), dense_free(&rest);
    }
}

static void form_q(scene *s, device_batch *q) {
    for (int i = 0; i < s->count; i++) {
        dense packed = batch_get(&s->packed, i);
        packed.n = s->k;
        batch_set(q, i, &packed);
        dense_free(&packed);
    }
    batch_upload(q);
    ran(s, "orgqr", s->f->orgqr(q, &s->tau));
    check_factors(s, "orgqr", q, &s->packed);
}

static void explicit_qr(scene *s) {
    device_batch q = batch_create(s->f->dtype, s->m, s->k, 2, s->count);
    device_batch r = batch_create(s->f->dtype, s->k, s->n, 1, s->count);
    ran(s, "qr", s->f->qr(&s->given, &q, &r));
    s->failed |= batch_download(&r, "qr, R");
    check_factors(s, "qr", &q, &r);
    batch_free(&q), batch_free(&r);
}

// Checks that Q^H A is R above zeros.
static void apply_left(scene *s) {
    device_batch c = batch_create(s->f->dtype, s->m, s->n, 1, s->count);
    set_all(&c, s->a);
    ran(s, "ormqr", s->f->ormqr(TEPHRA_SIDE_LEFT, TEPHRA_TRANS_C, &s->packed, &s->tau, &c));
    s->failed |= batch_download(&c, "ormqr");
    for (int i = 0; i < s->count; i++) {
        dense rest = batch_get(&c, i), r = batch_get(&s->packed, i);
        keep_triangle(&r, 1, 0);
        for (int e = 0; e < s->m * s->n; e++) rest.x[e] -= r.x[e];
        expect(s, "ormqr, left", i, dense_norm(&rest) / (dense_norm(&s->a[i]) * s->m * epsilon(s->f->dtype)));
        dense_free(&rest), dense_free(&r);
    }
    batch_free(&c);
}

// Checks that the first k columns of C Q equal C times the Q formed by orgqr.
static void apply_right(scene *s, const device_batch *q) {
    device_batch c = batch_create(s->f->dtype, 5, s->m, 1, s->count);
    dense *given = random_batch(s, &c);
    ran(s, "ormqr", s->f->ormqr(TEPHRA_SIDE_RIGHT, TEPHRA_TRANS_N, &s->packed, &s->tau, &c));
    s->failed |= batch_download(&c, "ormqr");
    for (int i = 0; i < s->count; i++) {
        dense rest = batch_get(&c, i), qi = batch_get(q, i);
        rest.n = s->k;
        dense_multiply(&rest, -1, 'N', &given[i], 'N', &qi);
        expect(s, "ormqr, right", i, dense_norm(&rest) / (dense_norm(&given[i]) * s->m * epsilon(s->f->dtype)));
        dense_free(&rest), dense_free(&qi);
    }
    free_dense(given, s->count);
    batch_free(&c);
}

// Checks the normal equations if there are more equations than unknowns, and otherwise the equations themselves.
// Residuals are relative to |A|, |X| and |B|, because a random square A may have any condition.
static void least_squares(scene *s, char op, int nrhs) {
    const int rows = op == 'N' ? s->m : s->n, unknowns = op == 'N' ? s->n : s->m;
    device_batch a = batch_create(s->f->dtype, s->m, s->n, 1, s->count);
    device_batch b = batch_create(s->f->dtype, max(s->m, s->n), nrhs, 1, s->count);
    set_all(&a, s->a);
    dense *given = random_batch(s, &b);
    int *info = NULL, *told = allocate(sizeof(int) * (size_t)s->count);
    if (tephra_malloc((void **)&info, sizeof(int) * (size_t)s->count) != 0) exit(1);
    ran(s, "gels", s->f->gels(op == 'N' ? TEPHRA_TRANS_N : TEPHRA_TRANS_C, &a, &b, info));
    if (tephra_memcpy(told, info, sizeof(int) * (size_t)s->count, NULL) != 0) exit(1);
    s->failed |= batch_download(&b, "gels");
    for (int i = 0; i < s->count; i++) {
        dense solution = batch_get(&b, i), x = dense_load('z', solution.x, unknowns, nrhs, solution.m);
        dense rest = dense_load('z', given[i].x, rows, nrhs, given[i].m);
        const double norm_a = dense_norm(&s->a[i]);
        double scale = norm_a * dense_norm(&x) + dense_norm(&rest), error;
        dense_multiply(&rest, -1, op, &s->a[i], 'N', &x);
        if (rows > unknowns) {
            dense gradient = dense_zeros(unknowns, nrhs);
            dense_multiply(&gradient, 1, op == 'N' ? 'C' : 'N', &s->a[i], 'N', &rest);
            error = dense_norm(&gradient) / norm_a;
            dense_free(&gradient);
        } else {
            error = dense_norm(&rest);
        }
        expect(s, "gels", i, told[i] ? INFINITY : error / (scale * max(s->m, s->n) * epsilon(s->f->dtype)));
        dense_free(&solution), dense_free(&x), dense_free(&rest);
    }
    tephra_free(info), free(told);
    free_dense(given, s->count);
    batch_free(&a), batch_free(&b);
}

// Tests solves with either triangle of geqrf's result: R, and the reflectors as a unit triangle.
static void triangular(scene *s, int upper, int left, char op, int nrhs) {
    device_batch b = batch_create(s->f->dtype, left ? s->k : nrhs, left ? nrhs : s->k, 1, s->count);
    dense *given = random_batch(s, &b);
    ran(s, "trsm",
        s->f->trsm(left ? TEPHRA_SIDE_LEFT : TEPHRA_SIDE_RIGHT, upper ? TEPHRA_UPLO_UPPER : TEPHRA_UPLO_LOWER,
                   op == 'N' ? TEPHRA_TRANS_N : TEPHRA_TRANS_C, upper ? TEPHRA_DIAG_NON_UNIT : TEPHRA_DIAG_UNIT,
                   &s->packed, &b));
    s->failed |= batch_download(&b, "trsm");
    for (int i = 0; i < s->count; i++) {
        dense packed = batch_get(&s->packed, i), t = dense_load('z', packed.x, s->k, s->k, packed.m),
              x = batch_get(&b, i);
        keep_triangle(&t, upper, !upper);
        dense rest = given[i];
        if (left)
            dense_multiply(&rest, -1, op, &t, 'N', &x);
        else
            dense_multiply(&rest, -1, 'N', &x, op, &t);
        expect(s, "trsm", i, dense_norm(&rest) / (dense_norm(&t) * dense_norm(&x) * s->k * epsilon(s->f->dtype)));
        dense_free(&packed), dense_free(&t), dense_free(&x);
    }
    free_dense(given, s->count);
    batch_free(&b);
}

static int run(const routines *f, int m, int n, int count) {
    scene s = {.f = f, .m = m, .n = n, .k = min(m, n), .count = count, .state = (uint64_t)(m * 1009 + n)};
    s.given = batch_create(f->dtype, m, n, 1, count);
    s.packed = batch_create(f->dtype, m, n, 3, count);
    s.tau = batch_create(f->dtype, s.k, 1, 0, count);
    s.a = random_batch(&s, &s.given);
    set_all(&s.packed, s.a);
    ran(&s, "geqrf", f->geqrf(&s.packed, &s.tau));
    s.failed |= batch_download(&s.packed, "geqrf");
    device_batch q = batch_create(f->dtype, m, s.k, 1, count);
    form_q(&s, &q);
    explicit_qr(&s);
    apply_left(&s);
    apply_right(&s, &q);
    for (int nrhs = 1; nrhs <= 10; nrhs += 9) {
        least_squares(&s, 'N', nrhs);
        least_squares(&s, 'C', nrhs);
        for (int form = 0; form < 8; form++) triangular(&s, form & 1, form & 2, form & 4 ? 'C' : 'N', nrhs);
    }
    // Many right-hand sides, for which single precision has a separate kernel.
    for (int form = 0; form < 8; form++) triangular(&s, form & 1, form & 2, form & 4 ? 'C' : 'N', 50);
    free_dense(s.a, count);
    batch_free(&s.given), batch_free(&s.packed), batch_free(&s.tau), batch_free(&q);
    return s.failed;
}

int main(void) {
    static const int shapes[][3] = {// m, n, batch
                                    {1, 1, 3},   {8, 8, 9},   {5, 9, 6},   {33, 20, 5},  {20, 50, 2},
                                    {32, 32, 5}, {70, 64, 2}, {130, 8, 2}, {100, 100, 2}};
    const routines *const all[] = {&s_routines, &d_routines, &c_routines, &z_routines};
    int failed = 0, cases = 0;
    for (int p = 0; p < 4; p++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++, cases++)
            failed += run(all[p], shapes[i][0], shapes[i][1], shapes[i][2]);
    printf(WHO ": %d of %d cases hold\n", cases - failed, cases);
    return failed != 0;
}
