// Sums over the blocks of larger clusters: each block adds up a share of the elements and sends the totals to all.
#pragma once
#include "../common/copy_barrier.cuh"
#include "update_team.cuh"

namespace tephra {

// As ClusterSum, but with two rounds instead of one, and with 2 SIZE elements sent by a block instead of CL SIZE. One
// box of each kind is enough. A part of the next turn is sent after its reader's totals of this turn have arrived, and
// the reader sends them after it has read the parts. Totals are sent after a part of every team has arrived, and a team
// sends that once all its threads have read the previous totals.
template <typename T, int SIZE, int CL, int THREADS>
struct ClusterShares {
    static constexpr int share = SIZE / CL, parts = 1;
    static_assert(SIZE % CL == 0);

    T part[CL][share], total[1][SIZE];
    CopyBarrier parts_arrived, totals_arrived;

    // Called by one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
        parts_arrived.init(1);
        totals_arrived.init(1);
    }
    // Called by one thread per turn.
    __device__ __forceinline__ void expect(unsigned) {
        parts_arrived.expect(SIZE * sizeof(T));
        totals_arrived.expect(SIZE * sizeof(T));
    }
    __device__ __forceinline__ void send(unsigned, int e, T x) {
        const int to = e / share;
        store_there(in_block(shared_address(&part[cluster_rank()][e - to * share]), to), x,
                    in_block(parts_arrived.address(), to));
    }
    // Waits until all sums are here; t: the thread's number in its team.
    __device__ __forceinline__ void wait(unsigned turn, int t) {
        wait_for_cluster(parts_arrived.address(), turn);
#pragma unroll
        for (int e = t; e < share; e += THREADS) {
            T sum = part[0][e];
#pragma unroll
            for (int r = 1; r < CL; ++r) sum = add(sum, part[r][e]);
            const unsigned to = shared_address(&total[0][cluster_rank() * share + e]);
#pragma unroll
            for (int r = 0; r < CL; ++r) store_there(in_block(to, r), sum, in_block(totals_arrived.address(), r));
        }
        wait_for_cluster(totals_arrived.address(), turn);
    }
    __device__ __forceinline__ T sum(unsigned, int e) const { return total[0][e]; }
    __device__ __forceinline__ const T (*boxes(unsigned) const)[SIZE] { return total; }
};

} // namespace tephra
