// Who works on a tile of the trailing update: a team of warps, here and, where V is split over a cluster, its
// counterparts in the other blocks.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// A barrier among the W warps of one of a block's G teams; teams drift apart freely.
template <int W, int G>
__device__ __forceinline__ void team_sync(int team) {
    if constexpr (G == 1)
        __syncthreads();
    else if constexpr (W == 1)
        __syncwarp();
    else
        asm volatile("bar.sync %0, %1;" ::"r"(1 + team), "n"(32 * W) : "memory");
}

// What follows needs sm_90; below it no plan has a launch with a cluster.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TEPHRA_SM90(...) __trap()
#else
#define TEPHRA_SM90(...) asm volatile(__VA_ARGS__)
#endif
__device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank = 0;
    TEPHRA_SM90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void cluster_sync() {
    TEPHRA_SM90("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" :: : "memory");
}
// The same place in the shared memory of another block of the cluster.
__device__ __forceinline__ unsigned in_block(unsigned shared, unsigned rank) {
    unsigned there = 0;
    TEPHRA_SM90("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared), "r"(rank));
    return there;
}
// Stores in another block's shared memory, counted in bytes by a barrier there: whoever waits for it sees them.
__device__ __forceinline__ void store_there(unsigned to, float x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(to), "f"(x),
                "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, double x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0], %1, [%2];" ::"r"(to), "d"(x),
                "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, Complex<float> x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(to),
                "f"(x.x), "f"(x.y), "r"(barrier) : "memory");
}
__device__ __forceinline__ void store_there(unsigned to, Complex<double> x, unsigned barrier) {
    TEPHRA_SM90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];" ::"r"(to),
                "d"(x.x), "d"(x.y), "r"(barrier) : "memory");
}
__device__ __forceinline__ unsigned shared_address(const void *p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
// Until phase number `phase` (the first is 0) of a barrier of this block is over; what other blocks stored is visible.
__device__ __forceinline__ void wait_for_cluster(unsigned barrier, unsigned phase) {
    unsigned done = 0;
    do {
        TEPHRA_SM90("{\n.reg .pred p;\n"
                    "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                    "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(barrier),
                    "r"(phase & 1) : "memory");
    } while (!done);
}

// Sums over the blocks of a cluster. A block sends its part to all, itself included; everyone adds them in order of
// rank, so that all blocks have the same bits. Two boxes in turn: whoever sends into a box has had, in the other one,
// what its readers sent after they had read it.
template <typename T, int SIZE, int CL>
struct ClusterSum {
    static constexpr int parts = CL;
    T box[2][CL][SIZE];
    unsigned long long arrived[2];

    // By one thread, before a cluster_sync.
    __device__ __forceinline__ void init() {
#pragma unroll
        for (int i = 0; i < 2; ++i)
            TEPHRA_SM90("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrived + i)) : "memory");
        TEPHRA_SM90("fence.mbarrier_init.release.cluster;" :: : "memory");
    }
    // By one thread a turn.
    __device__ __forceinline__ void expect(unsigned turn) {
        TEPHRA_SM90(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrived + (turn & 1))),
            "n"(CL * SIZE * sizeof(T)) : "memory");
    }
    __device__ __forceinline__ void send(unsigned turn, int e, T x) {
        const unsigned to = shared_address(&box[turn & 1][cluster_rank()][e]);
        const unsigned barrier = shared_address(arrived + (turn & 1));
#pragma unroll
        for (int r = 0; r < CL; ++r) store_there(in_block(to, r), x, in_block(barrier, r));
    }
    // Until all parts are here.
    __device__ __forceinline__ void wait(unsigned turn, int = 0) {
        wait_for_cluster(shared_address(arrived + (turn & 1)), turn >> 1);
    }
    __device__ __forceinline__ T sum(unsigned turn, int e) const {
        T total = box[turn & 1][0][e];
#pragma unroll
        for (int r = 1; r < CL; ++r) total = add(total, box[turn & 1][r][e]);
        return total;
    }
    // `parts` arrays of which the sums are the sum.
    __device__ __forceinline__ const T (*boxes(unsigned turn) const)[SIZE] { return box[turn & 1]; }
};
#undef TEPHRA_SM90

} // namespace tephra
