// What kernels take of a machine beyond CUDA C++'s keywords, its numbers of threads and blocks, and the warp's votes
// and shuffles: one header has it for each. A warp is 32 threads everywhere.
#pragma once
#ifndef TEPHRA_ARCH // else another was included first: hip.cuh, or the host's of c_tests/kernels
#include "cuda.cuh"
#endif
