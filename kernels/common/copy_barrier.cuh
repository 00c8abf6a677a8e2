// Bulk copies from global to shared memory, and what counts them.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

// A turn is over when `arrivals` calls of `expect` have said how many bytes come, and all of them are there.
struct CopyBarrier {
    unsigned long long word;

    // By one thread; a barrier of the block must follow.
    __device__ __forceinline__ void init(unsigned arrivals) {
        barrier_init(address(), arrivals);
        barriers_initialised();
    }
    __device__ __forceinline__ void expect(unsigned bytes) { barrier_expect(address(), bytes); }
    // Until turn number `turn` (the first is 0) is over; the one after the next must not be.
    __device__ __forceinline__ void wait(unsigned turn) {
        while (!over(turn)) {
        }
    }
    // The same for a whole warp, which the compiler knows to be whole afterwards: else each shuffle and warp barrier
    // gets a second form.
    __device__ __forceinline__ void wait_warp(unsigned turn) {
        while (!__all_sync(0xffffffffu, over(turn))) {
        }
    }
    // Whether it is, asked for some time.
    __device__ __forceinline__ bool over(unsigned turn) { return barrier_over(address(), turn); }
    // `bytes` from global to shared memory: both addresses and the size are multiples of 16.
    __device__ __forceinline__ void copy(void *to, const void *from, unsigned bytes) {
        bulk_load(to, from, bytes, address());
    }
    __device__ __forceinline__ unsigned address() const { return shared_address(&word); }
};

} // namespace tephra
