// Pointers that the compiler is to know less about, or more.
#pragma once

namespace tephra {

// The same pointer, known to the compiler to be to global memory, and to nobody as the same: else the loads' addresses
// stay in registers until the stores.
template <typename T>
__device__ __forceinline__ T *global(T *p) {
    size_t q = __cvta_generic_to_global(p);
    asm volatile("" : "+l"(q));
    return static_cast<T *>(__cvta_global_to_generic(q));
}

// The same address in shared memory, out of a register from now on: the assembler would work it out in every step, but
// does not know what a shuffle brings. The register has the address less 16, since accesses are joined to wider ones
// only at a distance from what is unknown. ALIGN: bytes.
template <int ALIGN, typename T>
__device__ __forceinline__ T *pinned(T *p) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p)) - 16;
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(at) : "r"(threadIdx.x % 32));
    void *const q = __builtin_assume_aligned(__cvta_shared_to_generic(at), ALIGN);
    return reinterpret_cast<T *>(static_cast<char *>(q) + 16);
}

} // namespace tephra
