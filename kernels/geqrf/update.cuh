// Application of a block reflector of at most NB columns in one fused kernel, without workspace: D := H^H D (the
// blocked path's trailing update, where D is C) or, if ANY, whatever else LarfbArgs describes.
//
//   W = V^H D;  X = S^T W with S = -conj(T), T the triangular factor (H D: S^H in place of S);  D += V X
// A block takes tiles of NT columns of one matrix, one after another. V stays in shared memory, and a tile of C in the
// registers of a team of W warps from its one read to its one write. G teams share V, each with its own tile, so that
// one loads or stores while others multiply. Rows are dealt to a team's warps in small groups, so that short matrices
// occupy all warps. Each block forms S once from the Gram matrix V^H V (LAPACK larft, paper 001).
// Tall matrices: the rows are split over the CL blocks of a cluster, which sum W through distributed shared memory (m
// is then at most CL times a block's capacity). Without a cluster, a matrix taller than a block's capacity passes
// through it in chunks of rows, which means reading C and V twice.
#pragma once
#include "../arch/arch.cuh"
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"
#include "cluster_shares.cuh"
#include "form_s.cuh"
#include "outside.cuh"
#include "update_memory.cuh"
#include "update_team.cuh"
#include "update_tensor.cuh"
#include "update_vector.cuh"

#include <type_traits>

namespace tephra {

template <typename T, int NB, int NT, int W, int U, int G, int CL, bool ANY>
struct Update {
    static constexpr bool tensor = std::is_same_v<Real<T>, double>;
    using Tile = std::conditional_t<tensor, TensorTile<T, NB, NT, W, U>, VectorTile<T, NB, NT, W, U>>;
    static constexpr int team_threads = 32 * W, threads = G * team_threads, teams = G, cluster = CL;
    static constexpr int size = Tile::size, capacity = Tile::capacity;
    static constexpr bool alternate = tensor && CL == 1;
    static constexpr int row_step = 32; // a cluster's rows are split in multiples of it
    static_assert(NB % NT == 0 && threads >= NB && capacity % row_step == 0);

    // What one access handles when the warps' parts are summed: sixteen bytes, unless fragments or cluster boxes are
    // summed.
    struct alignas(tensor || CL > 1 ? sizeof(T) : 16) Some {
        static constexpr int size = tensor || CL > 1 ? 1 : 16 / sizeof(T);
        T x[size];
    };

    // A team's own shared memory: the warps' parts of X (tensor) or of W, and X. A tensor part is also the stage for
    // its warp's loads and stores. Two sets alternate, so that one is free while others still read the other.
    struct alignas(alignof(Some)) Exchange {
        T part[alternate ? 2 : 1][W][size];
        T x[tensor ? 1 : size];
    };

    // Whether the first rows are dealt to different warps in different blocks, which registers must allow.
    static constexpr bool shifted = !Tile::tight && !(tensor && CL > 1) && !(ANY && !std::is_same_v<T, float>);

    // Columns that a block handles at a time, and the rounds of a matrix in one run: last, last - step, ...
    static constexpr int round = G * NT;
    struct Rounds {
        int first, last, step;
    };
    struct Nothing {};

    // In shared memory.
    alignas(16) T v[NB * Tile::ldv];
    Exchange exchanges[G];
    T s[NB][NB + 1];
    T tau[NB];
    using Sum = std::conditional_t<(CL > 2), ClusterShares<T, size, CL, team_threads>, ClusterSum<T, size, CL>>;
    std::conditional_t<(CL > 1), Sum, Nothing> sums[CL > 1 ? G : 1];
    // Values used at most once per tile; in registers they would displace what the products need.
    const T *v_here;
    T *c_here;
    Place<const T> from_here; // where C is read
    Place<T> r_here;          // where its first k rows go
    Rounds rounds_here;
    int slot; // number of this block's first warp on its multiprocessor
    long long job, end;

    static __device__ __forceinline__ int rank() {
        if constexpr (CL > 1)
            return cluster_rank();
        else
            return 0;
    }
    static __device__ __forceinline__ int team() { return threadIdx.x / team_threads; }
    static __device__ __forceinline__ int member_of_team() { return threadIdx.x % team_threads; }
    static __device__ __forceinline__ void sync_team() { team_sync<W, G>(team()); }

    // Starts copies of V's rows from `first` on, up to `filled` rows: zeros above the diagonal and past the end, ones
    // on the diagonal. They are complete after `arrived`.
    __device__ __forceinline__ void load_v(const Tile &tile, const T *V, long long lda, long long first, int rows,
                                           int filled, int k) {
        __syncthreads(); // v may still be read
        load_reflectors<NB, Tile::ldv, threads>(v, V, lda, first, rows, filled, k, !tile.strided,
                                                [&](int r) { return tile.slot(r); });
    }

    // Calls f(e, sum of elements e, ... of the warps' parts, over the cluster) for this thread's elements, a few at a
    // time.
    template <typename F>
    __device__ __forceinline__ void sum_parts(const T (*part)[size], unsigned &turn, F f) {
        sync_team();
        if constexpr (CL == 1) {
#pragma unroll
            for (int e = member_of_team() * Some::size; e < size; e += team_threads * Some::size) {
                Some sum = *reinterpret_cast<const Some *>(part[0] + e);
#pragma unroll
                for (int i = 1; i < W; ++i) {
                    const Some x = *reinterpret_cast<const Some *>(part[i] + e);
#pragma unroll
                    for (int l = 0; l < Some::size; ++l) sum.x[l] = add(sum.x[l], x.x[l]);
                }
                f(e, sum);
            }
        } else {
            if (member_of_team() == 0) sums[team()].expect(turn);
#pragma unroll
            for (int e = member_of_team(); e < size; e += team_threads) {
                T sum = part[0][e];
#pragma unroll
                for (int i = 1; i < W; ++i) sum = add(sum, part[i][e]);
                sums[team()].send(turn, e, sum);
            }
            sums[team()].wait(turn, member_of_team());
#pragma unroll
            for (int e = member_of_team(); e < size; e += team_threads) f(e, Some{{sums[team()].sum(turn, e)}});
        }
    }

    // Blocks of rows that a warp processes: all U, or up to three pieces fewer if that covers all rows.
    static constexpr int piece = tensor && U >= 16 ? U / 4 : tensor || (ANY || CL > 1) && U > 4 ? 2 : 1;
    static constexpr int least = U > 3 * piece ? U - 3 * piece : piece;
    static constexpr int block_rows = capacity / U; // of a block, in each warp
    static __host__ __device__ constexpr int blocks(int pieces) {
        const int n = least + (pieces - 1) * piece;
        return n < U ? n : U;
    }
    // The least n for which blocks(n) hold `rows` rows.
    static __device__ __forceinline__ int pieces(int rows) {
        constexpr int step = piece * block_rows, before = (least - piece) * block_rows;
        return rows > before + step ? (rows - before + step - 1) / step : 1;
    }
    // Calls f(number of blocks), a compile-time constant. It is that of this warp, so that warps with fewer rows leave
    // their issue slots to others; in double precision, where C takes half of the registers, that of the warp with the
    // most rows.
    template <typename F>
    static __device__ __forceinline__ void with_blocks(int rows, const Tile &tile, F f) {
        const int first = std::is_same_v<T, double> && !shifted ? 0 : tile.warp * Tile::group;
        switch (pieces(rows - first)) {
        case 1:
            f(std::integral_constant<int, blocks(1)>());
            break;
        case 2:
            f(std::integral_constant<int, blocks(2)>());
            break;
        case 3:
            if constexpr (blocks(3) < U) { // else one copy of the code is enough
                f(std::integral_constant<int, blocks(3)>());
                break;
            }
            [[fallthrough]];
        default:
            f(std::integral_constant<int, U>());
        }
    }
    // Computes this warp's part of W or, if the tile can and `expand` is set, of X.
    __device__ __forceinline__ void dots(Tile &tile, T *part, int rows, bool expand, bool upper) {
        if constexpr (tensor) {
            Accumulator<T> w[Tile::JT];
            with_blocks(rows, tile, [&](auto n) { tile.template dots<n.value>(v, w); });
            if (expand)
                tile.put_expanded(w, s, upper, part);
            else
                tile.put(w, part);
        } else {
            with_blocks(rows, tile, [&](auto n) { tile.template dots<n.value>(v, part); });
        }
    }

    // Replaces S by S^H.
    __device__ __forceinline__ void turn_s() {
#pragma unroll 1
        for (int e = threadIdx.x; e < NB * NB; e += threads) {
            const int i = e / NB, j = e % NB;
            if (i > j) continue;
            const T x = conj(s[i][j]);
            s[i][j] = make<T>(0);
            s[j][i] = x;
        }
        __syncthreads();
    }

    // Prefetches this team's next tile, a full one, into the L2 cache.
    static __device__ __forceinline__ void prefetch(const T *C, long long ldc, int rows) {
        if constexpr (tensor && W > 2) {
            const int j = member_of_team();
            if (j < NT && rows > 0) prefetch_column(C + j * ldc, rows);
        } else {
            prefetch_tile<NT, team_threads>(C, ldc, rows, member_of_team());
        }
    }

    // Computes S from a given T.
    __device__ __forceinline__ void take_s(const T *F, long long ldt, int k) {
#pragma unroll 1
        for (int e = threadIdx.x; e < NB * NB; e += threads) {
            const int i = e % NB, j = e / NB;
            s[i][j] = i <= j && j < k ? scale(conj(F[j * ldt + i]), Real<T>(-1)) : make<T>(0);
        }
    }

    // Load and store a chunk of a tile of D, from column `first` on.
    static __device__ __forceinline__ void load(const LarfbArgs &args, Tile &tile, const Place<const T> &from,
                                                long long row, long long first, int rows, int cols, T *stage) {
        if (ANY && first < args.identity) {
            const long long shift = args.diagonal + first - row;
            tile.fill([&](int i, int j) { return make<T>(i == j + shift ? 1 : 0); });
            return;
        }
        if (ANY && args.transposed) {
            const T *p = from.p + row * from.ld + first;
            tile.fill([&](int i, int j) { return i < rows && j < cols ? p[i * from.ld + j] : make<T>(0); });
        } else {
            tile.load(global(from.p + first * from.ld + row), from.ld, rows, cols, stage);
        }
        if (ANY && is_complex<T> && args.conjugate) tile.fill_from([](int, T x) { return conj(x); });
        if (ANY && row < args.zeros) tile.fill_from([&](int i, T x) { return row + i < args.zeros ? make<T>(0) : x; });
    }
    static __device__ __forceinline__ void store(const LarfbArgs &args, Tile &tile, T *C, long long row,
                                                 long long first, int rows, int cols, T *stage) {
        if (ANY && is_complex<T> && args.conjugate) tile.fill_from([](int, T x) { return conj(x); });
        if (ANY && args.transposed) {
            T *p = C + row * args.ldc + first;
            tile.visit([&](int i, int j, T x) {
                if (i < rows && j < cols) p[i * args.ldc + j] = x;
            });
        } else {
            tile.store(global(C + first * args.ldc + row), args.ldc, rows, cols, stage);
        }
    }

    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *tau_, const T *F, T *C,
                                        Place<const T> from, Place<T> r_place, Rounds rounds, unsigned &turn) {
        const int m = static_cast<int>(args.m), k = static_cast<int>(args.k);
        const bool upper = !ANY || args.adjoint;
        const int chunks = CL > 1 ? 1 : (m + capacity - 1) / capacity;
        // This block's rows: of a chunk, or its part of the cluster's.
        const int most = CL > 1 ? (m + CL * row_step - 1) / (CL * row_step) * row_step : capacity;
        const auto first_of = [&](int chunk) { return most * (CL > 1 ? rank() : chunk); };
        const auto rows_of = [&](int chunk) {
            const int left = m - first_of(chunk);
            return left < 0 ? 0 : left < most ? left : most;
        };
        Tile tile;
        tile.arrange(ANY ? m : m + args.tau0); // the alignment of columns follows from the whole matrix's rows
        int loaded = -1;                       // the chunk of V that is, or is being copied, in shared memory
        bool pending = false;
        const auto need = [&](int chunk) {
            if (loaded == chunk) return;
            const int filled = blocks(pieces(rows_of(chunk))) * block_rows;
            load_v(tile, v_here, args.ldv, first_of(chunk), rows_of(chunk), filled, k);
            loaded = chunk;
            pending = true;
        };
        const auto arrived = [&] {
            if (!pending) return;
            copies_done();
            __syncthreads();
            pending = false;
        };
        Exchange &exchange = exchanges[team()];
        if (threadIdx.x == 0) {
            v_here = V;
            c_here = C;
            from_here = from;
            r_here = r_place;
            rounds_here = rounds;
            if constexpr (shifted) slot = warp_slot();
        }
        if (threadIdx.x < NB) {
            const bool given = ANY && args.given;
            tau[threadIdx.x] = threadIdx.x < k && !given ? conj(tau_[threadIdx.x]) : make<T>(0);
        }
        __syncthreads();
        // If rows do not divide evenly, the first warps have the most. Warps are assigned to the four schedulers in
        // turn, so the first rows go to other warps in every other block or team of a scheduler.
        if constexpr (shifted) tile.warp = (tile.warp + (slot + team() * W) / 4 * ((W + 1) / 2)) % W;

        if (ANY && args.given) {
            take_s(F, args.ldt, k);
            need(0);
            arrived();
        } else {
            for (int group = 0; group < NB; group += G * NT) {
                const int first = group + team() * NT;
                for (int chunk = 0; chunk < chunks; ++chunk) {
                    need(chunk);
                    arrived();
                    tile.load_v(v, first < NB ? first : 0); // a surplus team repeats another's work
                    dots(tile, exchange.part[0][tile.warp], rows_of(chunk), false, true);
                    sum_parts(exchange.part[0], turn, [&](int e, Some sum) {
                        if (first >= NB) return;
#pragma unroll
                        for (int l = 0; l < Some::size; ++l) {
                            int i, j;
                            Tile::decode(e + l, i, j);
                            T &to = s[i][first + j];
                            to = i >= first + j ? make<T>(0) : chunk > 0 ? add(to, conj(sum.x[l])) : conj(sum.x[l]);
                        }
                    });
                    ++turn;
                    sync_team();
                }
            }
            __syncthreads();
            if (threadIdx.x < NB) s[threadIdx.x][threadIdx.x] = scale(tau[threadIdx.x], Real<T>(-1));
            __syncthreads();
            form_s<NB, threads>(s, exchanges[0].part[0][0]);
        }
        if (!upper) turn_s();

        // Where a block passes through the chunks together, all teams make the same number of rounds. They go from the
        // last tile to the first, so that V's own columns are written when V is no longer needed.
        for (int r = rounds_here.last; r >= rounds_here.first; r -= rounds_here.step) {
            const long long first = static_cast<long long>(r) * round + team() * NT, left = args.n - first;
            if (left <= 0 && chunks == 1) continue;
            const int cols = static_cast<int>(left < 0 ? 0 : left < NT ? left : NT);
            T(*part)
            [size] = exchange.part[alternate ? turn & 1 : 0], (*other)[size] = exchange.part[alternate ? ~turn & 1 : 0];
            for (int chunk = 0; chunk < chunks; ++chunk) {
                need(chunk);
                load(args, tile, from_here, first_of(chunk), first, rows_of(chunk), cols, part[tile.warp]);
                arrived();
                dots(tile, part[tile.warp], rows_of(chunk), true, upper);
                if (chunk == chunks - 1 && r - rounds_here.step >= rounds_here.first && !(ANY && args.transposed))
                    prefetch(from_here.p + first_of(0) +
                                 (first - static_cast<long long>(rounds_here.step) * round) * from_here.ld,
                             from_here.ld, rows_of(0));
                if (alternate && chunks == 1) {
                    sync_team();
                } else if (tensor && CL > 1) {
                    sum_parts(part, turn, [](int, Some) {}); // X is in the cluster's boxes
                    sync_team();                             // the parts become the stage
                } else {
                    sum_parts(part, turn, [&](int e, Some sum) {
                        Some &total = *reinterpret_cast<Some *>((tensor ? other[0] : exchange.x) + e);
                        if (chunk > 0)
#pragma unroll
                            for (int l = 0; l < Some::size; ++l) sum.x[l] = add(total.x[l], sum.x[l]);
                        if (tensor || chunk < chunks - 1)
                            total = sum;
                        else
                            *reinterpret_cast<Some *>(part[0] + e) = sum;
                        if constexpr (tensor)
                            for (int i = 1; i < W; ++i) other[i][e] = make<T>(0);
                    });
                    sync_team();
                }
            }
            if constexpr (!tensor) {
                tile.expand(s, part[0], exchange.x, upper);
                sync_team();
            }
            T *stage = (alternate && chunks == 1 ? other : part)[tile.warp];
            for (int chunk = chunks - 1; chunk >= 0; --chunk) {
                if (chunk < chunks - 1) {
                    need(chunk);
                    load(args, tile, from_here, first_of(chunk), first, rows_of(chunk), cols, stage);
                    arrived();
                }
                with_blocks(rows_of(chunk), tile, [&](auto blocks) {
                    if constexpr (!tensor)
                        tile.template update<blocks.value>(v, exchange.x);
                    else if constexpr (CL > 1)
                        tile.template update<blocks.value, Sum::parts>(v, sums[team()].boxes(turn));
                    else
                        tile.template update<blocks.value, W>(v, chunks == 1 ? part : other);
                });
                store(args, tile, c_here, first_of(chunk), first, rows_of(chunk), cols, stage);
            }
            if (!ANY && args.flags & GeqrfArgs::R && rank() == 0) {
                sync_team(); // the first rows have been written
                const Place<T> from = {c_here + first * args.ldc, args.ldc},
                               to = {r_here.p + first * r_here.ld, r_here.ld};
                put_rows(from, to, k, cols, member_of_team(), team_threads);
            }
            ++turn;
            if (chunks > 1) sync_team(); // X occupies the next round's stage
        }
    }
};

// Deals a launch's work to its clusters. K is Update, or has the same interface.
template <typename K, typename T, bool ANY>
__device__ __forceinline__ void larfb_jobs(const LarfbArgs &args) {
    constexpr int CL = K::cluster;
    TEPHRA_DYNAMIC_SHARED(raw);
    K &k = *reinterpret_cast<K *>(raw);
    if constexpr (CL > 1) {
        if (threadIdx.x < K::teams) k.sums[threadIdx.x].init();
        cluster_sync();
    }
    unsigned turn = 0; // counts a team's tiles or, with a cluster, its sums
    // Jobs: shares of matrices or, if tiles = 0, single rounds, of which each cluster takes a contiguous sequence.
    const int rounds = static_cast<int>((args.n + K::round - 1) / K::round), tiles = static_cast<int>(args.tiles);
    const int per_matrix = tiles ? tiles : rounds;
    if (threadIdx.x == 0) {
        const long long cluster = blockIdx.x / CL, clusters = gridDim.x / CL, jobs = args.batch * per_matrix;
        k.job = tiles ? cluster : jobs * cluster / clusters;
        k.end = tiles ? jobs : jobs * (cluster + 1) / clusters;
    }
    for (;;) {
        __syncthreads(); // also, the previous run is finished
        const long long job = k.job, left = k.end - job;
        if (left <= 0) break;
        const long long i = job / per_matrix;
        const int place = static_cast<int>(job - i * per_matrix);
        typename K::Rounds mine = {0, rounds - 1 - place, tiles};
        if (!tiles) mine = {place, static_cast<int>(left < rounds - place ? place + left : rounds) - 1, 1};
        const T *F = ANY && args.given ? member<T>(args.t, i) + args.t0 : nullptr;
        __syncthreads();
        if (threadIdx.x == 0) k.job = job + (tiles ? gridDim.x / CL : mine.last + 1 - mine.first);
        T *const C = member<T>(args.c, i) + args.c0;
        Place<const T> from = {C, args.ldc};
        Place<T> r = {C, args.ldc};
        if (!ANY && args.flags & GeqrfArgs::FROM) from = {member<T>(args.from, i) + args.from0, args.ld_from};
        if (!ANY && args.flags & GeqrfArgs::R) r = {member<T>(args.r, i) + args.r0, args.ldr};
        k.run(args, member<T>(args.v, i) + args.v0, member<T>(args.tau, i) + args.tau0, F, C, from, r, mine, turn);
    }
}

template <typename T, int NB, int NT, int W, int U, int G, int CL, bool ANY>
__device__ __forceinline__ void larfb_fused(const LarfbArgs &args) {
    larfb_jobs<Update<T, NB, NT, W, U, G, CL, ANY>, T, ANY>(args);
}

} // namespace tephra

// geqrf's trailing update
#define TEPHRA_UPDATE(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W * G)                                                                                 \
                      .applies<Update<letter::T, NB, NT, W, U, G, CL, false>>(NB, NT, G, CL)                           \
                      .from_outside()                                                                                  \
                      .at_once(MIN_BLOCKS)),                                                                           \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbArgs,                              \
                 larfb_fused<letter::T, NB, NT, W, U, G, CL, false>)

// Everything that LarfbArgs can describe
#define TEPHRA_LARFB(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS)                                                         \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W * G)                                                                                 \
                      .applies<Update<letter::T, NB, NT, W, U, G, CL, true>>(NB, NT, G, CL)                            \
                      .at_once(MIN_BLOCKS)),                                                                           \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbArgs,                              \
                 larfb_fused<letter::T, NB, NT, W, U, G, CL, true>)
