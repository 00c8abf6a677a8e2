// Sixteen bytes of a column at a time, and a matrix in shared memory on its way between global memory and registers.
#pragma once
#include "async.cuh"
#include "scalar.cuh"

namespace tephra {

template <typename T>
struct alignas(16) Chunk {
    static constexpr int size = 16 / sizeof(T);
    T e[size];
};

// The chunk at an address in shared memory, read here and now: the compiler would keep what it has read before.
template <typename T>
__device__ __forceinline__ Chunk<T> read_again(const T *from) {
    uint4 w;
    asm volatile("ld.volatile.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
    return *reinterpret_cast<const Chunk<T> *>(&w);
}

// Whether all columns, ld apart from p on, start at a multiple of 16 bytes.
template <typename T>
__device__ __forceinline__ bool aligned16(const T *p, long long ld) {
    return ((reinterpret_cast<unsigned long long>(p) | static_cast<unsigned long long>(ld * sizeof(T))) & 15) == 0;
}
// Whether columns of m rows are whole chunks, too.
template <typename T>
__device__ __forceinline__ bool in_chunks(const T *p, long long ld, int m) {
    return aligned16(p, ld | m);
}

__host__ __device__ constexpr int round_up(int a, int to) { return (a + to - 1) / to * to; }
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

    // Calls f(row, column, address) for this lane's share, E elements each; the address is that in A.
    template <int E, typename P, typename F>
    static __device__ __forceinline__ void each(int lane, P *A, long long lda, F &&f) {
        constexpr int accesses = (M + E - 1) / E;
        constexpr int X = pow2_at_least(accesses) < LANES ? pow2_at_least(accesses) : LANES, Y = LANES / X;
        static_assert(LANES % X == 0, "no lane is left over");
        const int row0 = lane % X * E, col0 = lane / X, step = static_cast<int>(lda);
        P *p = A + (col0 * lda + row0);
#pragma unroll(E > 1 ? N : runs || V == 1 ? 1 : 2) // where single elements are rare: less code
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
    static __device__ __forceinline__ bool in_chunks(const T *A, long long lda, int m) {
        return ::tephra::in_chunks(A, lda, m);
    }

    // Columns without gaps that do not all start at multiples of 16 bytes: the matrix is one run of m n elements, which
    // comes and goes in the chunks that lie in it whole, and at its ends in elements. For all matrices of a launch or
    // none. Where the lanes' elements are 64 bytes a column and half a matrix would have to be moved between its steps,
    // that takes longer than what it saves.
    static constexpr int group = 4; // columns that `settle` moves at a time; of less than V, one might reach the next
    static constexpr bool runs = V > 1 && (!BOX || LANES * sizeof(T) < 64) && LANES >= V - 1 && M % V == 0 &&
                                 N % group == 0 && M *N *M <= 65536; // so that `put_run` can multiply
    static __device__ __forceinline__ bool is_run(long long lda, int m) {
        return runs && lda == m && m % V != 0 && m > V; // and m < M; a chunk is of two columns at most
    }
    // Elements of the chunk before A, and those from A on that no whole chunk has.
    static __device__ __forceinline__ int before(const T *A) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(A) / sizeof(T) % V);
    }
    static __device__ __forceinline__ int head(const T *A, int count) {
        const int h = (V - before(A)) % V;
        return h < count ? h : count;
    }
    // To the cells as it is, at the same place of a chunk.
    static __device__ __forceinline__ void fetch_run(T *cells, int lane, const T *A, int m, int n) {
        const auto copy = [](T *cells, int lane, const T *A, int m, int n) {
            const int count = m * n, first = head(A, count), chunks = (count - first) / V, last = first + chunks * V;
            T *const to = cells + before(A);
            if (lane < first) copy_async(to + lane, A + lane);
            if (lane < count - last) copy_async(to + last + lane, A + last + lane);
            constexpr int turns = (M * N / V + LANES - 1) / LANES;
#pragma unroll
            for (int t = 0; t < turns; ++t) {
                const int i = first + (lane + t * LANES) * V;
                if (i < last) copy_async<16>(to + i, A + i, true);
            }
        };
        apart(copy, cells, lane, A, m, n);
    }
    // By all lanes of the warp, those left over with a number >= LANES: from there to columns, and zeros outside m x n.
    // The columns are further apart than in the run, so from the last ones on they can be moved in place.
    static __device__ __forceinline__ void settle(T *cells, int lane, const T *A, int m, int n) {
        const auto move = [](T *cells, int lane, const T *A, int m, int n) {
            constexpr int accesses = (M + LANES - 1) / LANES;
            const bool idle = 32 % LANES != 0 && lane >= LANES;
            const T *const from = cells + before(A) + lane;
#pragma unroll 1
            for (int j = N - group; j >= 0; j -= group) {
                T x[group][accesses];
#pragma unroll
                for (int g = 0; g < group; ++g)
#pragma unroll
                    for (int i = 0; i < accesses; ++i) {
                        const bool inside = !idle && lane + i * LANES < m && j + g < n;
                        x[g][i] = inside ? from[(j + g) * m + i * LANES] : make<T>(0);
                    }
                __syncwarp();
                T *const to = cells + j * ld + lane;
#pragma unroll
                for (int g = 0; g < group; ++g)
#pragma unroll
                    for (int i = 0; i < accesses; ++i)
                        if (!idle && (M % LANES == 0 || lane + i * LANES < M)) to[g * ld + i * LANES] = x[g][i];
            }
            __syncwarp();
        };
        apart(move, cells, lane, A, m, n);
    }
    // From columns to the run.
    static __device__ __forceinline__ void put_run(const T *cells, int lane, T *A, int m, int n) {
        const auto copy = [](const T *cells, int lane, T *A, int m, int n) {
            const int count = m * n, first = head(A, count), chunks = (count - first) / V, last = first + chunks * V;
            const unsigned inverse = 65536u / m + 1; // of m: a multiplication instead of a division
            const auto column = [&](int i) { return static_cast<int>(i * inverse >> 16); };
            const int pad = ld - m;
            if (lane < first) A[lane] = cells[lane];
            if (const int i = last + lane; i < count) A[i] = cells[i + column(i) * pad];
#pragma unroll 2
            for (int i = first + lane * V; i < last; i += LANES * V) {
                const int col = column(i), left = (col + 1) * m - i; // of this column
                const T *const from = cells + i + col * pad;
                Chunk<T> q;
#pragma unroll
                for (int e = 0; e < V; ++e) q.e[e] = from[e < left ? e : e + pad];
                *reinterpret_cast<Chunk<T> *>(A + i) = q;
            }
        };
        apart(copy, cells, lane, A, m, n);
    }

  private:
    // In s as a call: inline, it made the way of columns in chunks up to 4 % slower. Elsewhere registers are short.
    template <typename F, typename... X>
    static __device__ __noinline__ void call(F f, X... x) {
        f(x...);
    }
    template <typename F, typename... X>
    static __device__ __forceinline__ void apart(F f, X... x) {
        if constexpr (sizeof(T) == 4)
            call(f, x...);
        else
            f(x...);
    }
};

} // namespace tephra
