// How the blocks of a cluster exchange their candidates for the pivot row of a panel.
#pragma once
#include "../common/copy_barrier.cuh"
#include "../geqrf/update_team.cuh"
#include "pivot.cuh"

namespace tephra {

// Each block's best row, from the step's column on, and its id; every block receives all of them. Two buffers
// alternate: a block that sends for a step has received what the others sent for the step before, which they did after
// they had read this buffer.
template <typename T, int NB, int CL>
struct ClusterOffers {
    alignas(16) T rows[2][CL][NB];
    unsigned ids[2][CL];
    CopyBarrier arrived[2];

    // Called by one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
        arrived[0].init(1);
        arrived[1].init(1);
    }
    // Called by one thread in each step.
    __device__ __forceinline__ void expect(int k) {
        arrived[k & 1].expect(CL * ((NB - k) * static_cast<unsigned>(sizeof(T)) + sizeof(unsigned)));
    }
    // Sends the row and its id to block `to`; called by a warp.
    __device__ __forceinline__ void send(int k, int to, int lane, const T *row, unsigned id) {
        const int half = k & 1;
        const unsigned rank = cluster_rank(), barrier = in_block(arrived[half].address(), to);
        if (lane >= k && lane < NB)
            store_there(in_block(shared_address(&rows[half][rank][lane]), to), row[lane], barrier);
        if (lane == 0) store_there(in_block(shared_address(&ids[half][rank]), to), __uint_as_float(id), barrier);
    }
    // before: how often the step's buffer has been used for earlier panels.
    __device__ __forceinline__ void wait(int k, int before) {
        wait_for_cluster(arrived[k & 1].address(), before + (k >> 1));
    }
};

} // namespace tephra
