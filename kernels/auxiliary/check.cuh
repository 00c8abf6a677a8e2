// Sizes of members, looked at by a routine that is made of others: what each is to know of a member, and its code.
#pragma once
#include "../common/instance.cuh"

namespace tephra {

// A number of each member, from 0 to `most`, and not less than its number in `least`, where that is not null.
struct BoundArgs {
    const int *each, *least;
    int most;
    int code; // of a member where that does not hold
};

struct CheckArgs {
    static constexpr int BOUNDS = 8;

    BoundArgs bounds[BOUNDS];
    int *checked; // receives what the first bound is about, or -1 of a member that is not valid; may be null
    int *info;    // receives codes; may be null
    long long batch;
    int count;      // of bounds
    int only_wrong; // codes of valid members stay

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
