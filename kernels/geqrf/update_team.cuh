// Synchronisation of those who work on a tile of the trailing update: a team of warps in this block and, where V is
// split over a cluster, its counterparts in the other blocks.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// A barrier among the W warps of one of a block's G teams. Different teams may drift apart.
template <int W, int G>
__device__ __forceinline__ void team_sync(int team) {
    if constexpr (G == 1)
        __syncthreads();
    else if constexpr (W == 1)
        __syncwarp();
    else
        named_barrier<32 * W>(1 + team);
}

template <typename R>
__device__ __forceinline__ void store_there(unsigned to, Complex<R> x, unsigned barrier) {
    store_there(to, x.x, x.y, barrier);
}
// Waits until phase number `phase` (the first is 0) of a barrier of this block is over. What other blocks have stored
// is then visible.
__device__ __forceinline__ void wait_for_cluster(unsigned barrier, unsigned phase) {
    while (!cluster_barrier_over(barrier, phase)) {
    }
}

// Sums over the blocks of a cluster. Each block sends its part to all, itself included, and all add them in order of
// rank, so that they get the same bits. Two boxes alternate. A block that sends to a box has received, in the other
// one, what the box's readers sent after they had read it.
template <typename T, int SIZE, int CL>
struct ClusterSum {
    static constexpr int parts = CL;
    T box[2][CL][SIZE];
    unsigned long long arrived[2];

    // Called by one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
#pragma unroll
        for (int i = 0; i < 2; ++i) barrier_init(shared_address(arrived + i), 1);
        barriers_initialised();
    }
    // Called by one thread per turn.
    __device__ __forceinline__ void expect(unsigned turn) {
        barrier_expect(shared_address(arrived + (turn & 1)), CL * SIZE * sizeof(T));
    }
    __device__ __forceinline__ void send(unsigned turn, int e, T x) {
        const unsigned to = shared_address(&box[turn & 1][cluster_rank()][e]);
        const unsigned barrier = shared_address(arrived + (turn & 1));
#pragma unroll
        for (int r = 0; r < CL; ++r) store_there(in_block(to, r), x, in_block(barrier, r));
    }
    // Waits until all parts are here.
    __device__ __forceinline__ void wait(unsigned turn, int = 0) {
        wait_for_cluster(shared_address(arrived + (turn & 1)), turn >> 1);
    }
    __device__ __forceinline__ T sum(unsigned turn, int e) const {
        T total = box[turn & 1][0][e];
#pragma unroll
        for (int r = 1; r < CL; ++r) total = add(total, box[turn & 1][r][e]);
        return total;
    }
    // `parts` arrays whose sum is the result.
    __device__ __forceinline__ const T (*boxes(unsigned turn) const)[SIZE] { return box[turn & 1]; }
};

} // namespace tephra
