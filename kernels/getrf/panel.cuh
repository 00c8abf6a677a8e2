// A panel of an LU factorisation: a few columns, with all rows from the diagonal on.
//
// A thread has whole rows. In each step every warp offers the best of its rows, with all elements, in shared memory;
// after one barrier all threads choose among those, and read the pivot row from there. Rows stay in their threads and
// are stored at their final positions.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "panel_offers.cuh"

namespace tephra {

// Factors member i's panel, by W warps with RPT rows per thread and NB columns.
template <typename T, int RPT, int NB, int W, typename Args>
__device__ __forceinline__ void getrf_panel(const Args &launch, long long i = blockIdx.x) {
    using R = Real<T>;
    constexpr int threads = 32 * W;
    __shared__ PanelOffers<T, NB, W> exchange;
    const int t = threadIdx.x, lane = t % 32, w = t / 32;
    const auto &args = launch.of(i);
    if (args.idle()) return;
    const long long lda = args.lda;
    const int m = args.m - args.at, n = args.columns;
    const bool search = args.pivots();
    T *const A = args.template matrix<T>(i) + args.at * (lda + 1);
    T a[RPT][NB];
    int position[RPT];
#pragma unroll
    for (int r = 0; r < RPT; ++r) {
        const int row = r * threads + t;
        position[r] = row;
#pragma unroll
        for (int j = 0; j < NB; ++j) a[r][j] = row < m && j < n ? A[row + j * lda] : make<T>(0);
    }
    const int steps = m < n ? m : n;
    const R least = args.template least_pivot<T>(i);
    int first_zero = 0; // counted from 1; if pivots are replaced, how many were
#pragma unroll
    for (int k = 0; k < NB; ++k) {
        if (k < steps) {
            Candidate<R> mine = Candidate<R>::none();
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const int row = r * threads + t;
                const bool candidate = row < m && (search ? position[r] >= k : position[r] == k);
                if (candidate) mine.take({pivot_size(a[r][k]), static_cast<unsigned>(position[r] << 16 | row)});
            }
            const Candidate<R> of_warp = mine.template best<32>();
            auto &offer = exchange.offers[k & 1][w];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (r * threads + t == of_warp.row() && of_warp.id != 0xffffffffu) {
#pragma unroll
                    for (int j = k; j < NB; ++j) offer.row[j] = a[r][j];
                }
            }
            if (lane == 0) offer.pivot = of_warp;
            __syncthreads();
            const Candidate<R> pivot = exchange.best(k & 1, lane, W);
            const T *const u = exchange.offers[k & 1][pivot.row() % threads / 32].row;
            T value = u[k];
            if (least > 0 && replace_small(value, least)) {
                ++first_zero; // replaced pivots are not zero
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (position[r] == k) a[r][k] = value;
            }
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (t == 0 && search) args.interchanges(i)[k] = args.at + pivot.position() + 1;
            const Divisor<T> by(zero ? make<T>(1) : value);
            bool below[RPT];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (position[r] == k) position[r] = pivot.position();
                if (r * threads + t == pivot.row()) position[r] = k;
                below[r] = position[r] > k;
                if (below[r] && !zero) a[r][k] = by.of(a[r][k]);
            }
#pragma unroll
            for (int j = k + 1; j < NB; ++j) {
                const T x = u[j];
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (below[r]) a[r][j] = fnma_(a[r][k], x, a[r][j]);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < RPT; ++r)
#pragma unroll
        for (int j = 0; j < NB; ++j)
            if (r * threads + t < m && j < n) A[position[r] + j * lda] = a[r][j];
    if (t == 0) args.set_info(i, first_zero, least > 0);
}

template <typename T, int RPT, int NB, int W>
__device__ __forceinline__ void getrf_panel_each(const GetrfEachArgs &launch) {
    for_jobs(launch.batch, [&](unsigned i) { getrf_panel<T, RPT, NB, W>(launch, i); });
}

// The same for panels of any height, in global memory: rows are exchanged in each step.
template <typename T, int THREADS, typename Args>
__device__ __forceinline__ void getrf_columns(const Args &launch) {
    using R = Real<T>;
    constexpr int warps = THREADS / 32;
    __shared__ Size<R> sizes[2][warps];
    __shared__ long long rows[2][warps];
    const int t = threadIdx.x, lane = t % 32, w = t / 32;
    const bool search = launch.pivots();
    for (long long i = blockIdx.x; i < launch.batch; i += gridDim.x) {
        const auto &args = launch.of(i);
        if (args.idle()) continue;
        const long long m = args.m - args.at, n = args.columns, steps = m < n ? m : n, lda = args.lda;
        T *const A = args.template matrix<T>(i) + args.at * (lda + 1);
        const R least = args.template least_pivot<T>(i);
        int first_zero = 0; // counted from 1; if pivots are replaced, how many were
        for (long long k = 0; k < steps; ++k) {
            long long p = k;
            if (search) {
                // Among rows of the same size the first is taken: each thread visits its rows in ascending order, and
                // ties between threads go to the lower row.
                Size<R> size = Size<R>::none();
                long long row = m;
                for (long long r = k + t; r < m; r += THREADS) {
                    const Size<R> here = pivot_size(A[r + k * lda]);
                    if (here > size) size = here, row = r;
                }
                const auto choose = [&](Size<R> other, long long other_row) {
                    if (other > size || (other == size && other_row < row)) size = other, row = other_row;
                };
#pragma unroll
                for (int s = 16; s > 0; s /= 2) choose(size.from(s), __shfl_xor_sync(0xffffffffu, row, s));
                if (lane == 0) sizes[k & 1][w] = size, rows[k & 1][w] = row;
                __syncthreads();
                for (int o = 0; o < warps; ++o) choose(sizes[k & 1][o], rows[k & 1][o]);
                p = row;
                if (t == 0) args.interchanges(i)[k] = static_cast<int>(args.at + p + 1);
            }
            T value = A[p + k * lda];
            const bool small = least > 0 && replace_small(value, least);
            first_zero += small;
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = static_cast<int>(k + 1);
            __syncthreads(); // the pivot has been read
            if (small && t == 0) A[p + k * lda] = value;
            if (p != k)
                for (long long j = t; j < n; j += THREADS) {
                    const T above = A[k + j * lda];
                    A[k + j * lda] = A[p + j * lda];
                    A[p + j * lda] = above;
                }
            __syncthreads();
            if (!zero) {
                const Divisor<T> by(value);
                for (long long r = k + 1 + t; r < m; r += THREADS) {
                    const T multiplier = by.of(A[r + k * lda]);
                    A[r + k * lda] = multiplier;
                    for (long long j = k + 1; j < n; ++j)
                        A[r + j * lda] = fnma_(multiplier, A[k + j * lda], A[r + j * lda]);
                }
            }
            __syncthreads();
        }
        if (t == 0) args.set_info(i, first_zero, least > 0);
    }
}

} // namespace tephra

#define TEPHRA_GETRF_PANEL_OF(NAME, ARGS, FUNCTION, T, RPT, NB, W, MIN_BLOCKS)                                         \
    TEPHRA_ENTRY(NAME, Instance(32 * W).holds(32 * W * RPT, NB), __launch_bounds__(32 * W, MIN_BLOCKS), ARGS,          \
                 FUNCTION<letter::T, RPT, NB, W>)
#define TEPHRA_GETRF_PANEL(NAME, ...) TEPHRA_GETRF_PANEL_OF(NAME, GetrfArgs, getrf_panel, __VA_ARGS__)
#define TEPHRA_GETRF_PANEL_EACH(NAME, ...) TEPHRA_GETRF_PANEL_OF(NAME, GetrfEachArgs, getrf_panel_each, __VA_ARGS__)
#define TEPHRA_GETRF_COLUMNS(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GetrfArgs, getrf_columns)
#define TEPHRA_GETRF_COLUMNS_EACH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GetrfEachArgs, getrf_columns)
