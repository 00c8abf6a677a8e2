// The last launch of a block reflector whose rows are divided among blocks, C += V X, where many tiles of C are
// complete: a block keeps X of its columns in shared memory and works its way down its rows.
//
// A tile costs reads of V and of itself, but not of X. Two tiles are in registers: while one is multiplied, the one
// above is stored and the one below is loaded. Sums are those of apply.cuh, in the same order.
#pragma once
#include "apply.cuh"

namespace tephra {

// Shared memory: X of NB reflectors, and boxes of V that are being copied.
template <typename Tile, int NB, int STAGES>
struct ReflectKept {
    using T = typename Tile::T;
    static constexpr int steps = NB / Tile::KC, capacity = Tile::BB;
    alignas(16) T x[steps][Tile::BoxA::size];
    alignas(16) T v[STAGES][Tile::BoxB::size];
};

// A block's pass down `tiles` tiles.
template <typename Tile, int NB, int STAGES>
struct ReflectRun {
    using T = typename Tile::T;
    using Pack = Chunk<T, 2 * sizeof(T)>;
    static constexpr int KC = Tile::KC, BB = Tile::BB, AT = Tile::AT, BT = Tile::BT, S = NB / KC;
    static_assert(S >= 2 && S * KC == NB && STAGES >= 3 && KC % 8 == 0, "a box of each kind, the barrier within");
    ReflectKept<Tile, NB, STAGES> &kept;
    const long long ldc, ldv, pitch;
    const T *x_from, *v_from; // of the boxes that are copied next
    int sent = 0, end;        // boxes of V: number copied, and total
    int here = 0, free = 0;   // places of the box that is multiplied, and of the one to be copied next
    typename Tile::Terms terms[2];

    enum Beside { STORES, LOADS, NOTHING };

    __device__ __forceinline__ ReflectRun(ReflectKept<Tile, NB, STAGES> &kept, const ReflectArgs &args, const T *X,
                                          const T *V, int tiles)
        : kept(kept), ldc(args.ldc), ldv(args.ldv), pitch(args.pitch), x_from(X + Tile::BoxA::mine(args.pitch)),
          v_from(V + Tile::BoxB::mine(args.ldv)), end(tiles * S) {}

    // Starts copies of a box of V and, for the first tile, of X.
    __device__ __forceinline__ void send() {
        if (sent < end) {
            Tile::BoxB::copy_whole(kept.v[free], v_from, ldv);
            if (sent < S) Tile::BoxA::copy_whole(kept.x[sent], x_from, pitch), x_from += KC * pitch;
            ++sent;
            v_from += sent % S == 0 ? BB - (S - 1) * KC * ldv : KC * ldv;
        }
        copies_sent();
        free = free + 1 < STAGES ? free + 1 : 0;
    }
    // Moves this thread's rows of line `group`, one of its 2 AT lines, to or from `place`, where its first element is.
    template <Beside WHAT>
    __device__ __forceinline__ void move(Tile &tile, int group, T *place) const {
        const int i = group / 2, h = group % 2;
#pragma unroll
        for (int j = 0; j < BT; ++j) {
            Pack *const p = reinterpret_cast<Pack *>(place + (i * 16 + h * 8) * ldc + j * 8);
            if (WHAT == STORES) {
                *p = Pack{{tile.c[i][j].get(2 * h), tile.c[i][j].get(2 * h + 1)}};
            } else {
                const Pack y = *p;
                tile.c[i][j].set(2 * h, y.e[0]), tile.c[i][j].set(2 * h + 1, y.e[1]);
            }
        }
    }
    template <Beside WHAT>
    __device__ __forceinline__ void move(Tile &tile, T *place) const {
#pragma unroll
        for (int group = 0; group < 2 * AT; ++group) move<WHAT>(tile, group, place);
    }
    // Products with box s, as in ReflectStages::run_through. If `wanted`, the other tile is moved meanwhile.
    template <Beside WHAT>
    __device__ __forceinline__ void step(int s, Tile &now, Tile &other, T *place, bool wanted) {
        const int after = here + 1 < STAGES ? here + 1 : 0;
        constexpr int last = KC - 4, each = (2 * AT * 4 + KC - 1) / KC;
#pragma unroll
        for (int k = 0; k <= last; k += 4) {
            auto &mine = terms[k / 4 % 2], &next = terms[(k / 4 + 1) % 2];
            if (k < last)
                now.template fetch<false>(next, kept.x[s], kept.v[here], k + 4);
            else
                now.template fetch<false>(next, kept.x[s + 1 < S ? s + 1 : 0], kept.v[after], 0);
            if (k == 4) {
                copies_done_but<STAGES - 3>();
                __syncthreads(); // all threads' next boxes are there, and the previous ones have been used
            }
            now.add(mine);
            if (k == 4) send();
            if (WHAT != NOTHING && wanted) {
#pragma unroll
                for (int e = 0; e < each; ++e)
                    if (k / 4 * each + e < 2 * AT) move<WHAT>(other, k / 4 * each + e, place);
            }
        }
        here = after;
    }
    __device__ __forceinline__ void tile(Tile &now, Tile &other, T *place, bool above, bool below) {
        step<STORES>(0, now, other, place - BB, above);
        step<LOADS>(1, now, other, place + BB, below);
#pragma unroll 1
        for (int s = 2; s < S; ++s) step<NOTHING>(s, now, other, place, false);
    }
    // C: the first tile's corner.
    __device__ __forceinline__ void go(T *C, int tiles) {
        Tile one, two;
        T *place = C + (one.first_a + one.g) * ldc + one.first_b + 2 * one.q;
        move<LOADS>(one, place);
#pragma unroll 1
        for (int s = 0; s < STAGES - 1; ++s) send();
        copies_done_but<STAGES - 2>();
        __syncthreads();
        one.template fetch<false>(terms[0], kept.x[0], kept.v[0], 0);
        int t = 0;
#pragma unroll 1
        for (; t + 1 < tiles; t += 2) {
            tile(one, two, place, t > 0, true);
            place += BB;
            tile(two, one, place, true, t + 2 < tiles);
            place += BB;
        }
        if (t < tiles) {
            tile(one, two, place, t > 0, false);
            move<STORES>(one, place);
        } else {
            move<STORES>(two, place - BB);
        }
    }
};

// A block takes args.run tiles, one below the other. It keeps X for the complete tiles below V's triangle and C's
// zeros, and handles others as apply.cuh does.
template <typename Tile, int NB, int STAGES>
__device__ __forceinline__ void reflect_kept(const ReflectArgs &args) {
    using T = typename Tile::T;
    using Stages = ReflectStages<Tile, 3>;
    constexpr int BA = Tile::BA, BB = Tile::BB;
    constexpr long long BESIDE = 16; // jobs go by rows of this many columns, so that neighbours share V and X in cache
    static_assert(sizeof(Stages) <= sizeof(ReflectKept<Tile, NB, STAGES>), "one in place of the other");
    auto &kept = *reinterpret_cast<ReflectKept<Tile, NB, STAGES> *>(dynamic_shared());
    auto &stages = *reinterpret_cast<Stages *>(dynamic_shared());
    for (long long job = blockIdx.x;; job += gridDim.x) {
        // Computed for each job anew: the run needs the registers.
        const long long m = forgotten(args.m), n = forgotten(args.n);
        const long long across = (n + BA - 1) / BA, tiles = (m + BB - 1) / BB;
        const long long down = (tiles + args.run - 1) / args.run, i = job / (across * down);
        if (i >= args.batch) break;
        const long long number = job - i * across * down;
        const long long strip = number / (down * BESIDE) * BESIDE, left = across - strip;
        const long long wide = left < BESIDE ? left : BESIDE, within = number - strip * down, level = within / wide;
        const long long column = (strip + within - level * wide) * BA, first = level * args.run;
        const long long end = tiles - first < args.run ? tiles : first + args.run;
        const T *const V = args.template reflectors<T>(i), *const X = args.template sums_of<T>(i, 0) + column;
        T *const C = args.template matrix<T>(i) + column * args.ldc;
        const bool fits = args.k == NB && !args.identity && n - column >= BA && aligned<16>(V, args.ldv) &&
                          aligned<16>(C, args.ldc) && aligned<16>(X, args.pitch);
        const long long top = ((args.zeros > args.k ? args.zeros : args.k) + BB - 1) / BB, bottom = m / BB;
        const long long from = first > top ? first : top, to = fits ? (end < bottom ? end : bottom) : first;
#pragma unroll 1
        for (long long t = first; t < end; ++t)
            if (t < from || t >= to) reflect_apply_tile(args, stages, i, t * BB, column);
        if (from >= to) continue;
        const int count = static_cast<int>(to - from);
        __syncthreads(); // the previous boxes have been used
        ReflectRun<Tile, NB, STAGES>(kept, args, X, V + from * BB, count).go(C + from * BB, count);
    }
}

} // namespace tephra

// WA, WB: of a warp; NB: number of reflectors for which X is kept.
#define TEPHRA_REFLECT_KEPT(NAME, T, BA, BB, NB, KC, WA, WB, STAGES)                                                   \
    TEPHRA_ENTRY(                                                                                                      \
        NAME,                                                                                                          \
        (Instance(32 * (BA / WA) * (BB / WB))                                                                          \
             .applies<ReflectKept<ReflectTensor<letter::T, BA, BB, KC, WA, WB, false>, NB, STAGES>>(NB, BA, 1)         \
             .at_once(1)),                                                                                             \
        __launch_bounds__(32 * (BA / WA) * (BB / WB), 1), ReflectArgs,                                                 \
        reflect_kept<ReflectTensor<letter::T, BA, BB, KC, WA, WB, false>, NB, STAGES>)
