// Sizes of a batch's members: the same for all, or each member's own.
#pragma once

namespace tephra {

// A size that each member has its own of (mirrored in src/backend/cuda/args/sizes.rs).
struct Extent {
    const int *each; // in device memory
    int most;        // that any member has: one that says more is not a valid size

    __device__ __forceinline__ int of(long long i) const { return each[i]; }
    __device__ __forceinline__ bool allows(int size) const { return size >= 0 && size <= most; }
};

// f(job) for the jobs of this block: one; but where members have sizes of their own, and most of them may have nothing
// to do in a launch, one after the other, in a grid that does not grow with their number (less than 2^31). All threads
// of the block leave a job together.
template <typename Args, typename F>
__device__ __forceinline__ void for_jobs(const Args &, long long jobs, F f) {
    if constexpr (Args::each) {
        for (unsigned job = blockIdx.x; job < jobs; job += gridDim.x) {
            f(job);
            __syncthreads(); // shared memory is free
        }
    } else {
        f(blockIdx.x);
    }
}

} // namespace tephra
