// Solves systems from Cholesky factors of order above 32, for up to NR right-hand sides per block (getrf/solve.cuh).
#pragma once
#include "../getrf/solve.cuh"
#include "args.cuh"

namespace tephra {

// L and L^H, or U^H and U; the diagonal need not be real. The sweep with the adjoint works on conjugated right-hand
// sides, so that both sweeps divide by the same numbers. Source: LAPACK potrs.
struct CholeskyFactors {
    using Args = CholeskyArgs;
    static constexpr bool sweeps_alike = false;
    static __device__ __forceinline__ bool form(const Args &a) { return a.upper; }
    static __device__ __forceinline__ bool transposed(bool form, bool back) { return form != back; }
    static __device__ __forceinline__ bool upper(bool form, bool) { return form; }
    static __device__ constexpr bool unit(bool, bool) { return false; }
    // Before and after the sweep with the adjoint.
    static __device__ __forceinline__ bool conjugates_before(const Args &a, bool back) {
        return back != (a.upper != 0);
    }
    static __device__ __forceinline__ bool conjugates_after(const Args &a) { return !a.upper; }
};

template <typename T, int NR, int W, int S>
__device__ __forceinline__ void potrs_fused(const CholeskyArgs &args) {
    const long long i = blockIdx.x / args.tiles;
    const int tile = static_cast<int>(blockIdx.x - i * args.tiles);
    two_triangles<T, NR, W, S, CholeskyFactors>(args, i, tile * NR);
}

} // namespace tephra

#define TEPHRA_POTRS_FUSED(NAME, T, NR, W, S, MIN_BLOCKS)                                                              \
    TEPHRA_ENTRY(NAME, (TwoTriangles<letter::T, NR, W, S, CholeskyFactors, false>::about()),                           \
                 __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyArgs, potrs_fused<letter::T, NR, W, S>)
