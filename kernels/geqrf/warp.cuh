// QR of small matrices in the registers of (part of) a warp: shuffles only, no shared memory, no barrier.
//
// A step: the pivot column is broadcast to all lanes of the matrix, every lane makes the same reflector from it and
// applies it to its own columns; dots are summed over the lanes of a row group. Source: LAPACK geqr2/larfg.
#pragma once
#include "columns.cuh"
#include "tile.cuh"

namespace tephra {

template <typename T_, int PR_, int PC_, int RPT_, int CPT_>
struct WarpQr : Tile<T_, PR_, PC_, RPT_, CPT_, 1> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, 1>;
    using Base::a, Base::CPT, Base::lane, Base::lanes, Base::lc, Base::lr, Base::PC, Base::PR, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    T *tau;

    __device__ __forceinline__ WarpQr(int m, int n, T *tau_) : Base(m, n), tau(tau_) {}

    template <int c, int r0>
    __device__ __forceinline__ void step(int k) {
        const int owner = k - c * PC, kr = k % PR; // lane column and row of the pivot
        const bool mine = PC == 1 || lc == owner;
        T v[RPT];
#pragma unroll
        for (int r = r0; r < RPT; ++r)
            v[r] = PC == 1 ? a[r][c] : shfl(a[r][c], (lane & ~(lanes - 1)) + owner * PR + lr);
        const T alpha = PR == 1 ? v[r0] : shfl(v[r0], this->row_lane(k));
        R sum = lr > kr ? abs2_add(v[r0], R(0)) : R(0);
#pragma unroll
        for (int r = r0 + 1; r < RPT; ++r) sum = abs2_add(v[r], sum);
        sum = lanes_sum<PR>(sum);
        Reflector<T> h = this->template reflector<SafeRange<R>>(k, alpha, sum);
        v[r0] = lr > kr ? mul(v[r0], h.factor) : make<T>(lr == kr ? 1 : 0);
#pragma unroll
        for (int r = r0 + 1; r < RPT; ++r) v[r] = mul(v[r], h.factor);
        if (mine) {
            if (lr >= kr) a[r0][c] = lr == kr ? make<T>(h.beta) : v[r0];
#pragma unroll
            for (int r = r0 + 1; r < RPT; ++r) a[r][c] = v[r];
            if (lr == 0 && tau) tau[k] = h.tau;
        }
        const T tau_h = conj(h.tau);
        const bool after = PC > 1 && lc > owner;
#pragma unroll
        for (int j = PC == 1 ? c + 1 : c; j < CPT; ++j) {
            T dot[2] = {make<T>(0), make<T>(0)};
#pragma unroll
            for (int r = r0; r < RPT; ++r) dot[r & 1] = cfma_(v[r], a[r][j], dot[r & 1]);
            const T x = mul(tau_h, lanes_sum<PR>(add(dot[0], dot[1])));
            if (j > c || after) {
#pragma unroll
                for (int r = r0; r < RPT; ++r) a[r][j] = fnma_(v[r], x, a[r][j]);
            }
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int TEAMS>
__device__ __forceinline__ void geqrf_warp(const GeqrfArgs &args) {
    using K = WarpQr<T, PR, PC, RPT, CPT>;
    const int lane = threadIdx.x % 32;
    const long long wave = blockIdx.x * (long long)TEAMS + threadIdx.x / 32;
    const long long first = wave * K::mats, i = first + lane / K::lanes;
    const bool live = i < args.batch;
    const int m = static_cast<int>(args.m), n = static_cast<int>(args.n);
    const long long offset = args.col0 * args.lda + args.row0;
    T *A = live ? member<T>(args.a, i) + offset : nullptr;
    K k(live ? m : 0, n, live ? member<T>(args.tau, i) + args.col0 : nullptr);
    k.load(A, args.lda);
    walk(k, m < n ? m : n);
    if (args.info && live && lane % K::lanes == 0) args.info[i] = 0;
    if (k.ok) k.store(A, args.lda);
    // The others, one at a time; they are as they were.
    unsigned left = __ballot_sync(0xffffffffu, live && !k.ok && lane % K::lanes == 0);
    while (left) {
        const long long j = first + (__ffs(left) - 1) / K::lanes;
        geqrf_columns_call(member<T>(args.a, j) + offset, args.lda, member<T>(args.tau, j) + args.col0, args.m, args.n,
                           WarpTeam());
        left &= left - 1;
    }
}

} // namespace tephra
