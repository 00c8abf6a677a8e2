// Copies from global to shared memory without registers.
#pragma once

namespace tephra {

// One element.
template <typename T>
__device__ __forceinline__ void copy_async(T *shared, const T *global) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(sizeof(T)) : "memory");
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
// Of this thread: all are there.
__device__ __forceinline__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
// Those so far are one group; all but the newest group are there.
__device__ __forceinline__ void copies_sent() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void copies_but_last_done() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }

} // namespace tephra
