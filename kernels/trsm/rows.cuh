// Triangular solves of order up to 32 R with few right-hand sides: a warp per tile of them, every 32nd row in a lane.
//
// The triangle is not kept: each column passes through registers once, loaded some columns ahead of the step that
// subtracts the unknown of the same number from the rows below. Compared to small.cuh, which keeps the triangle, this
// leaves registers for more warps. Source: BLAS trsm.
#pragma once
#include "../common/instance.cuh"
#include "diagonal.cuh"

namespace tephra {

template <typename T, int R, int NR>
struct RowsTrsm {
    static constexpr int AHEAD =
        32 / sizeof(T); // columns of the triangle loaded ahead: a sector of each row, if rows are contiguous
    T x[R][NR];
    T d[R]; // the rows' diagonal elements, or their reciprocals
    T column[AHEAD][R];
    const T *A;
    long long ars, acs;
    int order, lane;
    bool conjugate;

    __device__ __forceinline__ int row(int q) const { return 32 * q + lane; }

    // Loads the part below the diagonal of the columns from k on.
    template <int FIRST>
    __device__ __forceinline__ void fetch(int k) {
        const T *p = A + lane * ars + k * acs;
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
#pragma unroll
            for (int q = FIRST; q < R; ++q) {
                const bool below = row(q) > k + a && row(q) < order;
                column[a][q] = below ? conj_if(p[32 * q * ars], conjugate) : make<T>(0);
            }
            p += acs;
            forget(p); // one address at a time, or they take the registers
        }
    }

    // Solves for the unknowns from row 32 FIRST on; EXACT: with divisions, where a reciprocal would lose accuracy.
    template <int FIRST, bool EXACT>
    __device__ __forceinline__ void solve() {
#pragma unroll 1
        for (int k = 32 * FIRST; k < 32 * (FIRST + 1) && k < order; k += AHEAD) {
            T now[AHEAD][R];
#pragma unroll
            for (int a = 0; a < AHEAD; ++a)
#pragma unroll
                for (int q = FIRST; q < R; ++q) now[a][q] = column[a][q];
            fetch<FIRST>(k + AHEAD);
#pragma unroll
            for (int a = 0; a < AHEAD; ++a) {
                if (k + a >= order) break;
                const int owner = k + a - 32 * FIRST;
#pragma unroll
                for (int r = 0; r < NR; ++r) {
                    const T y = EXACT ? divide(x[FIRST][r], d[FIRST]) : mul(x[FIRST][r], d[FIRST]);
                    const T solved = shfl(y, owner);
                    const T next = fnma_(now[a][FIRST], solved, x[FIRST][r]);
                    x[FIRST][r] = lane > owner ? next : lane == owner ? y : x[FIRST][r];
#pragma unroll
                    for (int q = FIRST + 1; q < R; ++q) x[q][r] = fnma_(now[a][q], solved, x[q][r]);
                }
            }
        }
        if constexpr (FIRST + 1 < R) solve<FIRST + 1, EXACT>();
    }

    __device__ __forceinline__ void run(const TrsmArgs &args, long long i, long long first, T alpha) {
        const bool scaled = !(re(alpha) == 1 && im(alpha) == 0), zero = is_zero(alpha);
        const int sides = args.nrhs - first < NR ? static_cast<int>(args.nrhs - first) : NR;
        T *const B = member<T>(args.b, i) + args.b0 + first * args.bcs;
        bool exact = false;
        if (!zero) {
            A = member<T>(args.a, i) + args.a0;
            fetch<0>(0);
            bool safe = true;
#pragma unroll
            for (int q = 0; q < R; ++q) {
                d[q] = make<T>(1);
                if (row(q) < order && !args.unit) d[q] = conj_if(A[row(q) * (ars + acs)], conjugate);
                safe = safe && reciprocal_is_safe(d[q]);
            }
            exact = !__all_sync(0xffffffffu, safe);
#pragma unroll
            for (int q = 0; q < R; ++q)
                if (!exact) d[q] = reciprocal(d[q]);
        }
#pragma unroll
        for (int q = 0; q < R; ++q)
#pragma unroll
            for (int r = 0; r < NR; ++r) {
                x[q][r] = make<T>(0);
                if (!zero && r < sides && row(q) < order) x[q][r] = B[row(q) * args.brs + r * args.bcs];
                if (scaled && !zero) x[q][r] = mul(alpha, x[q][r]);
            }
        if (exact)
            solve<0, true>();
        else if (!zero)
            solve<0, false>();
#pragma unroll
        for (int q = 0; q < R; ++q)
#pragma unroll
            for (int r = 0; r < NR; ++r)
                if (r < sides && row(q) < order) B[row(q) * args.brs + r * args.bcs] = x[q][r];
    }
};

template <typename T, int R, int NR, int WARPS>
__device__ __forceinline__ void trsm_rows(const TrsmArgs &args) {
    T alpha = make<T>(static_cast<Real<T>>(args.alpha_re), static_cast<Real<T>>(args.alpha_im));
    if (args.alpha) alpha = *static_cast<const T *>(args.alpha);
    RowsTrsm<T, R, NR> s;
    s.lane = threadIdx.x % 32;
    s.order = static_cast<int>(args.order);
    s.ars = args.ars;
    s.acs = args.acs;
    s.conjugate = args.conj;
    const long long jobs = args.batch * args.tiles;
    for (long long job = blockIdx.x * (long long)WARPS + threadIdx.x / 32; job < jobs;
         job += gridDim.x * (long long)WARPS) {
        const long long i = args.tiles == 1 ? job : job / args.tiles;
        s.run(args, i, (job - i * args.tiles) * NR, alpha);
    }
}

} // namespace tephra

#define TEPHRA_TRSM_ROWS(NAME, T, R, NR, WARPS, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(32 * R, NR).places(WARPS),                                           \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), TrsmArgs, trsm_rows<letter::T, R, NR, WARPS>)
