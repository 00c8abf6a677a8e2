// What the blocks of a cluster exchange in each step of a panel.
#pragma once
#include "../common/copy_barrier.cuh"
#include "../common/instance.cuh"
#include "update_team.cuh"

namespace tephra {

// In each turn, N numbers of every block, and N more of the first one. All blocks get all of them and combine them in
// order of rank, so that they get the same bits. Two boxes alternate. A block that sends to a box has received, in the
// other one, what the box's readers sent after they had read it.
template <typename T, int N, int CL>
struct ClusterBox {
    T parts[2][CL][N], row[2][N];
    CopyBarrier arrived[2];

    // Called by one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
        arrived[0].init(1);
        arrived[1].init(1);
    }
    // Called by one thread per turn.
    __device__ __forceinline__ void expect(unsigned turn) { arrived[turn & 1].expect((CL + 1) * N * sizeof(T)); }
    // Sends number e to block `to`; the first block also sends that of the row.
    __device__ __forceinline__ void send(unsigned turn, unsigned to, int e, T part, T of_row) {
        const unsigned half = turn & 1, barrier = in_block(arrived[half].address(), to);
        const unsigned rank = cluster_rank();
        store_there(in_block(shared_address(&parts[half][rank][e]), to), part, barrier);
        if (rank == 0) store_there(in_block(shared_address(&row[half][e]), to), of_row, barrier);
    }
    // Waits until all numbers are here.
    __device__ __forceinline__ void wait(unsigned turn) { wait_for_cluster(arrived[turn & 1].address(), turn >> 1); }
};

constexpr Instance clustered(Instance with, int blocks) {
    with.cluster = blocks;
    return with;
}

} // namespace tephra
