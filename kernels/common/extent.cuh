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

} // namespace tephra
