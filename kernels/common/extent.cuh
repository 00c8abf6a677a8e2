// Sizes of members that each have their own (mirrored in src/gpu/args/sizes.rs).
#pragma once

namespace tephra {

// A size of each member.
struct Extent {
    const int *each; // in device memory
    int most;        // that any member has: one that says more is not a valid size

    __device__ __forceinline__ int of(long long i) const { return each[i]; }
    __device__ __forceinline__ bool allows(int size) const { return size >= 0 && size <= most; }
};

// Whether a leading dimension is one of matrices with so many rows. Of none it may be 0, as fronts that are empty have
// it.
__device__ __forceinline__ bool leads(long long ld, int rows) { return ld >= rows; }

// What a factorisation's launch knows of all matrices.
struct SizesArgs {
    Extent rows, columns;
    const int *leading;
    int over, upto; // it is for members whose larger size is above the one, and not above the other

    // LAPACK's code: the first of a member's sizes that is not valid, or 0.
    __device__ __forceinline__ int code(int m, int n, long long ld) const {
        return !rows.allows(m) ? -1 : !columns.allows(n) ? -2 : leads(ld, m) ? 0 : -4;
    }
    __device__ __forceinline__ bool is_for(int m, int n) const {
        const int larger = m > n ? m : n;
        return larger > over && larger <= upto;
    }
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
