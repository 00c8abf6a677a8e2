// Scaling of columns of extreme size by powers of two that bring them near one, before a matrix is factored. H and tau
// stay the same, and column j of R is scaled back at the end. With it, the short formulas (range.cuh) hold for every
// finite matrix, and no column's squares or products leave the range. (Kernels whose steps take nearly all registers
// leave such columns to the slow path; see `scaled` there.)
#pragma once
#include "../common/householder.cuh"
#include "update_memory.cuh"

namespace tephra {

// Columns that need no scaling: the upper word of their largest element is between `lo` and `lo + span`.
template <typename R>
struct PlainSize;
template <>
struct PlainSize<float> {
    static constexpr unsigned lo = (127u - 12) << 23, span = 32u << 23; // 2^-12 .. 2^20
};
template <>
struct PlainSize<double> {
    static constexpr unsigned lo = (1023u - 200) << 20, span = 400u << 20; // 2^-200 .. 2^200
};

__device__ __forceinline__ unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }
// The upper word of |a|, or of the larger part of a complex a.
__device__ __forceinline__ unsigned size_word(float a) { return __float_as_uint(a) & 0x7fffffffu; }
__device__ __forceinline__ unsigned size_word(double a) { return __double2hiint(a) & 0x7fffffffu; }
template <typename R>
__device__ __forceinline__ unsigned size_word(Complex<R> a) {
    return larger(size_word(a.x), size_word(a.y));
}
// The upper word of the largest magnitude among the added numbers (or parts of complex ones); zero only if all are
// zero.
template <typename T>
struct Largest;
template <>
struct Largest<float> {
    unsigned most = 0;
    __device__ __forceinline__ void add(float a) {
        most = __float_as_uint(max_or_nan(__uint_as_float(most), fabsf(a)));
    }
    __device__ __forceinline__ unsigned size() const { return most; }
};
template <>
struct Largest<double> {
    unsigned most = 0, low = 0;
    __device__ __forceinline__ void add(double a) {
        most = larger(most, size_word(a));
        low |= __double2loint(a);
    }
    __device__ __forceinline__ unsigned size() const { return larger(most, low != 0); }
};
template <typename R>
struct Largest<Complex<R>> {
    Largest<R> parts;
    __device__ __forceinline__ void add(Complex<R> a) {
        parts.add(a.x);
        parts.add(a.y);
    }
    __device__ __forceinline__ unsigned size() const { return parts.size(); }
};
// Maximum over groups of LANES lanes.
template <int LANES>
__device__ __forceinline__ unsigned lanes_largest(unsigned size) {
#pragma unroll
    for (int s = LANES / 2; s > 0; s /= 2) size = larger(size, __shfl_xor_sync(0xffffffffu, size, s));
    return size;
}
template <typename R>
__device__ __forceinline__ bool is_plain(unsigned size) {
    return size - PlainSize<R>::lo <= PlainSize<R>::span;
}

// Whether a column is scaled, given the size of its largest element: not if that is plain, zero or not finite.
template <typename R>
__device__ __forceinline__ bool is_extreme(unsigned size) {
    constexpr unsigned infinite = sizeof(R) == 8 ? 2047u << 20 : 255u << 23;
    return !is_plain<R>(size) & (size - 1 < infinite - 1);
}
// Minus the exponent of a column's scaling; zero if the column is not scaled. 2^e and 2^-e are normal numbers, so that
// one multiplication is enough.
__device__ __forceinline__ float pow2(int e, float) { return __int_as_float((127 + e) << 23); }
__device__ __forceinline__ double pow2(int e, double) { return __hiloint2double((1023 + e) << 20, 0); }
template <typename R>
__device__ __forceinline__ int scale_exponent(unsigned size) {
    constexpr int bits = sizeof(R) == 8 ? 20 : 23, bias = sizeof(R) == 8 ? 1023 : 127;
    int e = static_cast<int>(size >> bits) - bias; // exponent of the largest element, unless that is denormal
    e = e < 1 - bias ? 1 - bias : e > bias - 1 ? bias - 1 : e;
    return is_extreme<R>(size) ? e : 0;
}

// Scaling exponents of N columns of a matrix, in shared memory. any: for each warp, whether some of its columns are
// scaled; if not, their exponents are undefined.
template <int N, int W = 1>
struct ColumnScales {
    short exponent[N];
    unsigned char any[W];

    // Called by each warp before scale_columns.
    __device__ __forceinline__ void begin(int w = 0) {
        if (threadIdx.x % 32 == 0) any[w] = 0;
        __syncwarp();
    }
};

// Scales the matrices that a warp holds in a tile (tile.cuh). scales: of this lane's matrix.
template <typename K, typename Scales>
__device__ __forceinline__ void scale_columns(K &k, Scales &scales, unsigned char &any) {
    using R = typename K::R;
    // Two rows are representative of a lane's part of a column.
    bool odd = false;
#pragma unroll
    for (int c = 0; c < K::CPT; ++c) {
        unsigned size = size_word(k.a[K::looked_at][c]);
        if constexpr (K::RPT > 1) size = larger(size, size_word(k.a[K::looked_at + 1][c]));
        odd |= !is_plain<R>(size) & k.has_column(k.col(c));
    }
    if (!__any_sync(0xffffffffu, odd)) [[likely]]
        return;
    // A matrix is examined if its own rows look odd, whatever its neighbours in the warp look like, on which its bits
    // must not depend: one whose extreme elements are in other rows is left to the slow path.
    bool examined = true;
    if constexpr (K::mats > 1)
        examined = __ballot_sync(0xffffffffu, odd) >> (k.lane & ~(K::lanes - 1)) & ((1u << K::lanes) - 1);
    // Few instructions, since none of these are in the instruction cache.
    bool some = false;
    unsigned size[K::CPT];
#pragma unroll
    for (int c = 0; c < K::CPT; ++c) {
        Largest<typename K::T> all;
#pragma unroll
        for (int r = 0; r < K::RPT; ++r) all.add(k.a[r][c]);
        const unsigned largest = lanes_largest<K::PR>(all.size());
        size[c] = examined ? largest : 0;
        some |= is_extreme<R>(size[c]);
    }
    if (!__any_sync(0xffffffffu, some)) return;
#pragma unroll
    for (int c = 0; c < K::CPT; ++c) {
        const int e = scale_exponent<R>(size[c]);
        const R factor = pow2(-e, R());
#pragma unroll
        for (int r = 0; r < K::RPT; ++r) k.a[r][c] = scale(k.a[r][c], factor);
        if (k.has_columns()) scales.exponent[k.col(c)] = e;
    }
    if (threadIdx.x % 32 == 0) any = 1;
    __syncwarp();
}

// Maximum over a warp.
__device__ __forceinline__ unsigned warp_largest(unsigned size) { return __reduce_max_sync(0xffffffffu, size); }
// Multiplies C columns of a warp by 2^exponent; lane q passes column q's exponent. column[q] points to this lane's
// first element, and left(q) counts the rows from there on. A column that is listed twice is multiplied once.
template <int C, typename T, typename Left>
__device__ __forceinline__ void times_powers(T *const (&column)[C], int exponent, const Left &left) {
    using R = Real<T>;
    R factor[C];
    int longest = 0;
#pragma unroll
    for (int q = 0; q < C; ++q) {
        factor[q] = pow2(__shfl_sync(0xffffffffu, exponent, q), R());
        longest = left(q) > longest ? left(q) : longest;
    }
#pragma unroll 1
    for (int i = 0; i < longest; i += 32) {
        T x[C];
#pragma unroll
        for (int q = 0; q < C; ++q) x[q] = i < left(q) ? column[q][i] : make<T>(0);
#pragma unroll
        for (int q = 0; q < C; ++q)
            if (i < left(q)) column[q][i] = scale(x[q], factor[q]);
    }
}

// Judges column j by its first two elements.
template <typename T>
__device__ __forceinline__ bool looks_plain(const T *A, long long lda, int m, int j) {
    const T *const p = A + j * lda;
    return is_plain<Real<T>>(larger(size_word(p[0]), size_word(p[m > 1])));
}
// Columns that a warp handles at a time when W warps of a block scale N columns; a lane has as many loads in flight.
__host__ __device__ constexpr int scaled_at_once(int N, int W, int most) {
    return N > (most - 1) * W ? most : (N + W - 1) / W;
}
// Scales those columns of a matrix in memory that look extreme and are, by all W warps of a block. Inlined, this would
// cost the steps registers. Few instructions, since none of these are in the instruction cache.
template <typename T, int N, int W>
__device__ __noinline__ void scale_call(T *A, long long lda, int m, int n, ColumnScales<N, W> *scales) {
    using R = Real<T>;
    constexpr int C = scaled_at_once(N, W, N > 40 ? 8 : 4), rows = 16 / C; // of a lane at a time
    const int w = threadIdx.x / 32 % W, lane = threadIdx.x % 32;
    bool some = false;
#pragma unroll 1
    for (int first = w; first < n; first += 32 * W) { // the warp's: first, first + W, ...
        const int j = first + W * lane;
        if (j < n) scales->exponent[j] = 0;
        const bool mine = j < n && !looks_plain(A, lda, m, j);
        if (mine) prefetch_column(A + j * lda, m);
        unsigned odd = __ballot_sync(0xffffffffu, mine);
#pragma unroll 1
        while (odd) {
            T *column[C]; // the first one again if there are fewer
            Largest<T> size[C];
            unsigned all = 0;
            const int start = __ffs(odd) - 1;
            int own = 0; // the one of these whose exponent this lane computes
#pragma unroll
            for (int q = 0; q < C; ++q) {
                const int l = odd ? __ffs(odd) - 1 : start;
                if (lane == q) own = first + W * l;
                column[q] = A + (first + W * l) * lda + lane;
                odd &= odd - 1;
            }
#pragma unroll 1
            for (int i = 0; i < m; i += 32 * rows) {
                T x[rows][C];
#pragma unroll
                for (int r = 0; r < rows; ++r)
#pragma unroll
                    for (int q = 0; q < C; ++q) x[r][q] = i + 32 * r < m - lane ? (column[q] + i)[32 * r] : make<T>(0);
                __syncwarp(); // keeps the first element's use behind the last loads
#pragma unroll
                for (int r = 0; r < rows; ++r)
#pragma unroll
                    for (int q = 0; q < C; ++q) size[q].add(x[r][q]);
            }
#pragma unroll
            for (int q = 0; q < C; ++q) {
                const unsigned largest = warp_largest(size[q].size());
                if (lane == q) all = largest;
            }
            const int e = lane < C ? scale_exponent<R>(all) : 0;
            if (!__any_sync(0xffffffffu, e != 0)) continue;
            some = true;
            __syncwarp();
            if (lane < C) scales->exponent[own] = e;
            times_powers<C>(column, -e, [&](int) { return m - lane; });
        }
    }
    if constexpr (W > 1)
        some = __syncthreads_or(some);
    else
        __syncwarp();
    if (lane == 0) scales->any[w] = some;
    __syncwarp();
}
// Whether a block's matrix may have columns of extreme size, judging by two rows of each.
template <typename T, int N, int W>
__device__ __forceinline__ bool looks_odd(const T *A, long long lda, int m, int n, const ColumnScales<N, W> &) {
    bool odd = false;
#pragma unroll
    for (int first = 0; first < N; first += 32 * W) {
        const int j = first + threadIdx.x;
        if ((first + 32 * W <= N || j < N) && j < n) odd |= !looks_plain(A, lda, m, j);
    }
    if constexpr (W > 1)
        return __syncthreads_or(odd);
    else
        return __any_sync(0xffffffffu, odd);
}

// Scales a lane's column in shared memory, m elements at p; odd: whether it looks like one of extreme size. exponent:
// null in lanes without a column. `any` belongs to the warp, all of whose lanes call.
template <typename T>
__device__ __noinline__ void scale_stage_call(T *p, int m, bool odd, short *exponent, unsigned char *any) {
    using R = Real<T>;
    Largest<T> size;
    if (odd)
        for (int i = 0; i < m; ++i) size.add(p[i]);
    const int e = odd ? scale_exponent<R>(size.size()) : 0;
    if (exponent) *exponent = e;
    if (e != 0) {
        const R factor = pow2(-e, R());
        for (int i = 0; i < m; ++i) p[i] = scale(p[i], factor);
        *any = 1;
    }
    __syncwarp();
}

// Scales R's columns back, in memory, by a warp: columns w, w + W, ... below n of a matrix of m rows. Column 0 of
// `scales` is column `first` of A.
template <typename T, int N, int W>
__device__ __noinline__ void unscale_r_call(T *A, long long lda, int m, int first, int n,
                                            const ColumnScales<N, W> *scales, int w) {
    constexpr int C = scaled_at_once(N, W, N > 32 ? 8 : 4); // fewer: many small kernels contain it
    const int lane = threadIdx.x % 32;
    __syncwarp();
#pragma unroll 1
    for (int j = w; j < n; j += C * W) {
        const int own = j + W * lane, e = lane < C && own < n ? scales->exponent[own] : 0;
        if (!__any_sync(0xffffffffu, e != 0)) continue;
        T *column[C];
#pragma unroll
        for (int q = 0; q < C; ++q) column[q] = A + (first + j + W * q) * lda + lane;
        times_powers<C>(column, e, [&](int q) {
            const int rows = first + j + W * q + 1;
            return (j + W * q < n ? rows < m ? rows : m : 0) - lane;
        });
    }
    __syncwarp();
}

} // namespace tephra
