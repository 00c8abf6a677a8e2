// QR for members with sizes of their own, by the kernels of uniform batches: a block, or the lanes of a warp that have
// a matrix, are told of theirs alone.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Sizes of a member, and its steps: as many as reflectors, but one less for a real matrix's last row (H = I).
struct MemberSizes {
    int m, n, steps;
    long long lda;
    int code; // LAPACK's: of the first that is not valid; there are no steps then
};

// The sizes of all (mirrored in src/backend/cuda/args/geqrf.rs).
struct SizesArgs {
    Extent rows, columns;
    const int *leading;

    template <typename T>
    __device__ __forceinline__ MemberSizes of(long long i) const {
        MemberSizes own = {rows.of(i), columns.of(i), 0, leading[i], 0};
        const int least = own.m > 1 ? own.m : 1;
        own.code = !rows.allows(own.m) ? -1 : !columns.allows(own.n) ? -2 : own.lda < least ? -4 : 0;
        const int last = is_complex<T> ? own.m : own.m - 1;
        own.steps = own.code || last < 0 ? 0 : last < own.n ? last : own.n;
        return own;
    }
};

// A launch of the QR family: its m, n and lda are the largest of all, or a panel's most columns.
struct GeqrfEachArgs : GeqrfArgs {
    SizesArgs sizes;
    int panel; // 1: the columns at .. at + n - 1 alone, of which a member may have fewer; 0: all columns, and at = 0
    int pad;

    // The launch for a member alone, all of whose panels before this one have been factored. n = 0: it has nothing to
    // do. By any number of threads, which may all write the same; what the first launch does not touch otherwise, it
    // says here.
    template <typename T>
    __device__ __forceinline__ GeqrfArgs of(long long i) const {
        const MemberSizes member = sizes.of<T>(i);
        const bool none = member.code || member.m == 0 || member.n == 0;
        GeqrfArgs own = *this;
        own.lda = member.lda;
        own.m = own.n = 0;
        if (at == 0 && none && (flags & INFO)) info[i] = member.code;
        if (none) return own;
        if (!panel) {
            own.m = member.m, own.n = member.n;
            return own;
        }
        // A square that is left is the panel's but for its last column: the short formulas of tall.cuh are tested on
        // pivot columns only.
        if (at == 0 && member.steps < member.m && member.m <= member.n) taus<T>(i)[member.m - 1] = make<T>(0);
        if (at == 0 && member.steps == 0) no_error(i);
        const int left = member.steps - at;
        if (left > 0) own.m = member.m - at, own.n = left < n ? left : n;
        return own;
    }
};

// f(the launch for the block's member), with a block a member: in shared memory, where it costs no registers.
template <typename T, typename F>
__device__ __forceinline__ void of_block(const GeqrfEachArgs &launch, F f) {
    __shared__ GeqrfArgs own;
    if (threadIdx.x == 0) own = launch.of<T>(blockIdx.x);
    __syncthreads();
    if (own.n > 0) f(own);
}

} // namespace tephra
