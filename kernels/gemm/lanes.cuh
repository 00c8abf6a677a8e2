// Small batched matrix products: a few lanes of a warp, or all of them, for each tile of each C. No warp waits for
// another.
//
// Chunks of both factors go to shared memory as they lie in memory, 16 bytes at a time where they are aligned; there
// are places for two chunks, so that short sums have all they need on its way at once. An element of C is the same sum
// in the same order whatever the batch. Source: BLAS gemm.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "part.cuh"
#include "store.cuh"

namespace tephra {

// What plans tell instances of one size apart by.
constexpr Instance in_chunks_of(int terms, Instance instance) {
    instance.reflectors = terms;
    return instance;
}

// EXTENT lines (rows of op(A), or columns of op(B)) of KC terms in shared memory. Lines of which neighbours are
// adjacent in memory stay so: terms one after another, PITCH_LINES apart; else terms are adjacent, and lines
// PITCH_TERMS apart.
template <typename T, int EXTENT, int KC>
struct LanesChunk {
    static constexpr int P = 16 / sizeof(T), pitch_lines = EXTENT + P, pitch_terms = KC + P;
    static constexpr int size = KC * pitch_lines > EXTENT *pitch_terms ? KC *pitch_lines : EXTENT *pitch_terms;
    static_assert(EXTENT % P == 0 && KC % P == 0, "whole packs");

    // The first `terms` terms of `lines` lines, by LANES lanes of which this one is `lane`; what is beyond them in a
    // pack of terms becomes zero. `step`: from a line to the next, or from a term to the next, what is not adjacent.
    // Lines that are not there stay what they were: nobody stores what comes of them.
    template <int LANES>
    static __device__ __forceinline__ void copy(T *shared, const T *from, bool along_lines, long long step, int lines,
                                                int terms, bool packs, int lane) {
        const int padded = (terms + P - 1) / P * P;
        lines = lines < EXTENT ? lines : EXTENT; // there may be other tiles beyond this one
        if (along_lines)
            copy<LANES, EXTENT, KC, pitch_lines>(shared, from, step, {lines, lines}, {terms, padded}, packs, lane);
        else
            copy<LANES, KC, EXTENT, pitch_terms>(shared, from, step, {terms, padded}, {lines, lines}, packs, lane);
    }
    // Of one direction: those that are there, and those that are written.
    struct Count {
        int there, written;
    };
    // INNER adjacent elements, OUTER times.
    template <int LANES, int INNER, int OUTER, int PITCH>
    static __device__ __forceinline__ void copy(T *shared, const T *from, long long step, Count inner, Count outer,
                                                bool packs, int lane) {
        if (packs)
            copy<LANES, INNER, OUTER, PITCH, P>(shared, from, step, inner, outer, lane);
        else
            copy<LANES, INNER, OUTER, PITCH, 1>(shared, from, step, inner, outer, lane);
    }
    // W elements at a time.
    template <int LANES, int INNER, int OUTER, int PITCH, int W>
    static __device__ __forceinline__ void copy(T *shared, const T *from, long long step, Count inner, Count outer,
                                                int lane) {
        constexpr int per = INNER / W;
        constexpr bool along = LANES % per == 0; // a lane's elements differ in their outer place only
        static_assert(along || per % LANES == 0, "whole turns");
        constexpr int next_outer = along ? LANES / per : 1, turns = along ? 1 : per / LANES;
        const int first = lane / per;
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            const int i = (lane % per + turn * LANES) * W, left = inner.there - i;
            if (i >= inner.written) break;
            const int bytes = (left < W ? (left > 0 ? left : 0) : W) * static_cast<int>(sizeof(T));
            const T *p = from + first * step + i;
            T *to = shared + first * PITCH + i;
#pragma unroll(W > 1 ? 4 : 1)
            for (int o = first; o < outer.written; o += next_outer, p += next_outer * step, to += next_outer * PITCH) {
                const int valid = o < outer.there ? bytes : 0;
                if constexpr (W > 1)
                    copy_async_part(to, p, valid);
                else
                    copy_async<sizeof(T)>(to, p, valid > 0);
            }
        }
    }

    // P terms of N lines, W adjacent ones at a time.
    template <int N, int W, bool ALONG_LINES, typename Line>
    static __device__ __forceinline__ void read(T (&x)[P][N], const T *shared, int term, Line line, bool conjugate) {
        if constexpr (ALONG_LINES) {
#pragma unroll
            for (int t = 0; t < P; ++t)
#pragma unroll
                for (int w = 0; w < N; w += W) {
                    const auto pack =
                        *reinterpret_cast<const GemmPack<T, W> *>(shared + (term + t) * pitch_lines + line(w));
#pragma unroll
                    for (int i = 0; i < W; ++i) x[t][w + i] = gemm_conj(pack.v[i], conjugate);
                }
        } else {
#pragma unroll
            for (int n = 0; n < N; ++n) {
                const auto pack = *reinterpret_cast<const GemmPack<T> *>(shared + line(n) * pitch_terms + term);
#pragma unroll
                for (int t = 0; t < P; ++t) x[t][n] = gemm_conj(pack.v[t], conjugate);
            }
        }
    }
};

// BM x BN of C in BM / TM x BN / TN lanes; WARPS warps of a block.
template <typename T_, int BM_, int BN_, int KC_, int TM, int TN, int WARPS>
struct GemmLanes {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, P = 16 / sizeof(T);
    static constexpr int LM = BM / TM, LN = BN / TN, lanes = LM * LN, teams = WARPS * 32 / lanes;
    static constexpr int W = TN < P ? TN : P; // columns that are read at a time
    static_assert(32 % lanes == 0 && TM % P == 0 && TN % W == 0, "whole teams and packs");
    using ChunkA = LanesChunk<T, BM, KC>;
    using ChunkB = LanesChunk<T, BN, KC>;

    struct Storage {
        alignas(16) T a[2][ChunkA::size];
        alignas(16) T b[2][ChunkB::size];
    };
    T c[TN][TM];

    template <bool A_LINES, bool B_LINES>
    __device__ __forceinline__ void multiply(const T *a, const T *b, int terms, int tm, int tn, bool conj_a,
                                             bool conj_b) {
#pragma unroll 1
        for (int k = 0; k < terms; k += P) {
            T x[P][TM], y[P][TN];
            ChunkA::template read<TM, P, A_LINES>(
                x, a, k, [&](int i) { return (i / P * LM + tm) * P + i % P; }, conj_a);
            ChunkB::template read<TN, W, B_LINES>(y, b, k, [&](int j) { return column_of(B_LINES, tn, j); }, conj_b);
#pragma unroll
            for (int t = 0; t < P; ++t)
#pragma unroll
                for (int j = 0; j < TN; ++j)
#pragma unroll
                    for (int i = 0; i < TM; ++i) c[j][i] = fma_(x[t][i], y[t][j], c[j][i]);
        }
    }
    // Column j of a lane's: neighbours where B's columns are adjacent in shared memory, else where they are far apart,
    // as lanes then read different banks.
    static __device__ __forceinline__ int column_of(bool b_lines, int tn, int j) {
        return b_lines ? (j / W * LN + tn) * W + j % W : j * LN + tn;
    }

    static __device__ __forceinline__ void run(const GemmArgs &args) {
        __shared__ Storage storage[teams];
        const int team = threadIdx.x / lanes;
        Storage &s = storage[team];
        const GemmScales<T> scales(args.factors);
        const int terms = scales.nothing() ? 0 : args.k;
        const GemmTiles<BM, BN> grid(args);
        const long long tiles = grid.count(), jobs = tiles * args.batch;
        const bool a_lines = args.ars == 1, b_lines = args.bcs == 1;
        const long long a_step = a_lines ? args.acs : args.ars, b_step = b_lines ? args.brs : args.bcs;
        // Of the warp's first team, so that all lanes take as many turns.
        const int first = threadIdx.x / 32 * (32 / lanes);
        for (long long turn = static_cast<long long>(blockIdx.x) * teams + first; turn < jobs;
             turn += static_cast<long long>(gridDim.x) * teams) {
            const bool mine = turn + team - first < jobs;
            const long long job = mine ? turn + team - first : turn;
            const long long member_of = tiles == 1 ? job : job / tiles;
            int row, column;
            grid.place(static_cast<int>(job - member_of * tiles), row, column);
            GemmStored stored(args, row, column);
            if (!mine) stored.rows = 0;
            T *const C = member<T>(args.c, member_of) + args.c0 + row + column * args.ldc;
            GemmLanes tile;
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int i = 0; i < TM; ++i) tile.c[j][i] = make<T>(0);
            if (terms > 0) {
                const T *a = member<T>(args.a, member_of) + args.a0 + row * args.ars;
                const T *b = member<T>(args.b, member_of) + args.b0 + column * args.bcs;
                const bool packs_a = whole(a, a_step), packs_b = whole(b, b_step);
                const auto copy = [&](int place, int from) {
                    const int count = terms - from < KC ? terms - from : KC;
                    int lane = threadIdx.x % lanes;
                    asm volatile("" : "+r"(lane)); // else each address would have a register over all turns
                    if (count > 0) {
                        ChunkA::template copy<lanes>(s.a[place], a + from * args.acs, a_lines, a_step, stored.rows,
                                                     count, packs_a, lane);
                        ChunkB::template copy<lanes>(s.b[place], b + from * args.brs, b_lines, b_step, stored.columns,
                                                     count, packs_b, lane);
                    }
                    copies_sent();
                };
                __syncwarp(); // the last job's chunks have been used
                copy(0, 0), copy(1, KC);
                int place = 0;
#pragma unroll 1
                for (int from = 0; from < terms; from += KC, place ^= 1) {
                    copies_done_but<1>();
                    __syncwarp();
                    const int count = terms - from < KC ? terms - from : KC;
                    const T *const x = s.a[place], *const y = s.b[place];
                    int lane = threadIdx.x % lanes;
                    asm volatile("" : "+r"(lane));
                    const int tm = lane % LM, tn = lane / LM;
                    if (a_lines && b_lines)
                        tile.template multiply<true, true>(x, y, count, tm, tn, args.conj_a, args.conj_b);
                    else if (a_lines)
                        tile.template multiply<true, false>(x, y, count, tm, tn, args.conj_a, args.conj_b);
                    else if (b_lines)
                        tile.template multiply<false, true>(x, y, count, tm, tn, args.conj_a, args.conj_b);
                    else
                        tile.template multiply<false, false>(x, y, count, tm, tn, args.conj_a, args.conj_b);
                    __syncwarp();
                    copy(place, from + 2 * KC);
                }
            }
            const int lane = threadIdx.x % lanes, tm = lane % LM, tn = lane / LM;
            gemm_store<LM>(C, args.ldc, tile.c, tm, [&](int j) { return column_of(b_lines, tn, j); }, stored, scales);
        }
    }

    // Whether all that a chunk copies starts at a multiple of 16 bytes.
    static __device__ __forceinline__ bool whole(const T *p, long long step) {
        return reinterpret_cast<unsigned long long>(p) % 16 == 0 && step % P == 0;
    }
};

} // namespace tephra

// TM, TN: of a lane.
#define TEPHRA_GEMM_LANES(NAME, T, BM, BN, KC, TM, TN, WARPS, MIN_BLOCKS)                                              \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, in_chunks_of(KC, Instance(32 * WARPS).holds(BM, BN).places(32 * WARPS / (BM / TM * (BN / TN)))),         \
        __launch_bounds__(32 * WARPS, MIN_BLOCKS), GemmArgs, GemmLanes<letter::T, BM, BN, KC, TM, TN, WARPS>::run)
