// QR of one matrix in the registers of a team of warps, or of a single warp.
//
// A step. With x the unscaled part of the pivot column below alpha, and u = (alpha - beta, x):
//   H^H = I - g u u^H,  g = conj(tau) / |alpha - beta|^2
// so that one round of sums yields the norm and all dots x^H a_j, and nothing waits for a scaled v while the scalars
// are computed.
#pragma once
#include "columns.cuh"
#include "outside.cuh"
#include "team_leave.cuh"
#include "team_lone.cuh"
#include "team_steps.cuh"

#include <type_traits>

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int W, bool WHOLE, bool PLACED>
using StepsOf =
    std::conditional_t<W == 1, LoneSteps<T, PR, PC, RPT, CPT, WHOLE>, TeamSteps<T, PR, PC, RPT, CPT, W, WHOLE, PLACED>>;

// WHOLE, PLACED, FIRST: see team_tile.cuh
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, bool WHOLE, bool PLACED = false>
struct TeamQr : StepsOf<T_, PR_, PC_, RPT_, CPT_, W_, WHOLE, PLACED> {
    using Base = StepsOf<T_, PR_, PC_, RPT_, CPT_, W_, WHOLE, PLACED>;
    using Base::Base;
    using Base::CPT, Base::k_end, Base::P, Base::PR, Base::skip, Base::W;
    using typename Base::Exchange;
    using typename Base::R;
    using typename Base::T;

    // Runs all steps of the tile, with the pivot's register column and row as compile-time constants. After each loop
    // of steps it calls out.between<c, end>(); the loop's last pivot was in register column c and in the tile's column
    // end - 1.
    template <int FIRST, int K = FIRST, typename Out>
    __device__ __forceinline__ void steps(Out &out) {
        constexpr int last = FIRST + Base::max_n < Base::max_m ? FIRST + Base::max_n : Base::max_m;
        if constexpr (K < last) {
            constexpr int c = (K - FIRST) / P, r = K / PR;
            constexpr int next_c = FIRST + (c + 1) * P, next_r = (r + 1) * PR, next = next_c < next_r ? next_c : next_r;
            if (K < k_end) {
                constexpr int owner = K - FIRST - c * P; // of the pivot, among the columns of c
                if constexpr (owner == 0 && (c > 0 || !WHOLE)) this->template enter<c>();
                // The first of these steps that is the matrix's; `next` if none is.
                const int first = K > skip ? K : skip < next ? skip : next;
                if constexpr (PLACED) {
                    const int begin = FIRST > skip ? FIRST : skip;
                    if (K <= begin && begin < next) this->template broadcast<FIRST, c, r>(begin);
                }
                if constexpr (W == 1) {
                    // The lane that holds this lane's rows of the pivot column, and the lane that holds the pivot.
                    int mine = owner * PR + this->lr, pivot = owner * PR + K % PR;
                    const int end = pivot + this->template advance<K, next>();
                    // The first turn needs no test. Strips would lose up to four per cent by this (instruction cache).
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
                    if (first == K) this->template step<FIRST, c, r>(K);
                } else {
                    const int end = next < k_end ? next : k_end;
#pragma unroll 1
                    for (int k = first; k < end; ++k) this->template step<FIRST, c, r>(k);
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

    // Factors the tile. k_end: the matrix's steps up to the tile's last column. out: used for a whole matrix, for which
    // `begin` has been called.
    template <int FIRST, typename Out>
    __device__ __forceinline__ void factor_tile(Out &&out) {
        if (!WHOLE && FIRST < k_end) this->template broadcast<FIRST, 0, FIRST / PR>(FIRST);
        steps<FIRST>(out);
    }
    // Starts a whole matrix, as soon as its first register column is loaded.
    __device__ __forceinline__ void begin() {
        if constexpr (!PLACED) this->template broadcast<0, 0, 0>(0);
    }
};

template <typename K>
struct TeamMemory {
    typename K::Exchange exchange;
    ColumnScales<K::max_n, K::W> scales;
    alignas(16) typename K::T cells[TeamStage<K>::used ? TeamStage<K>::size : 1];
    int elsewhere; // whether A is read elsewhere than it is factored; only for tiles that are scaled in memory
};

template <typename K, bool AGAIN>
__device__ __forceinline__ void factor_team(const GeqrfArgs &args, TeamMemory<K> &memory);

// The second attempt at a matrix, whose columns have been scaled in memory. Inlined, it would leave the first attempt
// fewer registers.
template <typename K>
__device__ __noinline__ void factor_scaled_call(const GeqrfArgs &args, TeamMemory<K> &memory) {
    factor_team<K, true>(args, memory);
}

// Factors the block's matrix. There is no loop, and branches are taken by vote; otherwise the compiler would prepare
// every shuffle for a warp that has diverged. AGAIN: the columns have been scaled in memory.
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
    const int skip = K::place(m, n);
    const long long origin = -skip * (lda + 1); // of the tile's first element
    K k(m + skip, n + skip, tau - skip, exchange);
    if constexpr (K::placed) k.skip = skip;
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
    if constexpr (scales_in_memory) memory.elsewhere = elsewhere; // all threads write the same value: no branch
    TeamLeave<K> leave(k, cells, A + origin, lda);
    k.template enter<0>();
    if constexpr (Stage::used) {
        Stage::template take<0, 1>(k, cells);
        k.begin();
        Stage::template take<1, K::CPT>(k, cells);
    } else {
        k.load(from.p + origin, from.ld);
        if constexpr (scales_in_registers) scale_columns(k, scales, scales.any[k.w]);
        k.begin();
    }
    k.template factor_tile<0>(leave);
    leave.last();
    const int ready = k.own_columns(leave.ready), done = ready < n ? ready : n;
    const bool complete = K::all(leave.complete()), scaled = (K::scaled || AGAIN) && scales.any[k.w];
    // If columns were scaled in registers, those not yet stored are in memory as they came; if they were scaled in
    // memory, they stay so until the end.
    if (scales_in_registers && scaled) unscale_r_call(A, lda, m, -skip, done + skip, &scales, k.w);
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

template <typename T, int PR, int PC, int RPT, int CPT, int W, bool PLACED = false>
__device__ __forceinline__ void geqrf_team(const GeqrfArgs &args) {
    using K = TeamQr<T, PR, PC, RPT, CPT, W, true, PLACED && (W > 1)>;
    __shared__ TeamMemory<K> memory;
    factor_team<K, false>(args, memory);
    if (args.flags & GeqrfArgs::R) {
        const Place<T> a = {args.matrix<T>(blockIdx.x), args.lda};
        put_r_call(a, args.r_place<T>(blockIdx.x), args.m, args.rows - args.at, args.n);
    }
}

} // namespace tephra
