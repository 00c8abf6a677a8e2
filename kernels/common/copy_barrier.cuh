// A barrier (mbarrier) in shared memory that waits for bulk copies from global to shared memory.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

// A phase completes once `expect` has been called `arrivals` times and all the bytes so announced have arrived.
struct CopyBarrier {
    unsigned long long word;

    // Called by one thread; a barrier of the block must follow.
    __device__ __forceinline__ void init(unsigned arrivals) {
        barrier_init(address(), arrivals);
        barriers_initialised();
    }
    __device__ __forceinline__ void expect(unsigned bytes) { barrier_expect(address(), bytes); }
    // Waits until phase `turn` (the first is 0) has completed. Phase `turn` + 1 must not have completed yet, since only
    // the parity of the phase is tested.
    __device__ __forceinline__ void wait(unsigned turn) {
        while (!over(turn)) {
        }
    }
    // The same for a whole warp. The vote tells the compiler that the warp is converged afterwards; otherwise it
    // compiles each shuffle and warp barrier in a second form.
    __device__ __forceinline__ void wait_warp(unsigned turn) {
        while (!__all_sync(0xffffffffu, over(turn))) {
        }
    }
    // Whether phase `turn` has completed; may wait for a limited time before it returns false.
    __device__ __forceinline__ bool over(unsigned turn) { return barrier_over(address(), turn); }
    // Starts a copy of `bytes` from global to shared memory; both addresses and the size must be multiples of 16.
    __device__ __forceinline__ void copy(void *to, const void *from, unsigned bytes) {
        bulk_load(to, from, bytes, address());
    }
    __device__ __forceinline__ unsigned address() const { return shared_address(&word); }
};

} // namespace tephra
