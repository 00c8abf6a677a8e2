// Explicit Q and R in global memory, column by column, for matrices whose scaling the register kernels do not cover.
#pragma once
#include "../common/batch.cuh"
#include "../geqrf/columns.cuh"

namespace tephra {

// Overwrites k reflectors with the first n columns of Q. Source: LAPACK org2r.
template <typename T, typename Team>
__device__ __forceinline__ void org2r_columns(T *Q, long long ldq, const T *tau, long long m, long long n, long long k,
                                              Team team) {
    const int t = team.rank, warp = t / 32, lane = t % 32;
    for (long long e = t; e < m * (n - k); e += Team::threads)
        Q[(k + e / m) * ldq + e % m] = make<T>(e % m == k + e / m ? 1 : 0);
    for (long long j = k - 1; j >= 0; --j) {
        team.sync();
        T *v = Q + j * ldq;
        const T tau_j = tau[j];
        for (long long l = j + 1 + warp; l < n; l += Team::threads / 32) {
            T *y = Q + l * ldq; // rows up to j count as zero, whatever memory holds
            T dot = make<T>(0);
            for (long long r = j + 1 + lane; r < m; r += 32) dot = cfma_(v[r], y[r], dot);
            dot = mul(tau_j, lanes_sum<32>(dot));
            if (lane == 0) y[j] = scale(dot, Real<T>(-1));
            for (long long r = j + 1 + lane; r < m; r += 32) y[r] = fnma_(v[r], dot, y[r]);
        }
        team.sync();
        for (long long r = t; r < m; r += Team::threads)
            v[r] = r < j    ? make<T>(0)
                   : r == j ? add(make<T>(1), scale(tau_j, Real<T>(-1)))
                            : scale(mul(tau_j, v[r]), Real<T>(-1));
    }
    team.sync();
}

// Factors member i of QArgs and forms Q; tau is in memory of the caller's choice.
template <typename T, typename Team>
__device__ __noinline__ void qr_columns_call(const QArgs &args, long long i, T *tau, Team team) {
    const long long m = args.m, n = args.n, ldf = args.ldf;
    const T *A = member<T>(args.a, i);
    T *F = member<T>(args.f, i), *R = member<T>(args.r, i), *Q = args.columns > 0 ? member<T>(args.q, i) : nullptr;
    const int t = team.rank;
    if (A != F)
        for (long long e = t; e < m * n; e += Team::threads) F[e / m * ldf + e % m] = A[e / m * args.lda + e % m];
    team.sync();
    geqrf_columns(F, ldf, tau, m, n, team);
    team.sync();
    if (Q && Q != F)
        for (long long e = t; e < m * args.k; e += Team::threads) Q[e / m * args.ldq + e % m] = F[e / m * ldf + e % m];
    team.sync();
    for (long long e = t; e < args.rows * n; e += Team::threads) {
        const long long r = e % args.rows, j = e / args.rows;
        R[j * args.ldr + r] = r <= j ? F[j * ldf + r] : make<T>(0);
    }
    team.sync();
    if (Q) org2r_columns(Q, args.ldq, tau, m, args.columns, args.k, team);
}

} // namespace tephra
