// What the blocks of a cluster tell each other at each step of a panel.
#pragma once
#include "../common/copy_barrier.cuh"
#include "../common/instance.cuh"
#include "update_team.cuh"

namespace tephra {

// Of each turn: N numbers of every block, and N more of the first. Everyone gets all, and combines them in order of
// rank, so that all blocks have the same bits. Two boxes in turn: whoever sends into a box has had, in the other one,
// what its readers sent after they had read it.
template <typename T, int N, int CL>
struct ClusterBox {
    T parts[2][CL][N], row[2][N];
    CopyBarrier arrived[2];

    // By one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
        arrived[0].init(1);
        arrived[1].init(1);
    }
    // By one thread a turn.
    __device__ __forceinline__ void expect(unsigned turn) { arrived[turn & 1].expect((CL + 1) * N * sizeof(T)); }
    // Number e to block `to`; from the first block also that of the row.
    __device__ __forceinline__ void send(unsigned turn, unsigned to, int e, T part, T of_row) {
        const unsigned half = turn & 1, barrier = in_block(arrived[half].address(), to);
        const unsigned rank = cluster_rank();
        store_there(in_block(shared_address(&parts[half][rank][e]), to), part, barrier);
        if (rank == 0) store_there(in_block(shared_address(&row[half][e]), to), of_row, barrier);
    }
    // Until all of them are here.
    __device__ __forceinline__ void wait(unsigned turn) { wait_for_cluster(arrived[turn & 1].address(), turn >> 1); }
};

constexpr Instance clustered(Instance with, int blocks) {
    with.cluster = blocks;
    return with;
}

} // namespace tephra
