// Columns of extreme size, multiplied by powers of two that bring them near one before a matrix is factored: H and tau
// stay the same, and column j of R is multiplied back at the end. So the short formulas (range.cuh) hold for every
// finite matrix, and no column's squares or products leave the range.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

// What needs no scaling: columns whose largest element is at least `lo` and at most `span` more, as upper words.
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

// The upper word of |a|, or of the larger part of a complex a.
__device__ __forceinline__ unsigned size_word(float a) { return __float_as_uint(a) & 0x7fffffffu; }
__device__ __forceinline__ unsigned size_word(double a) { return __double2hiint(a) & 0x7fffffffu; }
template <typename R>
__device__ __forceinline__ unsigned size_word(Complex<R> a) {
    const unsigned x = size_word(a.x), y = size_word(a.y);
    return x > y ? x : y;
}
template <typename R>
__device__ __forceinline__ bool is_plain(unsigned size) {
    return size - PlainSize<R>::lo <= PlainSize<R>::span;
}

// The scaling of a column from its largest magnitude: none if that is plain, zero or not finite.
template <typename R>
__device__ __forceinline__ Rescale<R> column_rescale(R largest) {
    const bool scaled = largest > 0 && largest <= Limits<R>::max && !is_plain<R>(size_word(largest));
    return Rescale<R>(scaled ? largest : R(1));
}

// x times 2^e, for every e that column_rescale makes: in two steps, since 2^e alone may overflow.
__device__ __forceinline__ float pow2(int e, float) { return __int_as_float((127 + e) << 23); }
__device__ __forceinline__ double pow2(int e, double) { return __hiloint2double((1023 + e) << 20, 0); }
template <typename T>
__device__ __forceinline__ T back_by(T x, int e) {
    const int h = e / 2;
    return scale(scale(x, pow2(h, Real<T>())), pow2(e - h, Real<T>()));
}

// Exponents of N columns of a matrix, in shared memory. any: whether one of those of that number, which one warp has,
// is scaled; else the exponents are not there.
template <int N, int W = 1>
struct ColumnScales {
    short exponent[N];
    unsigned char any[W];

    // By each warp, before scale_columns.
    __device__ __forceinline__ void begin(int w = 0) {
        if (threadIdx.x % 32 == 0) any[w] = 0;
        __syncwarp();
    }
};

// A warp's part of a tile (tile.cuh), register columns C0 .. C1 - 1 of its n columns. scales: of this lane's matrix.
template <int C0, int C1, typename K, typename Scales>
__device__ __forceinline__ void scale_columns(K &k, int n, Scales &scales, unsigned char &any) {
    using R = typename K::R;
    // Two of its rows are a sign of what a lane's part of a column is like.
    bool odd = false;
#pragma unroll
    for (int c = C0; c < C1; ++c) {
        unsigned size = size_word(k.a[0][c]);
        if constexpr (K::RPT > 1) {
            const unsigned other = size_word(k.a[1][c]);
            size = other > size ? other : size;
        }
        odd |= !is_plain<R>(size) & (k.col(c) < n);
    }
    if (!__any_sync(0xffffffffu, odd)) [[likely]]
        return;
    const bool begun = any;
    bool some = false;
    short e[K::CPT] = {};
#pragma unroll
    for (int c = C0; c < C1; ++c) {
        R largest = 0;
#pragma unroll
        for (int r = 0; r < K::RPT; ++r) largest = fmax(largest, abs_inf(k.a[r][c]));
        const Rescale<R> rescale = column_rescale(lanes_max<K::PR>(largest));
#pragma unroll
        for (int r = 0; r < K::RPT; ++r) k.a[r][c] = rescale(k.a[r][c]);
        e[c] = rescale.e;
        some |= e[c] != 0;
    }
    if (!__any_sync(0xffffffffu, some)) return;
#pragma unroll
    for (int c = 0; c < K::CPT; ++c)
        if ((!begun || c >= C0 && c < C1) && k.has_columns()) scales.exponent[k.col(c)] = e[c];
    if (threadIdx.x % 32 == 0) any = 1;
    __syncwarp();
}

// R's columns back, in memory, by a warp: those of number w, w + W, ... below n of a matrix of m rows; column 0 of
// `scales` is column `first` of A.
template <typename T, int N, int W>
__device__ __noinline__ void unscale_r_call(T *A, long long lda, int m, int first, int n,
                                            const ColumnScales<N, W> *scales, int w) {
    __syncwarp();
    for (int j = w; j < n; j += W) {
        const int e = scales->exponent[j], diagonal = first + j;
        if (e == 0) continue;
        T *p = A + diagonal * lda;
        for (int i = threadIdx.x % 32; i <= diagonal && i < m; i += 32) p[i] = back_by(p[i], e);
    }
    __syncwarp();
}

} // namespace tephra
