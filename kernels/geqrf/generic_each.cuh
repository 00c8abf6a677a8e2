// The generic path for panels of variable-size batches.
#pragma once
#include "each.cuh"
#include "generic.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_generic_each(const GeqrfEachArgs &args) {
    of_members<T>(args, [](const GeqrfArgs &own) { geqrf_generic<T, THREADS>(own); });
}

} // namespace tephra

#define TEPHRA_GENERIC_EACH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GeqrfEachArgs, geqrf_generic_each)
