// A tile of a matrix product on the FP64 tensor instruction.
#pragma once
#include "../arch/mma.cuh"
#include "../geqrf/update_tensor.cuh"
#include "stage.cuh"

namespace tephra {

// BM x BN, of which a warp has WM x WN; KC terms at a time, in PLACES slots; TERMS terms per instruction.
template <typename T_, int BM_, int BN_, int KC_, int PLACES, int WM, int WN, int TERMS>
struct GemmTensor {
    using T = T_;
    static constexpr int BM = BM_, BN = BN_, KC = KC_, places = PLACES;
    static constexpr int MT = WM / 16, NT = WN / 8, warps_down = BM / WM, threads = 32 * warps_down * (BN / WN);
    static_assert(BM % 16 == 0 && KC % TERMS == 0 && WM % 16 == 0 && WN % 8 == 0, "whole instructions");

    // A factor has the same layout in shared memory as in global memory, so that 16 bytes can be copied at a time. In
    // either layout the lanes of a warp read from different banks.
    static constexpr int pad = is_complex<T> ? 2 : 4;
    using StageA = GemmStage<T, BM, KC, threads, BM + pad, KC + 4, 0>;
    using StageB = GemmStage<T, BN, KC, threads, BN + pad, KC + 4, 0>;

    struct Storage {
        alignas(16) T a[PLACES][StageA::size];
        alignas(16) T b[PLACES][StageB::size];
    };
    static __device__ __forceinline__ Storage &storage() { return *reinterpret_cast<Storage *>(dynamic_shared()); }
    static constexpr int dynamic_bytes = sizeof(Storage);

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

    // Calls f(layout of A, layout of B). A loop for each layout needs addresses and registers for that one only.
    template <typename F>
    static __device__ __forceinline__ void by_layout(const StageA &a, const StageB &b, F f) {
        if (a.along_lines) {
            if (b.along_lines)
                f(GemmLines<true>(), GemmLines<true>());
            else
                f(GemmLines<true>(), GemmLines<false>());
        } else {
            if (b.along_lines)
                f(GemmLines<false>(), GemmLines<true>());
            else
                f(GemmLines<false>(), GemmLines<false>());
        }
    }
    // Multiplies the chunks of both factors in these slots.
    template <bool A_LINES, bool B_LINES>
    __device__ __forceinline__ void multiply(const T *a, const T *b, bool conj_b, int, GemmLines<A_LINES>,
                                             GemmLines<B_LINES>) {
        const T *const x = a + StageA::template place<A_LINES>(first_row + g, q);
        const T *const y = b + StageB::template place<B_LINES>(first_column + g, q);
        constexpr int L = TERMS / 4; // elements of a line that a lane supplies to an instruction
#pragma unroll
        for (int k = 0; k < KC; k += TERMS) {
            // All are read before the first is multiplied, so that no instruction waits for another's operands.
            T l[MT][2 * L], r[NT][L];
#pragma unroll
            for (int i = 0; i < MT; ++i)
#pragma unroll
                for (int e = 0; e < 2 * L; ++e)
                    l[i][e] = x[StageA::template place<A_LINES>(i * 16 + e % 2 * 8, k + e / 2 * 4)];
#pragma unroll
            for (int j = 0; j < NT; ++j)
#pragma unroll
                for (int e = 0; e < L; ++e)
                    r[j][e] = gemm_conj(y[StageB::template place<B_LINES>(j * 8, k + e * 4)], conj_b);
#pragma unroll
            for (int i = 0; i < MT; ++i)
#pragma unroll
                for (int j = 0; j < NT; ++j) fma(c[i][j], l[i], r[j]);
        }
    }
    // Stores the sums to shared memory, by columns.
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

    // Stores the tile to C.
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
        // The old values of C are loaded for several columns before the first of them is written.
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

  private:
    static __device__ __forceinline__ void fma(Accumulator<T> &sum, const T (&a)[TERMS / 2], const T (&b)[TERMS / 4]) {
        if constexpr (is_complex<T>) {
            double a_re[TERMS / 2], a_im[TERMS / 2], minus[TERMS / 2], b_re[TERMS / 4], b_im[TERMS / 4];
#pragma unroll
            for (int e = 0; e < TERMS / 2; ++e) a_re[e] = a[e].x, a_im[e] = a[e].y, minus[e] = flip(a[e].y);
#pragma unroll
            for (int e = 0; e < TERMS / 4; ++e) b_re[e] = b[e].x, b_im[e] = b[e].y;
            mma_f64<TERMS>(sum.re, a_re, b_re);
            mma_f64<TERMS>(sum.im, a_im, b_re);
            mma_f64<TERMS>(sum.re, minus, b_im);
            mma_f64<TERMS>(sum.im, a_re, b_im);
        } else {
            mma_f64<TERMS>(sum.re, a, b);
        }
    }
};

} // namespace tephra
