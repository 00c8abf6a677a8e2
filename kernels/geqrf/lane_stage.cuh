// The matrices of a warp in shared memory, on their way between global memory and the registers of lane.cuh.
#pragma once
#include "lane_run.cuh"

namespace tephra {

__host__ __device__ constexpr int pow2_at_least(int a) { return a <= 1 ? 1 : 2 * pow2_at_least((a + 1) / 2); }

// The M x N matrices of a warp in its part of shared memory, each with LANES lanes that hold whole columns. Columns are
// padded so that eight lanes read or write chunks of their columns without bank conflicts. BOX: each matrix has room
// for one more column, through which its lanes communicate while the places of the others are occupied.
// Where it is faster (real numbers, at least 16 rows, at most fifteen chunks), the columns of a stage with a box are
// contiguous, as with leading dimension M, so that one bulk copy moves them all, and pairs of lanes alternate between
// the matrices. Eight lanes then have two columns each of four matrices, which lie an odd number of chunks apart, and
// the lanes that send a pivot column at the same time are close together.
template <typename T, int M, int N, int LANES, bool BOX = false>
struct Stage {
    static constexpr int rows = M, columns = N, places = N + BOX;
    static constexpr bool box = BOX;
    static constexpr int V = Chunk<T>::size, mats = 32 / LANES;
    static constexpr int units = (M + V - 1) / V; // chunks of a column
    static constexpr bool pairs =
        BOX && !is_complex<T> && LANES % 2 == 0 && mats >= 4 && M >= 16 && units < 16 && (units % 8 != 0 || N > LANES);
    static constexpr int ld_units = LANES == 1 || pairs ? units : units | 1; // of a column with its padding
    // Chunks of a matrix, modulo 8, such that the lanes of one matrix continue the bank pattern of the previous one.
    static constexpr int want = LANES >= 8 ? 8 / mats : LANES * ld_units % 8;
    static constexpr int mat_units =
        pairs ? ld_units * places | 1 : ld_units * places + ((want - ld_units * places) % 8 + 8) % 8;
    static constexpr int ld = ld_units * V, size = mat_units * V * mats;
    static constexpr bool bulk = bulk_copies && pairs && M % V == 0 && N * M * sizeof(T) % 32 == 0;
    using Run = ::tephra::Run<T, M, N, LANES, BOX, ld>;

    // Calls f(row, column, address) for this lane's share, E elements at a time; the address is in A.
    template <int E, typename P, typename F>
    static __device__ __forceinline__ void each(int lane, P *A, long long lda, F &&f) {
        constexpr int accesses = (M + E - 1) / E;
        constexpr int X = pow2_at_least(accesses) < LANES ? pow2_at_least(accesses) : LANES, Y = LANES / X;
        static_assert(LANES % X == 0, "no lane is left over");
        const int row0 = lane % X * E, col0 = lane / X, step = static_cast<int>(lda);
        P *p = A + (col0 * lda + row0);
#pragma unroll(E > 1 ? N : Run::used || V == 1 ? 1 : 2) // less code where single elements are rare
        for (int j = 0; j < N; j += Y) {
#pragma unroll
            for (int i = 0; i < accesses; i += X) {
                const bool inside = (accesses % X == 0 || row0 + i * E < M) && (N % Y == 0 || col0 + j < N);
                if (inside) f(row0 + i * E, col0 + j, p + (static_cast<long long>(step) * j + i * E));
            }
        }
    }
    // Starts copies of A to the cells; elements outside m x n become zero.
    template <int E>
    static __device__ __forceinline__ void fetch(T *cells, int lane, const T *A, long long lda, int m, int n) {
        if (E > 1 && m >= M && n >= N) // no comparisons needed
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
