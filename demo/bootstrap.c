// How certain are a regression's coefficients? Computes bootstrap intervals by batched QR.
//
// Draws thousands of resamples (442 patients with replacement) of the diabetes data, factors all of them with
// tephra_dgeqrf_batched, and shows how much each least-squares coefficient varies. The response is the last column of
// each matrix, so that R's last column holds Q^T y, and back-substitution with R completes the fit.
// The same program runs on a GPU and on the CPU: it allocates with tephra_malloc and copies with tephra_memcpy.
//
//     bootstrap DATA.csv INTERVALS.svg [RESAMPLES]
#include "intervals_svg.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tephra.h>

enum {
    ROWS = 442,
    PREDICTORS = 10,
    COEFFICIENTS = PREDICTORS + 1, // the intercept comes first
    COLUMNS = COEFFICIENTS + 1,    // and y last
    BATCH = 1000,
};

// The patients. Predictors are scaled to mean 0 and standard deviation 1, so that a coefficient is the effect of one
// standard deviation.
typedef struct {
    double x[ROWS][PREDICTORS];
    double y[ROWS];
} data_set;

static const char *const names[COEFFICIENTS] = {"intercept", "age", "sex", "bmi", "bp", "tc",
                                                "ldl",       "hdl", "tch", "ltg", "glu"};

// Least-squares coefficients for all 442 patients as shown in scikit-learn's documentation and R's lars package. The
// data's authors scale predictors to length 1, so these are our coefficients times sqrt(442).
static const double published[PREDICTORS] = {-10.0099, -239.8156, 519.8459, 324.3846, -792.1756,
                                             476.7390, 101.0433,  177.0632, 751.2737, 67.6267};

static void fail(const char *what) {
    fprintf(stderr, "bootstrap: %s\n", what);
    exit(1);
}

static void check(tephra_status status, const char *call) {
    if (status != 0) {
        fprintf(stderr, "bootstrap: %s: status %d, %s\n", call, (int)status, tephra_last_error());
        exit(1);
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the data

static void read_data(const char *path, data_set *d) {
    FILE *f = fopen(path, "r");
    if (!f) fail("cannot open the data");
    char line[512];
    int row = -1; // the header line
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (row >= ROWS) fail("too many rows");
        char *s = line;
        for (int j = 0; row >= 0 && j <= PREDICTORS; j++) {
            char *end;
            *(j < PREDICTORS ? &d->x[row][j] : &d->y[row]) = strtod(s, &end);
            if (end == s) fail("a field is not a number");
            s = end + 1;
        }
        row++;
    }
    fclose(f);
    if (row != ROWS) fail("rows are missing");
}

static void standardise(data_set *d) {
    for (int j = 0; j < PREDICTORS; j++) {
        double mean = 0, square = 0;
        for (int i = 0; i < ROWS; i++) mean += d->x[i][j] / ROWS;
        for (int i = 0; i < ROWS; i++) square += (d->x[i][j] - mean) * (d->x[i][j] - mean) / ROWS;
        for (int i = 0; i < ROWS; i++) d->x[i][j] = (d->x[i][j] - mean) / sqrt(square);
    }
}

// Fills a column-major matrix [1 | x | y] for the chosen patients.
static void fill_matrix(const data_set *d, const int *patients, double *a) {
    for (int i = 0; i < ROWS; i++) {
        a[i] = 1;
        for (int j = 0; j < PREDICTORS; j++) a[(1 + j) * ROWS + i] = d->x[patients[i]][j];
        a[COEFFICIENTS * ROWS + i] = d->y[patients[i]];
    }
}

// SplitMix64, which gives the same resamples on every machine.
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// ---- two ways to compute the coefficients

// From a factored matrix: solves R b = Q^T y.
static void coefficients_by_qr(const double *r, double *b) {
    for (int i = COEFFICIENTS - 1; i >= 0; i--) {
        b[i] = r[COEFFICIENTS * ROWS + i];
        for (int j = i + 1; j < COEFFICIENTS; j++) b[i] -= r[j * ROWS + i] * b[j];
        b[i] /= r[i * ROWS + i];
    }
}

// From the matrix itself, without QR: solves X^T X b = X^T y by Cholesky, as a check. Standardised columns are well
// enough conditioned for that.
static void coefficients_by_normal_equations(const double *a, double *b) {
    double l[COLUMNS][COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < ROWS; k++) sum += a[i * ROWS + k] * a[j * ROWS + k];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    // The last row of the factor is L^-1 X^T y.
    for (int i = COEFFICIENTS - 1; i >= 0; i--) {
        b[i] = l[COEFFICIENTS][i];
        for (int j = i + 1; j < COEFFICIENTS; j++) b[i] -= l[j][i] * b[j];
        b[i] /= l[i][i];
    }
}

// The largest difference between two coefficient vectors, relative to the largest coefficient.
static double difference(const double *b, const double *c) {
    double worst = 0, scale = 0;
    for (int j = 0; j < COEFFICIENTS; j++) {
        if (!(fabs(b[j] - c[j]) <= worst)) worst = fabs(b[j] - c[j]); // a NaN counts as the worst
        scale = fmax(scale, fabs(c[j]));
    }
    return worst / scale;
}

// max_j |x_j . (y - X b)| / (|x_j| |y|), which is zero if b minimises the residual.
static double residual_angle(const data_set *d, const double *b) {
    double dots[COEFFICIENTS] = {0}, yy = 0, worst = 0;
    for (int i = 0; i < ROWS; i++) {
        double residual = d->y[i] - b[0];
        for (int j = 0; j < PREDICTORS; j++) residual -= d->x[i][j] * b[1 + j];
        dots[0] += residual;
        for (int j = 0; j < PREDICTORS; j++) dots[1 + j] += d->x[i][j] * residual;
        yy += d->y[i] * d->y[i];
    }
    for (int j = 0; j < COEFFICIENTS; j++) worst = fmax(worst, fabs(dots[j]) / sqrt(ROWS * yy));
    return worst;
}

// ---- batches of matrices, factored by the library

// Buffers for BATCH matrices in host memory and in the backend's memory, and the arrays of pointers to them.
typedef struct {
    double *host, *a, *tau;
    double **a_array, **tau_array;
    void *stream;
} batch;

static batch batch_create(void) {
    const size_t matrix = sizeof(double) * ROWS * COLUMNS, pointers = sizeof(double *) * BATCH;
    batch b;
    b.host = malloc(BATCH * matrix);
    double **list = malloc(pointers);
    if (!b.host || !list) fail("out of memory");
    check(tephra_malloc((void **)&b.a, BATCH * matrix), "tephra_malloc");
    check(tephra_malloc((void **)&b.tau, BATCH * sizeof(double) * COLUMNS), "tephra_malloc");
    check(tephra_malloc((void **)&b.a_array, pointers), "tephra_malloc");
    check(tephra_malloc((void **)&b.tau_array, pointers), "tephra_malloc");
    check(tephra_stream_create(&b.stream), "tephra_stream_create");
    for (int i = 0; i < BATCH; i++) list[i] = b.a + (size_t)i * ROWS * COLUMNS;
    check(tephra_memcpy(b.a_array, list, pointers, b.stream), "tephra_memcpy");
    for (int i = 0; i < BATCH; i++) list[i] = b.tau + (size_t)i * COLUMNS;
    check(tephra_memcpy(b.tau_array, list, pointers, b.stream), "tephra_memcpy");
    free(list);
    return b;
}

static void batch_destroy(batch *b) {
    check(tephra_stream_destroy(b->stream), "tephra_stream_destroy");
    check(tephra_free(b->tau_array), "tephra_free");
    check(tephra_free(b->a_array), "tephra_free");
    check(tephra_free(b->tau), "tephra_free");
    check(tephra_free(b->a), "tephra_free");
    free(b->host);
}

// Factors the first `count` matrices of b->host in place. Returns the time of the factorisation in seconds.
static double batch_factor(batch *b, int count) {
    const size_t bytes = (size_t)count * sizeof(double) * ROWS * COLUMNS;
    check(tephra_memcpy(b->a, b->host, bytes, b->stream), "tephra_memcpy");
    const double start = seconds();
    check(tephra_dgeqrf_batched(ROWS, COLUMNS, b->a_array, ROWS, b->tau_array, count, NULL, 0, b->stream),
          "tephra_dgeqrf_batched");
    check(tephra_stream_synchronize(b->stream), "tephra_stream_synchronize");
    const double taken = seconds() - start;
    check(tephra_memcpy(b->host, b->a, bytes, b->stream), "tephra_memcpy");
    return taken;
}

// ---- the study

// Fits all patients by least squares, and checks the result in three ways.
static void fit_all(batch *work, const data_set *d, double *b) {
    int everyone[ROWS];
    double reference[COEFFICIENTS], off = 0;
    for (int i = 0; i < ROWS; i++) everyone[i] = i;
    fill_matrix(d, everyone, work->host);
    coefficients_by_normal_equations(work->host, reference);
    batch_factor(work, 1);
    coefficients_by_qr(work->host, b);
    for (int j = 0; j < PREDICTORS; j++) off = fmax(off, fabs(b[1 + j] * sqrt(ROWS) - published[j]));
    printf("All %d patients: QR and normal equations differ by %.1e, the residual is orthogonal to %.1e,\n"
           "and the published coefficients are met to %.1e of up to 800.\n",
           ROWS, difference(b, reference), residual_angle(d, b), off);
    if (!(difference(b, reference) < 1e-9)) fail("QR disagrees with the normal equations");
    if (!(residual_angle(d, b) < 1e-13)) fail("the residual is not orthogonal to the predictors");
    if (!(off < 1e-3)) fail("the published coefficients are not met");
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    const int resamples = argc > 3 ? atoi(argv[3]) : 10000;
    if (argc < 3 || resamples < 100) fail("usage: bootstrap DATA.csv INTERVALS.svg [RESAMPLES >= 100]");
    static data_set data;
    read_data(argv[1], &data);
    standardise(&data);
    int backend = 0;
    check(tephra_get_backend(&backend), "tephra_get_backend");
    batch work = batch_create();
    double full[COEFFICIENTS];
    fit_all(&work, &data, full);

    // samples[j] holds coefficient j of every resample.
    double *samples[COEFFICIENTS], worst = 0, total = 0, slowest = 0;
    for (int j = 0; j < COEFFICIENTS; j++) samples[j] = malloc(sizeof(double) * (size_t)resamples);
    double(*reference)[COEFFICIENTS] = malloc(sizeof(double[BATCH][COEFFICIENTS]));
    if (!samples[COEFFICIENTS - 1] || !reference) fail("out of memory");
    uint64_t random = 2004;
    int batches = 0;
    for (int done = 0; done < resamples; done += BATCH, batches++) {
        const int count = resamples - done < BATCH ? resamples - done : BATCH;
        for (int k = 0; k < count; k++) {
            int patients[ROWS];
            for (int i = 0; i < ROWS; i++) patients[i] = (int)(next_random(&random) % ROWS);
            double *a = work.host + (size_t)k * ROWS * COLUMNS;
            fill_matrix(&data, patients, a);
            coefficients_by_normal_equations(a, reference[k]);
        }
        const double taken = batch_factor(&work, count);
        total += taken;
        slowest = fmax(slowest, taken);
        for (int k = 0; k < count; k++) {
            double b[COEFFICIENTS];
            coefficients_by_qr(work.host + (size_t)k * ROWS * COLUMNS, b);
            const double off = difference(b, reference[k]);
            if (!(off <= worst)) worst = off;
            for (int j = 0; j < COEFFICIENTS; j++) samples[j][done + k] = b[j];
        }
    }
    batch_destroy(&work);
    free(reference);
    if (!(worst < 1e-8)) fail("a resample's QR disagrees with its normal equations");

    printf("%d resamples in %d batches on the %s backend: %.2f ms a batch of %d x %d x %d (slowest %.2f ms),\n"
           "each checked against its normal equations (worst difference %.1e).\n\n",
           resamples, batches, backend == TEPHRA_BACKEND_CUDA ? "CUDA" : "CPU", 1e3 * total / batches, BATCH, ROWS,
           COLUMNS, 1e3 * slowest, worst);

    interval rows[COEFFICIENTS];
    printf("Effect of one standard deviation on disease progression:\n%-10s %9s %9s %22s\n", "", "all data", "mean",
           "95 % interval");
    for (int j = 0; j < COEFFICIENTS; j++) {
        qsort(samples[j], (size_t)resamples, sizeof(double), ascending);
        double mean = 0, square = 0;
        for (int k = 0; k < resamples; k++) mean += samples[j][k] / resamples;
        for (int k = 0; k < resamples; k++) square += (samples[j][k] - mean) * (samples[j][k] - mean) / resamples;
        rows[j] =
            (interval){names[j],   mean,     samples[j][(int)(0.025 * resamples)], samples[j][(int)(0.975 * resamples)],
                       samples[j], resamples};
        printf("%-10s %9.3f %9.3f      [%7.3f, %7.3f]%s\n", names[j], full[j], mean, rows[j].low, rows[j].high,
               rows[j].low > 0 || rows[j].high < 0 ? "  *" : "");
        // The bootstrap's mean differs from the estimate by its bias and by chance, both small compared with its
        // spread.
        if (!(fabs(mean - full[j]) < 0.3 * sqrt(square))) fail("the bootstrap is not centred on the estimate");
    }
    // The intercept is only in the table: it is so far from the others that it would compress their scale.
    char subtitle[128];
    snprintf(subtitle, sizeof subtitle, "%d patients, %d bootstrap resamples, one QR factorisation each", ROWS,
             resamples);
    if (intervals_svg(argv[2], "What moves diabetes progression?", subtitle,
                      "effect of one standard deviation on the progression score", rows + 1, PREDICTORS) != 0)
        fail("cannot write the drawing");
    printf("\n* zero lies outside. Drawing: %s\n", argv[2]);
    for (int j = 0; j < COEFFICIENTS; j++) free(samples[j]);
    return 0;
}
