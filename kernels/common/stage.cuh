// Copies to shared memory that run in the background, and a block's dynamic shared memory: as on a device, and as where
// kernels run on the host (c_tests/kernels).
#pragma once
#ifdef __CUDACC__
#include "async.cuh"
#endif

namespace tephra {

#ifdef __CUDACC__
// BYTES (4, 8 or 16).
template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(BYTES) : "memory");
}
// If they are wanted: the first `valid` of them, and zeros in place of the others.
template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from, int valid, bool wanted) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to)), yes = wanted;
    if constexpr (BYTES == 16)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0;\n"
                     "@p cp.async.cg.shared.global [%0], [%1], 16, %2; }" ::"r"(shared),
                     "l"(from), "r"(valid), "r"(yes)
                     : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n"
                     "@p cp.async.ca.shared.global [%0], [%1], %2, %3; }" ::"r"(shared),
                     "l"(from), "n"(BYTES), "r"(valid), "r"(yes)
                     : "memory");
}
// What is at this address will be asked for soon.
__device__ __forceinline__ void expect(const void *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
__device__ __forceinline__ unsigned char *dynamic_shared() {
    extern __shared__ __align__(16) unsigned char raw[];
    return raw;
}
#else
template <int BYTES>
void stage(void *to, const void *from, int valid = BYTES, bool wanted = true) {
    if (wanted) host::stage(to, from, BYTES, valid);
}
inline void expect(const void *) {}
inline void copies_sent() { host::copies_sent(); }
template <int N>
void copies_done_but() {
    host::copies_done_but(N);
}
inline unsigned char *dynamic_shared() { return host::dynamic_shared(); }
#endif

} // namespace tephra
