// Sums whose terms are shared out among the blocks of a cluster, for launches whose few tiles would leave
// multiprocessors idle.
#pragma once
#include "../arch/there.cuh"
#include "stage.cuh"

namespace tephra {

// This block's share of `terms` terms: whole chunks of KC, in order of rank. A cluster has 2^halvings blocks.
template <int KC>
struct GemmShare {
    int first = 0, terms;

    __device__ __forceinline__ GemmShare(int terms_, int halvings) : terms(terms_) {
        if (halvings == 0) return;
        const int chunks = (terms_ + KC - 1) / KC, share = ((chunks + (1 << halvings) - 1) >> halvings) * KC;
        first = static_cast<int>(cluster_rank()) * share;
        terms = terms_ - first < share ? terms_ - first : share; // no terms if not positive
    }
};

// Adds up a tile's sums in order of rank, so that every call yields the same bits, and stores them to C; each of the
// 2^halvings blocks takes an equal part. `keep(sums, pitch)` stores this thread's sums there, by columns.
template <typename T, int BM, int BN, int THREADS, typename Storage, typename Keep>
__device__ __forceinline__ void gemm_over_cluster(Storage &storage, Keep keep, int halvings, T *C, long long ldc,
                                                  const GemmStored &stored, const GemmScales<T> &scales) {
    constexpr int MOST = 8, pitch = BM + 16 / sizeof(T);
    static_assert(sizeof(T) * pitch * BN <= sizeof(Storage), "sums have room where chunks had theirs");
    T *const sums = reinterpret_cast<T *>(&storage);
    __syncthreads(); // the last chunk has been used
    keep(sums, pitch);
    cluster_sync();
#pragma unroll 1
    for (int e = cluster_rank() * THREADS + threadIdx.x; e < BM * BN; e += THREADS << halvings) {
        const int row = e % BM, column = e / BM;
        if (!stored.has(row, column)) continue;
        const T *const mine = sums + column * pitch + row;
        T part[MOST];
#pragma unroll
        for (int q = 0; q < MOST; ++q) part[q] = q < 1 << halvings ? *in_block(mine, q) : make<T>(0);
        T *const to = C + row + column * ldc;
        const bool real = stored.on_diagonal(row, column);
        const T was = gemm_real(scales.reads ? *to : make<T>(0), real);
        T sum = part[0];
#pragma unroll
        for (int q = 1; q < MOST; ++q) sum = q < 1 << halvings ? add(sum, part[q]) : sum;
        sum = gemm_conj(sum, scales.conjugate);
        if (scales.turns) sum = mul(scales.alpha, sum);
        *to = gemm_real(scales.reads ? scales.of(sum, was) : scales.of(sum), real);
    }
    cluster_sync(); // other blocks have read this block's sums
}

} // namespace tephra
