// Row interchanges, in chunks of NB. For each row that a chunk touches, one thread traces through the chunk where its
// new contents come from; all those rows are read before the first is written.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// `count` interchanges of rows base, base + 1, ... with pivot[0], pivot[1], ..., all counted from 0.
template <int NB>
struct Interchanges {
    int base, count;
    int pivot[NB];

    // The row whose contents end up at `row`.
    __device__ __forceinline__ int origin(int row, bool backwards) const {
        for (int s = 0; s < count; ++s) {
            const int k = backwards ? s : count - 1 - s, p = pivot[k];
            row = row == p ? base + k : row == base + k ? p : row;
        }
        return row;
    }
};

// The part of a thread of a block in a chunk: in every few columns it moves one of the rows that the list touches.
template <int NB, int THREADS>
struct RowMove {
    static constexpr int slots = 2 * NB, groups = THREADS / slots;
    static_assert(THREADS % slots == 0, "whole groups");
    int k = threadIdx.x % slots % NB, group = threadIdx.x / slots, to = 0, from = 0;
    bool upper = threadIdx.x % slots < NB, there, below;

    __device__ __forceinline__ RowMove(const Interchanges<NB> &list, bool backwards) : there(k < list.count) {
        if (there) to = upper ? list.base + k : list.pivot[k], from = list.origin(to, backwards);
        below = to < list.base || to >= list.base + list.count;
    }
    // Moves the rows of NT columns, of which `columns` exist; all threads of the block must call it. top: if not null,
    // element (k, j) of the rows base .. base + room - 1 goes to top[k per_row + j per_column] instead of the matrix.
    template <int NT, typename T>
    __device__ __forceinline__ void run(T *A, long long lda, int columns, T *top, int room, int per_row,
                                        int per_column) const {
        constexpr int each = NT / groups;
        static_assert(NT % groups == 0, "whole turns");
        const bool moves = there && (from != to || (upper && top));
        T x[each];
#pragma unroll
        for (int e = 0; e < each; ++e) {
            const int j = e * groups + group;
            x[e] = moves && j < columns ? A[from + j * lda] : make<T>(0);
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < each; ++e) {
            const int j = e * groups + group;
            if (upper && top) {
                if (k < room) top[k * per_row + j * per_column] = x[e];
            } else if (moves && j < columns && (below || !top)) {
                A[to + j * lda] = x[e];
            }
        }
    }
};

// Interchanges rows of NT columns, by a block. top: if not null, the rows base .. base + NB - 1 go there, in shared
// memory, instead of back to the matrix.
template <int NB, int NT, int THREADS, typename T>
__device__ __forceinline__ void interchange(const Interchanges<NB> &list, bool backwards, T *A, long long lda,
                                            int columns, T (*top)[NB]) {
    RowMove<NB, THREADS>(list, backwards).template run<NT, T>(A, lda, columns, top ? top[0] : nullptr, NB, 1, NB);
}

// LAPACK's laswp, chunk by chunk.
template <typename T, int NB, int NT, int THREADS>
__device__ __forceinline__ void laswp(const LaswpArgs &args) {
    __shared__ Interchanges<NB> list;
    const long long before = (args.gap + NT - 1) / NT, chunks = (args.k2 - args.k1 + NB - 1) / NB;
    const long long strips = before + (args.n - args.after + NT - 1) / NT;
    for (long long job = blockIdx.x; job < args.batch * strips; job += gridDim.x) {
        const long long i = job / strips, strip = job % strips;
        const long long first = strip < before ? strip * NT : args.after + (strip - before) * NT;
        const long long left = (strip < before ? args.gap : args.n) - first;
        T *const A = member<T>(args.a, i) + first * args.lda;
        const int *const ipiv = member<int>(args.ipiv, i) + args.first;
        for (long long c = 0; c < chunks; ++c) {
            const long long begin = (args.backwards ? chunks - 1 - c : c) * NB;
            const long long rest = args.k2 - args.k1 - begin;
            const int count = static_cast<int>(rest < NB ? rest : NB);
            __syncthreads(); // the last chunk has been written, and its list read
            if (threadIdx.x < NB && static_cast<int>(threadIdx.x) < count)
                list.pivot[threadIdx.x] = ipiv[(begin + threadIdx.x) * args.stride] - 1;
            if (threadIdx.x == 0) list.base = static_cast<int>(args.k1 + begin), list.count = count;
            __syncthreads();
            interchange<NB, NT, THREADS, T>(list, args.backwards, A, args.lda, static_cast<int>(left < NT ? left : NT),
                                            nullptr);
        }
    }
}

} // namespace tephra

#define TEPHRA_LASWP(NAME, T, NB, NT, THREADS)                                                                         \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(NB, NT), __launch_bounds__(THREADS), LaswpArgs,                         \
                 laswp<letter::T, NB, NT, THREADS>)
