// QR with column pivoting of few large matrices in global memory, with two launches per column. The first has one block
// per matrix, which moves the next column to its place and makes its reflector. The second has one block for each
// column to the right, which applies the reflector and updates the column's norm. The launches are for the largest
// member; others have no more to do after their last step. Source: LAPACK laqp2.
#pragma once
#include "../common/instance.cuh"
#include "columns.cuh"

namespace tephra {

// The number of columns that the caller has chosen, which is stored after the member's norms.
template <typename T>
__device__ __forceinline__ int &columns_chosen(const Geqp3Args &args, long long i) {
    return *reinterpret_cast<int *>(reinterpret_cast<Real<T> *>(member<T>(args.norms, i)) + 2 * args.n);
}

// The sum over a team's threads, of real or complex numbers.
template <typename T, typename Team>
__device__ __forceinline__ T team_sum(const Team &team, T x) {
    if constexpr (sizeof(T) == sizeof(Real<T>)) {
        return team.sum(x);
    } else {
        const auto real = team.sum(re(x));
        return make<T>(real, team.sum(im(x)));
    }
}

template <typename T, int THREADS>
__device__ __forceinline__ void geqp3_pivot(const Geqp3Args &args) {
    using R = Real<T>;
    constexpr int W = THREADS / 32;
    __shared__ R scratch[32];
    __shared__ Offer<R> offers[W];
    const BlockTeam<THREADS, R, false> team(scratch);
    const int t = threadIdx.x, k = static_cast<int>(args.step);
    const long long i = blockIdx.x;
    const auto own = args.of(i, k < 0);
    const int m = own.m, n = own.n;
    if (m == 0 || k >= (m < n ? m : n)) return;
    const long long lda = own.lda;
    T *const A = member<T>(args.a, i), *const tau = member<T>(args.tau, i);
    int *const jpvt = member<int>(args.jpvt, i);
    R *const norm = reinterpret_cast<R *>(member<T>(args.norms, i)), *const whole = norm + n;
    if (k < 0) {
        const int fixed = chosen_first<THREADS>(A, lda, jpvt, m, n);
        if (t == 0) {
            columns_chosen<T>(args, i) = fixed;
            if (args.info) args.info[i] = 0;
        }
        return;
    }
    if (k >= columns_chosen<T>(args, i)) {
        const int p = largest_column<THREADS>(norm, k, n, offers);
        if (p != k) {
            exchange_columns<THREADS>(A, lda, k, p, m);
            if (t == 0) {
                norm[p] = norm[k], whole[p] = whole[k];
                const int before = jpvt[k];
                jpvt[k] = jpvt[p], jpvt[p] = before;
            }
        }
        __syncthreads();
    }
    geqrf_columns(A + k * (lda + 1), lda, tau + k, m - k, 1, team);
}

template <typename T, int THREADS>
__device__ __forceinline__ void geqp3_apply(const Geqp3Args &args) {
    using R = Real<T>;
    __shared__ R scratch[32];
    __shared__ bool summed;
    const BlockTeam<THREADS, R, false> team(scratch);
    const int t = threadIdx.x, k = static_cast<int>(args.step), right = args.n - (k + 1);
    const long long i = blockIdx.x / right;
    const int j = k + 1 + static_cast<int>(blockIdx.x % right);
    const auto own = args.of(i, false);
    const int m = own.m, n = own.n;
    if (m == 0 || j >= n || k >= m) return; // j < n implies k < n
    const long long lda = own.lda;
    const int fixed = columns_chosen<T>(args, i);
    T *const A = member<T>(args.a, i), *const y = A + j * lda;
    R *const norm = reinterpret_cast<R *>(member<T>(args.norms, i)), *const whole = norm + n;
    if (k >= 0) {
        const T *const v = A + k * lda;
        T dot = t == 0 ? y[k] : make<T>(0);
        for (int r = k + 1 + t; r < m; r += THREADS) dot = cfma_(v[r], y[r], dot);
        dot = mul(conj(member<T>(args.tau, i)[k]), team_sum(team, dot));
        for (int r = k + 1 + t; r < m; r += THREADS) y[r] = fnma_(v[r], dot, y[r]);
        if (t == 0) y[k] = add(y[k], scale(dot, R(-1)));
    }
    if (k + 1 < fixed || k + 1 >= m) return; // norms are not needed yet, or no longer
    if (t == 0) {
        bool again = k + 1 == fixed;
        if (!again) {
            R left = norm[j];
            again = downdate(left, whole[j], re(y[k]), im(y[k]));
            norm[j] = left;
        }
        summed = again;
    }
    __syncthreads();
    if (!summed) return;
    const R x = column_norm(y, k + 1, m, team);
    if (t == 0) norm[j] = whole[j] = x;
}

} // namespace tephra

#define TEPHRA_GEQP3_PIVOT(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, Geqp3Args, geqp3_pivot)
#define TEPHRA_GEQP3_APPLY(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, Geqp3Args, geqp3_apply)
