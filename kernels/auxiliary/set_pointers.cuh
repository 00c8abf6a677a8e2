// out[i] = base + i * stride: MAGMA's set_pointer, for any element type.
#pragma once
#include "../common/instance.cuh"

#ifdef TEPHRA_DESCRIBE
#define TEPHRA_SET_POINTERS(NAME, T, THREADS) TEPHRA_ENTRY(NAME, Instance(THREADS), , , )
#else
#define TEPHRA_SET_POINTERS(NAME, T, THREADS)                                                                          \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        NAME(void **out, char *base, long long stride_bytes, long long batch) {                                        \
        for (long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x; i < batch; i += gridDim.x * (THREADS + 0ll))    \
            out[i] = base + i * stride_bytes;                                                                          \
    }
#endif
