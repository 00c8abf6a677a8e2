// Entry points of the copies, apart from instance_q.cuh so that a change of one does not compile the others again.
#pragma once
#include "auxiliary/copy.cuh"
#include "types.cuh"

#define TEPHRA_COPY(NAME, T, THREADS)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::CopyArgs args) {        \
        tephra::copy<tephra::T, THREADS>(args);                                                                        \
    }
