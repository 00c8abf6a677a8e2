// Copies to shared memory that may end within their 16 bytes.
#pragma once

namespace tephra {

// The first `bytes` of 16, and zeros.
__device__ __forceinline__ void copy_async_part(void *to, const void *from, int bytes) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}

} // namespace tephra
