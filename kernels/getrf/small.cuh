// LU of small matrices, a row in each lane, several matrices a warp.
//
// Rows stay in their lanes: a lane knows at which position its row is by now, and stores it there. A step: the lanes
// look for the pivot, every lane divides its element of the column by it, and subtracts its multiple of the pivot's
// row, which comes by shuffles.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "lanes.cuh"
#include "pivot.cuh"

namespace tephra {

// PR lanes have a row of N columns each.
template <typename T, int PR, int N>
struct RowTile {
    using R = Real<T>;
    T a[N];
    int row, position, m, n;

    __device__ __forceinline__ RowTile(int m_, int n_) : m(m_), n(n_) { row = position = threadIdx.x % PR; }

    __device__ __forceinline__ void load(const T *A, long long lda) {
        A += row;
#pragma unroll
        for (int j = 0; j < N; ++j) a[j] = row < m && j < n ? A[j * lda] : make<T>(0);
    }
    // The pivot of column k among the rows at positions from k on, whose best this is; without a search the row at k.
    __device__ __forceinline__ Candidate<R> find(int k, bool search) const {
        const bool candidate = row < m && (search ? position >= k : position == k);
        Candidate<R> mine = {Size<R>::none(), static_cast<unsigned>(position << 16 | row)};
        if (candidate) mine.size = pivot_size(a[k]);
        return mine.template best<PR>();
    }
    // Exchanges positions k and that of the pivot.
    __device__ __forceinline__ void exchange(int k, const Candidate<R> &pivot) {
        if (position == k) position = pivot.position();
        if (row == pivot.row()) position = k;
    }
};

template <typename T, int PR, int N, int WARPS>
__device__ __forceinline__ void getrf_small(const GetrfArgs &args) {
    constexpr int mats = 32 / PR;
    const long long i = (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * mats + threadIdx.x % 32 / PR;
    const bool live = i < args.batch, search = args.pivots();
    // Lanes without a matrix take part in the steps of one without columns to load or store.
    RowTile<T, PR, N> t(args.m, live ? args.n : 0);
    T *const A = live ? args.matrix<T>(i) : nullptr;
    t.load(A, args.lda);
    const int steps = args.m < args.n ? args.m : args.n;
    int first_zero = 0, interchange = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) {
        if (k < steps) {
            const auto pivot = t.find(k, search);
            const int source = pivot.row();
            const T value = of_lane<PR>(t.a[k], source);
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (t.row == k) interchange = pivot.position() + 1;
            t.exchange(k, pivot);
            const bool below = t.position > k;
            if (below && !zero) t.a[k] = Divisor<T>(value).of(t.a[k]);
#pragma unroll
            for (int j = k + 1; j < N; ++j) {
                const T u = of_lane<PR>(t.a[j], source);
                if (below) t.a[j] = fnma_(t.a[k], u, t.a[j]);
            }
        }
    }
    if (!live) return;
    if (search && t.row < steps) args.interchanges(i)[t.row] = interchange;
    if (t.row == 0) args.set_info(i, first_zero);
    if (t.row >= t.m) return;
    T *const to = A + t.position;
#pragma unroll
    for (int j = 0; j < N; ++j)
        if (j < t.n) to[j * args.lda] = t.a[j];
}

// C := A^-1 by Gauss and Jordan's elimination with row interchanges, in place of A in the registers. A singular
// matrix's C is not written, and its info is the first step without a pivot.
template <typename T, int PR, int WARPS>
__device__ __forceinline__ void inverse_small(const InverseArgs &args) {
    constexpr int mats = 32 / PR;
    const long long i = (static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32) * mats + threadIdx.x % 32 / PR;
    const bool live = i < args.batch;
    RowTile<T, PR, PR> t(args.n, live ? args.n : 0);
    t.load(live ? member<T>(args.a, i) : nullptr, args.lda);
    int first_zero = 0, pivot_of = 0; // pivot_of: the row that was the pivot of this lane's number's step
#pragma unroll
    for (int k = 0; k < PR; ++k) {
        if (k < args.n) {
            const auto pivot = t.find(k, true);
            const int source = pivot.row();
            const T value = of_lane<PR>(t.a[k], source);
            const bool zero = is_zero(value);
            if (zero && first_zero == 0) first_zero = k + 1;
            if (t.row == k) pivot_of = source;
            t.exchange(k, pivot);
            const bool is_pivot = t.row == source;
            const Divisor<T> by(zero ? make<T>(1) : value);
            // The pivot's row is divided by the pivot; the others lose their multiple of it.
            const T multiple = is_pivot ? make<T>(0) : by.of(t.a[k]);
            t.a[k] = is_pivot ? make<T>(1) : make<T>(0);
#pragma unroll
            for (int j = 0; j < PR; ++j) {
                const T u = of_lane<PR>(t.a[j], source);
                t.a[j] = is_pivot ? by.of(t.a[j]) : fnma_(multiple, u, t.a[j]);
            }
        }
    }
    // Column j of what is there belongs to the row that was its pivot.
    T *const C = live ? member<T>(args.c, i) + t.position : nullptr;
    const bool stores = live && first_zero == 0 && t.row < args.n;
#pragma unroll
    for (int j = 0; j < PR; ++j) {
        const int column = __shfl_sync(0xffffffffu, pivot_of, j, PR);
        if (stores && j < args.n) C[column * args.ldc] = t.a[j];
    }
    if (live && t.row == 0 && args.info) args.info[i] = first_zero;
}

} // namespace tephra

#define TEPHRA_GETRF_SMALL(NAME, T, PR, N, WARPS, MIN_BLOCKS)                                                          \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(PR, N).places(32 / PR * WARPS),                                      \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), GetrfArgs, getrf_small<letter::T, PR, N, WARPS>)
#define TEPHRA_INVERSE_SMALL(NAME, T, PR, WARPS, MIN_BLOCKS)                                                           \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(PR, PR).places(32 / PR * WARPS),                                     \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), InverseArgs, inverse_small<letter::T, PR, WARPS>)
