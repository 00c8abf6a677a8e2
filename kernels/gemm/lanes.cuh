// Small batched matrix products: a few lanes of a warp, a whole warp, or a whole block for each tile of each C.
//
// Chunks of both factors are copied to shared memory in the layout that they have in global memory, 16 bytes at a time
// if they are aligned. There are slots for two chunks, so that short sums are loaded at once. An element of C is the
// same sum in the same order whatever the batch, unless the launch shares out its terms (parts.cuh). Source: BLAS gemm.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "parts.cuh"
#include "store.cuh"

namespace tephra {

// The number by which plans distinguish instances of the same size: terms of a chunk.
constexpr Instance in_chunks_of(int terms, Instance instance) {
    instance.reflectors = terms;
    return instance;
}

// EXTENT lines (rows of op(A), or columns of op(B)) of KC terms in shared memory. If adjacent lines are adjacent in
// global memory, they are so here, and terms are pitch_lines apart; otherwise terms are adjacent, and lines pitch_terms
// apart. SWIZZLED: packs of terms are permuted within a line, differently in each group of eight lines, so that lanes
// that read lines a pack apart use different banks.
template <typename T, int EXTENT, int KC, bool SWIZZLED>
struct LanesChunk {
    static constexpr int P = 16 / sizeof(T), pitch_lines = EXTENT + P, pitch_terms = KC + P;
    static constexpr int size = KC * pitch_lines > EXTENT *pitch_terms ? KC *pitch_lines : EXTENT *pitch_terms;
    static constexpr int places = !SWIZZLED ? 1 : KC / P % 4 == 0 ? 4 : KC / P % 2 == 0 ? 2 : 1; // packs permuted
    static_assert(EXTENT % P == 0 && KC % P == 0, "whole packs");

    // Position of a term in its line.
    static __device__ __forceinline__ int term_of(int line, int term) { return term ^ (line / 8 % places * P); }

    // Copies the first `terms` terms of `lines` lines, by LANES lanes of which this one is `lane`, and fills the last
    // pack of terms with zeros. `step`: stride of whichever of lines and terms is not adjacent. Lines that do not exist
    // are not written; what is computed from them is not stored.
    template <int LANES>
    static __device__ __forceinline__ void copy(T *shared, const T *from, bool along_lines, long long step, int lines,
                                                int terms, bool packs, int lane) {
        const int padded = (terms + P - 1) / P * P;
        lines = lines < EXTENT ? lines : EXTENT; // beyond this tile there may be others
        if (along_lines)
            copy<LANES, EXTENT, KC, pitch_lines, false>(shared, from, step, {lines, lines}, {terms, padded}, packs,
                                                        lane);
        else
            copy<LANES, KC, EXTENT, pitch_terms, true>(shared, from, step, {terms, padded}, {lines, lines}, packs,
                                                       lane);
    }
    // In one direction: elements that exist, and elements that are written.
    struct Count {
        int there, written;
    };
    // INNER adjacent elements, OUTER times. TERMS: the inner ones are terms.
    template <int LANES, int INNER, int OUTER, int PITCH, bool TERMS>
    static __device__ __forceinline__ void copy(T *shared, const T *from, long long step, Count inner, Count outer,
                                                bool packs, int lane) {
        if (packs)
            copy<LANES, INNER, OUTER, PITCH, TERMS, P>(shared, from, step, inner, outer, lane);
        else
            copy<LANES, INNER, OUTER, PITCH, TERMS, 1>(shared, from, step, inner, outer, lane);
    }
    // W elements at a time.
    template <int LANES, int INNER, int OUTER, int PITCH, bool TERMS, int W>
    static __device__ __forceinline__ void copy(T *shared, const T *from, long long step, Count inner, Count outer,
                                                int lane) {
        constexpr int per = INNER / W;
        if constexpr (LANES % per == 0 || per % LANES == 0) {
            constexpr bool along = LANES % per == 0; // a lane's elements differ in their outer index only
            constexpr int next_outer = along ? LANES / per : 1, turns = along ? 1 : per / LANES;
            const int first = lane / per;
#pragma unroll
            for (int turn = 0; turn < turns; ++turn) {
                const int i = (lane % per + turn * LANES) * W;
                if (i >= inner.written) break;
                const int bytes = part<W>(inner.there - i);
                const T *p = from + first * step + i;
#pragma unroll(W > 1 ? 4 : 1)
                for (int o = first; o < outer.written; o += next_outer, p += next_outer * step)
                    send<W>(shared + o * PITCH + (TERMS ? term_of(o, i) : i), p, o < outer.there ? bytes : 0);
            }
        } else {
#pragma unroll(W > 1 ? 4 : 1)
            for (int e = lane; e < outer.written * per; e += LANES) {
                const int i = e % per * W, o = e / per;
                if (i < inner.written)
                    send<W>(shared + o * PITCH + (TERMS ? term_of(o, i) : i), from + o * step + i,
                            o < outer.there ? part<W>(inner.there - i) : 0);
            }
        }
    }
    // Bytes of W elements, of which `left` exist.
    template <int W>
    static __device__ __forceinline__ int part(int left) {
        return (left < W ? (left > 0 ? left : 0) : W) * static_cast<int>(sizeof(T));
    }
    template <int W>
    static __device__ __forceinline__ void send(T *to, const T *from, int bytes) {
        if constexpr (W > 1)
            copy_async_part(to, from, bytes);
        else
            copy_async<sizeof(T)>(to, from, bytes > 0);
    }

    // Reads P terms of N lines, W adjacent lines at a time.
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
                const auto pack =
                    *reinterpret_cast<const GemmPack<T> *>(shared + line(n) * pitch_terms + term_of(line(n), term));
#pragma unroll
                for (int t = 0; t < P; ++t) x[t][n] = gemm_conj(pack.v[t], conjugate);
            }
        }
    }
};

// BM x BN of C in BM / TM x BN / TN lanes; WARPS warps per block. A team of more than a warp's lanes is the whole
// block. In a team that is not a power of two, some lanes only copy.
template <typename T_, int BM_, int BN_, int KC_, int TM, int TN, int WARPS>
struct GemmLanes {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, P = 16 / sizeof(T);
    static constexpr int LM = BM / TM, LN = BN / TN, used = LM * LN; // lanes that multiply
    static constexpr int lanes = used > 32 ? 32 * WARPS : 32 % used == 0 ? used : 32, teams = WARPS * 32 / lanes;
    static constexpr bool block = lanes > 32;
    static constexpr bool shares = !block && teams == 1; // terms with other blocks; otherwise registers are too few
    static constexpr int W = TN % P == 0 ? P : TN % 2 == 0 ? 2 : 1; // columns that are read at a time
    static_assert(used <= lanes && TM % P == 0 && BM % TM == 0 && BN % TN == 0, "whole teams and packs");
    using ChunkA = LanesChunk<T, BM, KC, true>;
    using ChunkB = LanesChunk<T, BN, KC, false>;

    struct Storage {
        alignas(16) T a[2][ChunkA::size];
        alignas(16) T b[2][ChunkB::size];
    };
    T c[TN][TM];

    static __device__ __forceinline__ void barrier() {
        if constexpr (block)
            __syncthreads();
        else
            __syncwarp();
    }
    // Position of this lane among those that multiply. In a block a warp is 8 x 4 or 4 x 8 lanes if possible, since
    // these read few different words. Lanes without a position read as the first does.
    struct Position {
        int tm, tn;
        bool used;
    };
    static __device__ __forceinline__ Position position_of(int lane) {
        constexpr int down = !block ? LM : LM % 8 == 0 && LN % 4 == 0 ? 8 : LM % 4 == 0 && LN % 8 == 0 ? 4 : LM;
        if constexpr (down == LM) {
            const bool there = lane < used;
            if constexpr (used < lanes) lane = there ? lane : 0;
            return {lane % LM, lane / LM, there};
        } else {
            const int warp = lane / 32, in = lane % 32;
            return {warp % (LM / down) * down + in % down, warp / (LM / down) * (32 / down) + in / down, true};
        }
    }

    template <bool A_LINES, bool B_LINES>
    __device__ __forceinline__ void multiply(const T *a, const T *b, int terms, int tm, int tn, bool conj_b) {
#pragma unroll 1
        for (int k = 0; k < terms; k += P) {
            T x[P][TM], y[P][TN];
            ChunkA::template read<TM, P, A_LINES>(x, a, k, [&](int i) { return (i / P * LM + tm) * P + i % P; }, false);
            ChunkB::template read<TN, W, B_LINES>(y, b, k, [&](int j) { return column_of(B_LINES, tn, j); }, conj_b);
#pragma unroll
            for (int t = 0; t < P; ++t)
                if constexpr (is_complex<T>) {
#pragma unroll
                    for (int j = 0; j < TN; ++j)
#pragma unroll
                        for (int i = 0; i < TM; ++i) c[j][i] = fma_(x[t][i], y[t][j], c[j][i]);
                } else {
                    const auto factor = [&](int j) { return y[t][j]; };
                    gemm_outer<false>(c, [&](int i) { return x[t][i]; }, factor, factor);
                }
        }
    }
    // Column j of a lane: its columns are adjacent if B's are adjacent in shared memory; otherwise they are far apart,
    // because lanes then read different banks.
    static __device__ __forceinline__ int column_of(bool b_lines, int tn, int j) {
        return b_lines ? (j / W * LN + tn) * W + j % W : j * LN + tn;
    }

    // Stores the sums to shared memory, by columns.
    __device__ __forceinline__ void keep(bool b_lines, Position at, T *sums, int pitch) const {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i)
                if (at.used) sums[column_of(b_lines, at.tn, j) * pitch + (i / P * LM + at.tm) * P + i % P] = c[j][i];
    }

    static __device__ __forceinline__ void run(const GemmArgs &args) {
        auto &storage = shared_of_block<Storage[teams]>();
        const int team = threadIdx.x / lanes;
        Storage &s = storage[team];
        const GemmScales<T> scales(args.factors, args.conj_a);
        const int halvings = shares ? args.halvings : 0;
        const GemmShare<KC> share(scales.nothing() ? 0 : args.k, halvings);
        const int terms = share.terms;
        const GemmTiles<BM, BN> grid(args);
        const long long tiles = grid.count(), jobs = tiles * args.batch;
        const bool a_lines = args.ars == 1, b_lines = args.bcs == 1;
        const long long a_step = a_lines ? args.acs : args.ars, b_step = b_lines ? args.brs : args.bcs;
        // The warp's first team, so that all its lanes run the same number of iterations.
        const int first = block ? 0 : threadIdx.x / 32 * (32 / lanes);
        for (long long turn = static_cast<long long>(blockIdx.x >> halvings) * teams + first; turn < jobs;
             turn += static_cast<long long>(gridDim.x >> halvings) * teams) {
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
                const T *a = member<T>(args.a, member_of) + args.a0 + row * args.ars + share.first * args.acs;
                const T *b = member<T>(args.b, member_of) + args.b0 + column * args.bcs + share.first * args.brs;
                const bool packs_a = whole(a, a_step), packs_b = whole(b, b_step);
                const auto copy = [&](int place, int from) {
                    const int count = terms - from < KC ? terms - from : KC;
                    int lane = threadIdx.x % lanes;
                    forget(lane); // otherwise each address would occupy a register throughout the loop
                    if (count > 0) {
                        ChunkA::template copy<lanes>(s.a[place], a + from * args.acs, a_lines, a_step, stored.rows,
                                                     count, packs_a, lane);
                        ChunkB::template copy<lanes>(s.b[place], b + from * args.brs, b_lines, b_step, stored.columns,
                                                     count, packs_b, lane);
                    }
                    copies_sent();
                };
                barrier(); // the last job's chunks have been used
                copy(0, 0), copy(1, KC);
                int place = 0;
#pragma unroll 1
                for (int from = 0; from < terms; from += KC, place ^= 1) {
                    copies_done_but<1>();
                    barrier();
                    const int count = terms - from < KC ? terms - from : KC;
                    const T *const x = s.a[place], *const y = s.b[place];
                    int lane = threadIdx.x % lanes;
                    forget(lane);
                    const Position at = position_of(lane);
                    if (a_lines && b_lines)
                        tile.template multiply<true, true>(x, y, count, at.tm, at.tn, args.conj_a != args.conj_b);
                    else if (a_lines)
                        tile.template multiply<true, false>(x, y, count, at.tm, at.tn, args.conj_a != args.conj_b);
                    else if (b_lines)
                        tile.template multiply<false, true>(x, y, count, at.tm, at.tn, args.conj_a != args.conj_b);
                    else
                        tile.template multiply<false, false>(x, y, count, at.tm, at.tn, args.conj_a != args.conj_b);
                    if (from + KC < terms) {
                        barrier();
                        copy(place, from + 2 * KC);
                    }
                }
            }
            const Position at = position_of(threadIdx.x % lanes);
            if constexpr (shares) {
                if (halvings > 0) {
                    gemm_over_cluster<T, BM, BN, 32 * WARPS>(
                        s, [&](auto... place) { tile.keep(b_lines, at, place...); }, halvings, C, args.ldc, stored,
                        scales);
                    continue;
                }
            }
            if (!at.used) stored.rows = 0;
            gemm_store<LM>(
                C, args.ldc, tile.c, at.tm, [&](int j) { return column_of(b_lines, at.tn, j); }, stored, scales);
        }
    }

    // Whether everything that a chunk copies starts at a multiple of 16 bytes.
    static __device__ __forceinline__ bool whole(const T *p, long long step) {
        return reinterpret_cast<unsigned long long>(p) % 16 == 0 && step % P == 0;
    }
};

} // namespace tephra

// TM, TN: size of a lane's part.
#define TEPHRA_GEMM_LANES(NAME, T, BM, BN, KC, TM, TN, WARPS, MIN_BLOCKS)                                              \
    TEPHRA_ENTRY(                                                                                                      \
        NAME,                                                                                                          \
        in_chunks_of(                                                                                                  \
            KC, Instance(32 * WARPS).holds(BM, BN).places(GemmLanes<letter::T, BM, BN, KC, TM, TN, WARPS>::teams)),    \
        __launch_bounds__(32 * WARPS, MIN_BLOCKS), GemmArgs, GemmLanes<letter::T, BM, BN, KC, TM, TN, WARPS>::run)
