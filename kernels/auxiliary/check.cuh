// Checks the sizes of members for a routine that is composed of others: sets the sizes that these see, and info.
#pragma once
#include "../common/instance.cuh"

namespace tephra {

// A number of each member, from 0 to `most`, and at least its number in `least` if that is not null.
struct BoundArgs {
    const int *each, *least;
    int most;
    int code; // info of a member for which that does not hold
};

struct CheckArgs {
    static constexpr int BOUNDS = 8;

    BoundArgs bounds[BOUNDS];
    int *checked; // receives the numbers of the first bound, or -1 for invalid members; may be null
    int *info;    // may be null
    long long batch;
    int count;      // of bounds
    int only_wrong; // 1: info of valid members is left alone

    __device__ __forceinline__ int code(long long i) const {
        for (int k = 0; k < count; ++k) {
            const BoundArgs &bound = bounds[k];
            const int number = bound.each[i];
            if (number < (bound.least ? bound.least[i] : 0) || number > bound.most) return bound.code;
        }
        return 0;
    }
};

template <int THREADS>
__device__ __forceinline__ void check_sizes(const CheckArgs &args) {
    for (long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x; i < args.batch; i += gridDim.x * (THREADS + 0ll)) {
        const int code = args.code(i);
        if (args.checked) args.checked[i] = code ? -1 : args.bounds[0].each[i];
        if (args.info && (code || !args.only_wrong)) args.info[i] = code;
    }
}

} // namespace tephra

#define TEPHRA_CHECK_SIZES(NAME, T, THREADS)                                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), CheckArgs, check_sizes<THREADS>)
