// A team's matrix on its way between global memory and registers, sixteen bytes at a time through shared memory: a
// lane's own rows lie PR apart, and single elements take several times the requests.
#pragma once
#include "../common/async.cuh"
#include "../common/chunk.cuh"
#include "tile.cuh"

namespace tephra {

// K: the team's tile.
template <typename K>
struct TeamStage {
    using T = typename K::T;
    static constexpr int V = Chunk<T>::size, threads = 32 * K::W;
    static constexpr int M = K::max_m, N = K::max_n, units = M / V; // chunks of a column

  private:
    // The smallest distance of columns at which the lanes that access shared memory at a time are in different banks.
    static __host__ __device__ constexpr int padded() {
        constexpr int banks = 128 / sizeof(T); // elements side by side
        for (int ld = M; ld < M + banks; ld += V)
            if (K::PR >= banks || K::W * ld % (2 * K::PR) == K::PR) return ld;
        return M;
    }

  public:
    static constexpr int ld = padded(), size = ld * N;
    // A warp's access of single elements touches PC columns: with four the way through shared memory costs what it
    // saves.
    static constexpr bool used = K::PC >= 8 && V > 1 && M % V == 0 &&
                                 size * sizeof(T) + sizeof(typename K::Mail) <= 48 * 1024; // static shared memory
    // What is outside m x n becomes zero.
    static __device__ __forceinline__ void fetch(T *cells, const T *A, long long lda, int m, int n) {
        if (whole(lda, m, n)) {
            if constexpr (dealt) each_whole([&](int, int at, int cell) { copy_async<16>(cells + cell, A + at, true); });
        } else {
            each(A, lda,
                 [&](int row, int col, const T *p) { copy_async<16>(cells + col * ld + row, p, row < m && col < n); });
        }
        copies_done();
    }
    static __device__ __forceinline__ void put(const T *cells, T *A, long long lda, int m, int n) {
        if (whole(lda, m, n)) {
            if constexpr (dealt) {
                Chunk<T> q[units * N / threads]; // all are on their way before the first is stored
                each_whole([&](int i, int, int cell) { q[i] = *reinterpret_cast<const Chunk<T> *>(cells + cell); });
                each_whole([&](int i, int at, int) { *reinterpret_cast<Chunk<T> *>(A + at) = q[i]; });
            }
        } else {
            each(A, lda, [&](int row, int col, T *p) {
                if (row < m && col < n)
                    *reinterpret_cast<Chunk<T> *>(p) = *reinterpret_cast<const Chunk<T> *>(cells + col * ld + row);
            });
        }
    }

  private:
    static constexpr bool dealt = units * N % threads == 0; // all threads have as many chunks
    // Whether the matrix fills the tile and has no gaps: no comparisons, and constant distances.
    static __device__ __forceinline__ bool whole(long long lda, int m, int n) {
        return dealt && lda == M && m == M && n == N;
    }
    // Calls f(number, place in A, place in the cells) for this thread's chunks.
    template <typename F>
    static __device__ __forceinline__ void each_whole(F &&f) {
        constexpr int rounds = units / gcd(units, threads), columns = rounds * threads / units;
        const int first = opaque(threadIdx.x);
#pragma unroll
        for (int s = 0; s < rounds; ++s) {
            const int at = first + s * threads, cell = at / units * ld + at % units * V;
#pragma unroll
            for (int j = 0; j < N; j += columns)
                f(s + j / columns * rounds, first * V + (s * threads * V + j * M), cell + j * ld);
        }
    }
    static __host__ __device__ constexpr int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
    // Calls f(row, column, address in A) for this thread's chunks: after so many rounds it meets the same row again.
    template <typename P, typename F>
    static __device__ __forceinline__ void each(P *A, long long lda, F &&f) {
        constexpr int rounds = units / gcd(units, threads), columns = rounds * threads / units;
        const int first = opaque(threadIdx.x), step = static_cast<int>(lda); // nothing of it is kept during the steps
#pragma unroll
        for (int s = 0; s < rounds; ++s) {
            const int at = first + s * threads, row = at % units * V, col = at / units;
            P *p = A + (static_cast<long long>(step) * col + row);
#pragma unroll
            for (int j = 0; j < N; j += columns)
                if (j + columns <= N || col + j < N) f(row, col + j, p + static_cast<long long>(step) * j);
        }
    }
};

} // namespace tephra
