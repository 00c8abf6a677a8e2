// Row interchanges combined into one permutation.
#pragma once
#include "args.cuh"

namespace tephra {

// Sets origin[r] to the row that is at r after the n interchanges of LAPACK's ipiv. Called by a warp. 32 interchanges
// touch at most 64 rows, of which each lane traces two through all 32 without waiting for memory. `origin` must have
// room for `rows` elements, and for n rounded up to whole warps. first: ipiv[lane], which the caller loads ahead.
// shift: the index, from 0, of the row that ipiv's entries have here as row 0. An interchange with an index that is no
// row is ignored.
template <typename Index>
__device__ __forceinline__ void trace_origins(Index *origin, const int *ipiv, int first, int n, int lane, int rows = 0,
                                              int shift = 0) {
    const int whole = (n + 31) / 32 * 32, most = rows > n ? rows : n;
    for (int r = lane; r < (rows > whole ? rows : whole); r += 32) origin[r] = static_cast<Index>(r);
    __syncwarp();
#pragma unroll 1
    for (int base = 0; base < n; base += 32) {
        const int upper = base + lane, other = first - 1 - shift;
        const int lower = upper < n && static_cast<unsigned>(other) < static_cast<unsigned>(most) ? other : upper;
        if (upper + 32 < n) first = ipiv[upper + 32];
        int from_upper = upper, from_lower = lower;
#pragma unroll 8
        for (int s = 31; s >= 0; --s) {
            const int p = __shfl_sync(0xffffffffu, lower, s), k = base + s;
            from_upper = from_upper == p ? k : from_upper == k ? p : from_upper;
            from_lower = from_lower == p ? k : from_lower == k ? p : from_lower;
        }
        const Index a = origin[from_upper], b = origin[from_lower];
        __syncwarp();
        origin[upper] = a; // lanes with the same row write the same value
        origin[lower] = b;
        __syncwarp();
    }
}

} // namespace tephra
