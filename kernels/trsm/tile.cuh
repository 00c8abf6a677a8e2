// A tile of right-hand sides in the registers of W warps, and products with blocks of the triangle.
//
// Rows are dealt out to warps in blocks of 16, cyclically: block b = t W + warp, t < MT. In a block, lane (g = lane /
// 4, q = lane % 4) holds rows g and g + 8 of columns q + 4 e. That is the accumulator of the FP64 tensor instruction
// (with its columns renumbered), and suits vector instructions too, so that all precisions share loads, stores and
// solves. The triangle is read from global memory straight into the lanes that use it: every element is used once, by
// one warp.
#pragma once
#include "../geqrf/update_tensor.cuh"
#include "args.cuh"

namespace tephra {

constexpr int trsm_nb = 16; // rows of a block

// Products on the vector pipes: every lane multiplies its rows of the triangle with its columns of X.
template <typename T, int MT, int NT>
struct VectorProduct {
    static constexpr int KC = is_complex<T> ? 8 : trsm_nb; // columns of the triangle in registers at a time
    static constexpr int pad = is_complex<T> ? 1 : 2;
    static constexpr int E = NT / 4;
    struct Fragment {
        T a[MT][2][KC];
    };
    T c[MT][2][E];

    __device__ __forceinline__ T get(int t, int h, int e) const { return c[t][h][e]; }
    __device__ __forceinline__ void set(int t, int h, int e, T x) { c[t][h][e] = x; }
    // Columns of a fragment's elements.
    static constexpr int per_row = KC;
    static __device__ __forceinline__ int column(int i, int) { return i; }
    static __device__ __forceinline__ T &at(Fragment &f, int t, int h, int i) { return f.a[t][h][i]; }

    // C -= A X, where f holds -A.
    template <int t>
    __device__ __forceinline__ void update(const Fragment &f, const T *x, int, int q) {
        constexpr int ldx = NT + pad;
#pragma unroll
        for (int k = 0; k < KC; ++k)
#pragma unroll
            for (int e = 0; e < E; ++e) {
                const T b = x[k * ldx + q + 4 * e];
#pragma unroll
                for (int h = 0; h < 2; ++h) c[t][h][e] = fma_(f.a[t][h][k], b, c[t][h][e]);
            }
    }
};

// Products on the FP64 tensor instruction.
template <typename T, int MT, int NT>
struct TensorProduct {
    static constexpr int KC = trsm_nb;
    static constexpr int pad = is_complex<T> ? 1 : 2;
    struct Fragment {
        T a[MT][2][KC / 4];
    };
    Accumulator<T> c[MT][NT / 8];

    __device__ __forceinline__ T get(int t, int h, int e) const { return c[t][e / 2].get(2 * h + e % 2); }
    __device__ __forceinline__ void set(int t, int h, int e, T x) { c[t][e / 2].set(2 * h + e % 2, x); }
    // The sums may run in any order; this one reads X without bank conflicts for its leading dimension.
    static constexpr int per_row = KC / 4;
    static __device__ __forceinline__ int column(int i, int q) {
        return is_complex<T> ? 4 * i + q : (q & 1) + 4 * (q >> 1) + 2 * (i & 1) + 8 * (i >> 1);
    }
    static __device__ __forceinline__ T &at(Fragment &f, int t, int h, int i) { return f.a[t][h][i]; }

    template <int t>
    __device__ __forceinline__ void update(const Fragment &f, const T *x, int g, int q) {
        constexpr int ldx = NT + pad;
        const T *p = x + (g >> 1) + 4 * (g & 1);
#pragma unroll
        for (int i = 0; i < per_row; ++i)
#pragma unroll
            for (int v = 0; v < NT / 8; ++v) c[t][v].fma(f.a[t][0][i], f.a[t][1][i], p[column(i, q) * ldx + 8 * v]);
    }
};

template <typename T, int MT, int NT>
struct ProductOf {
    using type = VectorProduct<T, MT, NT>;
};
template <int MT, int NT>
struct ProductOf<double, MT, NT> {
    using type = TensorProduct<double, MT, NT>;
};
template <int MT, int NT>
struct ProductOf<Complex<double>, MT, NT> {
    using type = TensorProduct<Complex<double>, MT, NT>;
};

} // namespace tephra
