// Q of squares that are too large for a warp's registers: one strip of columns at a time, as geqrf/strip.cuh factors
// them.
//
// Column j of Q is H_1 ... H_j e_j, so a strip needs the reflectors up to its own last column and nothing of the other
// strips: no step waits for another. W warps take the last W strips, then the W before them. A strip's columns
// overwrite reflectors that only strips computed before need, so each round has one barrier between its arithmetic and
// its stores, or none if W = 1.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/strip.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
struct StripQ : StripOf<T, PR, PC, RPT, CPT, STRIPS + 1>::Type { // also S of the last strip's reflectors
    using Base = typename StripOf<T, PR, PC, RPT, CPT, STRIPS + 1>::Type;
    using Base::a, Base::lane, Base::lr, Base::m, Base::exchange, Base::NB, Base::quarter, Base::rows, Base::step;
    static constexpr int most = STRIPS * NB; // columns
    const T *V;
    long long ldv;
    int k; // reflectors

    // tau: one per column, with zeros after the last reflector's.
    __device__ __forceinline__ StripQ(int m, const T *V_, long long ldv_, int k_, T *tau,
                                      typename Base::Exchange &exchange)
        : Base(m, 0, tau, exchange), V(V_), ldv(ldv_), k(k_) {
        this->clear_rest();
    }

    // Starts copies of reflectors k0 .. k0 + step - 1, some of which may not exist at the end.
    __device__ __forceinline__ void fetch(int k0) {
        if (k0 + step <= k) {
            Base::fetch(V, ldv, k0);
        } else {
            for (int i = k0 / quarter * quarter + lane; i < m; i += 32)
#pragma unroll
                for (int j = 0; j < step; ++j)
                    this->element(k0, j, i) =
                        i <= k0 + j || k0 + j >= k ? make<T>(i == k0 + j && k0 + j < k ? 1 : 0) : V[(k0 + j) * ldv + i];
            copies_sent(); // none
        }
    }

    // Applies the reflectors before `top`, of which the last group has been fetched, to the strip, from the last to the
    // first. first: this is the warp's first strip, for which it forms S.
    template <int BEGIN = (rows - 1) / quarter * quarter>
    __device__ __forceinline__ void apply_down(int top, bool first) {
#pragma unroll 1
        for (int k0 = (top < BEGIN + quarter ? top : BEGIN + quarter) - step; k0 >= BEGIN; k0 -= step) {
            if (k0 > 0)
                fetch(k0 - step);
            else
                copies_sent();
            this->arrive(k0);
            __syncwarp();
            if (first) {
                this->make_s(k0, this->tau + k0);
                this->turn_s(k0);
            }
            this->template apply<BEGIN, false>(k0);
            __syncwarp();
        }
        if constexpr (BEGIN > 0) apply_down<BEGIN - quarter>(top, first);
    }

    // Computes columns begin .. end - 1 of Q in registers. `end` is the number of columns or a multiple of `step`.
    __device__ __forceinline__ void generate(int begin, int end, bool first) {
        const int last = end < k ? end : k, top = (last + step - 1) / step * step;
        if (top > 0) fetch(top - step);
#pragma unroll
        for (int c = 0; c < CPT; ++c)
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = make<T>(begin + this->col(c) == this->row(r) ? 1 : 0);
        apply_down(top, first);
    }
    __device__ __forceinline__ void store(T *Q, long long ldq, int begin, int end) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = begin + this->col(c);
            T *p = Q + j * ldq + lr;
            const int left = j < end ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < left) p[r * PR] = a[r][c];
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS, int W>
__device__ __forceinline__ void q_strip(const QArgs &args) {
    using K = StripQ<T, PR, PC, RPT, CPT, STRIPS>;
    __shared__ typename K::Base::Exchange exchanges[W];
    __shared__ T taus[K::most];
    const int k = static_cast<int>(args.k), columns = static_cast<int>(args.columns), warp = threadIdx.x / 32;
    // The last strip begins at a multiple of `step`, so that all other strips end at one.
    const int last = columns > K::NB ? (columns - K::NB + K::step - 1) / K::step * K::step : 0;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.offset * (args.lda + 1);
        const T *tau = member<T>(args.tau, i) + args.offset;
        for (int j = threadIdx.x; j < K::most; j += 32 * W) taus[j] = j < k ? tau[j] : make<T>(0);
        __syncthreads();
        K q(static_cast<int>(args.m), A, args.lda, k, taus, exchanges[warp]);
        for (int round = last; round > -K::NB; round -= W * K::NB) {
            const int place = round - warp * K::NB, begin = place < 0 ? 0 : place;
            const int end = place == last ? columns : place + K::NB;
            if (end > 0) q.generate(begin, end, round == last);
            if (W > 1) __syncthreads(); // all have read the reflectors in these columns
            if (end > 0) q.store(A, args.lda, begin, end);
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_Q_STRIP(NAME, T, PR, PC, RPT, CPT, STRIPS, W, MIN_BLOCKS)                                               \
    TEPHRA_ENTRY(NAME, Instance(32 * W).lanes(PR, PC, RPT, CPT).strips(STRIPS, W).at_most_square(),                    \
                 __launch_bounds__(32 * W, MIN_BLOCKS), QArgs, q_strip<letter::T, PR, PC, RPT, CPT, STRIPS, W>)
