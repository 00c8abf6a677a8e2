// The first step of an inverse from LU factors: the identity with its rows interchanged, and info.
#pragma once
#include "../common/instance.cuh"
#include "nan.cuh"
#include "permutation.cuh"

namespace tephra {

// C := P, or NaN if U is singular (mirrored in src/gpu/getri/steps.rs).
struct IdentityArgs {
    Operand a, ipiv, c; // a: the factors; ipiv.p null: no interchanges
    int *info;          // may be null
    long long lda, ldc, batch;
    int n;
    int strips; // blocks per matrix, each of which has a strip of columns
};

// A block has a strip of columns. Every block traces all n interchanges of its matrix itself, at most MOST. Without
// interchanges n is not limited.
template <typename T, int MOST, int THREADS>
__device__ __forceinline__ void identity_interchanged(const IdentityArgs &args) {
    __shared__ unsigned short origin[MOST], place[MOST]; // place: the row of each column's one
    __shared__ int zero;                                 // first zero on U's diagonal
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32, n = args.n;
    const long long i = blockIdx.x / args.strips;
    const int strip = static_cast<int>(blockIdx.x - i * args.strips), width = (n + args.strips - 1) / args.strips;
    const int begin = strip * width, end = begin + width < n ? begin + width : n;
    if (args.ipiv.p && w == 0) {
        const int *const ipiv = member<int>(args.ipiv, i);
        trace_origins(origin, ipiv, lane < n ? ipiv[lane] : 0, n, lane);
    }
    if (w == THREADS / 32 - 1) {
        const T *const A = member<T>(args.a, i);
        int first = n;
#pragma unroll 8
        for (int k = lane; k < n; k += 32)
            if (is_zero(A[k * (args.lda + 1)]) && k < first) first = k;
        first = static_cast<int>(__reduce_min_sync(0xffffffffu, first));
        if (lane == 0) {
            zero = first;
            if (strip == 0 && args.info) args.info[i] = first < n ? first + 1 : 0;
        }
    }
    __syncthreads();
    if (args.ipiv.p) {
        for (int r = threadIdx.x; r < n; r += THREADS) place[origin[r]] = static_cast<unsigned short>(r);
        __syncthreads();
    }
    // The solution for right-hand sides of NaN is NaN.
    const T off = zero < n ? not_a_number<T>() : make<T>(0), on = zero < n ? off : make<T>(1);
    T *const C = member<T>(args.c, i);
    for (int c = begin + w; c < end; c += THREADS / 32) {
        const int one = args.ipiv.p ? place[c] : c;
        for (int r = lane; r < n; r += 32) C[r + c * args.ldc] = r == one ? on : off;
    }
}

} // namespace tephra

#define TEPHRA_IDENTITY_INTERCHANGED(NAME, T, MOST, THREADS)                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(MOST, MOST), __launch_bounds__(THREADS), IdentityArgs,                  \
                 identity_interchanged<letter::T, MOST, THREADS>)
