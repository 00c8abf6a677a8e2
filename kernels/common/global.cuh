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

} // namespace tephra
