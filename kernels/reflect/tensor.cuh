// Sums of products in a block's registers, on the FP64 tensor cores.
#pragma once
#include "../geqrf/update_tensor.cuh"
#include "box.cuh"
#include "stages.cuh"

namespace tephra {

// BA x BB sums, WA x WB of them per warp, over KC terms at a time. TERMS: in shared memory the terms of a line are
// adjacent, otherwise the lines of a term.
template <typename T_, int BA_, int BB_, int KC_, int WA, int WB, bool TERMS>
struct ReflectTensor {
    using T = T_;
    static constexpr int BA = BA_, BB = BB_, KC = KC_;
    static constexpr int AT = WA / 16, BT = WB / 8, across = BA / WA, threads = 32 * across * (BB / WB);
    // Lets the lanes read from different banks.
    static constexpr int pad = TERMS || !is_complex<T> ? 4 : 2;
    using BoxA = ReflectBox<T, TERMS ? KC : BA, TERMS ? BA : KC, (TERMS ? KC : BA) + pad, threads>;
    using BoxB = ReflectBox<T, TERMS ? KC : BB, TERMS ? BB : KC, (TERMS ? KC : BB) + pad, threads>;
    static constexpr int a_pitch = (TERMS ? KC : BA) + pad, b_pitch = (TERMS ? KC : BB) + pad;
    static_assert(WA % 16 == 0 && WB % 8 == 0 && KC % 4 == 0, "whole instructions");

    Accumulator<T> c[AT][BT];
    int first_a, first_b, g, q;

    __device__ __forceinline__ ReflectTensor() : g(threadIdx.x % 32 / 4), q(threadIdx.x % 4) {
        const int w = threadIdx.x / 32;
        first_a = w % across * WA, first_b = w / across * WB;
    }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int j = 0; j < BT; ++j) c[i][j].clear();
    }
    // Calls f(line of a, line of b, values) with two adjacent lines of b at a time.
    struct Pair {
        T x[2];
    };
    static constexpr int adjacent = 2;
    template <typename F>
    __device__ __forceinline__ void each(F f) {
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h)
#pragma unroll
                for (int j = 0; j < BT; ++j) {
                    Pair p = {{c[i][j].get(2 * h), c[i][j].get(2 * h + 1)}};
                    f(first_a + i * 16 + h * 8 + g, first_b + j * 8 + 2 * q, p.x);
                    c[i][j].set(2 * h, p.x[0]), c[i][j].set(2 * h + 1, p.x[1]);
                }
    }
    // Operands of the products with four terms of the boxes.
    struct Terms {
        T l[AT][2], r[BT];
    };
    // Reads operands from term k on. CONJ: a's elements are conjugated.
    template <bool CONJ>
    __device__ __forceinline__ void fetch(Terms &t, const T *a, const T *b, int k) const {
        constexpr int a_line = TERMS ? a_pitch : 1, a_term = TERMS ? 1 : a_pitch;
        constexpr int b_line = TERMS ? b_pitch : 1, b_term = TERMS ? 1 : b_pitch;
        const T *const x = a + q * a_term + (first_a + g) * a_line, *const y = b + q * b_term + (first_b + g) * b_line;
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                t.l[i][h] = x[k * a_term + (i * 16 + h * 8) * a_line];
                if constexpr (CONJ && is_complex<T>) t.l[i][h].y = flip(t.l[i][h].y);
            }
#pragma unroll
        for (int j = 0; j < BT; ++j) t.r[j] = y[k * b_term + j * 8 * b_line];
    }
    __device__ __forceinline__ void add(const Terms &t) {
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int j = 0; j < BT; ++j) c[i][j].fma(t.l[i][0], t.l[i][1], t.r[j]);
    }
    template <bool CONJ>
    __device__ __forceinline__ void multiply(const T *a, const T *b) {
#pragma unroll
        for (int k = 0; k < KC; k += 4) {
            Terms t;
            fetch<CONJ>(t, a, b, k);
            add(t);
        }
    }
};

// Complex numbers leave no registers for operands that are read ahead.
template <typename T, int BA, int BB, int KC, int WA, int WB, bool TERMS, int STAGES>
inline constexpr bool goes_through<ReflectTensor<T, BA, BB, KC, WA, WB, TERMS>, STAGES> =
    !is_complex<T> && STAGES >= 3 && ReflectTensor<T, BA, BB, KC, WA, WB, TERMS>::BoxA::even &&
    ReflectTensor<T, BA, BB, KC, WA, WB, TERMS>::BoxB::even;

} // namespace tephra
