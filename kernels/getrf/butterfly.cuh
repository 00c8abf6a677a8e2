// Random butterflies of depth 2, in place: A := U^T A V and B := U^T B, or B := V B.
//
// A butterfly of order n pairs row i with row i + half: (x, y) becomes (r x + s y, r x - s y) / sqrt(2), with r and s
// random and near 1. U is one butterfly of order n, followed by one in each half of the rows; where a half has one row
// more than the other, that row has no partner and stays. So rows are mixed in groups of four, and a 4 x 4 group of
// elements of U^T A V depends only on the same elements of A: a thread has them in registers, and A is read and written
// once. Source: Parker, "Random butterfly transformations with applications in computational linear algebra" (1995);
// Baboulin, Dongarra, Herrmann, Tomov, "Accelerating linear system solutions using randomization techniques" (2013).
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Mirrored in src/gpu/getrs/steps.rs.
struct ButterflyArgs {
    Operand a, b;
    long long lda, ldb, batch;
    long long nrhs;
    int n;
    int back; // 1: B := V B
};

// Entry `index` of a butterfly's diagonal. which: 0 and 1 are the levels of U, 2 and 3 those of V. The entry is exp(r /
// 10) to seven digits, with r uniform in [-0.5, 0.5), from a number mixed by the last step of MurmurHash3. The CPU
// backend computes the same bits (src/backend/cpu/lu/butterfly.rs).
__device__ __forceinline__ float butterfly_entry(unsigned index, unsigned which) {
    unsigned x = index * 4 + which + 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    x ^= x >> 16;
    const float r = static_cast<float>(static_cast<int>(x) >> 8) * 0x1p-24f, e = r * 0.1f;
    return fmaf(e, fmaf(e, fmaf(e, 1.0f / 6, 0.5f), 1.0f), 1.0f);
}

// Four rows that are mixed with each other, or four columns. Those beyond the matrix are not read.
struct ButterflyFour {
    unsigned at[4];
    bool there[4];
    float inner[4], outer[4]; // diagonal entries over sqrt(2): of the halves' butterflies, and of the whole's

    // SIDE: 0 for U, 2 for V.
    __device__ __forceinline__ ButterflyFour(unsigned first, unsigned n, unsigned side) {
        const unsigned half = n / 2 + n % 2, quarter = half / 2 + half % 2;
        at[0] = first, at[1] = first + quarter, at[2] = first + half, at[3] = first + half + quarter;
        there[0] = true, there[1] = at[1] < half, there[2] = at[2] < n, there[3] = at[3] < n;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            outer[k] = 0.70710678f * butterfly_entry(at[k], side);
            inner[k] = 0.70710678f * butterfly_entry(at[k], side + 1);
        }
    }
    // Applies the transpose of `pair`.
    template <typename T>
    static __device__ __forceinline__ void pair_transposed(T &x, T &y, float r, float s) {
        const T sum = add(scale(x, Real<T>(r)), scale(y, Real<T>(r)));
        y = add(scale(x, Real<T>(s)), scale(y, Real<T>(-s)));
        x = sum;
    }
    template <typename T>
    static __device__ __forceinline__ void pair(T &x, T &y, float r, float s) {
        const T a = scale(x, Real<T>(r)), b = scale(y, Real<T>(s));
        x = add(a, b);
        y = add(a, make<T>(-re(b), -im(b)));
    }
    template <typename T>
    __device__ __forceinline__ void transposed(T &x0, T &x1, T &x2, T &x3) const {
        if (there[1]) pair_transposed(x0, x1, inner[0], inner[1]);
        if (there[3]) pair_transposed(x2, x3, inner[2], inner[3]);
        if (there[2]) pair_transposed(x0, x2, outer[0], outer[2]);
        if (there[3]) pair_transposed(x1, x3, outer[1], outer[3]);
    }
    template <typename T>
    __device__ __forceinline__ void straight(T &x0, T &x1, T &x2, T &x3) const {
        if (there[2]) pair(x0, x2, outer[0], outer[2]);
        if (there[3]) pair(x1, x3, outer[1], outer[3]);
        if (there[1]) pair(x0, x1, inner[0], inner[1]);
        if (there[3]) pair(x2, x3, inner[2], inner[3]);
    }
};

template <typename T, int THREADS>
__device__ __forceinline__ void butterfly(const ButterflyArgs &args) {
    const unsigned n = args.n, half = n / 2 + n % 2;
    const long long quarter = half / 2 + half % 2, of_a = args.back ? 0 : quarter * quarter;
    const long long jobs = of_a + quarter * ((args.nrhs + 3) / 4), all = jobs * args.batch;
    const long long step = static_cast<long long>(gridDim.x) * THREADS;
    for (long long at = blockIdx.x * static_cast<long long>(THREADS) + threadIdx.x; at < all; at += step) {
        const long long i = at / jobs, job = at - i * jobs, place = job < of_a ? job : job - of_a;
        const long long column = place / quarter;
        const unsigned row = static_cast<unsigned>(place - column * quarter);
        const bool both = job < of_a;
        const ButterflyFour rows(row, n, args.back ? 2 : 0);
        const ButterflyFour columns(both ? static_cast<unsigned>(column) : 0, n, 2);
        T *const p = both ? member<T>(args.a, i) : member<T>(args.b, i);
        const long long ld = both ? args.lda : args.ldb;
        T x[4][4]; // by columns
        long long start[4];
        bool there[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const long long j = both ? columns.at[c] : 4 * column + c;
            there[c] = both ? columns.there[c] : j < args.nrhs;
            start[c] = j * ld;
#pragma unroll
            for (int r = 0; r < 4; ++r) x[c][r] = there[c] && rows.there[r] ? p[start[c] + rows.at[r]] : make<T>(0);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if (args.back)
                rows.straight(x[c][0], x[c][1], x[c][2], x[c][3]);
            else
                rows.transposed(x[c][0], x[c][1], x[c][2], x[c][3]);
        }
        if (both) {
#pragma unroll
            for (int r = 0; r < 4; ++r) columns.transposed(x[0][r], x[1][r], x[2][r], x[3][r]);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                if (there[c] && rows.there[r]) p[start[c] + rows.at[r]] = x[c][r];
    }
}

} // namespace tephra

#define TEPHRA_BUTTERFLY(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ButterflyArgs, butterfly)
