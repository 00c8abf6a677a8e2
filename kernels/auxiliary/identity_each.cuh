// What inverses of members with sizes of their own begin with: where a triangular factor has no zero on its diagonal
// the identity, else NaN, or nothing and no size; and codes.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../getrf/nan.cuh"

namespace tephra {

struct IdentityEachArgs {
    Operand a, to;
    int *orders; // -1 of members that are not valid
    const int *leading, *leading_to;
    int *info; // may be null
    long long batch;
    int leave; // 1: a member with a zero gets the order -1 and nothing is written; else it is NaN throughout
    int pad;
};

// A block for each member.
template <typename T, int THREADS>
__device__ __forceinline__ void identity_each(const IdentityEachArgs &args) {
    __shared__ int zeros[THREADS];
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        const int n = args.orders[i], none = n;
        int zero = none;
        if (n > 0) {
            const T *const a = member<T>(args.a, i);
            const long long step = args.leading[i] + 1ll;
            for (int j = threadIdx.x; j < n && zero == none; j += THREADS)
                if (is_zero(a[j * step])) zero = j;
        }
        __syncthreads(); // the zeros of the member before have been read
        zeros[threadIdx.x] = zero;
        __syncthreads(); // and the order
        for (int t = 0; t < THREADS; ++t) zero = zeros[t] < zero ? zeros[t] : zero;
        if (n < 0) continue; // for all threads
        const bool singular = zero < n;
        if (threadIdx.x == 0 && args.info) args.info[i] = singular ? zero + 1 : 0;
        if (threadIdx.x == 0 && singular && args.leave) args.orders[i] = -1;
        if (n == 0 || (singular && args.leave)) continue;
        T *const to = member<T>(args.to, i);
        const long long ld = args.leading_to[i];
        for (int c = threadIdx.x / 32; c < n; c += THREADS / 32)
            for (int r = threadIdx.x % 32; r < n; r += 32)
                to[r + c * ld] = singular ? not_a_number<T>() : make<T>(r == c);
    }
}

} // namespace tephra

#define TEPHRA_IDENTITY_EACH(NAME, T, THREADS)                                                                         \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), IdentityEachArgs,                                \
                 identity_each<letter::T, THREADS>)
