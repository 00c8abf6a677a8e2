// Q of small matrices in the registers of a warp or a part of it, alone or right after the factorisation.
//
// From the last reflector to the first: H_k is applied to the columns after k, and column k := e_k - tau_k v_k.
// Source: LAPACK org2r.
#pragma once
#include "../common/instance.cuh"
#include "../geqrf/scatter.cuh"
#include "../geqrf/warp.cuh"
#include "columns.cuh"

namespace tephra {

// Whether each of Q's sums of CPT columns over LANES lanes is formed in one lane and then distributed: fewer exchanges,
// but a longer chain. It pays for many values, or for fewer over many lanes; on tensor cores it is free.
template <typename T, int LANES, int CPT>
constexpr bool sums_together =
    Sums<T, LANES, CPT>::tensor ||
    (sizeof(Real<T>) == 4 && (CPT >= (is_complex<T> ? 12 : 16) || (CPT >= 8 && LANES >= 16)));

// x = f times the sums over groups of LANES lanes, in every lane; each product is computed where its sum is.
template <int LANES, typename T, int N>
__device__ __forceinline__ void sums_times(T f, T (&sums)[N], T (&x)[N], int lane) {
    using Sums = tephra::Sums<T, LANES, N>;
    Sums::run(sums, lane);
#pragma unroll
    for (int j = 0; j < Sums::slots; ++j) sums[j] = mul(f, sums[j]);
#pragma unroll
    for (int j = 0; j < N; ++j)
        x[j] = Sums::scattered ? shfl_group<LANES>(sums[Sums::slot(j)], Sums::lane(j)) : sums[j];
}

template <typename T_, int PR_, int PC_, int RPT_, int CPT_>
struct WarpQ : WarpQr<T_, PR_, PC_, RPT_, CPT_> {
    using Base = WarpQr<T_, PR_, PC_, RPT_, CPT_>;
    using Base::a, Base::CPT, Base::factor, Base::lane, Base::lanes, Base::lc, Base::lr, Base::m, Base::n, Base::P,
        Base::PC, Base::PR, Base::RPT, Base::tau;
    using typename Base::T;
    T t[CPT]; // tau of this lane's columns

    using Base::Base;

    // Stores R, rows x n, with zeros below the diagonal.
    __device__ __forceinline__ void store_r(T *R, long long ldr, int rows) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T *p = R + this->col(c) * ldr + lr;
            const int left = this->col(c) < n ? rows - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < left) p[r * PR] = this->row(r) <= this->col(c) ? a[r][c] : make<T>(0);
        }
    }
    // Turns the factors into the start of the backward walk: k columns of V, zero on and above the diagonal, followed
    // by columns of the identity.
    __device__ __forceinline__ void prepare(int k) {
        __syncwarp(); // other lanes may have written tau
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = this->col(c);
            t[c] = tau && j < k ? tau[j] : make<T>(0);
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const int i = this->row(r);
                if ((r + 1) * PR <= c * P) // above the diagonal
                    a[r][c] = make<T>(0);
                else if (j < k)
                    a[r][c] = i > j ? mul(a[r][c], factor[c]) : make<T>(0);
                else
                    a[r][c] = make<T>(i == j ? 1 : 0);
            }
        }
    }
    __device__ __forceinline__ void store_q(T *Q, long long ldq, int columns) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T *p = Q + this->col(c) * ldq + lr;
            const int left = this->col(c) < columns ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (r * PR < left) p[r * PR] = a[r][c];
        }
    }

    template <int c, int r0>
    __device__ __forceinline__ void step_back(int k) {
        const int owner = k - c * PC, kr = k % PR;
        const int source = owner * PR; // among the matrix's lanes
        const bool mine = PC == 1 || lc == owner;
        T v[RPT];
#pragma unroll
        for (int r = r0; r < RPT; ++r) v[r] = PC == 1 ? a[r][c] : shfl_group<lanes>(a[r][c], source + lr);
        const T tau_k = PC == 1 ? t[c] : shfl_group<lanes>(t[c], source);
        if (lr == kr) v[r0] = make<T>(1);
#pragma unroll
        for (int r = r0; r < RPT; ++r)
            if (mine) a[r][c] = make<T>(r == r0 && lr == kr ? 1 : 0);
        constexpr int N = CPT - c; // columns of a lane that this reflector changes
        T sums[N], x[N];
        const auto dot = [&](int j) {
            constexpr int chains = Base::chains_of(N, RPT - r0);
            T part[chains];
#pragma unroll
            for (int s = 0; s < chains; ++s) part[s] = make<T>(0);
#pragma unroll
            for (int r = r0; r < RPT; ++r) part[r % chains] = cfma_(v[r], a[r][c + j], part[r % chains]);
#pragma unroll
            for (int s = 1; s < chains; ++s) part[0] = add(part[0], part[s]);
            return part[0];
        };
        if constexpr (sums_together<T, PR, CPT>) {
#pragma unroll
            for (int j = 0; j < N; ++j) sums[j] = dot(j);
            sums_times<PR>(tau_k, sums, x, lane);
        }
#pragma unroll
        for (int j = 0; j < N; ++j) {
            T y = sums_together<T, PR, CPT> ? x[j] : mul(tau_k, lanes_sum<PR>(dot(j)));
            if (j == 0 && lc < owner) y = make<T>(0); // still a reflector
#pragma unroll
            for (int r = r0; r < RPT; ++r) a[r][c + j] = fnma_(v[r], y, a[r][c + j]);
        }
    }
};

// Calls step_back<c, r>(k) for k from end - 1 down to 0; see `walk`.
template <typename K, int K0 = 0>
__device__ __forceinline__ void walk_back(K &kernel, int end) {
    if constexpr (K0 < K::max_k) {
        constexpr int c = K0 / K::P, r = K0 / K::PR;
        constexpr int next_c = (c + 1) * K::P, next_r = (r + 1) * K::PR, next = next_c < next_r ? next_c : next_r;
        if (K0 < end) {
            walk_back<K, next>(kernel, end);
            if constexpr (next == K0 + 1) {
                kernel.template step_back<c, r>(K0);
            } else {
#pragma unroll 1
                for (int k = (next < end ? next : end) - 1; k >= K0; --k) kernel.template step_back<c, r>(k);
            }
        }
    }
}

// TEAMS: warps per block.
template <typename T, int PR, int PC, int RPT, int CPT, int TEAMS>
__device__ __forceinline__ void q_resident(const QArgs &args) {
    using K = WarpQ<T, PR, PC, RPT, CPT>;
    const int lane = threadIdx.x % 32, rank = lane % K::lanes;
    const long long wave = blockIdx.x * (long long)TEAMS + threadIdx.x / 32;
    const long long first = wave * K::mats, i = first + lane / K::lanes;
    const bool live = i < args.batch;
    const int reflectors = static_cast<int>(args.k), columns = static_cast<int>(args.columns);
    __shared__ T taus[TEAMS * K::mats][K::max_k]; // for callers that do not keep tau
    const auto tau_of = [&](int slot) {
        return args.tau.p ? member<T>(args.tau, first + slot) : taus[threadIdx.x / 32 * K::mats + slot];
    };
    K k(static_cast<int>(args.m), static_cast<int>(args.n), live ? tau_of(lane / K::lanes) : nullptr, nullptr);
    if (!live) k.n = 0; // no loads or stores, but the same steps
    __shared__ ColumnScales<K::max_n> all_scales[TEAMS][K::mats];
    auto &scales = all_scales[threadIdx.x / 32];
    k.load(live ? member<T>(args.a, i) : nullptr, args.lda);
    bool ok = live;
    if (args.factor) {
        scales[0].begin();
        scale_columns(k, scales[lane / K::lanes], scales[0].any[0]);
        walk(k);
        if (scales[0].any[0]) k.unscale(scales[lane / K::lanes], K::max_n);
        if (k.tau && k.k_end < reflectors && rank == 0) k.tau[reflectors - 1] = make<T>(0);
        // A matrix has failed if one of its lanes has.
        const unsigned failed = __ballot_sync(0xffffffffu, k.failed());
        ok = live && !(failed << (32 - K::lanes - lane + rank) >> (32 - K::lanes));
        if (ok) k.store_r(member<T>(args.r, i), args.ldr, static_cast<int>(args.rows));
    }
    if (columns > 0) {
        k.prepare(reflectors);
        walk_back(k, reflectors);
        if (ok) k.store_q(member<T>(args.q, i), args.ldq, columns);
    }
    // Factors matrices that the short formulas do not cover, one at a time; memory still holds the originals.
    unsigned left = __ballot_sync(0xffffffffu, live && !ok && rank == 0);
    while (left) {
        const int slot = (__ffs(left) - 1) / K::lanes;
        qr_columns_call(args, first + slot, tau_of(slot), WarpTeam());
        left &= left - 1;
    }
}

} // namespace tephra

#define TEPHRA_Q(NAME, T, PR, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                         \
    TEPHRA_ENTRY(NAME, Instance(32 * TEAMS).lanes(PR, PC, RPT, CPT), __launch_bounds__(32 * TEAMS, MIN_BLOCKS), QArgs, \
                 q_resident<letter::T, PR, PC, RPT, CPT, TEAMS>)
