// QR with column pivoting of a matrix in the shared memory of a block.
//
// Columns stay where they are. Each belongs to one warp, whose lanes have the columns' norms and the places that they
// have moved to. In a step, between two barriers, every warp offers its column with the largest norm. All warps choose
// among these, make the same reflector from the chosen column, and apply it to their own columns. Source: LAPACK laqp2.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

template <typename T>
__host__ __device__ constexpr int geqp3_block_bytes(int m, int n) {
    return m * n * static_cast<int>(sizeof(T));
}

template <typename T, int W>
struct PivotBlock {
    using R = Real<T>;
    static constexpr int V = 4;                     // rows that a lane handles at a time
    static constexpr int J = sizeof(T) > 8 ? 2 : 4; // columns that a warp handles at a time

    T *all; // m rows per column
    int m, n, w, lane;
    bool there;    // whether this lane has a column
    int place;     // its current place
    R norm, whole; // norm of what is left of it; the same when it was last summed
    T factor;      // of a former pivot: turns it into v
    R beta;

    __device__ __forceinline__ PivotBlock(T *all_, int m_, int n_)
        : all(all_), m(m_), n(n_), w(threadIdx.x / 32), lane(threadIdx.x % 32), there(lane * W + w < n_),
          place(lane * W + w), norm(0), whole(0), factor(make<T>(1)), beta(0) {}

    __device__ __forceinline__ T *column(int slot) const { return all + slot * m; }

    // Calls f(lane) for each lane that asks for it, on all lanes of the warp.
    template <typename F>
    __device__ __forceinline__ static void for_lanes(bool asks, F f) {
        for (unsigned left = __ballot_sync(0xffffffffu, asks); left; left &= left - 1) f(__ffs(left) - 1);
    }
    // Sums the norms of rows first, first + 1, ... of the columns whose lanes ask for it.
    __device__ __forceinline__ void sum_norms(bool asks, int first) {
        for_lanes(asks, [&](int l) {
            const R x = column_norm(column(l * W + w), first, m);
            if (lane == l) norm = whole = x;
        });
    }

    // Computes the reflector of a column, on all threads of the block.
    __device__ __forceinline__ Reflector<T> reflector(int slot, int k) {
        T *const x = column(slot);
        R sum = 0, below = 0;
        for (int r = (k & ~31) + lane; r < m; r += 32)
            if (r > k) sum = abs2_add(x[r], sum), below = fmax(below, abs_inf(x[r]));
        sum = lanes_sum<32>(sum);
        const T alpha = x[k];
        const R q = abs2_add(alpha, sum);
        if (sum > SafeRange<R>::lo && q < SafeRange<R>::hi) return reflector_fast(alpha, q);
        below = lanes_max<32>(below);
        const R largest = fmax(below, abs_inf(alpha));
        const Rescale<R> rescale(largest);
        R scaled = 0;
        for (int r = (k & ~31) + lane; r < m; r += 32)
            if (r > k) scaled = abs2_add(rescale(x[r]), scaled);
        scaled = lanes_sum<32>(scaled);
        const auto h =
            reflector_guarded<T>(rescale(alpha), scaled, below, largest, rescale.e, sum + re(alpha) + im(alpha));
        __syncthreads(); // the column has been read
        if (slot % W == w)
            for (int r = (k & ~31) + lane; r < m; r += 32)
                if (r > k) x[r] = rescale(x[r]);
        __syncthreads();
        return h;
    }

    // Applies that column's reflector to this warp's other columns. Returns the new element in row k to each column's
    // lane.
    __device__ __forceinline__ T apply(int slot, const Reflector<T> &h, int k) {
        const T *const x = column(slot);
        const T tau_h = conj(h.tau);
        const int first = (k & ~31) + lane;
        T gone = make<T>(0);
        unsigned left = __ballot_sync(0xffffffffu, there && place > k);
        while (left) {
            int l[J];
            T *y[J], dot[J], v[V], e[J][V];
            int rows[J];
#pragma unroll
            for (int q = 0; q < J; ++q) {
                l[q] = left ? __ffs(left) - 1 : -1;
                left &= left - 1;
                y[q] = l[q] < 0 ? all : column(l[q] * W + w);
                rows[q] = l[q] < 0 ? 0 : m;
                dot[q] = make<T>(0);
            }
            const auto take = [&](int r) {
#pragma unroll
                for (int u = 0; u < V; ++u) {
                    const int row = r + 32 * u;
                    const bool below = row > k && row < m;
                    v[u] = below ? mul(x[row], h.factor) : make<T>(row == k ? 1 : 0);
#pragma unroll
                    for (int q = 0; q < J; ++q) e[q][u] = row >= k && row < rows[q] ? y[q][row] : make<T>(0);
                }
            };
            int r = first;
            while (true) {
                take(r);
#pragma unroll
                for (int u = 0; u < V; ++u)
#pragma unroll
                    for (int q = 0; q < J; ++q) dot[q] = cfma_(v[u], e[q][u], dot[q]);
                if (r - lane + 32 * V >= m) break;
                r += 32 * V;
            }
#pragma unroll
            for (int q = 0; q < J; ++q) dot[q] = mul(tau_h, lanes_sum<32>(dot[q]));
            // The elements that were read last are updated first: they are still in registers.
            while (true) {
#pragma unroll
                for (int u = 0; u < V; ++u)
#pragma unroll
                    for (int q = 0; q < J; ++q) {
                        const int row = r + 32 * u;
                        e[q][u] = fnma_(v[u], dot[q], e[q][u]);
                        if (row >= k && row < rows[q]) y[q][row] = e[q][u];
                    }
                if (r == first) break;
                r -= 32 * V;
                take(r);
            }
#pragma unroll
            for (int q = 0; q < J; ++q) {
                const T of_row = shfl(e[q][0], k & 31);
                if (lane == l[q]) gone = of_row;
            }
        }
        return gone;
    }
};

template <typename T, int W>
__device__ __forceinline__ void geqp3_block(const Geqp3Args &args) {
    using R = Real<T>;
    __shared__ Offer<R> offers[2][W];
    const long long i = blockIdx.x;
    const int m = args.m, n = args.n, k_end = m < n ? m : n;
    T *const A = member<T>(args.a, i), *const tau = member<T>(args.tau, i);
    int *const jpvt = member<int>(args.jpvt, i);
    PivotBlock<T, W> b(reinterpret_cast<T *>(dynamic_shared()), m, n);
    const int w = b.w, lane = b.lane, own = lane * W + w;
    for (int c = w; c < n; c += W)
        for (int r = lane; r < m; r += 32) b.column(c)[r] = A[c * args.lda + r];
    // Move the columns that the caller has chosen to the front, in the order that LAPACK's exchanges leave.
    int fixed = 0;
    for (int from = 0; from < n; from += 32)
        b.for_lanes(from + lane < n && jpvt[from + lane] != 0, [&](int l) {
            const int j = from + l;
            b.place = b.place == j ? fixed : b.place == fixed ? j : b.place;
            ++fixed;
        });
    __syncwarp(); // the warp's columns are loaded
    b.sum_norms(b.there && fixed == 0, 0);
    const auto offer = [&](int k) {
        const bool left = b.there && (k < fixed ? b.place == k : b.place >= k);
        const Offer<R> best = Offer<R>::best_of_warp(left, b.norm, b.place << 16 | own);
        if (lane == 0) offers[k & 1][w] = best;
    };
    offer(0);
#pragma unroll 1
    for (int k = 0; k < k_end; ++k) {
        __syncthreads();
        Offer<R> best = offers[k & 1][0];
#pragma unroll
        for (int o = 1; o < W; ++o) best.take(offers[k & 1][o].norm, offers[k & 1][o].id);
        const int slot = best.id & 0xffff;
        const bool mine = own == slot;
        b.place = mine ? k : b.place == k ? best.id >> 16 : b.place;
        const Reflector<T> h = b.reflector(slot, k);
        if (mine) b.factor = h.factor, b.beta = h.beta, tau[k] = h.tau;
        const T gone = b.apply(slot, h, k);
        bool again = false;
        if (b.there && b.place > k) again = k >= fixed ? downdate(b.norm, b.whole, re(gone), im(gone)) : k + 1 == fixed;
        __syncwarp(); // all lanes' updates of the columns are visible
        b.sum_norms(again, k + 1);
        offer(k + 1);
    }
    // Store the columns in their places; pivots become R's columns and the reflectors' vectors.
    b.for_lanes(b.there, [&](int l) {
        const T *const x = b.column(l * W + w);
        const int place = __shfl_sync(0xffffffffu, b.place, l);
        const T factor = shfl(b.factor, l);
        const R beta = __shfl_sync(0xffffffffu, b.beta, l);
        const int diagonal = place < k_end ? place : m;
        for (int r = lane; r < m; r += 32)
            A[place * args.lda + r] = r < diagonal ? x[r] : r == diagonal ? make<T>(beta) : mul(x[r], factor);
    });
    if (b.there) jpvt[b.place] = own + 1;
    if (threadIdx.x == 0 && args.info) args.info[i] = 0;
}

} // namespace tephra

// For any number of rows that shared memory can hold; its size depends on the rows and the columns.
#define TEPHRA_GEQP3_BLOCK(NAME, T, W, MIN_BLOCKS)                                                                     \
    TEPHRA_ENTRY(                                                                                                      \
        NAME,                                                                                                          \
        Instance(32 * W).holds(1 << 15, 32 * W).by_warps(W).needs(geqp3_block_bytes<letter::T>, Count(), Count()),     \
        __launch_bounds__(32 * W, MIN_BLOCKS), Geqp3Args, geqp3_block<letter::T, W>)
