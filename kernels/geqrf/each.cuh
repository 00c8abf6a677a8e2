// QR of variable-size batches by the kernels of uniform ones: each block, or each group of lanes that shares a matrix,
// gets launch arguments for its member alone.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/scalar.cuh"

namespace tephra {

struct MemberSizes {
    int m, n;
    int steps; // reflectors, except that of a real matrix's last row (H = I)
    int code;  // LAPACK's info: minus the position of the first invalid argument, or 0
    long long lda;
    bool here; // whether the launch has work for it
};

template <typename T>
__device__ __forceinline__ MemberSizes member_sizes(const SizesArgs &all, long long i) {
    MemberSizes own = {};
    own.m = all.rows.of(i), own.n = all.columns.of(i), own.lda = all.leading[i];
    own.code = all.code(own.m, own.n, own.lda);
    own.here = own.code == 0 && own.m > 0 && own.n > 0 && all.is_for(own.m, own.n);
    const int last = is_complex<T> ? own.m : own.m - 1;
    own.steps = last < own.n ? last : own.n;
    return own;
}

// One launch of the QR family on a variable-size batch. The sizes in the base are maxima over the members.
struct GeqrfEachArgs : GeqrfArgs {
    SizesArgs sizes;
    int panel; // 1: the columns at .. at + n - 1 alone, of which a member may have fewer; 0: all columns, and at = 0
    int pad;

    // The launch for member i alone, all of whose previous panels have been factored; kernels may pass any index to it.
    // n = 0: there is nothing to do. This also writes what the kernels do not, namely the member's info and the tau of
    // the omitted step; any number of threads may call it.
    template <typename T>
    __device__ __forceinline__ GeqrfArgs of(long long i) const {
        const MemberSizes member = member_sizes<T>(sizes, i);
        GeqrfArgs own = {};
        const bool none = member.code || member.m == 0 || member.n == 0;
        if (at == 0 && (none || member.here) && (flags & INFO)) info[i] = member.code;
        if (!member.here) return own;
        own.a = tephra::member<T>(a, flags & A_POINTERS, a_stride, i);
        T *const taus = tephra::member<T>(tau, flags & TAU_POINTERS, tau_stride, i);
        own.tau = taus;
        own.lda = member.lda;
        own.batch = blockIdx.x + 1ll; // kernels that loop over members stop after this one
        own.at = at;
        // The last row of a real matrix has no step, and a matrix of one row has nothing else. No panel includes that
        // row, because tall.cuh checks the range of its short formulas on pivot columns only.
        if (at == 0 && !is_complex<T> && member.m <= member.n) taus[member.m - 1] = make<T>(0);
        const int left = member.steps - at;
        if (left > 0) {
            own.m = member.m - at;
            own.n = !panel ? member.n : left < n ? left : n;
        }
        return own;
    }
};

// Calls f with the launch for the block's member, which is kept in shared memory to save registers.
template <typename T, typename F>
__device__ __forceinline__ void of_member(const GeqrfEachArgs &launch, long long i, GeqrfArgs &own, F f) {
    if (threadIdx.x == 0) own = launch.of<T>(i);
    __syncthreads();
    if (own.n > 0) f(own);
}
// The same for kernels that are launched with few blocks, which loop over the members.
template <typename T, typename F>
__device__ __forceinline__ void of_members(const GeqrfEachArgs &launch, F f) {
    __shared__ GeqrfArgs own;
    for_jobs(launch.batch, [&](long long i) { of_member<T>(launch, i, own, f); });
}

} // namespace tephra
