// A tile of a matrix product on the FP64 tensor instruction.
#pragma once
#include "../geqrf/update_tensor.cuh"
#include "stage.cuh"

namespace tephra {

// BM x BN, of which a warp has WM x WN; KC terms at a time, in PLACES places.
template <typename T_, int BM_, int BN_, int KC_, int PLACES, int WM, int WN>
struct GemmTensor {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, places = PLACES;
    static constexpr int MT = WM / 16, NT = WN / 8, warps_down = BM / WM, threads = 32 * warps_down * (BN / WN);
    // A term after term, B line by line: the lanes' reads fall into different banks.
    static constexpr int lda = BM + (is_complex<T> ? 2 : 4), ldb = KC + 4;
    // Places of element (line, term) in shared memory.
    static constexpr int a_line = 1, a_term = lda, b_line = ldb, b_term = 1, b_part = 0;
    static_assert(BM % 16 == 0 && KC % 4 == 0 && WM % 16 == 0 && WN % 8 == 0, "whole instructions");

    struct Storage {
        alignas(16) T a[PLACES][KC * lda];
        alignas(16) T b[PLACES][BN * ldb];
    };
    Accumulator<T> c[MT][NT];
    int first_row, first_column, g, q;

    __device__ __forceinline__ GemmTensor() : g(threadIdx.x % 32 / 4), q(threadIdx.x % 4) {
        const int w = threadIdx.x / 32;
        first_row = w % warps_down * WM, first_column = w / warps_down * WN;
#pragma unroll
        for (int i = 0; i < MT; ++i)
#pragma unroll
            for (int j = 0; j < NT; ++j) c[i][j].clear();
    }

    __device__ __forceinline__ void multiply(const T *a, const T *b, bool conj_b, int) {
        const T *const x = a + q * lda + first_row + g, *const y = b + (first_column + g) * ldb + q;
#pragma unroll
        for (int k = 0; k < KC; k += 4) {
            T l[MT][2], r[NT];
#pragma unroll
            for (int i = 0; i < MT; ++i) {
                l[i][0] = x[k * lda + i * 16];
                l[i][1] = x[k * lda + i * 16 + 8];
            }
#pragma unroll
            for (int j = 0; j < NT; ++j) r[j] = gemm_conj(y[j * 8 * ldb + k], conj_b);
#pragma unroll
            for (int i = 0; i < MT; ++i)
#pragma unroll
                for (int j = 0; j < NT; ++j) c[i][j].fma(l[i][0], l[i][1], r[j]);
        }
    }

    // To shared memory, column by column.
    __device__ __forceinline__ void keep(T *sums, int pitch) const {
#pragma unroll
        for (int j = 0; j < NT; ++j)
#pragma unroll
            for (int i = 0; i < MT; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r) {
                    const int column = first_column + j * 8 + 2 * q + (r & 1);
                    sums[column * pitch + first_row + i * 16 + (r >> 1) * 8 + g] = c[i][j].get(r);
                }
    }

    // To C, what is stored of the tile.
    __device__ __forceinline__ void finish(T *C, long long ldc, const GemmStored &stored, const GemmScales<T> &scales) {
        if (scales.turns) {
#pragma unroll
            for (int j = 0; j < NT; ++j)
#pragma unroll
                for (int i = 0; i < MT; ++i)
#pragma unroll
                    for (int r = 0; r < 4; ++r)
                        c[i][j].set(r, mul(scales.alpha, gemm_conj(c[i][j].get(r), scales.conjugate)));
        }
        // What C was is on its way for several columns before the first of them is written.
        constexpr int ahead = is_complex<T> || NT % 2 ? 1 : 2;
        const auto each = [&](int first, auto f) {
#pragma unroll
            for (int j = 0; j < ahead; ++j)
#pragma unroll
                for (int i = 0; i < MT; ++i)
#pragma unroll
                    for (int r = 0; r < 4; ++r) {
                        const int column = first_column + (first + j) * 8 + 2 * q + (r & 1);
                        const int row = first_row + i * 16 + (r >> 1) * 8 + g;
                        f(j, i, r, C + row + column * ldc, stored.has(row, column), stored.on_diagonal(row, column));
                    }
        };
#pragma unroll
        for (int first = 0; first < NT; first += ahead) {
            T was[ahead][MT][4];
            if (scales.reads)
                each(first, [&](int j, int i, int r, const T *from, bool there, bool real) {
                    was[j][i][r] = gemm_real(there ? *from : make<T>(0), real);
                });
            each(first, [&](int j, int i, int r, T *to, bool there, bool real) {
                const T sum = gemm_conj(c[i][first + j].get(r), scales.conjugate && !scales.turns);
                const T now = scales.reads ? scales.of(sum, was[j][i][r]) : scales.of(sum);
                if (there) *to = gemm_real(now, real);
            });
        }
    }
};

} // namespace tephra
