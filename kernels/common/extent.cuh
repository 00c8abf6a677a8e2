// Sizes of batches in which each member has its own size (mirrored in src/gpu/args/sizes.rs).
#pragma once

namespace tephra {

// One dimension of every member.
struct Extent {
    const int *each; // in device memory
    int most;        // the largest valid size; a larger one makes the member invalid

    __device__ __forceinline__ int of(long long i) const { return each[i]; }
    __device__ __forceinline__ bool allows(int size) const { return size >= 0 && size <= most; }
};

// Whether ld is a valid leading dimension for `rows` rows. For 0 rows it may be 0, as it is for empty fronts.
__device__ __forceinline__ bool leads(long long ld, int rows) { return ld >= rows; }

// The sizes of all members, as the kernels of a factorisation receive them.
struct SizesArgs {
    Extent rows, columns;
    const int *leading;
    int over, upto; // the launch covers members with over < max(m, n) <= upto

    // LAPACK's info for invalid arguments: minus the position of a member's first invalid size, or 0.
    __device__ __forceinline__ int code(int m, int n, long long ld) const {
        return !rows.allows(m) ? -1 : !columns.allows(n) ? -2 : leads(ld, m) ? 0 : -4;
    }
    __device__ __forceinline__ bool is_for(int m, int n) const {
        const int larger = m > n ? m : n;
        return larger > over && larger <= upto;
    }
};

// Calls f(job) for each job of this block; there are fewer than 2^31 jobs in all. Used where members have their own
// sizes: most members may have nothing to do in a launch, so the grid must not grow with their number. All threads of
// the block must return from f together.
template <typename F>
__device__ __forceinline__ void for_jobs(long long jobs, F f) {
    for (unsigned job = blockIdx.x; job < jobs; job += gridDim.x) {
        f(job);
        __syncthreads(); // before the next job reuses shared memory
    }
}

} // namespace tephra
