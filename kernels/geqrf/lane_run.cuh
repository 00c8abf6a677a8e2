// Matrices whose columns are contiguous but do not all start at multiples of 16 bytes: each is one run of m n elements,
// which is copied by the chunks that lie within it and by single elements at its ends. Either all matrices of a launch
// are copied like this, or none.
#pragma once
#include "../arch/arch.cuh"
#include "../common/chunk.cuh"

namespace tephra {

// For a Stage (lane_stage.cuh) with these parameters and columns LD apart.
template <typename T, int M, int N, int LANES, bool BOX, int LD>
struct Run {
    static constexpr int V = Chunk<T>::size, ld = LD;
    static constexpr int group = 4; // columns that `settle` moves at a time; fewer than V could overwrite the next ones
    // With a box, half of each matrix must be moved between its steps; where the lanes' elements of a column are 64
    // bytes or more, that takes longer than the chunks save.
    static constexpr bool used = V > 1 && (!BOX || LANES * sizeof(T) < 64) && LANES >= V - 1 && M % V == 0 &&
                                 N % group == 0 && M *N *M <= 65536; // so that `put` need not divide
    static __device__ __forceinline__ bool is(long long lda, int m) {
        return used && lda == m && m % V != 0 && m > V; // this implies m < M; a chunk spans two columns at most
    }
    // Elements of the chunk at A that precede A, and elements from A on that precede the first whole chunk.
    static __device__ __forceinline__ int before(const T *A) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(A) / sizeof(T) % V);
    }
    static __device__ __forceinline__ int head(const T *A, int count) {
        const int h = (V - before(A)) % V;
        return h < count ? h : count;
    }
    // Starts copies of the run to the cells, at the same offset within a chunk.
    static __device__ __forceinline__ void fetch(T *cells, int lane, const T *A, int m, int n) {
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
    // Turns the run in the cells into columns, with zeros outside m x n. Called by all lanes of the warp; idle lanes
    // pass a number >= LANES. Columns are further apart than in the run, so they can be moved in place, starting from
    // the last.
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
    // Stores columns from the cells as a run.
    static __device__ __forceinline__ void put(const T *cells, int lane, T *A, int m, int n) {
        const auto copy = [](const T *cells, int lane, T *A, int m, int n) {
            const int count = m * n, first = head(A, count), chunks = (count - first) / V, last = first + chunks * V;
            const unsigned inverse = 65536u / m + 1; // 1 / m in fixed point: a multiplication replaces the division
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
    // In single precision these are calls: inlined, they slowed the path for aligned columns by up to 4 %. In other
    // precisions, calls would need registers that are short.
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
