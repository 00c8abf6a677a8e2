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

// f(job) for the jobs of this block (less than 2^31 in all), one after the other: where members have sizes of their
// own, most may have nothing to do in a launch, and the grid is not to grow with their number. All threads of the block
// leave a job together.
template <typename F>
__device__ __forceinline__ void for_jobs(long long jobs, F f) {
    for (unsigned job = blockIdx.x; job < jobs; job += gridDim.x) {
        f(job);
        __syncthreads(); // shared memory is free
    }
}

} // namespace tephra
