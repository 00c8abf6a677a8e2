// In place of what QR's kernels have of assembly and of CUDA C++ beside what the other kernels have. Included in place
// of assembly_on_host.h.
#pragma once
#define shfl_group shfl_group_of_the_device
// What is only for the device has nothing to do with its parameters here.
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "assembly_on_host.h"
#undef shfl_group

#include "tall_case.h"

inline int __syncthreads_or(int mine) {
    static int any;
    __syncthreads();
    if (mine) any = 1;
    __syncthreads();
    const int all = any;
    __syncthreads();
    any = 0;
    __syncthreads();
    return all;
}

namespace tephra {
template <typename T>
void copy_async(T *to, const T *from) {
    *to = *from;
}
} // namespace tephra

#include "householder_on_host.h"
// What other assembly there is hides values from the compiler, or is never reached here.
#define volatile(...) ("")
#include "common/stage.cuh"
