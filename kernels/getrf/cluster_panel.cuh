// A panel of an LU factorisation, for few matrices or tall ones: a cluster holds all rows from the diagonal on in
// registers.
//
// Each block has an equal share of adjacent rows, and a thread has whole rows. In each step, every warp offers its best
// row in shared memory; after one barrier, warps choose among those and send the block's row to the other blocks; then
// every warp chooses among the blocks' rows in the same way. Rows stay in their threads and are stored at their final
// positions.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../geqrf/cluster_box.cuh"
#include "args.cuh"
#include "cluster_offers.cuh"
#include "panel_offers.cuh"
#include "row_tile.cuh"

namespace tephra {

// CL blocks of W warps, RPT rows per thread, NB columns.
template <typename T, int RPT, int NB, int W, int CL, typename Args>
struct ClusterPanel {
    using R = Real<T>;
    static constexpr int threads = 32 * W, P = Pack<T>::size, grain = 32; // granularity of a block's rows
    static_assert(NB <= 32 && NB % P == 0 && CL <= W, "a lane an element, a warp a block");
    struct alignas(16) Memory {
        PanelOffers<T, NB, W> own;
        ClusterOffers<T, NB, CL> all;
    };

    const Args &args; // as member i has them
    Memory &memory;
    const long long i;
    const int *const before; // how often each of the two buffers has been used for earlier panels
    const int t = threadIdx.x, lane = t % 32, w = t / 32;
    const int m = args.m - args.at, n = args.columns, steps = m < n ? m : n;
    const int height = (m + grain * CL - 1) / (grain * CL) * grain, start = static_cast<int>(cluster_rank()) * height;
    const bool search = args.pivots();
    const R least = args.template least_pivot<T>(i);
    T a[RPT][NB];
    int position[RPT];
    int first_zero = 0; // counted from 1; if pivots are replaced, how many were

    __device__ __forceinline__ ClusterPanel(const Args &args_, Memory &memory_, long long i_, const int *before_)
        : args(args_), memory(memory_), i(i_), before(before_) {}

    __device__ __forceinline__ int row(int r) const { return start + r * threads + t; }
    __device__ __forceinline__ bool is_there(int r) const { return r * threads + t < height && row(r) < m; }

    // The warp's best row for step j.
    template <int j>
    __device__ __forceinline__ Candidate<R> best() const {
        Candidate<R> mine = Candidate<R>::none();
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const bool candidate = is_there(r) && (search ? position[r] >= j : position[r] == j);
            if (candidate) mine.take({pivot_size(a[r][j]), static_cast<unsigned>(position[r] << 16 | row(r))});
        }
        return mine.template best<32>();
    }
    template <int k>
    __device__ __forceinline__ void step(Candidate<R> of_warp) {
        if constexpr (k < NB) {
            if (k >= steps) return;
            auto &offer = memory.own.offers[k & 1][w];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (row(r) == of_warp.row() && of_warp.id != 0xffffffffu) {
#pragma unroll
                    for (int c = k; c < NB; ++c) offer.row[c] = a[r][c];
                }
            }
            if (lane == 0) offer.pivot = of_warp;
            if (t == 0) memory.all.expect(k);
            __syncthreads();
            if (w < CL) {
                const Candidate<R> mine = memory.own.best(k & 1, lane, W);
                const int from = mine.id == 0xffffffffu ? 0 : (mine.row() - start) % threads / 32;
                memory.all.send(k, w, lane, memory.own.offers[k & 1][from].row, mine.id);
            }
            memory.all.wait(k, Args::each ? before[k & 1] : 0);
            const Candidate<R> of_block = candidate(k);
            const Candidate<R> pivot = of_block.template best<32>();
            // The block that offered it; at least one did.
            const int from = static_cast<int>(
                __reduce_min_sync(0xffffffffu, of_block.id == pivot.id ? static_cast<unsigned>(lane) : 0xffffffffu));
            const T *const u = memory.all.rows[k & 1][from];
            T value = u[k];
            if (least > 0 && replace_small(value, least)) {
                ++first_zero; // replaced pivots are not zero
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (position[r] == k) a[r][k] = value;
            }
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (start == 0 && t == 0 && search) args.interchanges(i)[k] = args.at + pivot.position() + 1;
            const Divisor<T> by(zero ? make<T>(1) : value);
            bool below[RPT];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (position[r] == k) position[r] = pivot.position();
                if (row(r) == pivot.row()) position[r] = k;
                below[r] = position[r] > k;
                if (below[r] && !zero) a[r][k] = by.of(a[r][k]);
            }
            const auto column = [&](int c, T x) {
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (below[r]) a[r][c] = fnma_(a[r][k], x, a[r][c]);
            };
            constexpr int next = k + 1;
            if constexpr (next < NB) {
                column(next, u[next]);
                of_warp = best<next>(); // its reductions overlap with the rest
            }
            if constexpr (next % P != 0) {
#pragma unroll
                for (int c = next + 1; c < (next / P + 1) * P && c < NB; ++c) column(c, u[c]);
            }
#pragma unroll
            for (int c = (next + P - 1) / P * P; c < NB; c += P) {
                const Pack<T> x = *reinterpret_cast<const Pack<T> *>(u + c);
#pragma unroll
                for (int p = 0; p < P; ++p)
                    if (c + p != next) column(c + p, x.x[p]);
            }
            step<k + 1>(of_warp);
        }
    }
    // The offer of block number `lane`, as it was sent.
    __device__ __forceinline__ Candidate<R> candidate(int k) const {
        if (lane >= CL) return Candidate<R>::none();
        const unsigned id = memory.all.ids[k & 1][lane];
        return id == 0xffffffffu ? Candidate<R>::none() : Candidate<R>{pivot_size(memory.all.rows[k & 1][lane][k]), id};
    }

    __device__ __forceinline__ void run() {
        const long long lda = args.lda;
        T *const A = args.template matrix<T>(i) + args.at * (lda + 1);
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            position[r] = row(r);
#pragma unroll
            for (int c = 0; c < NB; ++c) a[r][c] = is_there(r) && c < n ? A[row(r) + c * lda] : make<T>(0);
        }
        cluster_sync();
        step<0>(best<0>());
        // Rows may be overwritten: a block sends its last offers only after it has read all its rows.
#pragma unroll
        for (int r = 0; r < RPT; ++r)
#pragma unroll
            for (int c = 0; c < NB; ++c)
                if (is_there(r) && c < n) A[position[r] + c * lda] = a[r][c];
        if (start == 0 && t == 0) args.set_info(i, first_zero, least > 0);
    }
};

template <typename T, int RPT, int NB, int W, int CL>
__device__ __forceinline__ void getrf_cluster_panel(const GetrfArgs &args) {
    using Panel = ClusterPanel<T, RPT, NB, W, CL, GetrfArgs>;
    auto &memory = *reinterpret_cast<typename Panel::Memory *>(dynamic_shared());
    if (threadIdx.x == 0) memory.all.init();
    Panel(args, memory, blockIdx.x / CL, nullptr).run();
}

// The same for members with sizes of their own, over which the clusters loop.
template <typename T, int RPT, int NB, int W, int CL>
__device__ __forceinline__ void getrf_cluster_panel_each(const GetrfEachArgs &launch) {
    using Panel = ClusterPanel<T, RPT, NB, W, CL, GetrfEachArgs::Own>;
    auto &memory = *reinterpret_cast<typename Panel::Memory *>(dynamic_shared());
    if (threadIdx.x == 0) memory.all.init();
    int before[2] = {};
    for (long long i = blockIdx.x / CL; i < launch.batch; i += gridDim.x / CL) {
        const auto own = launch.of(i);
        if (own.idle()) continue; // in all blocks alike
        Panel panel(own, memory, i, before);
        panel.run();
        before[0] += (panel.steps + 1) / 2, before[1] += panel.steps / 2;
    }
}

} // namespace tephra

#define TEPHRA_GETRF_CLUSTER_PANEL(NAME, T, RPT, NB, W, CL)                                                            \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 clustered(Instance(32 * W)                                                                            \
                               .holds(CL * 32 * W * RPT, NB)                                                           \
                               .needs(sizeof(ClusterPanel<letter::T, RPT, NB, W, CL, GetrfArgs>::Memory)),             \
                           CL),                                                                                        \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W, 1), GetrfArgs,                                           \
                 getrf_cluster_panel<letter::T, RPT, NB, W, CL>)
#define TEPHRA_GETRF_CLUSTER_PANEL_EACH(NAME, T, RPT, NB, W, CL)                                                       \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 clustered(Instance(32 * W)                                                                            \
                               .holds(CL * 32 * W * RPT, NB)                                                           \
                               .needs(sizeof(ClusterPanel<letter::T, RPT, NB, W, CL, GetrfEachArgs::Own>::Memory)),    \
                           CL),                                                                                        \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W, 1), GetrfEachArgs,                                       \
                 getrf_cluster_panel_each<letter::T, RPT, NB, W, CL>)
