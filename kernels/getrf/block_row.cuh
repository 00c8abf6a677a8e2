// A block row of a strip of a matrix's columns, computed by all warps of a block: sums of products of 32 x 32 tiles
// with rows of the strip.
//
// In shared memory a tile is stored by columns with leading dimension lda, and the strip by rows with leading dimension
// ldx. Both are padded so that the lanes' reads fall into different banks.
#pragma once
#include "../geqrf/update_tensor.cuh"
#include "row_tile.cuh"

namespace tephra {

// The warps form H groups. Each group either has its own tile, or takes a share of one tile's columns; the result is
// the sum over all groups.
template <typename T, int NT, int W, int H>
struct BlockRow {
    static constexpr int NB = 32, pad = is_complex<T> ? 2 : 4, terms = NB / H, warps = W / H; // warps: per group
    static constexpr int lda = NB + pad, ldx = NT + pad, tile = NB * lda;
    static_assert(W % H == 0, "whole groups");
    int group = threadIdx.x / 32 / warps;
};

// How a product interprets a tile: as it is, or as one triangle of LU factors; L has a unit diagonal.
struct Whole {
    template <typename T>
    __device__ __forceinline__ T operator()(T x, int, int) const {
        return x;
    }
};
struct Triangle {
    bool upper;

    template <typename T>
    __device__ __forceinline__ T operator()(T x, int row, int column) const {
        const bool ones = !upper && row == column, there = upper ? row <= column : row > column;
        return there ? x : make<T>(ones ? 1 : 0);
    }
};

// On the FP64 tensor instruction: a warp has 16 rows and 8 J columns.
template <typename T, int NT, int W, int H>
struct TensorRow : BlockRow<T, NT, W, H> {
    using Base = BlockRow<T, NT, W, H>;
    using Base::lda;
    using Base::ldx;
    static constexpr int J = NT / 8 / (Base::warps / 2);
    static constexpr int size = 4 * J;                              // elements of a thread
    static constexpr int chains = J == 1 && !is_complex<T> ? 2 : 1; // independent accumulations
    static_assert(Base::warps % 2 == 0 && NT % (4 * Base::warps) == 0, "whole instructions");

    Accumulator<T> c[chains][J];
    int row0, column0, g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;

    __device__ __forceinline__ TensorRow() {
        const int w = threadIdx.x / 32 % Base::warps;
        row0 = w % 2 * 16, column0 = w / 2 * (8 * J);
    }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int h = 0; h < chains; ++h)
#pragma unroll
            for (int j = 0; j < J; ++j) c[h][j].clear();
    }
    // Adds A X. A has `count` columns; the next few must be zeros, and the matching rows of X finite. SHARED: the
    // groups divide the tile's columns among themselves.
    template <bool SHARED, typename Part>
    __device__ __forceinline__ void multiply(const T *a, const T *x, Part part, int count) {
        constexpr int terms = SHARED ? Base::terms : Base::NB;
        const int begin = SHARED ? this->group * terms : 0, first = begin + q;
        a += first * lda + row0 + g, x += first * ldx + column0 + g;
        const auto step = [&](int k, int chain) {
            const T upper = part(a[k * lda], row0 + g, first + k),
                    lower = part(a[k * lda + 8], row0 + g + 8, first + k);
#pragma unroll
            for (int j = 0; j < J; ++j) c[chain][j].fma(upper, lower, x[k * ldx + 8 * j]);
        };
        if (count >= Base::NB) {
#pragma unroll
            for (int k = 0; k < terms; k += 4) step(k, k / 4 % chains);
        } else {
#pragma unroll 1
            for (int k = 0; k < terms && k < count - begin; k += 4) step(k, 0);
        }
    }
    // The first row and column of the warp's part of the strip.
    __device__ __forceinline__ int first_row() const { return row0; }
    __device__ __forceinline__ int first_column() const { return column0; }
    // Calls f(row, column, sum) for each of this thread's elements.
    template <typename F>
    __device__ __forceinline__ void each(F f) const {
#pragma unroll
        for (int j = 0; j < J; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                T sum = c[0][j].get(r);
                if (chains > 1) sum = add(sum, c[chains - 1][j].get(r));
                f(row0 + g + r / 2 * 8, column0 + 8 * j + 2 * q + r % 2, sum);
            }
    }
};

// On the vector pipes: a thread has TM x TN elements, in packs of 16 bytes.
template <typename T, int NT, int W, int H>
struct VectorRow : BlockRow<T, NT, W, H> {
    using Base = BlockRow<T, NT, W, H>;
    using Base::lda;
    using Base::ldx;
    static constexpr int P = Pack<T>::size, TM = 4, TN = NT / (4 * Base::warps), size = TM * TN;
    static_assert(TN % P == 0 && NT % (4 * Base::warps) == 0, "whole packs");

    T c[TN][TM];
    int tm = threadIdx.x % 8, tn = threadIdx.x / 8 % (4 * Base::warps);

    // Row of this thread's i-th element.
    __device__ __forceinline__ int row(int i) const { return (i / P * 8 + tm) * P + i % P; }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i) c[j][i] = make<T>(0);
    }
    template <bool SHARED, typename Part>
    __device__ __forceinline__ void multiply(const T *a, const T *x, Part part, int count) {
        constexpr int terms = SHARED ? Base::terms : Base::NB;
        const int first = SHARED ? this->group * terms : 0;
        a += first * lda, x += first * ldx;
        const auto step = [&](int k) {
            Pack<T> l[TM / P], r[TN / P];
#pragma unroll
            for (int p = 0; p < TM / P; ++p) l[p] = *reinterpret_cast<const Pack<T> *>(a + k * lda + row(p * P));
#pragma unroll
            for (int p = 0; p < TN / P; ++p) r[p] = *reinterpret_cast<const Pack<T> *>(x + k * ldx + tn * TN + p * P);
#pragma unroll
            for (int i = 0; i < TM; ++i) l[i / P].x[i % P] = part(l[i / P].x[i % P], row(i), first + k);
#pragma unroll
            for (int j = 0; j < TN; ++j)
#pragma unroll
                for (int i = 0; i < TM; ++i) c[j][i] = fma_(l[i / P].x[i % P], r[j / P].x[j % P], c[j][i]);
        };
        if (count >= Base::NB) {
#pragma unroll 8
            for (int k = 0; k < terms; ++k) step(k);
        } else {
#pragma unroll 1
            for (int k = 0; k < terms && k < count - first; ++k) step(k);
        }
    }
    __device__ __forceinline__ int first_row() const { return 0; }
    __device__ __forceinline__ int first_column() const { return threadIdx.x / 32 % Base::warps * (4 * TN); }
    template <typename F>
    __device__ __forceinline__ void each(F f) const {
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int j = 0; j < TN; ++j) f(row(i), tn * TN + j, c[j][i]);
    }
};

template <typename T, int NT, int W, int H, bool TENSOR = sizeof(Real<T>) == 8>
struct RowOf {
    using Type = TensorRow<T, NT, W, H>;
};
template <typename T, int NT, int W, int H>
struct RowOf<T, NT, W, H, false> {
    using Type = VectorRow<T, NT, W, H>;
};

} // namespace tephra
