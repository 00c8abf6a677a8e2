// Copies from global to shared memory without registers.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TEPHRA_SM90(...) __trap()
#else
#define TEPHRA_SM90(...) asm volatile(__VA_ARGS__)
#endif

namespace tephra {

// One element.
template <typename T>
__device__ __forceinline__ void copy_async(T *shared, const T *global) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(sizeof(T)) : "memory");
}
// BYTES (4, 8 or 16) to an address in shared memory, to which constants are added in the instruction itself.
template <int BYTES>
__device__ __forceinline__ void copy_async_at(unsigned shared, const void *global) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global), "n"(BYTES) : "memory");
}
// BYTES (4, 8 or 16) from global to shared memory, or zeros: cp.async.
template <int BYTES>
__device__ __forceinline__ void copy_async(void *to, const void *from, bool valid) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = valid ? BYTES : 0;
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(BYTES), "r"(bytes)
                     : "memory");
}
__device__ __forceinline__ void copy_async16(void *to, const void *from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
}
// Of this thread: all are there.
__device__ __forceinline__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
// Those so far are one group; all but the newest N groups are there.
__device__ __forceinline__ void copies_sent() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void copies_done_but() {
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Bulk copies, by hardware of its own. Below sm_90 there are none, and what follows must not be called.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool bulk_copies = false;
#else
constexpr bool bulk_copies = true;
#endif

// Counts what bulk copies bring. A turn is over when `arrivals` calls of `expect` have said how many bytes come, and
// all of them are there.
struct CopyBarrier {
    unsigned long long word;

    // By one thread; a barrier of the block must follow.
    __device__ __forceinline__ void init(unsigned arrivals) {
        TEPHRA_SM90("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" ::"r"(address()),
                    "r"(arrivals) : "memory");
    }
    __device__ __forceinline__ void expect(unsigned bytes) {
        TEPHRA_SM90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes) : "memory");
    }
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
    __device__ __forceinline__ bool over(unsigned turn) {
        unsigned done = 0;
        TEPHRA_SM90("{\n.reg .pred p;\n"
                    "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                    "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(address()),
                    "r"(turn & 1) : "memory");
        return done;
    }
    // `bytes` from global to shared memory: both addresses and the size are multiples of 16.
    __device__ __forceinline__ void copy(void *to, const void *from, unsigned bytes) {
        const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
        TEPHRA_SM90(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared),
            "l"(from), "r"(bytes), "r"(address()) : "memory");
    }
    __device__ __forceinline__ unsigned address() const {
        return static_cast<unsigned>(__cvta_generic_to_shared(&word));
    }
};
// This thread's accesses to shared memory so far come before the bulk copies that follow the block's next barrier.
__device__ __forceinline__ void before_bulk_copies() { TEPHRA_SM90("fence.proxy.async.shared::cta;" :: : "memory"); }
// `bytes` from shared to global memory: both addresses and the size are multiples of 16. What others have written there
// comes first after `before_bulk_copies` and a barrier.
__device__ __forceinline__ void bulk_store(void *to, const void *from, unsigned bytes) {
    TEPHRA_SM90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(
                    __cvta_generic_to_global(to)),
                "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))), "r"(bytes) : "memory");
}
// This thread's bulk stores have read shared memory.
__device__ __forceinline__ void bulk_stores_read() { TEPHRA_SM90("cp.async.bulk.wait_group.read 0;" :: : "memory"); }
// They can be read in global memory, by this thread.
__device__ __forceinline__ void bulk_stores_done() { TEPHRA_SM90("cp.async.bulk.wait_group 0;" :: : "memory"); }

#undef TEPHRA_SM90
} // namespace tephra
