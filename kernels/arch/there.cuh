// A block's static shared memory, and that of another block of its cluster.
#pragma once
#include "arch.cuh"

#ifndef TEPHRA_THERE // else the host has its own: c_tests/kernels/arch_on_host.h
namespace tephra {

// An S in this block's shared memory; one for each S.
template <typename S>
__device__ __forceinline__ S &shared_of_block() {
    __shared__ S s;
    return s;
}
// The corresponding address in the shared memory of block `rank` of the cluster, for reading.
template <typename T>
__device__ __forceinline__ const T *in_block(const T *p, unsigned rank) {
#if defined(__HIP__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900)
    return p + 0 * rank; // there are no clusters
#else
    unsigned long long there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return reinterpret_cast<const T *>(there);
#endif
}

} // namespace tephra
#endif
