// What the blocks of a cluster offer each other as pivot rows of a panel.
#pragma once
#include "../common/copy_barrier.cuh"
#include "../geqrf/update_team.cuh"
#include "pivot.cuh"

namespace tephra {

// Of each block its best row, from the step's column on, and which it is: everyone gets all. Two steps in turn: whoever
// sends for a step has had what the others sent for the one before, after they had read what was here.
template <typename T, int NB, int CL>
struct ClusterOffers {
    alignas(16) T rows[2][CL][NB];
    unsigned ids[2][CL];
    CopyBarrier arrived[2];

    // By one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
        arrived[0].init(1);
        arrived[1].init(1);
    }
    // By one thread a step.
    __device__ __forceinline__ void expect(int k) {
        arrived[k & 1].expect(CL * ((NB - k) * static_cast<unsigned>(sizeof(T)) + sizeof(unsigned)));
    }
    // By a warp, to block `to`.
    __device__ __forceinline__ void send(int k, int to, int lane, const T *row, unsigned id) {
        const int half = k & 1;
        const unsigned rank = cluster_rank(), barrier = in_block(arrived[half].address(), to);
        if (lane >= k && lane < NB)
            store_there(in_block(shared_address(&rows[half][rank][lane]), to), row[lane], barrier);
        if (lane == 0) store_there(in_block(shared_address(&ids[half][rank]), to), __uint_as_float(id), barrier);
    }
    __device__ __forceinline__ void wait(int k) { wait_for_cluster(arrived[k & 1].address(), k >> 1); }
};

} // namespace tephra
