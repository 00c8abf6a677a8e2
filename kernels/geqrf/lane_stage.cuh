// Matrices of a warp in shared memory, on their way between global memory and the registers of lane.cuh.
#pragma once
#include "lane_run.cuh"

namespace tephra {

__host__ __device__ constexpr int pow2_at_least(int a) { return a <= 1 ? 1 : 2 * pow2_at_least((a + 1) / 2); }

// M x N matrices of a warp in its part of shared memory, each with LANES lanes that hold whole columns.
// Columns are padded so that eight lanes with a column each read or write a chunk without a bank conflict.
// BOX: room for one more column, for what the lanes send each other while the place of the others is taken.
// Where that won (real numbers, 16 rows and more, at most fifteen chunks), the columns of a stage with a box are one
// after the other, as in a matrix whose ld is M, so that one bulk copy brings or takes them all, and pairs of lanes go
// by turns to the matrices: eight lanes have two columns each of four matrices, which lie an odd number of chunks
// apart, and a column sent by one lane of each matrix comes from half of the warp.
template <typename T, int M, int N, int LANES, bool BOX = false>
struct Stage {
    static constexpr int rows = M, columns = N, places = N + BOX;
    static constexpr bool box = BOX;
    static constexpr int V = Chunk<T>::size, mats = 32 / LANES;
    static constexpr int units = (M + V - 1) / V; // chunks of a column
    static constexpr bool pairs =
        BOX && !is_complex<T> && LANES % 2 == 0 && mats >= 4 && M >= 16 && units < 16 && (units % 8 != 0 || N > LANES);
    static constexpr int ld_units = LANES == 1 || pairs ? units : units | 1; // of a column with its padding
    // Chunks of a matrix, modulo 8: the lanes of two matrices go on as those of one.
    static constexpr int want = LANES >= 8 ? 8 / mats : LANES * ld_units % 8;
    static constexpr int mat_units =
        pairs ? ld_units * places | 1 : ld_units * places + ((want - ld_units * places) % 8 + 8) % 8;
    static constexpr int ld = ld_units * V, size = mat_units * V * mats;
    static constexpr bool bulk = bulk_copies && pairs && M % V == 0 && N * M * sizeof(T) % 32 == 0;
    using Run = ::tephra::Run<T, M, N, LANES, BOX, ld>;

    // Calls f(row, column, address) for this lane's share, E elements each; the address is that in A.
    template <int E, typename P, typename F>
    static __device__ __forceinline__ void each(int lane, P *A, long long lda, F &&f) {
        constexpr int accesses = (M + E - 1) / E;
        constexpr int X = pow2_at_least(accesses) < LANES ? pow2_at_least(accesses) : LANES, Y = LANES / X;
        static_assert(LANES % X == 0, "no lane is left over");
        const int row0 = lane % X * E, col0 = lane / X, step = static_cast<int>(lda);
        P *p = A + (col0 * lda + row0);
#pragma unroll(E > 1 ? N : Run::used || V == 1 ? 1 : 2) // where single elements are rare: less code
        for (int j = 0; j < N; j += Y) {
#pragma unroll
            for (int i = 0; i < accesses; i += X) {
                const bool inside = (accesses % X == 0 || row0 + i * E < M) && (N % Y == 0 || col0 + j < N);
                if (inside) f(row0 + i * E, col0 + j, p + (static_cast<long long>(step) * j + i * E));
            }
        }
    }
    // What is outside m x n becomes zero.
    template <int E>
    static __device__ __forceinline__ void fetch(T *cells, int lane, const T *A, long long lda, int m, int n) {
        if (E > 1 && m >= M && n >= N) // no comparisons
            each<E>(lane, A, lda,
                    [&](int row, int col, const T *p) { copy_async<E * sizeof(T)>(cells + col * ld + row, p, true); });
        else
            each<E>(lane, A, lda, [&](int row, int col, const T *p) {
                copy_async<E * sizeof(T)>(cells + col * ld + row, p, row < m && col < n);
            });
    }
    template <int E>
    static __device__ __forceinline__ void put(const T *cells, int lane, T *A, long long lda, int m, int n) {
        struct alignas(E * sizeof(T)) Access {
            T e[E];
        };
        const auto copy = [&](int row, int col, T *p) {
            *reinterpret_cast<Access *>(p) = *reinterpret_cast<const Access *>(cells + col * ld + row);
        };
        if (E > 1 && m >= M && n >= N)
            each<E>(lane, A, lda, copy);
        else
            each<E>(lane, A, lda, [&](int row, int col, T *p) {
                if (row < m && col < n) copy(row, col, p);
            });
    }
};

} // namespace tephra
