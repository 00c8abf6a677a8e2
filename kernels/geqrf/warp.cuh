// QR of one or several small matrices in the registers of a warp or a part of it. Here the rows of a column are spread
// over lanes, which communicate by shuffles alone, without shared memory or barriers; in lane.cuh a lane holds whole
// columns.
//
// A step: all lanes of the matrix receive the pivot column, make the same reflector from it, and apply it to their own
// columns; dots are summed over the lanes of a row group. Source: LAPACK geqr2/larfg.
#pragma once
#include "columns.cuh"
#include "lane.cuh"
#include "outside.cuh"
#include "tile.cuh"

#include <type_traits>

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_>
struct WarpQr : Tile<T_, PR_, PC_, RPT_, CPT_, 1> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, 1>;
    using Base::a, Base::CPT, Base::factor, Base::lane, Base::lanes, Base::lc, Base::lr, Base::PC, Base::PR, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    using Range = SafeRange<R>;
    static constexpr int shared = 1;          // elements per warp; none is used
    static constexpr bool outside = PC_ == 1; // whether A may be read from, and R written to, elsewhere
    static __device__ __forceinline__ long long own(int, long long) { return 0; }
    static __device__ __forceinline__ void begin() {}
    static constexpr bool tau_first = true; // else `store` gets it
    T *tau;

    __device__ __forceinline__ WarpQr(int m, int n, T *tau_, T *) : Base(m, n), tau(tau_) {}

    using Base::load;
    template <typename Scales>
    __device__ __forceinline__ void load(const T *A, long long lda, Scales &scales, unsigned char &any) {
        load(A, lda);
        scale_columns(*this, scales, any);
    }

    template <int c, int r0>
    __device__ __forceinline__ void step(int k) {
        const int owner = k - c * PC, kr = k % PR; // lane column and row of the pivot
        const int source = (lane & ~(lanes - 1)) + owner * PR;
        const bool mine = PC == 1 || lc == owner;
        T v[RPT];
#pragma unroll
        for (int r = r0; r < RPT; ++r) v[r] = PC == 1 ? a[r][c] : shfl(a[r][c], source + lr);
        const T alpha = lanes == 1 ? v[r0] : shfl(a[r0][c], source + kr);
        R sum = lr > kr ? abs2_add(v[r0], R(0)) : R(0);
#pragma unroll
        for (int r = r0 + 1; r < RPT; ++r) sum = abs2_add(v[r], sum);
        sum = lanes_sum<PR>(sum);
        const Reflector<T> h = this->reflector(alpha, sum);
        v[r0] = lr > kr ? mul(v[r0], h.factor) : make<T>(lr == kr ? 1 : 0);
#pragma unroll
        for (int r = r0 + 1; r < RPT; ++r) v[r] = mul(v[r], h.factor);
        if (mine) factor[c] = h.factor;
        if (mine && lr == kr) a[r0][c] = make<T>(h.beta);
        if (mine && lr == 0 && tau) tau[k] = h.tau;
        const T tau_h = conj(h.tau);
#pragma unroll
        for (int j = PC == 1 ? c + 1 : c; j < CPT; ++j) {
            constexpr int chains = Base::chains_of(CPT - c, RPT - r0);
            T dot[chains];
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s] = make<T>(0);
#pragma unroll
            for (int r = r0; r < RPT; ++r) dot[r % chains] = cfma_(v[r], a[r][j], dot[r % chains]);
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0] = add(dot[0], dot[s]);
            // Finished columns are updated with zero. If they hold values that are not finite, the matrix fails the
            // range check anyway.
            const T x = mul(j > c || lc > owner ? tau_h : make<T>(0), lanes_sum<PR>(dot[0]));
#pragma unroll
            for (int r = r0; r < RPT; ++r) a[r][j] = fnma_(v[r], x, a[r][j]);
        }
    }

    // Whether the short formulas failed for a column of this lane.
    __device__ __forceinline__ bool failed() const {
        const bool lost = this->lost(); // all lanes take part
        return lost || !this->template ok<Range>();
    }
    __device__ __forceinline__ void store(T *A, long long lda, T *, bool ok) const {
        if (!ok) return;
        Base::store(A, lda);
        // The reflector of a real matrix's last row.
        if (this->k_end < this->m && this->m <= this->n && lane % lanes == 0) tau[this->m - 1] = make<T>(0);
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int TEAMS, int REGISTERS>
__device__ __forceinline__ void geqrf_warp(const GeqrfArgs &args) {
    using K = std::conditional_t<PR == 1, LaneQr<T, PC, RPT, CPT, REGISTERS>, WarpQr<T, PR, PC, RPT, CPT>>;
    alignas(16) __shared__ T cells[TEAMS][K::shared];
    __shared__ ColumnScales<K::max_n> all_scales[TEAMS][K::mats];
    auto &scales = all_scales[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, rank = lane % K::lanes;
    const long long wave = blockIdx.x * (long long)TEAMS + threadIdx.x / 32;
    const long long first = wave * K::mats, i = first + lane / K::lanes;
    const bool live = i < args.batch;
    const int m = args.m, n = args.n;
    long long own = K::own(lane, args.lda);
    if (K::own(1, 1) != 0) forget(own); // now, while the pointer loads
    const auto matrix = [&] { return live ? args.matrix<T>(i) + own : nullptr; };
    const auto scalars = [&] { return live ? args.taus<T>(i) : nullptr; };
    T *const A = matrix(), *const tau = K::tau_first ? scalars() : nullptr;
    if (live && rank == 0) args.no_error(i); // while the pointers load
    K k(m, n, tau, cells[threadIdx.x / 32]);
    if (!live) k.n = 0; // no loads or stores, but the same steps
    scales[0].begin();
    if constexpr (K::outside) {
        const Place<T> from = live ? args.source<T>(i) : Place<T>{nullptr, 0};
        k.load(from.p, from.ld, scales[lane / K::lanes], scales[0].any[0]);
    } else {
        k.load(A, args.lda, scales[lane / K::lanes], scales[0].any[0]);
    }
    k.begin();
    walk(k);
    // A matrix has failed if one of its lanes has.
    const unsigned failed = __ballot_sync(0xffffffffu, k.failed());
    const bool ok = live && !(failed << (32 - K::lanes - lane + rank) >> (32 - K::lanes));
    if constexpr (K::tau_first)
        k.store(A, args.lda, tau, ok);
    else // load the pointers again: registers are short in between
        k.store(matrix(), args.lda, scalars(), ok);
    if (scales[0].any[0]) {
        unsigned stored = __ballot_sync(0xffffffffu, ok && rank == 0);
        for (; stored; stored &= stored - 1) {
            const int slot = (__ffs(stored) - 1) / K::lanes;
            unscale_r_call(args.matrix<T>(first + slot), args.lda, m, 0, n, &scales[slot], 0);
        }
    }
    // Factors the failed matrices one at a time; memory still holds the originals.
    unsigned left = __ballot_sync(0xffffffffu, live && !ok && rank == 0);
    while (left) {
        const long long j = first + (__ffs(left) - 1) / K::lanes;
        if (K::outside && args.flags & GeqrfArgs::FROM)
            bring_by_warp(args.source<T>(j), Place<T>{args.matrix<T>(j), args.lda}, m, n);
        geqrf_columns_call(args.matrix<T>(j), args.lda, args.taus<T>(j), args.m, args.n, WarpTeam());
        left &= left - 1;
    }
    if (K::outside && args.flags & GeqrfArgs::R)
        for (long long j = first; j < first + K::mats && j < args.batch; ++j)
            put_r_by_warp(Place<T>{args.matrix<T>(j), args.lda}, args.r_place<T>(j), m, args.rows - args.at, n);
}

} // namespace tephra
