// The first step of inverses of members with their own sizes: where a triangular factor has no zero on its diagonal,
// the identity; otherwise NaN, or nothing and no order. Sets info.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../getrf/nan.cuh"

namespace tephra {

struct IdentityEachArgs {
    Operand a, to;
    int *orders; // -1 for invalid members
    const int *leading, *leading_to;
    int *info; // may be null
    long long batch;
    int leave; // 1: a member with a zero gets order -1 and is not written; 0: it becomes NaN
    int pad;
};

// A block per member.
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
        __syncthreads(); // the previous member's zeros have been read
        zeros[threadIdx.x] = zero;
        __syncthreads(); // all zeros are visible, and the order has been read
        for (int t = 0; t < THREADS; ++t) zero = zeros[t] < zero ? zeros[t] : zero;
        if (n < 0) continue; // uniform in the block
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
