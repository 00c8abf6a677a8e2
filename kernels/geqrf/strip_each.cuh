// Strips of columns for variable-size batches.
#pragma once
#include "each.cuh"
#include "strip.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int STRIPS>
__device__ __forceinline__ void geqrf_strip_each(const GeqrfEachArgs &args) {
    __shared__ GeqrfArgs own;
    of_member<T>(args, blockIdx.x, own, [](const GeqrfArgs &own) { geqrf_strip<T, PR, PC, RPT, CPT, STRIPS>(own); });
}

} // namespace tephra

#define TEPHRA_STRIP_EACH(NAME, T, PR, PC, RPT, CPT, STRIPS, MIN_BLOCKS)                                               \
    TEPHRA_ENTRY(NAME, Instance(32).lanes(PR, PC, RPT, CPT).strips(STRIPS), __launch_bounds__(32, MIN_BLOCKS),         \
                 GeqrfEachArgs, geqrf_strip_each<letter::T, PR, PC, RPT, CPT, STRIPS>)
