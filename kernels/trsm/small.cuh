// Triangular solves of order up to G <= 32: one row per lane, G lanes per matrix, everything in registers.
//
// In step k, lane k's unknowns are final; they are broadcast by shuffles, and subtracted from the rows below.
// Source: BLAS trsm.
#pragma once
#include "../common/instance.cuh"
#include "diagonal.cuh"

namespace tephra {

template <typename T, int G, int NR>
struct SmallTrsm {
    T t[G], x[NR]; // this lane's row of the triangle, and of the right-hand sides
    T d, inverse;  // its diagonal element
    int row;
    bool exact; // divide, because a reciprocal of this matrix would lose accuracy

    // MIXED: some matrices of the warp are solved with divisions. Which method a matrix uses depends only on itself.
    template <bool MIXED>
    __device__ __forceinline__ void solve(int order) {
        const int first = threadIdx.x % 32 & ~(G - 1);
#pragma unroll
        for (int k = 0; k < G; ++k) {
            if (k >= order) break;
#pragma unroll
            for (int r = 0; r < NR; ++r) {
                const T y = MIXED && exact ? divide(x[r], d) : mul(x[r], inverse);
                if (row == k) x[r] = y;
                const T solved = shfl(y, first + k);
                const T next = fnma_(t[k], solved, x[r]);
                if (row > k) x[r] = next;
            }
        }
    }
};

template <typename T, int G, int NR, int WARPS>
__device__ __forceinline__ void trsm_small(const TrsmArgs &args) {
    constexpr int per_block = 32 / G * WARPS;
    const long long jobs = args.batch * args.tiles;
    const int order = static_cast<int>(args.order);
    T alpha = make<T>(static_cast<Real<T>>(args.alpha_re), static_cast<Real<T>>(args.alpha_im));
    if (args.alpha) alpha = *static_cast<const T *>(args.alpha);
    const bool scaled = !(re(alpha) == 1 && im(alpha) == 0), zero = is_zero(alpha);
    SmallTrsm<T, G, NR> s;
    s.row = threadIdx.x % G;
    // Whole warps stay together: their shuffles need all lanes.
    for (long long base = blockIdx.x * (long long)per_block; base < jobs; base += gridDim.x * (long long)per_block) {
        const long long job = base + threadIdx.x / G;
        const bool live = job < jobs && s.row < order;
        const long long i = args.tiles == 1 ? job : job / args.tiles, first = (job - i * args.tiles) * NR;
        const int cols = !live ? 0 : args.nrhs - first < NR ? static_cast<int>(args.nrhs - first) : NR;
        T *B = live ? member<T>(args.b, i) + args.b0 + first * args.bcs + s.row * args.brs : nullptr;
        const T *A = live && !zero ? member<T>(args.a, i) + args.a0 + s.row * args.ars : nullptr;
#pragma unroll
        for (int k = 0; k < G; ++k) s.t[k] = A && k < s.row ? conj_if(A[k * args.acs], args.conj) : make<T>(0);
        s.d = make<T>(1);
        if (A && !args.unit) s.d = conj_if(A[s.row * args.acs], args.conj);
#pragma unroll
        for (int r = 0; r < NR; ++r) s.x[r] = r < cols ? B[r * args.bcs] : make<T>(0);
        if (scaled) {
#pragma unroll
            for (int r = 0; r < NR; ++r) s.x[r] = zero ? make<T>(0) : mul(alpha, s.x[r]);
        }
        if (!zero) {
            const unsigned unsafe = __ballot_sync(0xffffffffu, !reciprocal_is_safe(s.d));
            constexpr unsigned group = G == 32 ? 0xffffffffu : (1u << G) - 1;
            s.exact = unsafe & group << (threadIdx.x % 32 & ~(G - 1));
            s.inverse = reciprocal(s.d);
            if (unsafe == 0)
                s.template solve<false>(order);
            else
                s.template solve<true>(order);
        }
#pragma unroll
        for (int r = 0; r < NR; ++r)
            if (r < cols) B[r * args.bcs] = s.x[r];
    }
}

} // namespace tephra

#define TEPHRA_SMALL_TRSM(NAME, T, G, NR, WARPS)                                                                       \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).lanes(1, G, 1, 1).holds(G, NR), __launch_bounds__(32 * WARPS, 1),          \
                 TrsmArgs, trsm_small<letter::T, G, NR, WARPS>)
