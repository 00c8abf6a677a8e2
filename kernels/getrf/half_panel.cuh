// A panel of an LU factorisation in two halves of columns, with all rows from the diagonal on.
//
// A thread has whole rows. The half that is being factored is in registers; the other one waits in shared memory. The
// part of the pivot row that all threads read in a step is therefore short, and serves two rows of each thread. In each
// step every warp offers its best row in shared memory; after one barrier all threads choose among those, and read the
// pivot row from there. Rows stay in their threads and are stored at their final positions.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "panel_offers.cuh"
#include "row_tile.cuh"

namespace tephra {

template <typename T, int H, int W>
struct HalfExchange : PanelOffers<T, H, W> {
    alignas(16) T l[H][H], u[H][H]; // the first half's pivot rows: L11 by rows, and U12
};

// Up to W warps, RPT rows per thread, 2 H columns.
template <typename T, int RPT, int H, int W>
struct HalfPanel {
    using R = Real<T>;
    using Exchange = HalfExchange<T, H, W>;
    static constexpr int P = Pack<T>::size;
    static constexpr int apart =
        H + 1; // row stride in shared memory; odd, so that the threads of a warp access different banks
    static_assert(RPT == 2, "the warp of a row is found by one comparison");
    // Dynamic shared memory of a block in bytes; waiting: 1 if there is a second half, else 0.
    static constexpr size_t bytes(int warps, int waiting) { return waiting * (32 * warps * RPT * apart) * sizeof(T); }
    static constexpr int chunk = 16 / sizeof(T) * 2; // columns of the second half that are updated at a time
    static_assert(H % chunk == 0, "whole chunks");

    const GetrfArgs &args;
    Exchange &exchange;
    const int t = threadIdx.x, lane = t % 32, w = t / 32, threads = blockDim.x;
    T *const parked = reinterpret_cast<T *>(dynamic_shared()) + t * apart; // this thread's rows of the waiting half
    const long long i = blockIdx.x;
    const int m = args.m - args.at, n = args.columns, steps = m < n ? m : n;
    const bool search = args.pivots();
    T a[RPT][H];
    int position[RPT];
    int first_zero = 0;

    __device__ __forceinline__ HalfPanel(const GetrfArgs &args_, Exchange &exchange_)
        : args(args_), exchange(exchange_) {}

    __device__ __forceinline__ int row(int r) const { return r * threads + t; }
    __device__ __forceinline__ T &waiting(int r, int c) const { return parked[r * threads * apart + c]; }
    // The warp of the thread that has a row.
    __device__ __forceinline__ int warp_of(int row) const { return (row < threads ? row : row - threads) / 32; }

    // The warp's best row for step k, whose elements are in column j.
    template <int j>
    __device__ __forceinline__ Candidate<R> best(int k) const {
        Candidate<R> mine = Candidate<R>::none();
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const bool candidate = row(r) < m && (search ? position[r] >= k : position[r] == k);
            if (candidate) mine.take({pivot_size(a[r][j]), static_cast<unsigned>(position[r] << 16 | row(r))});
        }
        return mine.template best<32>();
    }
    template <int j>
    __device__ __forceinline__ void step(int base, Candidate<R> &of_warp) {
        if constexpr (j < H) {
            const int k = base + j;
            if (k >= steps) return;
            auto &offer = exchange.offers[j & 1][w];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (row(r) == of_warp.row() && of_warp.id != 0xffffffffu) {
#pragma unroll
                    for (int c = j; c < H; ++c) offer.row[c] = a[r][c];
                }
            }
            if (lane == 0) offer.pivot = of_warp;
            __syncthreads();
            const Candidate<R> pivot = exchange.best(j & 1, lane, threads / 32);
            const T *const u = exchange.offers[j & 1][warp_of(pivot.row())].row;
            const T value = u[j];
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (t == 0 && search) args.interchanges(i)[k] = args.at + pivot.position() + 1;
            const Divisor<T> by(zero ? make<T>(1) : value);
            bool below[RPT];
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                if (position[r] == k) position[r] = pivot.position();
                if (row(r) == pivot.row()) position[r] = k;
                below[r] = position[r] > k;
                if (below[r] && !zero) a[r][j] = by.of(a[r][j]);
            }
            const auto column = [&](int c, T x) {
#pragma unroll
                for (int r = 0; r < RPT; ++r)
                    if (below[r]) a[r][c] = fnma_(a[r][j], x, a[r][c]);
            };
            constexpr int next = j + 1;
            if constexpr (next < H) {
                column(next, u[next]);
                of_warp = best<next>(k + 1); // its reductions overlap with the rest
            }
            if constexpr (next % P != 0) {
#pragma unroll
                for (int c = next + 1; c < (next / P + 1) * P && c < H; ++c) column(c, u[c]);
            }
#pragma unroll
            for (int c = (next + P - 1) / P * P; c < H; c += P) {
                const Pack<T> x = *reinterpret_cast<const Pack<T> *>(u + c);
#pragma unroll
                for (int p = 0; p < P; ++p)
                    if (c + p != next) column(c + p, x.x[p]);
            }
            step<j + 1>(base, of_warp);
        }
    }
    // Applies the first half's steps to the second half, and swaps the two.
    __device__ __forceinline__ void change() {
        copies_done_but<0>(); // each thread reads only its own copies
#pragma unroll
        for (int r = 0; r < RPT; ++r)
            if (position[r] < H) {
#pragma unroll
                for (int c = 0; c < H; ++c) {
                    exchange.l[position[r]][c] = a[r][c];
                    exchange.u[position[r]][c] = waiting(r, c);
                }
            }
        __syncthreads();
        if (t < H) {
            T x[H];
#pragma unroll
            for (int k = 0; k < H; ++k) {
                x[k] = k < m ? exchange.u[k][t] : make<T>(0);
            }
#pragma unroll
            for (int k = 0; k < H; ++k) {
#pragma unroll
                for (int r = k + 1; r < H; ++r)
                    if (r < m) x[r] = fnma_(exchange.l[r][k], x[k], x[r]);
            }
#pragma unroll
            for (int k = 0; k < H; ++k) exchange.u[k][t] = x[k];
        }
        __syncthreads();
#pragma unroll 1
        for (int c0 = 0; c0 < H; c0 += chunk) {
            T x[RPT][chunk];
#pragma unroll
            for (int r = 0; r < RPT; ++r)
#pragma unroll
                for (int c = 0; c < chunk; ++c) x[r][c] = waiting(r, c0 + c);
#pragma unroll
            for (int k = 0; k < H; ++k) {
#pragma unroll
                for (int c = 0; c < chunk; c += P) {
                    const Pack<T> u = *reinterpret_cast<const Pack<T> *>(&exchange.u[k][c0 + c]);
#pragma unroll
                    for (int r = 0; r < RPT; ++r)
#pragma unroll
                        for (int p = 0; p < P; ++p) x[r][c + p] = fnma_(a[r][k], u.x[p], x[r][c + p]);
                }
            }
#pragma unroll
            for (int r = 0; r < RPT; ++r)
#pragma unroll
                for (int c = 0; c < chunk; ++c)
                    waiting(r, c0 + c) = position[r] < H ? exchange.u[position[r]][c0 + c] : x[r][c];
        }
#pragma unroll
        for (int r = 0; r < RPT; ++r)
#pragma unroll
            for (int c = 0; c < H; ++c) {
                T &other = waiting(r, c);
                const T mine = a[r][c];
                a[r][c] = other, other = mine;
            }
    }

    __device__ __forceinline__ void run() {
        const long long lda = args.lda;
        T *const A = args.matrix<T>(i) + args.at * (lda + 1);
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            position[r] = row(r);
#pragma unroll
            for (int c = 0; c < H; ++c) a[r][c] = row(r) < m && c < n ? A[row(r) + c * lda] : make<T>(0);
        }
        if (n > H) {
#pragma unroll
            for (int r = 0; r < RPT; ++r)
#pragma unroll 4
                for (int c = 0; c < H; ++c) {
                    const bool there = row(r) < m && H + c < n;
                    stage<sizeof(T)>(&waiting(r, c), there ? A + row(r) + (H + c) * lda : A, there ? int(sizeof(T)) : 0,
                                     true);
                }
        }
        copies_sent();
#pragma unroll 1
        for (int base = 0; base < n; base += H) {
            if (base > 0) change();
            Candidate<R> of_warp = best<0>(base);
            step<0>(base, of_warp);
        }
        const bool both = n > H;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            if (row(r) >= m) continue;
            T *const to = A + position[r];
            if (both) {
#pragma unroll 4
                for (int c = 0; c < H; ++c) to[c * lda] = waiting(r, c);
            }
#pragma unroll
            for (int c = 0; c < H; ++c) {
                const int at = both ? H + c : c;
                if (at < n) to[at * lda] = a[r][c];
            }
        }
        if (t == 0) args.set_info(i, first_zero);
    }
};

template <typename T, int RPT, int H, int W>
__device__ __forceinline__ void getrf_half_panel(const GetrfArgs &args) {
    using Panel = HalfPanel<T, RPT, H, W>;
    // Static, not behind the columns: the constant addresses make the kernel spill fewer registers in s.
    __shared__ typename Panel::Exchange exchange;
    Panel(args, exchange).run();
}

} // namespace tephra

#define TEPHRA_GETRF_HALF_PANEL(NAME, T, RPT, H, W, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W)                                                                                     \
                      .holds(32 * W * RPT, 2 * H)                                                                      \
                      .needs(HalfPanel<letter::T, RPT, H, W>::bytes, Count{32 * RPT}, Count{H, H, 1})),                \
                 __launch_bounds__(32 * W, MIN_BLOCKS), GetrfArgs, getrf_half_panel<letter::T, RPT, H, W>)
