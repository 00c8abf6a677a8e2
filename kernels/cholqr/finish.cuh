// From a member's Gram matrix, computes everything except the rows below the panel's head, and their factor.
#pragma once
#include "factor.cuh"

namespace tephra {

// IN_PLACE: Q has already overwritten A when R is computed again from Q's Gram matrix, so the panel can only be
// rejected the first time. Otherwise, Q is not in memory.
template <typename T, int N, int THREADS, bool IN_PLACE>
__device__ __forceinline__ void cholqr_finish(const CholqrArgs &args, long long i, CholqrFactor<T, N, THREADS> &f,
                                              typename CholqrFactor<T, N, THREADS>::Matrix &x, bool again) {
    using Factor = CholqrFactor<T, N, THREADS>;
    using Tile = CholqrTile<T, N>;
    using W = Wide<T>;
    const bool sure = IN_PLACE && again;
    const int t = threadIdx.x, n = args.n;
    W *const factors = static_cast<W *>(args.factors) + i * args.factors_stride;
    W *const r = factors, *const r2 = r + N * N, *const inverse = r2 + N * N, *const given = inverse + N * N;
    const T *const A = member<T>(args.a, i) + args.a0;
    const auto top = [&](int row, int k) { return row < n && k < n ? widen(A[k * args.lda + row]) : make<W>(0); };
    const auto found = f.cholesky(x, n, again ? r2 : r);
    if (found == Factor::Found::WANTING && !sure) return;
    const bool last = again || Factor::NARROW || found == Factor::Found::NEAR_ORTHOGONAL;
    if (!last) {
        f.give(inverse);
        if (IN_PLACE) {
            f.template multiply<false>(x, n, top);
            if (!f.reconstruct(x, n, true)) return;
            f.take(inverse);
        }
    } else {
        if (again) {
            // The inverse of R2 R1 (of R2 itself if IN_PLACE), then R2 R1.
            if (IN_PLACE) {
                f.give(inverse);
            } else {
                f.template multiply<true>(x, n, [&](int row, int k) { return inverse[row * N + k]; });
                f.each([&](int a, int b, int row, int column) { inverse[row * N + column] = x[a][b]; });
            }
            f.take(r);
            f.template multiply<true>(x, n, [&](int row, int k) { return r2[row * N + k]; });
            f.each([&](int a, int b, int row, int column) { r[row * N + column] = x[a][b]; });
            f.take(inverse);
        }
        f.template multiply<false>(x, n, top);
        const bool reflectors = args.wanted == CholqrArgs::REFLECTORS;
        if (!f.reconstruct(x, n, reflectors) && !sure) return;
        T *const to = member<T>(args.r, i) + args.r0;
#pragma unroll 4
        for (int e = t; e < n * n; e += THREADS) {
            const int row = e / n, column = e % n;
            W v = make<W>(0);
            if (row <= column)
                v = scale(r[row * N + column], f.signs[row]);
            else if (reflectors)
                v = f.y[row * Factor::NP + column];
            to[column * args.ldr + row] = narrow<T>(v);
        }
        if (reflectors && t < n) (member<T>(args.tau, i) + args.tau0)[t] = narrow<T>(f.taus[t]);
        if (t == 0 && args.info) args.info[i] = 0;
    }
#pragma unroll 4
    for (int e = t; e < N * N; e += THREADS) {
        const int row = e / N, column = e % N;
        if (row < column / 16 * 16 + 16)
            given[Tile::place(row, column)] = row <= column ? f.y[row * Factor::NP + column] : make<W>(0);
    }
    if (t == 0) *args.state(i) = last ? CholqrArgs::DONE : CholqrArgs::AGAIN;
}

// Copies the factor by which rows are multiplied to shared memory.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_take(const CholqrArgs &args, long long i, Wide<T> *to) {
    const Wide<T> *const given = static_cast<const Wide<T> *>(args.factors) + i * args.factors_stride + 3 * N * N;
#pragma unroll 8
    for (int e = threadIdx.x; e < CholqrTile<T, N>::FACTOR; e += THREADS) to[e] = given[e];
    __syncthreads();
}

// The same for Q times an upper triangular matrix, `by`: the product of both factors.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_take_product(const CholqrArgs &args, long long i, Wide<T> *to) {
    using Tile = CholqrTile<T, N>;
    using W = Wide<T>;
    const W *const given = static_cast<const W *>(args.factors) + i * args.factors_stride + 3 * N * N;
    const T *const by = member<T>(args.by, i);
#pragma unroll 1
    for (int e = threadIdx.x; e < N * N; e += THREADS) {
        const int row = e / N, column = e % N;
        if (row >= column / 16 * 16 + 16) continue;
        W sum = make<W>(0);
        if (column < args.n)
            for (int k = row; k <= column; ++k)
                sum = fma_(given[Tile::place(row, k)], widen(by[column * args.ld_by + k]), sum);
        to[Tile::place(row, column)] = sum;
    }
    __syncthreads();
}

// Whether a wider panel has finished a member, in which case the tree has nothing to do either.
__device__ __forceinline__ bool cholqr_within(const CholqrArgs &args, long long i, bool first) {
    if (!cholqr_done(args.outer, i)) return false;
    if (first && threadIdx.x == 0) *args.state(i) = CholqrArgs::WITHIN;
    return true;
}

} // namespace tephra
