// LU of a matrix in the registers of a team of warps.
//
// Each warp has all rows of its columns, so that a step exchanges the multipliers and the pivot's place alone, through
// shared memory: one barrier a step. The next pivot column is brought up to date first, and its pivot is found and its
// multipliers are on their way while the other columns follow. Rows stay where they are and are stored at their places.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "pivot.cuh"

namespace tephra {

// Lane l of warp w has rows l + 32 r, r < RPT, of columns w + W c, c < CPT. What is outside the matrix is zero and
// never stored.
template <typename T, int RPT, int CPT, int W>
struct TeamLu {
    using R = Real<T>;

    struct Exchange {
        T multipliers[2][RPT][32]; // of a step and of the next
        unsigned pivot[2];         // Candidate::id
    };
    T a[RPT][CPT];
    Exchange &exchange;
    int *ipiv; // null: no interchanges
    int position[RPT];
    int lane, w, m, n, steps, first_zero = 0;

    __device__ __forceinline__ TeamLu(int m_, int n_, int *ipiv_, Exchange &exchange_)
        : exchange(exchange_), ipiv(ipiv_), lane(threadIdx.x % 32), w(threadIdx.x / 32), m(m_), n(n_) {
        steps = m < n ? m : n;
#pragma unroll
        for (int r = 0; r < RPT; ++r) position[r] = row(r);
    }
    __device__ __forceinline__ int row(int r) const { return r * 32 + lane; }
    __device__ __forceinline__ int column(int c) const { return c * W + w; }

    __device__ __forceinline__ void load(const T *A, long long lda) {
#pragma unroll
        for (int c = 0; c < CPT; ++c)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                a[r][c] = row(r) < m && column(c) < n ? A[row(r) + column(c) * lda] : make<T>(0);
    }

    // Element of register column c of a row, in all lanes.
    template <int c>
    __device__ __forceinline__ T element(int source) const {
        T x = a[0][c];
#pragma unroll
        for (int r = 1; r < RPT; ++r) x = choose(source / 32 == r, a[r][c], x);
        return of_lane<32>(x, source % 32);
    }

    // By the warp that has column k, in register column c: finds the pivot, leaves the multipliers.
    template <int c>
    __device__ __forceinline__ void eliminate(int k) {
        Candidate<R> mine = Candidate<R>::none();
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const bool candidate = row(r) < m && (ipiv ? position[r] >= k : position[r] == k);
            const auto id = static_cast<unsigned>(position[r] << 16 | row(r));
            if (candidate) mine.take({pivot_size(a[r][c]), id});
        }
        const Candidate<R> pivot = mine.template best<32>();
        const T value = element<c>(pivot.row());
        const bool zero = is_zero(value);
        const Divisor<T> by(zero ? make<T>(1) : value);
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const bool below = position[r] >= k && row(r) != pivot.row();
            if (below && !zero) a[r][c] = by.of(a[r][c]);
            exchange.multipliers[k & 1][r][lane] = a[r][c];
        }
        if (lane == 0) exchange.pivot[k & 1] = pivot.id;
        if (lane == 0 && ipiv) ipiv[k] = pivot.position() + 1;
        if (zero && first_zero == 0) first_zero = k + 1;
    }

    // Takes the pivot's multiples from register columns FROM .. TO - 1.
    template <int FROM, int TO>
    __device__ __forceinline__ void update(int k, int source, const T (&multiplier)[RPT]) {
        if constexpr (FROM < TO) {
            const T u = element<FROM>(source);
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (position[r] > k) a[r][FROM] = fnma_(multiplier[r], u, a[r][FROM]);
            update<FROM + 1, TO>(k, source, multiplier);
        }
    }

    // Column k is of register column c.
    template <int c>
    __device__ __forceinline__ void step(int k) {
        __syncthreads();
        const Candidate<R> pivot = {Size<R>::none(), exchange.pivot[k & 1]};
        const int source = pivot.row(), owner = k - c * W;
        T multiplier[RPT];
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            multiplier[r] = exchange.multipliers[k & 1][r][lane];
            if (position[r] == k) position[r] = pivot.position();
            if (row(r) == source) position[r] = k;
        }
        if (w > owner) update<c, c + 1>(k, source, multiplier);
        if constexpr (c + 1 < CPT) {
            if (owner == W - 1 && w == 0) update<c + 1, c + 2>(k, source, multiplier);
        }
        if (k + 1 < steps) {
            if (owner < W - 1) {
                if (w == owner + 1) eliminate<c>(k + 1);
            } else if constexpr (c + 1 < CPT) {
                if (w == 0) eliminate<c + 1>(k + 1);
            }
        }
        if constexpr (c + 1 < CPT) {
            if (owner != W - 1 || w != 0) update<c + 1, c + 2>(k, source, multiplier);
            update<c + 2, CPT>(k, source, multiplier);
        }
    }
    template <int c = 0>
    __device__ __forceinline__ void walk() {
        if constexpr (c < CPT) {
            const int end = (c + 1) * W < steps ? (c + 1) * W : steps;
#pragma unroll 1
            for (int k = c * W; k < end; ++k) step<c>(k);
            walk<c + 1>();
        }
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T *const p = A + column(c) * lda;
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (column(c) < n && row(r) < m) p[position[r]] = a[r][c];
        }
    }
};

template <typename T, int RPT, int CPT, int W>
__device__ __forceinline__ void getrf_team(const GetrfArgs &args) {
    using K = TeamLu<T, RPT, CPT, W>;
    __shared__ typename K::Exchange exchange;
    __shared__ int zeros[W];
    const long long i = blockIdx.x;
    T *const A = args.matrix<T>(i);
    K k(args.m, args.n, args.pivots() ? args.interchanges(i) : nullptr, exchange);
    k.load(A, args.lda);
    if (k.w == 0) k.template eliminate<0>(0);
    k.walk();
    k.store(A, args.lda);
    if (k.lane == 0) zeros[k.w] = k.first_zero;
    __syncthreads();
    if (threadIdx.x == 0) {
        int first = 0;
        for (int w = 0; w < W; ++w) first = zeros[w] > 0 && (first == 0 || zeros[w] < first) ? zeros[w] : first;
        args.set_info(i, first);
    }
}

} // namespace tephra

#define TEPHRA_GETRF_TEAM(NAME, T, RPT, CPT, W, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME, Instance(32 * W).lanes(32, 1, RPT, CPT, W), __launch_bounds__(32 * W, MIN_BLOCKS), GetrfArgs,   \
                 getrf_team<letter::T, RPT, CPT, W>)
