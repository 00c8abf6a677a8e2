// LU of a matrix in the registers of a team of warps, one panel of columns at a time.
//
// Each warp has all rows of its columns, which are dealt out in blocks of a panel's width. A panel is factored by one
// warp, and the team meets once per panel. The owner of the next panel first updates that panel alone, factors it while
// the others update their columns, and updates its other columns later. Rows stay in their lanes and are stored at
// their final positions. A matrix that does not fit into registers is factored in passes from left to right; a pass's
// panels stay in shared memory, from where later passes use them.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "pivot.cuh"

namespace tephra {

// Lane l of a warp has rows l + 32 r, r < RPT. Warp w has column blocks w + W b, b < CPT / NB, rotated so that the next
// one to be factored is first and finished ones are last. Elements outside the matrix are zero and never stored.
template <typename T, int RPT, int CPT, int W, int NB, int PASSES, bool EACH = false>
struct TeamLu : LeastPivot<Real<T>, EACH> {
    using R = Real<T>;
    static constexpr int rows = 32 * RPT, blocks = CPT / NB;
    static constexpr int width = CPT * W, per_pass = blocks * W; // columns and panels of a pass
    // Panels that are kept: those of earlier passes, and the last few (a warp may be one behind).
    static constexpr int held = (PASSES - 1) * per_pass, recent = W > 1 ? 3 : 1;
    // Steps of a panel whose multipliers are in registers at a time: 16 words.
    static constexpr int words = RPT * static_cast<int>(sizeof(T)) / 4;
    static constexpr int depth = words <= 2 ? 8 : words <= 4 ? 4 : words <= 8 ? 2 : 1;
    static_assert(CPT % NB == 0 && NB <= 8 && NB % depth == 0, "whole blocks");

    struct Panel {
        T multipliers[NB][rows];
        alignas(16) T corner[NB][NB]; // multipliers of the panel's pivot rows, by columns
    };
    struct Exchange {
        Panel panels[held + recent];
        // Each warp's part of the pivot rows, padded because the lanes that have them write at the same time.
        alignas(16) T u[W][NB][CPT + 16 / sizeof(T)];
        int position[2][rows];
        int first_zero; // counted from 1; if pivots are replaced, how many were
    };
    T a[RPT][CPT];
    Exchange &exchange;
    int *ipiv; // null: no interchanges
    int position[RPT];
    int lane, w, m, n, steps;
    int first_column = 0; // of the pass
    int mine, done;       // number of this warp's blocks that have columns, and of those that are factored

    __device__ __forceinline__ TeamLu(int m_, int n_, int *ipiv_, Exchange &exchange_)
        : exchange(exchange_), ipiv(ipiv_), lane(threadIdx.x % 32), m(m_), n(n_) {
        // The shuffle tells the compiler that a warp's lanes stay together in branches on w.
        w = W > 1 ? __shfl_sync(0xffffffffu, threadIdx.x / 32, 0) : 0;
        steps = m < n ? m : n;
#pragma unroll
        for (int r = 0; r < RPT; ++r) position[r] = row(r);
    }
    __device__ __forceinline__ int row(int r) const { return r * 32 + lane; }
    // First column of the block in place b.
    __device__ __forceinline__ int column(int b) const {
        const int block = b + done < blocks ? b + done : b + done - blocks;
        return first_column + (block * W + w) * NB;
    }
    __device__ __forceinline__ Panel &panel_of(int p) const {
        return exchange.panels[p < held ? p : held + (p - held) % recent];
    }
    static __device__ __forceinline__ void meet() {
        if constexpr (W > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        const int left = n - first_column < width ? n - first_column : width, all = (left + NB - 1) / NB;
        mine = all > w ? (all - w + W - 1) / W : 0, done = 0;
#pragma unroll
        for (int b = 0; b < blocks; ++b) {
            const T *p = A + lane + column(b) * lda;
#pragma unroll
            for (int j = 0; j < NB; ++j, p += lda)
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    a[r][b * NB + j] = row(r) < m && column(b) + j < n ? p[32 * r] : make<T>(0);
        }
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
#pragma unroll
        for (int b = 0; b < blocks; ++b) {
            T *p[RPT];
#pragma unroll
            for (int r = 0; r < RPT; ++r) p[r] = A + position[r] + column(b) * lda;
#pragma unroll
            for (int j = 0; j < NB; ++j)
#pragma unroll
                for (int r = 0; r < RPT; ++r, p[r - 1] += lda)
                    if (column(b) + j < n && row(r) < m) *p[r] = a[r][b * NB + j];
        }
    }

    // Eliminates column j of the panel, which is the matrix's column k.
    template <bool SEARCH>
    __device__ __forceinline__ void eliminate(Panel &panel, int j, int k, int &interchange, int &first_zero) {
        // Every lane offers its best row, with the reciprocal of its pivot.
        bool offers[RPT];
        Candidate<R> best = Candidate<R>::none();
        if constexpr (SEARCH) {
            Candidate<R> of[RPT];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const bool candidate = row(r) < m && position[r] >= k;
                const Size<R> size = pivot_size(a[r][j]), none = Size<R>::none();
                of[r].size = candidate ? size : none;
                of[r].id = candidate ? static_cast<unsigned>(position[r] << 16 | row(r)) : 0xffffffffu;
                best.take(of[r]);
            }
#pragma unroll
            for (int r = 0; r < RPT; ++r) offers[r] = of[r].id == best.id;
        } else {
#pragma unroll
            for (int r = 0; r < RPT; ++r) offers[r] = k / 32 == r;
        }
        T offered[NB] = {};
#pragma unroll
        for (int c = j; c < NB; ++c) {
            offered[c] = a[0][c];
#pragma unroll
            for (int r = 1; r < RPT; ++r) offered[c] = choose(offers[r], a[r][c], offered[c]);
        }
        bool small = false;
        if constexpr (!SEARCH) {
            if (this->least > 0) {
                T pivot = of_lane<32>(offered[j], k % 32);
                small = replace_small(pivot, this->least);
                if (small) offered[j] = pivot;
            }
        }
        Divisor<T> by(is_zero(offered[j]) ? make<T>(1) : offered[j]);
        int source, place = k;
        if constexpr (SEARCH) {
            best = best.template best<32>();
            source = best.row(), place = best.position();
        } else {
            source = k;
        }
        by.lift = of_lane<32>(by.lift, source % 32);
        by.reciprocal = of_lane<32>(by.reciprocal, source % 32);
        T u[NB] = {}; // the pivot row
#pragma unroll
        for (int c = j; c < NB; ++c) u[c] = of_lane<32>(offered[c], source % 32);
        const bool zero = is_zero(u[j]);
        if (zero && first_zero == 0) first_zero = k + 1;
        first_zero += small; // replaced pivots are not zero
        if (lane == j) interchange = place + 1;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            if constexpr (SEARCH) {
                if (position[r] == k) position[r] = place;
                if (row(r) == source) position[r] = k;
            } else if (small && row(r) == k) {
                a[r][j] = u[j];
            }
            const bool below = position[r] > k;
            if (below && !zero) a[r][j] = by.of(a[r][j]);
            panel.multipliers[j][row(r)] = a[r][j];
#pragma unroll
            for (int c = j + 1; c < NB; ++c)
                if (below) a[r][c] = fnma_(a[r][j], u[c], a[r][c]);
        }
    }
    // Factors panel p, which is in place 0 and up to date, and publishes it. Called by the panel's warp.
    template <bool SEARCH>
    __device__ __forceinline__ void factor(int p) {
        Panel &panel = panel_of(p);
        const int first = p * NB;
        int interchange = 0, first_zero = 0;
#pragma unroll
        for (int j = 0; j < NB; ++j)
            if (first + j < steps) eliminate<SEARCH>(panel, j, first + j, interchange, first_zero);
        if (SEARCH && lane < NB && first + lane < steps) ipiv[first + lane] = interchange;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            if (W > 1) exchange.position[p & 1][row(r)] = position[r];
            const int place = position[r] - first;
            if (place >= 0 && place < NB) {
#pragma unroll
                for (int j = 0; j < NB; ++j) panel.corner[j][place] = a[r][j];
            }
        }
        if (lane == 0) {
            if (p == 0 || exchange.first_zero == 0)
                exchange.first_zero = first_zero;
            else if (this->least > 0)
                exchange.first_zero += first_zero;
        }
        // Moves the block to the end.
#pragma unroll
        for (int r = 0; r < RPT; ++r)
#pragma unroll
            for (int j = 0; j < NB; ++j) {
                const T last = a[r][j];
#pragma unroll
                for (int b = 0; b + 1 < blocks; ++b) a[r][b * NB + j] = a[r][(b + 1) * NB + j];
                a[r][(blocks - 1) * NB + j] = last;
            }
        ++done;
    }

    // Updates the first `count` blocks with panel p.
    __device__ __forceinline__ void update(int p, int count) {
        const Panel &panel = panel_of(p);
        auto &u = exchange.u[w];
        __syncwarp(); // u has been read
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const int place = position[r] - p * NB;
            if (place >= 0 && place < NB) {
#pragma unroll
                for (int b = 0; b < blocks; ++b)
                    if (b < count) {
#pragma unroll
                        for (int j = b * NB; j < b * NB + NB; ++j) u[place][j] = a[r][j];
                    }
            }
        }
        __syncwarp();
        // Solves for the pivot rows, a column in each lane.
#pragma unroll 1
        for (int c = lane; c < count * NB; c += 32) {
            T x[NB];
#pragma unroll
            for (int k = 0; k < NB; ++k) x[k] = u[k][c];
#pragma unroll
            for (int k = 0; k < NB; ++k)
#pragma unroll
                for (int i = k + 1; i < NB; ++i) x[i] = fnma_(panel.corner[k][i], x[k], x[i]);
#pragma unroll
            for (int k = 1; k < NB; ++k) u[k][c] = x[k];
        }
        __syncwarp();
        bool left[RPT];
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const int place = position[r] - p * NB;
            left[r] = place >= NB;
            if (place >= 0 && place < NB) {
#pragma unroll
                for (int b = 0; b < blocks; ++b)
                    if (b < count) {
#pragma unroll
                        for (int j = b * NB; j < b * NB + NB; ++j) a[r][j] = u[place][j];
                    }
            }
        }
#pragma unroll 1
        for (int first = 0; first < NB; first += depth) {
            T l[depth][RPT];
#pragma unroll
            for (int k = 0; k < depth; ++k)
#pragma unroll
                for (int r = 0; r < RPT; ++r) l[k][r] = panel.multipliers[first + k][row(r)];
#pragma unroll
            for (int b = 0; b < blocks; ++b)
                if (b < count) {
#pragma unroll
                    for (int k = 0; k < depth; ++k)
#pragma unroll
                        for (int j = b * NB; j < b * NB + NB; ++j) {
                            const T x = u[first + k][j];
#pragma unroll
                            for (int r = 0; r < RPT; ++r)
                                if (left[r]) a[r][j] = fnma_(l[k][r], x, a[r][j]);
                        }
                }
        }
    }

    // The pass that begins with panel `begin`.
    __device__ __forceinline__ void walk(int begin) {
        const int panels = (steps + NB - 1) / NB, end = panels < begin + per_pass ? panels : begin + per_pass;
        int from = 0; // first panel that this warp's blocks have not been updated with

        // At the start of each iteration panel p has been factored.
#pragma unroll 1
        for (int p = (begin < end ? begin : end) - 1; p < end; ++p) {
            const bool next = p + 1 < end && (p + 1) % W == w, ahead = W > 1 && next;
            if (W > 1 && p >= 0) {
#pragma unroll
                for (int r = 0; r < RPT; ++r) position[r] = exchange.position[p & 1][row(r)];
            }
            const int count = ahead ? 1 : mine - done;
            if (count > 0) {
#pragma unroll 1
                for (int q = from; q <= p; ++q) update(q, count);
            }
            if (!ahead) from = p + 1;
            if (next) {
                if (ipiv)
                    factor<true>(p + 1);
                else
                    factor<false>(p + 1);
            }
            meet();
        }
    }
    // Stores the columns of earlier passes, which are all factored.
    __device__ __forceinline__ void store_held(T *A, long long lda) const {
        const int went_on = (steps - 1) / width * width;
#pragma unroll 1
        for (int k = w; k < went_on && k < first_column; k += W) {
            const T *const from = panel_of(k / NB).multipliers[k % NB];
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (row(r) < m) A[position[r] + k * lda] = from[row(r)];
        }
    }
    __device__ __forceinline__ void run(T *A, long long lda) {
#pragma unroll 1
        for (int pass = 0;; ++pass) {
            load(A, lda);
            walk(pass * per_pass);
            const bool last = pass + 1 == PASSES || n <= first_column + width;
            if (last || steps <= first_column + width) store(A, lda);
            if (last) break;
            first_column += width;
        }
        if (PASSES > 1) store_held(A, lda);
    }
};

template <typename T, int RPT, int CPT, int W, int NB, int PASSES, typename Args>
__device__ __forceinline__ void getrf_team(const Args &launch) {
    using K = TeamLu<T, RPT, CPT, W, NB, PASSES, Args::each>;
    TEPHRA_DYNAMIC_SHARED(raw);
    auto &exchange = *reinterpret_cast<typename K::Exchange *>(raw);
    const long long i = blockIdx.x;
    const auto &args = launch.of(i);
    if (args.idle()) return;
    K k(args.m, args.n, args.pivots() ? args.interchanges(i) : nullptr, exchange);
    if constexpr (Args::each) k.least = args.template least_pivot<T>(i);
    k.run(args.template matrix<T>(i), args.lda);
    if (threadIdx.x == 0) args.set_info(i, exchange.first_zero, k.least > 0);
}

} // namespace tephra

#define TEPHRA_GETRF_TEAM_OF(NAME, ARGS, T, RPT, CPT, W, NB, PASSES, MIN_BLOCKS)                                       \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .lanes(32, 1, RPT, CPT *PASSES, W)                                                                \
                     .needs(sizeof(TeamLu<letter::T, RPT, CPT, W, NB, PASSES>::Exchange)),                             \
                 __launch_bounds__(32 * W, MIN_BLOCKS), ARGS, getrf_team<letter::T, RPT, CPT, W, NB, PASSES>)
#define TEPHRA_GETRF_TEAM(NAME, ...) TEPHRA_GETRF_TEAM_OF(NAME, GetrfArgs, __VA_ARGS__)
#define TEPHRA_GETRF_TEAM_EACH(NAME, ...) TEPHRA_GETRF_TEAM_OF(NAME, GetrfEachArgs, __VA_ARGS__)
