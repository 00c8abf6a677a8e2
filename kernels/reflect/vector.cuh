// Sums of products in a block's registers, on the general arithmetic units.
#pragma once
#include "../common/chunk.cuh"
#include "box.cuh"
#include "stages.cuh"

namespace tephra {

// BA x BB sums, TA x TB of them per thread, over KC terms at a time. TERMS: in shared memory the terms of a line are
// adjacent, and a thread reads 16 bytes of each of its lines; otherwise the lines of a term are adjacent, and it reads
// packs of lines.
template <typename T_, int BA_, int BB_, int KC_, int TA, int TB, bool TERMS>
struct ReflectVector {
    using T = T_;
    static constexpr int BA = BA_, BB = BB_, KC = KC_, P = 16 / sizeof(T);
    static constexpr int LA = BA / TA, LB = BB / TB, threads = LA * LB;
    static constexpr int a_pitch = (TERMS ? KC : BA) + P, b_pitch = (TERMS ? KC : BB) + P;
    using BoxA = ReflectBox<T, TERMS ? KC : BA, TERMS ? BA : KC, a_pitch, threads>;
    using BoxB = ReflectBox<T, TERMS ? KC : BB, TERMS ? BB : KC, b_pitch, threads>;
    static_assert(LA % 8 == 0 && LB % 4 == 0 && TA % P == 0 && TB % P == 0 && KC % P == 0, "warps of 8 x 4 lanes");

    T c[TA][TB];
    int ta, tb;

    // Arranged so that eight neighbouring lanes read few different words at a time.
    __device__ __forceinline__ ReflectVector() {
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
        ta = w % (LA / 8) * 8 + (lane >> 1 & 7), tb = w / (LA / 8) * 4 + lane % 2 + lane / 16 * 2;
    }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < TA; ++i)
#pragma unroll
            for (int j = 0; j < TB; ++j) c[i][j] = make<T>(0);
    }
    static __device__ __forceinline__ int line(int i, int lanes, int lane) {
        return TERMS ? i * lanes + lane : (i / P * lanes + lane) * P + i % P;
    }
    // Calls f(line of a, line of b, values), with `adjacent` lines of b at a time.
    static constexpr int adjacent = TERMS ? 1 : P;
    template <typename F>
    __device__ __forceinline__ void each(F f) {
#pragma unroll
        for (int i = 0; i < TA; ++i)
#pragma unroll
            for (int j = 0; j < TB; j += adjacent) f(line(i, LA, ta), line(j, LB, tb), &c[i][j]);
    }
    template <bool CONJ>
    static __device__ __forceinline__ T plus(T a, T b, T sum) {
        if constexpr (CONJ)
            return cfma_(a, b, sum);
        else
            return fma_(a, b, sum);
    }
    // Operands of the products with P terms of the boxes.
    struct Terms {
        Chunk<T> x[TA], y[TB];
    };
    // Reads real operands from term k on.
    template <bool CONJ>
    __device__ __forceinline__ void fetch(Terms &t, const T *a, const T *b, int k) const {
        static_assert(TERMS && !is_complex<T>);
#pragma unroll
        for (int i = 0; i < TA; ++i) t.x[i] = *reinterpret_cast<const Chunk<T> *>(a + line(i, LA, ta) * a_pitch + k);
#pragma unroll
        for (int j = 0; j < TB; ++j) t.y[j] = *reinterpret_cast<const Chunk<T> *>(b + line(j, LB, tb) * b_pitch + k);
    }
    __device__ __forceinline__ void add(const Terms &t) {
#pragma unroll
        for (int p = 0; p < P; ++p)
#pragma unroll
            for (int j = 0; j < TB; ++j)
#pragma unroll
                for (int i = 0; i < TA; ++i) c[i][j] = fma(t.x[i].e[p], t.y[j].e[p], c[i][j]);
    }
    // CONJ: a's elements are conjugated.
    template <bool CONJ>
    __device__ __forceinline__ void multiply(const T *a, const T *b) {
        using Pack = Chunk<T>;
        if constexpr (TERMS) {
#pragma unroll
            for (int k = 0; k < KC; k += P) {
                Pack x[TA];
#pragma unroll
                for (int i = 0; i < TA; ++i) x[i] = *reinterpret_cast<const Pack *>(a + line(i, LA, ta) * a_pitch + k);
#pragma unroll
                for (int j = 0; j < TB; ++j) {
                    const Pack y = *reinterpret_cast<const Pack *>(b + line(j, LB, tb) * b_pitch + k);
#pragma unroll
                    for (int p = 0; p < P; ++p)
#pragma unroll
                        for (int i = 0; i < TA; ++i) c[i][j] = plus<CONJ>(x[i].e[p], y.e[p], c[i][j]);
                }
            }
        } else {
#pragma unroll 8
            for (int k = 0; k < KC; ++k) {
                Pack x[TA / P], y[TB / P];
#pragma unroll
                for (int p = 0; p < TA / P; ++p)
                    x[p] = *reinterpret_cast<const Pack *>(a + k * a_pitch + (p * LA + ta) * P);
#pragma unroll
                for (int p = 0; p < TB / P; ++p)
                    y[p] = *reinterpret_cast<const Pack *>(b + k * b_pitch + (p * LB + tb) * P);
#pragma unroll
                for (int i = 0; i < TA; ++i)
#pragma unroll
                    for (int j = 0; j < TB; ++j) c[i][j] = plus<CONJ>(x[i / P].e[i % P], y[j / P].e[j % P], c[i][j]);
            }
        }
    }
};

// Threads with large tiles have registers for operands that are read ahead.
template <int BA, int BB, int KC, int TA, int TB, int STAGES>
inline constexpr bool goes_through<ReflectVector<float, BA, BB, KC, TA, TB, true>, STAGES> =
    TA == 8 && TB == 8 && STAGES >= 3 && KC % 8 == 0 && ReflectVector<float, BA, BB, KC, TA, TB, true>::BoxA::even &&
    ReflectVector<float, BA, BB, KC, TA, TB, true>::BoxB::even;

} // namespace tephra
