// What the kernels need from an architecture, beyond CUDA C++'s keywords, thread and block indices, and the warp's
// votes and shuffles. Each architecture has a header that provides it. A warp has 32 threads everywhere.
#pragma once
#ifndef TEPHRA_ARCH // else another was included before: hip.cuh, or the host's in c_tests/kernels
#include "cuda.cuh"
#endif
