// A lone warp's matrix on its way between global memory and registers, sixteen bytes at a time through shared memory. A
// lane's own rows lie PR apart, so accesses to single elements would take several times as many requests.
#pragma once
#include "../arch/arch.cuh"
#include "../common/chunk.cuh"
#include "tile.cuh"

namespace tephra {

// K: the tile.
template <typename K>
struct TeamStage {
    using T = typename K::T;
    static constexpr int V = Chunk<T>::size;
    static constexpr int M = K::max_m, N = K::max_n, P = K::P, units = M / V; // chunks of a column

  private:
    // The smallest distance between columns at which lanes that access shared memory together use different banks.
    static __host__ __device__ constexpr int padded() {
        constexpr int banks = 128 / sizeof(T); // elements side by side
        for (int ld = M; ld < M + banks; ld += V)
            if (K::PR >= banks || ld % (2 * K::PR) == K::PR) return ld;
        return M;
    }

  public:
    static constexpr int ld = padded(), size = ld * N;
    // A warp's access to single elements touches PC columns. With four, the way through shared memory costs what it
    // saves.
    static constexpr bool used = K::W == 1 && K::PC >= 8 && V > 1 && M % V == 0 &&
                                 size * sizeof(T) + sizeof(typename K::Exchange) <= 48 * 1024; // static shared memory

    // Starts copies of A to the cells; elements outside m x n become zero. Each register column is one group of copies,
    // so that `take` need not wait for all of them.
    static __device__ __forceinline__ void fetch(T *cells, const T *A, long long lda, int m, int n) {
        constexpr int chunks = units * P, share = (chunks + 31) / 32; // of a register column
        const int first = opaque(threadIdx.x);
        T *cell[share]; // computed while A's address loads
#pragma unroll
        for (int s = 0; s < share; ++s)
            cell[s] = pinned<16>(cells + ((first + s * 32) / units * ld + (first + s * 32) % units * V));
        const bool whole = m == M && n == N && lda == M && aligned<16>(A, lda);
        if (__all_sync(0xffffffffu, whole)) [[likely]] { // constant distances
            const T *const from = global(A) + first * V;
#pragma unroll
            for (int c = 0; c < K::CPT; ++c) {
#pragma unroll
                for (int s = 0; s < share; ++s)
                    if ((s + 1) * 32 <= chunks || first + s * 32 < chunks)
                        stage<16>(cell[s] + c * P * ld, from + (c * P * M + s * 32 * V));
                copies_sent();
            }
        } else {
            fetch_call(cells, A, lda, m, n);
        }
    }
    // Reads register columns c .. end - 1 from the cells, once their copies are complete.
    template <int c, int end>
    static __device__ __forceinline__ void take(K &k, const T *cells) {
        if constexpr (c < end) {
            copies_done_but<K::CPT - 1 - c>();
            __syncwarp();
            const T *const p = cells + (k.col(c) * ld + k.lr);
#pragma unroll
            for (int r = 0; r < K::RPT; ++r) k.a[r][c] = p[r * K::PR];
            take<c + 1, end>(k, cells);
        }
    }
    // Stores columns first .. first + P - 1, as far as they are before `end`, from the cells to memory, for matrices
    // whose columns are not whole chunks.
    static __device__ __noinline__ void put_call(T *A, const T *cells, int lda, int m, int first, int end) {
        if (pairs && in_chunks<8>(A, lda, m))
            put_columns<pairs ? 2 : 1>(A, cells, lda, m, first, end);
        else
            put_columns<1>(A, cells, lda, m, first, end);
    }

  private:
    static constexpr bool pairs = sizeof(T) == 4; // the next best after chunks

    // Copies any matrix, and waits for the copies. Not inlined: code that full-size matrices jump over would cost
    // instruction cache misses.
    static __device__ __noinline__ void fetch_call(T *cells, const T *A, long long lda, int m, int n) {
        if (in_chunks(A, lda, m))
            fetch_columns<V>(cells, A, lda, m, n);
        else if (pairs && in_chunks<8>(A, lda, m))
            fetch_columns<pairs ? 2 : 1>(cells, A, lda, m, n);
        else
            fetch_columns<1>(cells, A, lda, m, n);
        copies_done();
    }
    // How a warp's lanes cover columns: by accesses of E elements, X of them along a column, Y columns at a time.
    template <int E>
    struct Lanes {
        static constexpr int accesses = M / E, low_bit = accesses & -accesses, X = low_bit < 32 ? low_bit : 32,
                             Y = 32 / X, rounds = accesses / X;
        static __device__ __forceinline__ int row(int round) { return (round * X + threadIdx.x % X) * E; }
        static __device__ __forceinline__ int column() { return threadIdx.x / X; }
    };
    template <int E>
    static __device__ __forceinline__ void fetch_columns(T *cells, const T *A, long long lda, int m, int n) {
        using L = Lanes<E>;
#pragma unroll 4
        for (int j = L::column(); j < N; j += L::Y) {
#pragma unroll
            for (int i = 0; i < L::rounds; ++i) {
                const int row = L::row(i);
                copy_async<E * sizeof(T)>(cells + (j * ld + row), A + (j * lda + row), row < m && j < n);
            }
        }
    }
    template <int E>
    static __device__ __forceinline__ void put_columns(T *A, const T *cells, long long lda, int m, int first, int end) {
        using L = Lanes<E>;
        using Access = Chunk<T, E * sizeof(T)>;
#pragma unroll
        for (int s = 0; s < P; s += L::Y) {
            const int j = first + s + L::column();
#pragma unroll
            for (int i = 0; i < L::rounds; ++i) {
                const int row = L::row(i);
                const auto x = *reinterpret_cast<const Access *>(cells + (j * ld + row));
                if (row < m && j < end) *reinterpret_cast<Access *>(A + (j * lda + row)) = x;
            }
        }
    }
};

} // namespace tephra
