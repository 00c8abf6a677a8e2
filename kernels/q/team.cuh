// Q of tall matrices, or of those that several warps hold: as WarpQ's backward walk, but with streamed reflectors.
//
// All reflectors are known from the start, so no warp waits for another: each has its own columns and reads V, which
// the multiprocessor's L1 cache holds for the others, one reflector ahead of its use. One barrier is needed before Q
// overwrites V.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/tile.cuh"
#include "back.cuh"

namespace tephra {

// KEEP: 0: a step reads its reflector twice; 1: it keeps it in registers between its uses; 2: it also fetches it one
// step ahead. q_team adds 4 to prefetch all reflectors into the L2 cache at the start.
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, int KEEP>
struct TeamQ : Tile<T_, PR_, PC_, RPT_, CPT_, W_> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_>;
    using Base::a, Base::CPT, Base::lr, Base::m, Base::PR, Base::RPT;
    using typename Base::T;
    const T *V, *tau;
    long long ldv;
    T next[KEEP == 2 ? RPT : 1], next_tau;

    __device__ __forceinline__ TeamQ(int m, int columns, const T *V_, long long ldv_, const T *tau_, int k)
        : Base(m, columns), V(V_), tau(tau_), ldv(ldv_) {
#pragma unroll
        for (int c = 0; c < CPT; ++c)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = make<T>(this->col(c) >= k && this->col(c) == this->row(r) ? 1 : 0);
        if (k > 0) fetch<0, RPT>(k - 1);
    }
    // Register row r of reflector k, whose pivot is in register row r0 or above.
    template <int r0>
    __device__ __forceinline__ T element(int k, int r) const {
        const int i = this->row(r);
        const bool below = (r > r0 || i > k) && i < m;
        return below ? V[k * ldv + i] : make<T>(i == k ? 1 : 0);
    }
    // Fetches tau and, if KEEP is 2, reflector k from register row `from` on.
    template <int from, int r0>
    __device__ __forceinline__ void fetch(int k) {
        next_tau = tau[k];
        if constexpr (KEEP == 2)
#pragma unroll
            for (int r = from; r < RPT; ++r) next[r] = element<r0>(k, r);
    }

    template <int c, int r0>
    __device__ __forceinline__ void step_back(int k) {
        constexpr int N = CPT - c; // columns of a lane that this reflector changes
        T v[KEEP ? RPT : 1], dot[N], x[N];
        const T tau_k = next_tau;
        if constexpr (KEEP > 0)
#pragma unroll
            for (int r = r0; r < RPT; ++r) v[r] = KEEP == 2 ? next[KEEP == 2 ? r : 0] : element<r0>(k, r);
        if (k > 0) fetch<(r0 > 0 ? r0 - 1 : 0), r0>(k - 1); // its pivot may be one register row higher
#pragma unroll
        for (int j = 0; j < N; ++j) dot[j] = make<T>(0);
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T e = KEEP ? v[KEEP ? r : 0] : element<r0>(k, r);
            if (this->owns(c, k)) a[r][c] = make<T>(r == r0 && this->row(r) == k ? 1 : 0);
#pragma unroll
            for (int j = 0; j < N; ++j) dot[j] = cfma_(e, a[r][c + j], dot[j]);
        }
        if constexpr (sums_together<T, PR, CPT>) {
            sums_times<PR>(tau_k, dot, x, this->lane);
        } else {
#pragma unroll
            for (int j = 0; j < N; ++j) x[j] = mul(tau_k, lanes_sum<PR>(dot[j]));
        }
        if (this->col(c) < k) x[0] = make<T>(0); // the column is still a reflector
        if constexpr (KEEP == 0) keep_order();   // do not keep v alive
#pragma unroll
        for (int r = r0; r < RPT; ++r) {
            const T e = KEEP ? v[KEEP ? r : 0] : element<r0>(k, r);
#pragma unroll
            for (int j = 0; j < N; ++j) a[r][c + j] = fnma_(e, x[j], a[r][c + j]);
        }
    }
    __device__ __forceinline__ void store(T *Q, long long ldq, int columns) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T *p = Q + this->col(c) * ldq + lr;
            const int left = this->col(c) < columns ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < left) p[r * PR] = a[r][c];
        }
    }
};

// Prefetches k columns of m rows into the L2 cache. Not for all instances: with these loops in front, the code of some
// becomes half as large again, and slower.
template <int W, typename T>
__device__ __forceinline__ void prefetch_columns(const T *V, long long ldv, int m, int k) {
    constexpr int line = 128 / sizeof(T);
    for (int j = threadIdx.x / 32; j < k; j += W)
        for (int r = threadIdx.x % 32 * line; r < m; r += 32 * line) prefetch(V + j * ldv + r);
}

template <typename T, int PR, int PC, int RPT, int CPT, int W, int KEEP>
__device__ __forceinline__ void q_team(const QArgs &args) {
    using K = TeamQ<T, PR, PC, RPT, CPT, W, KEEP & 3>;
    const int k = static_cast<int>(args.k), columns = static_cast<int>(args.columns);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.offset * (args.lda + 1);
        if constexpr (KEEP & 4) prefetch_columns<W>(A, args.lda, static_cast<int>(args.m), k);
        K q(static_cast<int>(args.m), columns, A, args.lda, member<T>(args.tau, i) + args.offset, k);
        walk_back(q, k);
        __syncthreads(); // all have read V
        q.store(A, args.lda, columns);
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_Q_TEAM(NAME, T, PR, PC, RPT, CPT, W, KEEP, MIN_BLOCKS)                                                  \
    TEPHRA_ENTRY(NAME, Instance(32 * W).lanes(PR, PC, RPT, CPT, W), __launch_bounds__(32 * W, MIN_BLOCKS), QArgs,      \
                 q_team<letter::T, PR, PC, RPT, CPT, W, KEEP>)
