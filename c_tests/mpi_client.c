// QR and least squares of a tall matrix whose rows are distributed over MPI processes: mpirun -n 4 mpi_client
//
// With the argument "unlike", one process computes as if it had an older processor.
#include "dense.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tephra.h>

enum { N = 24, NRHS = 2 };

static int rank, size;

// Messages are smaller than 2^31 bytes here; a program with larger ones would use a larger MPI type.
static int gather(const void *send, void *receive, size_t bytes, void *user) {
    return MPI_Allgather(send, (int)bytes, MPI_BYTE, receive, (int)bytes, MPI_BYTE, *(MPI_Comm *)user);
}
static int broadcast(void *buffer, size_t bytes, int root, void *user) {
    return MPI_Bcast(buffer, (int)bytes, MPI_BYTE, root, *(MPI_Comm *)user);
}

static void check(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "mpi client: rank %d: %s: %s\n", rank, what, tephra_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// The sum of X^T Y over all ranks, where the local X and Y are m x n.
static void gram(int m, int n, const double *x, const double *y, double *sum) {
    double mine[N * N] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < m; l++) mine[j * n + i] += x[i * m + l] * y[j * m + l];
    MPI_Allreduce(mine, sum, n * n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static double *random_matrix(int m, int n, uint64_t *state) {
    double *a = allocate(sizeof *a * (size_t)(m > 0 ? m : 1) * (size_t)n);
    for (int i = 0; i < m * n; i++) a[i] = uniform(state);
    return a;
}

static void explicit_q(tephra_comm *comm, int m) {
    uint64_t state = 17 + (uint64_t)rank;
    const int64_t ld = m > 0 ? m : 1;
    double *a = random_matrix(m, N, &state), *q = random_matrix(m, N, &state), r[N * N], norm[N * N], of_q[N * N];
    double *kept = allocate(sizeof *kept * (size_t)ld * N);
    memcpy(kept, a, sizeof *a * (size_t)m * N);
    check(tephra_dqr_distributed(comm, TEPHRA_Q_THIN, m, N, a, ld, q, ld, r, N, NULL) == 0, "QR");
    double error = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < N; j++) {
            double sum = -kept[j * m + i];
            for (int l = 0; l <= j; l++) sum += q[l * m + i] * r[j * N + l];
            error = fmax(error, fabs(sum));
        }
    check(error < 1e-13, "A is not Q R");
    gram(m, N, q, q, of_q);
    for (int i = 0; i < N * N; i++) check(fabs(of_q[i] - (i % (N + 1) == 0)) < 1e-13, "Q is not orthogonal");
    gram(m, N, kept, kept, norm);
    check(fabs(r[0] * r[0] - norm[0]) < 1e-10 * norm[0], "R is not that of all rows");
    double first[N * N];
    memcpy(first, r, sizeof r);
    MPI_Bcast(first, N * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    check(memcmp(first, r, sizeof r) == 0, "ranks have different R");
    free(a), free(q), free(kept);
}

static void least_squares(tephra_comm *comm, int m) {
    uint64_t state = 170 + (uint64_t)rank;
    const int64_t ld = m > 0 ? m : 1;
    double *a = random_matrix(m, N, &state), *b = random_matrix(m, NRHS, &state), x[N * NRHS];
    double *kept = allocate(sizeof *kept * (size_t)ld * N);
    memcpy(kept, a, sizeof *a * (size_t)m * N);
    // B = A X with X(i,j) = i - 3 j.
    for (int j = 0; j < NRHS; j++)
        for (int i = 0; i < m; i++) {
            b[j * m + i] = 0;
            for (int l = 0; l < N; l++) b[j * m + i] += kept[l * m + i] * (l - 3 * j);
        }
    int info = -1;
    check(tephra_dgels_distributed(comm, m, N, NRHS, a, ld, b, ld, x, N, &info, NULL) == 0 && info == 0,
          "least squares");
    for (int j = 0; j < NRHS; j++)
        for (int l = 0; l < N; l++) check(fabs(x[j * N + l] - (l - 3 * j)) < 1e-11, "X");
    free(a), free(b), free(kept);
}

// If one process passes different sizes or an invalid argument, all processes get an error and can continue.
static void failures(tephra_comm *comm) {
    double a[40 * N] = {0}, r[N * N];
    tephra_status status =
        tephra_dqr_distributed(comm, TEPHRA_Q_NONE, 40, N - (rank == size - 1), a, 40, NULL, 40, r, N, NULL);
    check(status == (size == 1 ? 0 : TEPHRA_STATUS_COMMUNICATION_ERROR), "other sizes on one rank");
    status = tephra_dqr_distributed(comm, TEPHRA_Q_NONE, 40, N, a, rank == 0 ? 39 : 40, NULL, 40, r, N, NULL);
    check(status == (rank == 0 ? -6 : TEPHRA_STATUS_COMMUNICATION_ERROR), "a bad argument on one rank");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    if (argc > 1 && strcmp(argv[1], "unlike") == 0)
        check(rank != size - 1 || setenv("TEPHRA_SIMD", "baseline", 1) == 0, "environment");
    tephra_comm *comm;
    check(tephra_comm_create(rank, size, gather, broadcast, &world, &comm) == 0, "communicator");
    const int rows[][4] = {{100, 50, 70, 30}, {1000, 0, 3, 24}, {5, 9, 10, 11}, {0, 0, 0, 400}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (size == 1 && rows[i][0] < N) continue;
        explicit_q(comm, rows[i][rank % 4]);
        least_squares(comm, rows[i][rank % 4]);
        failures(comm);
    }
    check(tephra_comm_destroy(comm) == 0, "end");
    MPI_Barrier(world);
    if (rank == 0) printf("mpi client: %d ranks, all good\n", size);
    MPI_Finalize();
    return 0;
}
