// QR for members with sizes of their own, by the kernels of uniform batches: a block, or the lanes of a warp that have
// a matrix, are told of theirs alone, as of a batch of that size.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/scalar.cuh"

namespace tephra {

struct MemberSizes {
    int m, n;
    int steps; // as many as reflectors, but one less where a real matrix's last row has one (H = I)
    int code;  // LAPACK's: the argument that is not valid
    long long lda;
    bool here; // whether the launch has something to do for it
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

// One launch of the QR family. What it says of sizes is for the most that a member may have.
struct GeqrfEachArgs : GeqrfArgs {
    SizesArgs sizes;
    int panel; // 1: the columns at .. at + n - 1 alone, of which a member may have fewer; 0: all columns, and at = 0
    int pad;

    // The launch for a member alone, of which all panels before this one have been factored; its i does not matter any
    // more. n = 0: there is nothing to do. What kernels do not write, its code and the tau of a step left out, is
    // written here, by as many threads as ask.
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
        own.batch = blockIdx.x + 1ll; // for kernels whose blocks go on to other members
        own.at = at;
        // A real matrix's last row has no step, and of one row there is nothing else. No panel reaches to it: the short
        // formulas of tall.cuh are tested on pivot columns only.
        if (at == 0 && !is_complex<T> && member.m <= member.n) taus[member.m - 1] = make<T>(0);
        const int left = member.steps - at;
        if (left > 0) {
            own.m = member.m - at;
            own.n = !panel ? member.n : left < n ? left : n;
        }
        return own;
    }
};

// f(the launch for a member) for the block's member: in shared memory, where it costs no registers.
template <typename T, typename F>
__device__ __forceinline__ void of_member(const GeqrfEachArgs &launch, long long i, GeqrfArgs &own, F f) {
    if (threadIdx.x == 0) own = launch.of<T>(i);
    __syncthreads();
    if (own.n > 0) f(own);
}
// The same for kernels that a launch has few blocks of, which take one member after another.
template <typename T, typename F>
__device__ __forceinline__ void of_members(const GeqrfEachArgs &launch, F f) {
    __shared__ GeqrfArgs own;
    for_jobs(launch.batch, [&](long long i) { of_member<T>(launch, i, own, f); });
}

} // namespace tephra
