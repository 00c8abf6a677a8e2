// Sums of products in a block's registers on the FP16 tensor cores, at FP32's accuracy or at FP16's.
//
// A number times a power of two is the sum of two FP16 numbers, high and low, of 11 bits each; of a product, all but
// low x low is summed. FP16 has a small range: V, whose elements are at most 1, is multiplied by one power of two, and
// a column of C by one that depends on its norm (scale.cuh), which no reflector changes; X's elements are at most twice
// that norm. What is too small for FP16 is then below FP32's error of the whole column.
//
// The tensor cores truncate sums instead of rounding them, so they sum KC terms at a time, and FP32 adds the results.
#pragma once
#include "box.cuh"
#include "half.cuh"
#include "stages.cuh"

namespace tephra {

// BA x BB sums, WA x WB of them per warp, over 32 terms at a time. TERMS: in shared memory the terms of a line are
// adjacent, and b's lines have their own powers of two; otherwise the lines of a term are adjacent, and a's lines have
// their own powers.
//
// A thread splits the numbers that it has copied, and arranges them so that sixteen bytes are a lane's part of one
// instruction's A, or of two B, or of one B's high and low parts.
//
// ROUGH: only high x high, unless the tile is marked as `exact`.
template <int BA_, int BB_, int WA, int WB, bool TERMS, bool ROUGH = false>
struct ReflectSplit {
    using T = float;
    static constexpr int BA = BA_, BB = BB_, KC = 32;
    static constexpr int AT = WA / 16, BT = WB / 8, across = BA / WA, threads = 32 * across * (BB / WB);
    static constexpr int a_pitch = (TERMS ? KC : BA) + 4, b_pitch = (TERMS ? KC : BB) + 4;
    using BoxA = ReflectBox<T, TERMS ? KC : BA, TERMS ? BA : KC, a_pitch, threads>;
    using BoxB = ReflectBox<T, TERMS ? KC : BB, TERMS ? BB : KC, b_pitch, threads>;
    static_assert(WA % 32 == 0 && WB % 32 == 0, "whole packs of lines");
    // For lines of adjacent terms: packs of a line; lines that all threads cover at a time; lines of a whose terms are
    // combined.
    static constexpr int per = KC / 4, reach = threads / per, beside = reach;
    static_assert(!TERMS || (threads % per == 0 && beside % 8 == 0 && WA % (2 * beside) == 0 && BB % reach == 0),
                  "a thread has copied both lines");

    static constexpr float of_v = 0x1p13f;

    float c[AT][BT][4];
    int first_a, first_b, g, q;
    bool exact = !ROUGH;
    // Powers of two of the lines that this thread splits, and the factors that undo them in its sums.
    float power[TERMS ? BB / reach : 4], back[8];
    static_assert(2 * (TERMS ? BT : AT) == 8, "as many lines with powers of their own");

    __device__ __forceinline__ ReflectSplit() : g(threadIdx.x % 32 / 4), q(threadIdx.x % 4) {
        const int w = threadIdx.x / 32;
        first_a = w % across * WA, first_b = w / across * WB;
    }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int j = 0; j < BT; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e) c[i][j][e] = 0;
    }
    // The place of x among eight, such that neighbouring lanes read from different banks.
    static __device__ __forceinline__ int place(int x) { return x >> 1 | (x & 1) << 2; }
    // The line of a that is row g + 8 h of tile i, and the line of b that is column x of tile j.
    __device__ __forceinline__ int line_a(int i, int h) const {
        if constexpr (TERMS)
            return first_a + 8 * i + i / (beside / 8) * beside + beside * h + place(g);
        else
            return first_a + 32 * (i / 2) + 4 * place(g) + 2 * (i % 2) + h;
    }
    __device__ __forceinline__ int line_b(int j, int x) const {
        return first_b + (TERMS ? 8 * j + place(x) : 32 * (j / 4) + 4 * place(x) + j % 4);
    }
    // Calls f(line of a, line of b, values), with `adjacent` lines of b at a time.
    static constexpr int adjacent = TERMS ? 1 : 4;
    template <typename F>
    __device__ __forceinline__ void each(F f) {
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h)
#pragma unroll
                for (int j = 0; j < BT; j += adjacent)
#pragma unroll
                    for (int e = 0; e < 2; ++e) {
                        float x[adjacent];
#pragma unroll
                        for (int t = 0; t < adjacent; ++t) x[t] = c[i][j + t][2 * h + e];
                        f(line_a(i, h), line_b(j, 2 * q + e), x);
#pragma unroll
                        for (int t = 0; t < adjacent; ++t) c[i][j + t][2 * h + e] = x[t];
                    }
    }

    // Sets the powers of two; of(line) is that of a line with its own.
    template <typename F>
    __device__ __forceinline__ void scale_lines(F of) {
        if constexpr (TERMS) {
#pragma unroll
            for (int turn = 0; turn < BB / reach; ++turn) power[turn] = of(turn * reach + threadIdx.x / per);
#pragma unroll
            for (int j = 0; j < BT; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) back[2 * j + e] = 1 / of_v / of(line_b(j, 2 * q + e));
        } else {
#pragma unroll
            for (int e = 0; e < 4; ++e) power[e] = of(threadIdx.x % (BA / 4) * 4 + e);
#pragma unroll
            for (int i = 0; i < AT; ++i)
#pragma unroll
                for (int h = 0; h < 2; ++h) back[2 * i + h] = 1 / of_v / of(line_a(i, h));
        }
    }

    // Copies of complete boxes, whose lines are `ld` apart, 16 bytes at a time.
    static __device__ __forceinline__ void copy_a(float *a, const float *from, long long ld) {
        copy<TERMS ? KC : BA, TERMS ? BA : KC, a_pitch>(a, from, ld);
    }
    static __device__ __forceinline__ void copy_b(float *b, const float *from, long long ld) {
        copy<TERMS ? KC : BB, TERMS ? BB : KC, b_pitch>(b, from, ld);
    }
    template <int INNER, int OUTER, int PITCH>
    static __device__ __forceinline__ void copy(float *box, const float *from, long long ld) {
        constexpr int packs = INNER / 4, step = threads / packs;
        const int line = threadIdx.x / packs, pack = threadIdx.x % packs * 4;
        float *const to = box + line * PITCH + pack;
        from += line * ld + pack;
#pragma unroll
        for (int o = 0; o < OUTER; o += step, from += step * ld) stage<16>(to + o * PITCH, from);
    }

    // Replaces the numbers that this thread has copied, 16 bytes at a time, by pairs of high parts and pairs of low
    // parts.
    __device__ __forceinline__ void split(float *a, float *b) const {
        if constexpr (TERMS) {
            float *const at = a + threadIdx.x / per * a_pitch + threadIdx.x % per * 4;
            float *const bt = b + threadIdx.x / per * b_pitch + threadIdx.x % per * 4;
#pragma unroll
            for (int o = 0; o < BA; o += 2 * beside) {
                float *const p = at + o * a_pitch, *const r = p + beside * a_pitch;
                const float4 x = values(p), y = values(r);
                const HalfPairs x0 = halve(x.x * of_v, x.y * of_v), x1 = halve(x.z * of_v, x.w * of_v),
                                y0 = halve(y.x * of_v, y.y * of_v), y1 = halve(y.z * of_v, y.w * of_v);
                put(p, x0.high, y0.high, x1.high, y1.high);
                put(r, x0.low, y0.low, x1.low, y1.low);
            }
#pragma unroll
            for (int turn = 0; turn < BB / reach; ++turn) {
                float *const p = bt + turn * reach * b_pitch;
                const float4 x = values(p);
                const float s = power[turn];
                const HalfPairs x0 = halve(x.x * s, x.y * s), x1 = halve(x.z * s, x.w * s);
                put(p, x0.high, x1.high, x0.low, x1.low);
            }
        } else {
            split_lines<BA, a_pitch, true>(a, power);
            const float of_all[4] = {of_v, of_v, of_v, of_v};
            split_lines<BB, b_pitch, false>(b, of_all);
        }
    }
    // Of four terms, eight apart, each word holds two. ROWS: the words of two lines are adjacent, otherwise those of
    // one line.
    template <int INNER, int PITCH, bool ROWS>
    static __device__ __forceinline__ void split_lines(float *box, const float (&s)[4]) {
        constexpr int packs = INNER / 4, step = threads / packs;
        static_assert(threads % packs == 0 && 8 % step == 0, "a thread has copied all four terms");
        float *const mine = box + threadIdx.x / packs * PITCH + threadIdx.x % packs * 4;
#pragma unroll
        for (int l = 0; l < 8; l += step) {
            float *const p = mine + l * PITCH;
            constexpr int far = 8 * PITCH;
            const float4 x = values(p), y = values(p + far), z = values(p + 2 * far), w = values(p + 3 * far);
            const HalfPairs u0 = halve(x.x * s[0], y.x * s[0]), u1 = halve(x.y * s[1], y.y * s[1]),
                            u2 = halve(x.z * s[2], y.z * s[2]), u3 = halve(x.w * s[3], y.w * s[3]);
            const HalfPairs v0 = halve(z.x * s[0], w.x * s[0]), v1 = halve(z.y * s[1], w.y * s[1]),
                            v2 = halve(z.z * s[2], w.z * s[2]), v3 = halve(z.w * s[3], w.w * s[3]);
            if constexpr (ROWS) {
                put(p, u0.high, u1.high, v0.high, v1.high);
                put(p + far, u2.high, u3.high, v2.high, v3.high);
                if constexpr (ROUGH) continue; // C - V X has no exact tiles
                put(p + 2 * far, u0.low, u1.low, v0.low, v1.low);
                put(p + 3 * far, u2.low, u3.low, v2.low, v3.low);
            } else {
                put(p, u0.high, v0.high, u1.high, v1.high);
                put(p + far, u2.high, v2.high, u3.high, v3.high);
                if constexpr (ROUGH) continue;
                put(p + 2 * far, u0.low, v0.low, u1.low, v1.low);
                put(p + 3 * far, u2.low, v2.low, u3.low, v3.low);
            }
        }
    }

    static __device__ __forceinline__ float4 values(const float *p) { return *reinterpret_cast<const float4 *>(p); }
    static __device__ __forceinline__ uint4 words(const float *p) { return *reinterpret_cast<const uint4 *>(p); }
    static __device__ __forceinline__ void put(float *p, unsigned x, unsigned y, unsigned z, unsigned w) {
        *reinterpret_cast<uint4 *>(p) = {x, y, z, w};
    }

    // Reads half of the terms of a's and b's lines, high and low parts.
    __device__ __forceinline__ void fetch(const float *a, const float *b, int half, uint4 (&ha)[AT], uint4 (&la)[AT],
                                          unsigned (&hb)[BT][2], unsigned (&lb)[BT][2]) const {
        if constexpr (TERMS) {
            const int k = 16 * half + 4 * q;
#pragma unroll
            for (int i = 0; i < AT; ++i) {
                const float *const p = a + line_a(i, 0) * a_pitch + k;
                ha[i] = words(p), la[i] = words(p + beside * a_pitch);
            }
#pragma unroll
            for (int j = 0; j < BT; ++j) {
                const uint4 x = words(b + line_b(j, g) * b_pitch + k);
                hb[j][0] = x.x, hb[j][1] = x.y, lb[j][0] = x.z, lb[j][1] = x.w;
            }
        } else {
            const int line = 4 * half + q;
#pragma unroll
            for (int i = 0; i < AT; i += 2) {
                const float *const p = a + line * a_pitch + line_a(i, 0);
                ha[i] = words(p), ha[i + 1] = words(p + 8 * a_pitch);
                la[i] = words(p + 16 * a_pitch), la[i + 1] = words(p + 24 * a_pitch);
            }
#pragma unroll
            for (int j = 0; j < BT; j += 2) {
                const float *const p = b + (line + 4 * (j % 4)) * b_pitch + line_b(j / 4 * 4, g);
                const uint4 x = words(p), y = words(p + 16 * b_pitch);
                hb[j][0] = x.x, hb[j][1] = x.y, hb[j + 1][0] = x.z, hb[j + 1][1] = x.w;
                lb[j][0] = y.x, lb[j][1] = y.y, lb[j + 1][0] = y.z, lb[j + 1][1] = y.w;
            }
        }
    }
    // LOW: also the products with low parts.
    template <bool LOW>
    __device__ __forceinline__ void products(float (&sum)[AT][BT][4], const float *a, const float *b) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            uint4 ha[AT], la[AT];
            unsigned hb[BT][2], lb[BT][2];
            fetch(a, b, half, ha, la, hb, lb);
            // Consecutive products do not depend on each other.
            if constexpr (LOW) {
#pragma unroll
                for (int i = 0; i < AT; ++i)
#pragma unroll
                    for (int j = 0; j < BT; ++j)
                        if (half == 0)
                            mma_f16<true>(sum[i][j], la[i], hb[j]);
                        else
                            mma_f16<false>(sum[i][j], la[i], hb[j]);
#pragma unroll
                for (int i = 0; i < AT; ++i)
#pragma unroll
                    for (int j = 0; j < BT; ++j) mma_f16<false>(sum[i][j], ha[i], lb[j]);
            }
#pragma unroll
            for (int i = 0; i < AT; ++i)
#pragma unroll
                for (int j = 0; j < BT; ++j)
                    if (!LOW && half == 0)
                        mma_f16<true>(sum[i][j], ha[i], hb[j]);
                    else
                        mma_f16<false>(sum[i][j], ha[i], hb[j]);
        }
    }
    // Multiplies boxes that have been split.
    template <bool CONJ>
    __device__ __forceinline__ void multiply(const float *a, const float *b) {
        float sum[AT][BT][4];
        if (!ROUGH || (TERMS && exact))
            products<true>(sum, a, b);
        else
            products<false>(sum, a, b);
#pragma unroll
        for (int i = 0; i < AT; ++i)
#pragma unroll
            for (int j = 0; j < BT; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    c[i][j][e] =
                        fma(sum[i][j][e], TERMS ? back[(2 * j + e % 2) % 8] : back[(2 * i + e / 2) % 8], c[i][j][e]);
    }
};

template <int BA, int BB, int WA, int WB, bool TERMS, bool ROUGH>
inline constexpr bool is_split<ReflectSplit<BA, BB, WA, WB, TERMS, ROUGH>> = true;

} // namespace tephra
