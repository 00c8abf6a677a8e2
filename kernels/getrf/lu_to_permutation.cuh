// Row interchanges converted to permutations, one per warp.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"

namespace tephra {

// Mirrored in src/gpu/lu_to_permutation/steps.rs.
struct PermutationArgs {
    Operand ipiv, perm; // ints
    long long batch;
    unsigned m, k; // rows, interchanges
    int shared;    // 1: permutations are traced in shared memory; 0: in place, in the output
    int pad;
};

// list[r]: the row, counted from 1, that is at r after the interchanges. 32 interchanges touch at most 64 rows, of
// which each lane traces two through all 32, so that only one step in 32 waits for memory.
__device__ __forceinline__ void trace_permutation(int *list, const int *ipiv, unsigned m, unsigned k, unsigned lane) {
    for (unsigned r = lane; r < m; r += 32) list[r] = static_cast<int>(r + 1);
    __syncwarp();
    unsigned next = lane < k ? static_cast<unsigned>(ipiv[lane]) : 0;
#pragma unroll 1
    for (unsigned base = 0; base < k; base += 32) {
        const unsigned upper = base + lane, other = next - 1;
        // Nothing is exchanged past the last interchange, or for an index that is no row.
        const bool there = upper < k;
        const unsigned lower = there && other < m ? other : upper;
        if (upper + 32 < k) next = static_cast<unsigned>(ipiv[upper + 32]);
        unsigned from_upper = upper, from_lower = lower;
#pragma unroll 8
        for (int s = 31; s >= 0; --s) {
            const unsigned p = __shfl_sync(0xffffffffu, lower, s), at = base + s;
            from_upper = from_upper == p ? at : from_upper == at ? p : from_upper;
            from_lower = from_lower == p ? at : from_lower == at ? p : from_lower;
        }
        const int a = there ? list[from_upper] : 0, b = there ? list[from_lower] : 0;
        __syncwarp();
        if (there) {
            list[upper] = a; // lanes with the same row write the same value
            list[lower] = b;
        }
        __syncwarp();
    }
}

// Shared memory of a block in bytes, if it is used.
template <int WARPS>
constexpr size_t lu_to_permutation_bytes(int rows) {
    return WARPS * rows * sizeof(int);
}

template <int WARPS>
__device__ __forceinline__ void lu_to_permutation(const PermutationArgs &args) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (long long i = blockIdx.x * static_cast<long long>(WARPS) + warp; i < args.batch;
         i += gridDim.x * static_cast<long long>(WARPS)) {
        // Without interchanges ipiv may be null.
        const int *const ipiv = args.k > 0 ? member<int>(args.ipiv, i) : nullptr;
        int *const perm = member<int>(args.perm, i);
        if (!args.shared) {
            trace_permutation(perm, ipiv, args.m, args.k, lane);
            continue;
        }
        int *const list = reinterpret_cast<int *>(dynamic_shared()) + warp * args.m;
        trace_permutation(list, ipiv, args.m, args.k, lane);
        for (unsigned r = lane; r < args.m; r += 32) perm[r] = list[r];
        __syncwarp(); // before the next permutation overwrites the list
    }
}

} // namespace tephra

// ROWS: most rows for which shared memory is used.
#define TEPHRA_LU_TO_PERMUTATION(NAME, T, WARPS, ROWS)                                                                 \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * WARPS).places(WARPS).holds(ROWS, 1).needs(lu_to_permutation_bytes<WARPS>, Count()),     \
                 __launch_bounds__(32 * WARPS), PermutationArgs, lu_to_permutation<WARPS>)
