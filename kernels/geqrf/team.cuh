// QR of one matrix in the registers of a team of warps, or of one.
//
// A step, with x the part of the pivot column below alpha, as it is, and u = (alpha - beta, x):
//   H^H = I - g u u^H,  g = conj(tau) / |alpha - beta|^2
// so that the norm and all dots x^H a_j come from one round of sums, and the scalars are found while nothing waits
// for a scaled v.
#pragma once
#include "columns.cuh"
#include "outside.cuh"
#include "team_leave.cuh"
#include "team_lone.cuh"
#include "team_steps.cuh"

#include <type_traits>

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int W, bool WHOLE>
using StepsOf =
    std::conditional_t<W == 1, LoneSteps<T, PR, PC, RPT, CPT, WHOLE>, TeamSteps<T, PR, PC, RPT, CPT, W, WHOLE>>;

// WHOLE, FIRST: see team_tile.cuh
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, bool WHOLE>
struct TeamQr : StepsOf<T_, PR_, PC_, RPT_, CPT_, W_, WHOLE> {
    using Base = StepsOf<T_, PR_, PC_, RPT_, CPT_, W_, WHOLE>;
    using Base::Base;
    using Base::CPT, Base::k_end, Base::P, Base::PR, Base::W;
    using typename Base::Exchange;
    using typename Base::R;
    using typename Base::T;

    // All steps of the tile, register column and row of the pivot being compile-time constants; after each loop of
    // them, out.between<c, end>(): the last was of register column c and of the tile's column end - 1.
    template <int FIRST, int K = FIRST, typename Out>
    __device__ __forceinline__ void steps(Out &out) {
        constexpr int last = FIRST + Base::max_n < Base::max_m ? FIRST + Base::max_n : Base::max_m;
        if constexpr (K < last) {
            constexpr int c = (K - FIRST) / P, r = K / PR;
            constexpr int next_c = FIRST + (c + 1) * P, next_r = (r + 1) * PR, next = next_c < next_r ? next_c : next_r;
            if (K < k_end) {
                constexpr int owner = K - FIRST - c * P; // of the pivot, among the columns of c
                if constexpr (owner == 0 && (c > 0 || !WHOLE)) this->template enter<c>();
                if constexpr (W == 1) {
                    // The lane that has of the pivot's column what this one has of its own, and the pivot's.
                    int mine = owner * PR + this->lr, pivot = owner * PR + K % PR;
                    const int end = pivot + this->template advance<K, next>();
                    // No test before the first turn; strips lose by it, up to four per cent (the instruction cache).
                    if constexpr (WHOLE) {
#pragma unroll 1
                        do {
                            this->template step<FIRST, c, r>(mine, pivot);
                            mine = opaque(mine + PR);
                            pivot = opaque(pivot + PR + 1);
                        } while (pivot != end);
                    } else {
#pragma unroll 1
                        for (; pivot != end; mine = opaque(mine + PR), pivot = opaque(pivot + PR + 1))
                            this->template step<FIRST, c, r>(mine, pivot);
                    }
                } else if constexpr (next == K + 1) {
                    this->template step<FIRST, c, r>(K);
                } else {
                    const int end = next < k_end ? next : k_end;
#pragma unroll 1
                    for (int k = K; k < end; ++k) this->template step<FIRST, c, r>(k);
                }
                if constexpr (W == 1 && next == next_c && c + 1 < CPT)
                    this->template broadcast<FIRST, c + 1, next / PR>(next);
                if constexpr (!WHOLE) steps<FIRST, next>(out);
            }
            if constexpr (WHOLE) {
                out.template between<c, next>();
                steps<FIRST, next>(out);
            }
        }
    }

    // Factors the tile. k_end: steps of the matrix up to the tile's last column. out: for a whole matrix, of which
    // `begin` has been called.
    template <int FIRST, typename Out>
    __device__ __forceinline__ void factor_tile(Out &&out) {
        if (!WHOLE && FIRST < k_end) this->template broadcast<FIRST, 0, FIRST / PR>(FIRST);
        steps<FIRST>(out);
    }
    // Of a whole matrix, as soon as its first register column is there.
    __device__ __forceinline__ void begin() { this->template broadcast<0, 0, 0>(0); }
};

template <typename K>
struct TeamMemory {
    typename K::Exchange exchange;
    ColumnScales<K::max_n, K::W> scales;
    alignas(16) typename K::T cells[TeamStage<K>::used ? TeamStage<K>::size : 1];
    int elsewhere; // whether the matrix is not where it is factored; of those that are scaled in memory
};

template <typename K, bool AGAIN>
__device__ __forceinline__ void factor_team(const GeqrfArgs &args, TeamMemory<K> &memory);

// The second attempt at a matrix whose columns have been scaled where it is: a call, or the first would have fewer
// registers.
template <typename K>
__device__ __noinline__ void factor_scaled_call(const GeqrfArgs &args, TeamMemory<K> &memory) {
    factor_team<K, true>(args, memory);
}

// A block's matrix. No loop, and branches by a vote: else the compiler would have every shuffle expect a warp that has
// come apart. AGAIN: its columns have been scaled in memory.
template <typename K, bool AGAIN>
__device__ __forceinline__ void factor_team(const GeqrfArgs &args, TeamMemory<K> &memory) {
    using T = typename K::T;
    using Stage = TeamStage<K>;
    constexpr bool scales_in_memory = K::scaled && Stage::used, scales_in_registers = K::scaled && !Stage::used;
    auto &exchange = memory.exchange;
    auto &scales = memory.scales;
    auto *const cells = memory.cells;
    const int m = args.m, n = args.n;
    const long long i = blockIdx.x, lda = args.lda;
    const Place<T> a = {args.matrix<T>(i), lda};
    T *const A = a.p, *const tau = args.taus<T>(i);
    Place<T> from = AGAIN ? a : args.source<T>(i);
    bool elsewhere = !AGAIN && args.flags & GeqrfArgs::FROM;
    K k(m, n, tau, exchange);
    if constexpr (K::scaled) scales.begin(k.w);
    k.begin_done();
    if (scales_in_memory && looks_odd(from.p, from.ld, m, n, scales)) [[unlikely]] {
        if (elsewhere) bring_call(from, a, m, 0, n);
        from = a;
        elsewhere = false;
        scale_call(A, lda, m, n, &scales);
    }
    if constexpr (Stage::used) Stage::fetch(cells, from.p, from.ld, m, n);
    if (!AGAIN && threadIdx.x == 0) args.no_error(i);
    if constexpr (scales_in_memory) memory.elsewhere = elsewhere; // the same of all threads: no branch
    TeamLeave<K> leave(k, cells, A, lda);
    k.template enter<0>();
    if constexpr (Stage::used) {
        Stage::template take<0, 1>(k, cells);
        k.begin();
        Stage::template take<1, K::CPT>(k, cells);
    } else {
        k.load(from.p, from.ld);
        if constexpr (scales_in_registers) scale_columns(k, n, scales, scales.any[k.w]);
        k.begin();
    }
    k.template factor_tile<0>(leave);
    leave.last();
    const int done = leave.ready < n ? leave.ready : n;
    const bool complete = K::all(leave.complete()), scaled = (K::scaled || AGAIN) && scales.any[k.w];
    // What was scaled in registers is in memory as it came; what was scaled there stays so until the end.
    if (scales_in_registers && scaled) unscale_r_call(A, lda, m, 0, done, &scales, k.w);
    if (complete && (scales_in_registers || !scaled)) return;
    if (!complete) {
        if (scales_in_memory ? memory.elsewhere : !AGAIN && args.flags & GeqrfArgs::FROM)
            bring_call(args.source<T>(i), a, m, done, n);
        if constexpr (!K::scaled && !AGAIN) {
            scales.begin(k.w);
            if (done == 0) scale_call(A, lda, m, n, &scales);
            if (scales.any[k.w]) return factor_scaled_call(args, memory);
        }
        const BlockTeam<32 * K::W, Real<T>> team(exchange.scratch);
        geqrf_rest_call(A, lda, tau, args.m, args.n, done, team);
    }
    if (!scales_in_registers && scaled) unscale_r_call(A, lda, m, 0, n, &scales, k.w);
}

template <typename T, int PR, int PC, int RPT, int CPT, int W>
__device__ __forceinline__ void geqrf_team(const GeqrfArgs &args) {
    using K = TeamQr<T, PR, PC, RPT, CPT, W, true>;
    __shared__ TeamMemory<K> memory;
    factor_team<K, false>(args, memory);
    if (args.flags & GeqrfArgs::R) {
        const Place<T> a = {args.matrix<T>(blockIdx.x), args.lda};
        put_r_call(a, args.r_place<T>(blockIdx.x), args.m, args.rows - args.at, args.n);
    }
}

} // namespace tephra
