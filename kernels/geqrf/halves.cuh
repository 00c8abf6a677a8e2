// QR of small matrices in two halves of their columns, left-looking; each half is factored as in lane.cuh. The second
// half waits in shared memory while the first is in registers. Then they swap, and each lane applies the reflectors
// from shared memory to its own columns, without exchanges. A matrix thus takes half the lanes that one tile would, and
// its steps have half the columns; a batch needs half as many warps, and storing the first half and loading the second
// overlap with the steps. Where matrices fill the tile and are contiguous, a half is moved by one bulk copy.
// Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/instance.cuh"
#include "columns.cuh"
#include "lane.cuh"

namespace tephra {

// PC lanes hold RPT rows of CPT columns each at a time; a matrix has 2 PC CPT columns.
template <typename T, int PC, int RPT, int CPT, int REGISTERS>
struct Halves {
    static constexpr int H = PC * CPT, V = Chunk<T>::size;
    static_assert(RPT > H && H % V == 0, "the second half has rows of its own, in whole chunks");
    using Cells = Stage<T, RPT, H, PC, true>;
    using First = LaneQr<T, PC, RPT, CPT, REGISTERS, Cells>;
    using Second = LaneQr<T, PC, RPT - H, CPT, REGISTERS, Cells, First::scaled>;
    // Whether a reflector stays in registers between its two uses.
    static constexpr bool keep = (RPT * CPT + RPT) * First::words + First::others <= REGISTERS;
    // The number of reflectors that share the code that applies them. Where that code is large, the instruction cache
    // limits the speed.
    static constexpr bool much_code = H * RPT * CPT * First::words * (is_complex<T> ? 2 : 1) >= 1000;
    static constexpr int group = !much_code ? 1 : std::is_same_v<T, double> && CPT > 1 ? 2 : 4;
    static_assert(group == 1 || group % V == 0);

    // Whether each of the second half's register columns is stored as soon as it is finished: faster with six lanes,
    // slower with four and eight.
    static constexpr bool in_turns = Cells::bulk && CPT == 2 && PC == 6;

    // Swaps the halves: the finished first one goes to the stage, and the second from there into registers; taus go to
    // where the pivots were. Idle lanes must not call this, since other lanes write where they would read.
    template <int c = 0>
    static __device__ __forceinline__ void change(First &f) {
        if constexpr (c < CPT) {
            const int column = opaque(f.lc), k = c * PC + column;
            f.template finish<c>(column);
            T *const at = f.cells + First::place(k);
#pragma unroll
            for (int r = 0; r < RPT; r += V) {
                Chunk<T> *const p = reinterpret_cast<Chunk<T> *>(at + r);
                const Chunk<T> in = *p;
                Chunk<T> out;
#pragma unroll
                for (int e = 0; e < V; ++e) {
                    out.e[e] = r + e < RPT ? f.a[r + e < RPT ? r + e : 0][c] : make<T>(0);
                    if (r + e < RPT) f.a[r + e][c] = in.e[e];
                }
                *p = out;
            }
            f.cells[First::pivot_place(0) + k] = f.tau_of(c, k);
            change<c + 1>(f);
        }
    }
    // Writes the ones of V's columns, and the zeros above them as far as `apply` reads, in the stage or, while bulk
    // copies may still be reading that, in a separate corner with `group` elements per column.
    static constexpr bool apart = group > 1 && Cells::bulk;
    static constexpr int corner_size = apart ? (H * group / V | 1) * V : 0; // of a matrix
    static __device__ __forceinline__ void complete(const First &f, T *corner) {
        if (group == 1 || First::idle(f.lane)) return;
        const int column = opaque(f.lc);
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int k = c * PC + column, first = k / group * group;
            T *const at = f.cells + First::place(k) + first, *const to = apart ? corner + k * group : at;
#pragma unroll
            for (int i = 0; i < group; i += V) {
                Chunk<T> q = *reinterpret_cast<const Chunk<T> *>(at + i);
#pragma unroll
                for (int e = 0; e < V; ++e)
                    if (first + i + e <= k) q.e[e] = make<T>(first + i + e == k ? 1 : 0);
                *reinterpret_cast<Chunk<T> *>(to + i) = q;
            }
        }
    }
    // Applies H_k^H to the tile, for k0 and all later reflectors. Groups share their code, and also process rows that
    // are zero.
    template <int k0 = 0>
    static __device__ __forceinline__ void apply(First &f, const T *corner) {
        if constexpr (k0 < H) {
            const T *v = f.cells + First::place(k0), *tau = f.cells + First::pivot_place(0) + k0;
            constexpr int end = k0 + group < H ? k0 + group : H;
#pragma unroll 1
            for (int k = k0; k < end; ++k, v += Cells::ld, corner += group, ++tau) reflect<k0>(f, v, corner, *tau);
            apply<end>(f, corner);
        }
    }
    template <int first>
    static __device__ __forceinline__ void reflect(First &f, const T *v, const T *corner, T tau) {
        constexpr int begin = group == 1 ? first + 1 : first; // the leading one of a single reflector is implicit
        // Independent sums hide the latency.
        constexpr int chains = !keep || CPT >= 4 ? 1 : CPT == 3 || (CPT == 2 && Cells::bulk) ? 2 : 4;
        const auto place = [&](int r0) { return apart && r0 < first + group ? corner + (r0 - first) : v + r0; };
        T x[keep ? RPT : 1], dot[chains][CPT];
#pragma unroll
        for (int j = 0; j < CPT; ++j)
#pragma unroll
            for (int s = 0; s < chains; ++s) dot[s][j] = group == 1 && s == 0 ? f.a[first][j] : make<T>(0);
#pragma unroll
        for (int r0 = begin / V * V; r0 < RPT; r0 += V) {
            const Chunk<T> q = *reinterpret_cast<const Chunk<T> *>(place(r0));
#pragma unroll
            for (int e = 0; e < V; ++e) {
                const int r = r0 + e;
                if (r < begin || r >= RPT) continue;
                if constexpr (keep) x[r] = q.e[e];
#pragma unroll
                for (int j = 0; j < CPT; ++j) dot[r % chains][j] = cfma_(q.e[e], f.a[r][j], dot[r % chains][j]);
            }
        }
        T y[CPT];
#pragma unroll
        for (int j = 0; j < CPT; ++j) {
#pragma unroll
            for (int s = 1; s < chains; ++s) dot[0][j] = add(dot[0][j], dot[s][j]);
            y[j] = mul(conj(tau), dot[0][j]);
            if (group == 1) f.a[first][j] = add(f.a[first][j], scale(y[j], Real<T>(-1)));
        }
#pragma unroll
        for (int r0 = begin / V * V; r0 < RPT; r0 += V) {
            Chunk<T> q;
            if constexpr (!keep) q = read_again(place(r0));
#pragma unroll
            for (int e = 0; e < V; ++e) {
                const int r = r0 + e;
                if (r < begin || r >= RPT) continue;
#pragma unroll
                for (int j = 0; j < CPT; ++j) f.a[r][j] = fnma_(keep ? x[keep ? r : 0] : q.e[e], y[j], f.a[r][j]);
            }
        }
    }
    // Sends the rows that are final before the second half's steps to the stage.
    template <int c = 0>
    static __device__ __forceinline__ void keep_top(const First &f) {
        if constexpr (c < CPT) {
            if (!First::idle(f.lane)) f.template send<c, 0, H>(f.cells + First::place(f.col(c)));
            keep_top<c + 1>(f);
        }
    }
};

// TEAMS: warps per block, each with matrices of its own. MIN_BLOCKS: blocks per multiprocessor.
template <typename T, int PC, int RPT, int CPT, int TEAMS, int MIN_BLOCKS>
__device__ __forceinline__ void geqrf_halves(const GeqrfArgs &args) {
    constexpr int registers = 65536 / (32 * TEAMS * MIN_BLOCKS);
    using K = Halves < T, PC, RPT, CPT, registers<255 ? registers : 255>;
    using First = typename K::First;
    using Second = typename K::Second;
    constexpr int H = K::H, mats = First::mats;
    alignas(16) __shared__ T cells[TEAMS][K::Cells::size];
    alignas(16) __shared__ T corners[TEAMS][K::corner_size ? K::corner_size * mats : 1];
    __shared__ CopyBarrier barriers[TEAMS];
    __shared__ ColumnScales<H> all_scales[TEAMS][2][mats]; // of the halves
    auto &scales = all_scales[threadIdx.x / 32];
    T *const warp_cells = cells[threadIdx.x / 32];
    CopyBarrier &barrier = barriers[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, rank = First::rank(lane);
    const long long first = (blockIdx.x * (long long)TEAMS + threadIdx.x / 32) * mats, i = first + First::matrix(lane);
    const bool live = i < args.batch && !First::idle(lane);
    const int m = args.m, n = args.n, rest = n > H ? n - H : 0;
    const long long lda = args.lda;

    First f(m, n < H ? n : H, nullptr, warp_cells);
    if (!live) f.n = 0; // no loads or stores, but the same steps
    T *A = live ? args.matrix<T>(i) : nullptr, *tau = First::tau_first && live ? args.taus<T>(i) : nullptr;
    if (K::Cells::bulk) { // while the pointers load
        if (lane == 0) barrier.init(mats);
        __syncwarp();
    }
    const bool bulk = First::in_bulk(A, lda, m, rest == H);
    if (bulk) {
        f.fetch_bulk(barrier, A);
        barrier.wait_warp(0);
    } else {
        f.fetch(A, lda, f.n);
        copies_done();
        __syncwarp();
    }
    const int slot = First::idle(lane) ? mats - 1 : First::matrix(lane);
    if constexpr (First::scaled) {
        scales[0][0].begin();
        scales[1][0].begin();
    }
    f.scale_stage(K::Cells::Run::is(lda, m) ? f.cells + K::Cells::Run::before(A) : nullptr, f.n, scales[0][slot],
                  scales[0][0].any[0]);
    f.take(A, lda);
    if (32 % PC != 0) __syncwarp(); // idle lanes have read where the first pivot goes
    f.begin();
    if (bulk) before_bulk_copies();
    __syncwarp(); // the first half has left the stage
    if (bulk)
        f.fetch_bulk(barrier, live ? A + H * lda : nullptr);
    else
        f.fetch(A + H * lda, lda, live ? rest : 0);
    walk(f);
    const bool first_ok = f.none(__ballot_sync(0xffffffffu, f.failed()));
    if (!First::tau_first && live) { // load them again: registers are short in between
        A = args.matrix<T>(i);
        tau = args.taus<T>(i);
    }
    if (bulk)
        barrier.wait_warp(1);
    else
        copies_done();
    __syncwarp();
    f.settle(A + H * lda, lda, live ? rest : 0);
    f.scale_stage(nullptr, live ? rest : 0, scales[1][slot], scales[1][0].any[0]);
    if (!First::idle(lane)) K::change(f);
    if (bulk) before_bulk_copies();
    __syncwarp();
    if (live && first_ok) {
        f.put(A, lda, bulk);
        const int k_max = m < f.n ? m : f.n;
#pragma unroll
        for (int k = rank; k < H; k += PC)
            if (k < k_max) tau[k] = f.cells[First::pivot_place(0) + k];
    }
    T *const corner = corners[threadIdx.x / 32] + slot * K::corner_size;
    if (!K::apart) __syncwarp(); // the stage has been read
    K::complete(f, corner);
    if (K::group > 1) __syncwarp();
    K::apply(f, corner);
    if (bulk) bulk_stores_read();
    const int k_all = is_complex<T> ? m : m - 1;
    const bool bad = f.failed_rest(k_all - H, rest);
    __syncwarp(); // the stage has been read; the first half is visible to the slow path
    Second s(m - H, rest, nullptr, warp_cells);
    if (!live) s.n = 0;
#pragma unroll
    for (int c = 0; c < CPT; ++c)
#pragma unroll
        for (int r = 0; r < RPT - H; ++r) s.a[r][c] = f.a[H + r][c];
    K::keep_top(f);
    s.template broadcast<0>(s.lc);
    bool begun = false; // whether the second half's first columns are being stored
    walk(s, [&](auto c) {
        if (!K::in_turns || decltype(c)::value != 0 || !bulk) return;
        begun = first_ok & f.none(__ballot_sync(0xffffffffu, bad | s.template failed_steps<1>()));
        s.template store_bulk<0, 1>(A + H * lda, live && begun);
    });
    bool ok = first_ok & f.none(__ballot_sync(0xffffffffu, bad | s.failed_steps()));
    if (K::in_turns && bulk) {
        ok &= begun; // a failure found before; those columns have been scaled since
        s.template store_bulk<K::in_turns ? 1 : CPT, CPT>(A + H * lda, live && ok);
        if (live && begun) s.store_taus(tau + H, s.lc, rest);
    } else {
        s.store(A + H * lda, lda, tau + H, live && ok, bulk);
    }
    if (live && rank == 0) args.no_error(i);
    // Finishes the failed matrices one at a time. Half of their columns or more may be done; the others are unchanged.
    unsigned left = __ballot_sync(0xffffffffu, live && !ok && rank == 0);
    const unsigned half = __ballot_sync(0xffffffffu, first_ok), more = __ballot_sync(0xffffffffu, begun);
    if (bulk) bulk_stores_read(); // before the stage goes away
    const bool scaled = First::scaled && (scales[0][0].any[0] | scales[1][0].any[0]);
    if (bulk && (left || scaled)) {
        bulk_stores_done();
        __syncwarp();
    }
    // The number of stored columns of the matrix whose first lane is `bit`.
    const auto stored = [&](int bit) { return (half >> bit & 1) * H + (more >> bit & 1) * PC; };
    if (scaled) {
        unsigned todo = __ballot_sync(0xffffffffu, live && rank == 0);
        for (; todo; todo &= todo - 1) {
            const int bit = __ffs(todo) - 1, j = First::matrix(bit), end = left >> bit & 1 ? stored(bit) : n;
            T *const p = args.matrix<T>(first + j);
            if (scales[0][0].any[0]) unscale_r_call(p, lda, m, 0, end < H ? end : H, &scales[0][j], 0);
            if (scales[1][0].any[0]) unscale_r_call(p, lda, m, H, end - H, &scales[1][j], 0);
        }
    }
    while (left) {
        const int bit = __ffs(left) - 1, done = stored(bit);
        const long long j = first + First::matrix(bit);
        geqrf_rest_call(args.matrix<T>(j), lda, args.taus<T>(j), args.m, args.n, done, WarpTeam());
        left &= left - 1;
    }
}

} // namespace tephra

#define TEPHRA_HALVES(NAME, T, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(32 * TEAMS).lanes(1, PC, RPT, 2 * CPT), __launch_bounds__(32 * TEAMS, MIN_BLOCKS),     \
                 GeqrfArgs, geqrf_halves<letter::T, PC, RPT, CPT, TEAMS, MIN_BLOCKS>)
