// A block's shared memory, and that of the other blocks of its cluster.
#pragma once

namespace tephra {

// One S.
template <typename S>
__device__ __forceinline__ S &gemm_shared() {
    __shared__ S s;
    return s;
}
// The same place in block `rank`, to be read.
template <typename T>
__device__ __forceinline__ const T *gemm_there(const T *p, unsigned rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned long long there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return reinterpret_cast<const T *>(there);
#else
    return p; // no plan has such a launch there
#endif
}

} // namespace tephra
