// Products into a thread's sums, and their store to C.
#pragma once
#include "stage.cuh"

namespace tephra {

// Elements that are adjacent in memory.
template <typename T, int N = 16 / sizeof(T)>
struct alignas(N * sizeof(T)) GemmPack {
    T v[N];
};

// c(i, j) += x(i) y(j) for the rows and columns of a thread's sums; CONJ: conj(y(j)). `re` and `im` return y's parts.
//
// A multiply-add reads three registers from two banks, and stalls if two new ones are in the same bank. The products
// are ordered so that consecutive ones share a factor, which the hardware keeps: along the shorter direction, and back
// along the next row or column.
template <bool CONJ, typename T, int TM, int TN, typename X, typename Re, typename Im>
__device__ __forceinline__ void gemm_outer(T (&c)[TN][TM], X x, Re re, Im im) {
    if constexpr (is_complex<T>) {
#pragma unroll
        for (int i = 0; i < TM; ++i) {
            const T e = x(i);
#pragma unroll
            for (int j = 0; j < TN; ++j) {
                c[j][i].x = fma(e.x, re(j), c[j][i].x);
                c[j][i].y = fma(CONJ ? -e.x : e.x, im(j), c[j][i].y);
            }
#pragma unroll
            for (int j = TN - 1; j >= 0; --j) {
                c[j][i].x = fma(CONJ ? e.y : -e.y, im(j), c[j][i].x);
                c[j][i].y = fma(e.y, re(j), c[j][i].y);
            }
        }
    } else {
        constexpr bool by_rows = TM > TN;
        constexpr int inner = by_rows ? TN : TM;
#pragma unroll
        for (int o = 0; o < TM * TN / inner; ++o)
#pragma unroll
            for (int turn = 0; turn < inner; ++turn) {
                const int n = o % 2 ? inner - 1 - turn : turn, i = by_rows ? o : n, j = by_rows ? n : o;
                c[j][i] = fma(x(i), re(j), c[j][i]);
            }
    }
}

// Stores the sums, where c[j] belongs to column column_of(j), in packs of 16 bytes: pack p of a thread's rows is number
// p LM + tm of the tile.
template <int LM, typename T, int TM, int TN, typename Column>
__device__ __forceinline__ void gemm_store(T *C, long long ldc, T (&c)[TN][TM], int tm, Column column_of,
                                           const GemmStored &stored, const GemmScales<T> &scales) {
    using Pack = GemmPack<T>;
    constexpr int P = 16 / sizeof(T);
    const bool packs = reinterpret_cast<unsigned long long>(C) % 16 == 0 && ldc % P == 0;
#pragma unroll
    for (int j = 0; j < TN; ++j)
#pragma unroll
        for (int i = 0; i < TM; ++i) c[j][i] = gemm_conj(c[j][i], scales.conjugate);
    if (scales.turns) {
#pragma unroll
        for (int j = 0; j < TN; ++j)
#pragma unroll
            for (int i = 0; i < TM; ++i) c[j][i] = mul(scales.alpha, c[j][i]);
    }
    // The old values of C are loaded for several columns before the first of them is written.
    constexpr int ahead = is_complex<T> || TN % 2 ? 1 : 2;
#pragma unroll
    for (int first = 0; first < TN; first += ahead) {
        Pack was[ahead][TM / P];
#pragma unroll
        for (int j = 0; j < ahead; ++j)
#pragma unroll
            for (int p = 0; p < TM / P; ++p) {
                const int row = (p * LM + tm) * P, column = column_of(first + j);
                const T *const from = C + row + column * ldc;
                if (packs && stored.has(row, column, P)) {
                    if (scales.reads) was[j][p] = *reinterpret_cast<const Pack *>(from);
                } else {
#pragma unroll
                    for (int i = 0; i < P; ++i)
                        was[j][p].v[i] = scales.reads && stored.has(row + i, column) ? from[i] : make<T>(0);
                }
#pragma unroll
                for (int i = 0; i < P; ++i)
                    was[j][p].v[i] = gemm_real(was[j][p].v[i], stored.on_diagonal(row + i, column));
            }
#pragma unroll
        for (int j = 0; j < ahead; ++j)
#pragma unroll
            for (int p = 0; p < TM / P; ++p) {
                const int row = (p * LM + tm) * P, column = column_of(first + j);
                T *const to = C + row + column * ldc;
                Pack now;
#pragma unroll
                for (int i = 0; i < P; ++i) {
                    const T sum = c[first + j][p * P + i];
                    now.v[i] = scales.reads ? scales.of(sum, was[j][p].v[i]) : scales.of(sum);
                    now.v[i] = gemm_real(now.v[i], stored.on_diagonal(row + i, column));
                }
                if (packs && stored.has(row, column, P)) {
                    *reinterpret_cast<Pack *>(to) = now;
                } else {
#pragma unroll
                    for (int i = 0; i < P; ++i)
                        if (stored.has(row + i, column)) to[i] = now.v[i];
                }
            }
    }
}

} // namespace tephra
