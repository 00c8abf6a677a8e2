// Entry points of copies and constants.
#pragma once
#include "auxiliary/assign.cuh"
#include "types.cuh"

#define TEPHRA_ASSIGN(NAME, T, THREADS)                                                                                \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::AssignArgs args) {      \
        tephra::assign<tephra::T, THREADS>(args);                                                                      \
    }
