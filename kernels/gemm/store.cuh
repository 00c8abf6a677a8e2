// Sums in the registers of a thread, as they go to C.
#pragma once
#include "stage.cuh"

namespace tephra {

// Elements that are adjacent in memory.
template <typename T, int N = 16 / sizeof(T)>
struct alignas(N * sizeof(T)) GemmPack {
    T v[N];
};

// The sums c[j][..] of column column_of(j), in packs of 16 bytes: pack p of a thread's rows is number p LM + tm of the
// tile.
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
    // What C was is on its way for several columns before the first of them is written.
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
