// The first step of inverses of members with their own sizes: where a triangular factor has no zero on its diagonal,
// the identity; otherwise NaN, or nothing and no order. Sets info. Several blocks may share a member.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../getrf/nan.cuh"

namespace tephra {

struct IdentityEachArgs {
    Operand a, to;
    int *orders; // -1 for invalid members
    const int *leading, *leading_to;
    int *info;               // may be null
    long long batch, shares; // shares: blocks per member, each of which writes some of its columns
    int leave;               // 1: a member with a zero gets order -1 and is not written; 0: it becomes NaN
    int pad;
};

// All blocks of a member search its diagonal, and the first of them sets info and the order. If another one reads an
// order of -1 that has been set here, it has nothing to write, as if it had found the zero itself.
template <typename T, int THREADS>
__device__ __forceinline__ void identity_each(const IdentityEachArgs &args) {
    __shared__ int zeros[THREADS], order;
    for (long long job = blockIdx.x; job < args.batch * args.shares; job += gridDim.x) {
        const long long i = job / args.shares, share = job % args.shares;
        __syncthreads(); // the previous member's order and zeros have been read
        if (threadIdx.x == 0) order = args.orders[i];
        __syncthreads(); // the order is the same for all threads, even if another block changes it now
        const int n = order;
        int zero = n;
        if (n > 0) {
            const T *const a = member<T>(args.a, i);
            const long long step = args.leading[i] + 1ll;
            for (int j = threadIdx.x; j < n && zero == n; j += THREADS)
                if (is_zero(a[j * step])) zero = j;
        }
        zeros[threadIdx.x] = zero;
        __syncthreads(); // all zeros are visible
        for (int t = 0; t < THREADS; ++t) zero = zeros[t] < zero ? zeros[t] : zero;
        if (n < 0) continue; // uniform in the block
        const bool singular = zero < n;
        if (threadIdx.x == 0 && share == 0) {
            if (args.info) args.info[i] = singular ? zero + 1 : 0;
            if (singular && args.leave) args.orders[i] = -1;
        }
        if (n == 0 || (singular && args.leave)) continue;
        T *const to = member<T>(args.to, i);
        const long long ld = args.leading_to[i], warps = THREADS / 32;
        for (long long c = share * warps + threadIdx.x / 32; c < n; c += args.shares * warps)
            for (int r = threadIdx.x % 32; r < n; r += 32)
                to[r + c * ld] = singular ? not_a_number<T>() : make<T>(r == c);
    }
}

} // namespace tephra

#define TEPHRA_IDENTITY_EACH(NAME, T, THREADS)                                                                         \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), IdentityEachArgs,                                \
                 identity_each<letter::T, THREADS>)
