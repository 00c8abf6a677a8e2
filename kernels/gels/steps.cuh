// The steps of least squares besides QR, the application of Q and a triangular solve. Source: LAPACK gels.
#pragma once
#include "../auxiliary/adjoint_each.cuh"
#include "../common/batch.cuh"
#include "../common/householder.cuh"
#include "../common/instance.cuh"
#include "scale.cuh"

namespace tephra {

// One launch of the gels family (mirrored in src/gpu/args/solve.rs).
struct GelsArgs {
    Operand a, b, w; // w: receives A^H, if `transpose`
    Operand shifts;  // Shifts of each matrix, stored in the place of one element
    int *info;       // set by gels_finish; may be null
    long long lda, ldb, ldw, batch;
    long long m, n, nrhs; // A is m x n
    long long zero,
        rows; // prepare: rows zero .. rows - 1 of B are cleared; finish: they are the rest of B; scale: rows of B
    long long solution; // rows of X
    int transpose;      // prepare: 1: w = A^H; finish: 1: A is a copy, whose R is not returned
    int pad;
};

// Sets a part of a matrix to zero, by a block.
template <int THREADS, typename T>
__device__ __forceinline__ void clear(T *B, long long ldb, long long rows, long long columns) {
    for (long long e = threadIdx.x; e < rows * columns; e += THREADS) B[e / rows * ldb + e % rows] = make<T>(0);
}

// Before a minimum-norm solution: W = A^H, and zeros below the right-hand sides. A block per matrix.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_prepare(const GelsArgs &args) {
    constexpr int side = 32;
    __shared__ AdjointTile<T, side> tile;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        if (args.transpose) {
            const T *A = member<T>(args.a, i);
            T *W = member<T>(args.w, i);
            for (long long j = 0; j < args.n; j += side)
                adjoint_strip<T, side, THREADS>(A + j * args.lda, args.lda, args.m, args.n - j, W + j, args.ldw, tile);
        }
        const long long rows = args.rows - args.zero;
        if (rows > 0) clear<THREADS>(member<T>(args.b, i) + args.zero, args.ldb, rows, args.nrhs);
    }
}

// Brings the largest elements of A and B into range, by a block that has found odd samples. Returns the shifts; shared
// memory is free at the end.
template <int W, typename T>
__device__ __forceinline__ Shifts brought_into_range(const Part<T> &A, const Part<T> &B, Real<T> (&largest)[2][W]) {
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    const Real<T> of_a = lanes_max<32>(A.template largest<W>(w)), of_b = lanes_max<32>(B.template largest<W>(w));
    if (lane == 0) largest[0][w] = of_a, largest[1][w] = of_b;
    __syncthreads();
    Real<T> most[2] = {0, 0};
    for (int v = 0; v < W; ++v)
        for (int of : {0, 1}) most[of] = fmax(most[of], largest[of][v]);
    const Shifts shifts = shifts_into_range(most[0], most[1]);
#pragma unroll 1 // a loop keeps everything in registers
    for (int of = 0; of < 2; ++of) {
        const Part<T> part = of == 0 ? A : B;
        const int e = of == 0 ? shifts.a : shifts.b;
        if (e != 0) part.template times_power<W>(e, w);
    }
    __syncthreads();
    return shifts;
}

// If the largest element of A, or of B, is near an end of the range, multiplies the matrix by a power of two that
// brings it away from there. A warp checks samples of a matrix; a block reads all of one whose samples look odd.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_scale(const GelsArgs &args) {
    constexpr int W = THREADS / 32;
    __shared__ bool odd[W];
    __shared__ Real<T> largest[2][W];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (long long first = blockIdx.x * (long long)W; first < args.batch; first += gridDim.x * (long long)W) {
        const long long i = first + w;
        bool looks_odd = false;
        if (i < args.batch) {
            const Part<const T> A = {member<T>(args.a, i), args.lda, args.m, args.n};
            const Part<const T> B = {member<T>(args.b, i), args.ldb, args.rows, args.nrhs};
            looks_odd = !looks_ordinary(A, B);
            if (lane == 0) odd[w] = looks_odd;
            if (lane == 0 && !looks_odd) member_shifts<T>(args.shifts, i) = {0, 0};
        } else if (lane == 0) {
            odd[w] = false;
        }
        if (!__syncthreads_or(looks_odd)) continue;
        for (int q = 0; q < W; ++q) {
            if (!odd[q]) continue;
            const long long j = first + q;
            const Part<T> A = {member<T>(args.a, j), args.lda, args.m, args.n};
            const Part<T> B = {member<T>(args.b, j), args.ldb, args.rows, args.nrhs};
            const Shifts shifts = brought_into_range<W>(A, B, largest);
            if (threadIdx.x == 0) member_shifts<T>(args.shifts, j) = shifts;
        }
        __syncthreads();
    }
}

// 1-based position of the first zero on the diagonal of an n x n triangle, or 0. By a warp.
template <typename T>
__device__ __forceinline__ int first_zero(const T *A, long long lda, long long n) {
    const int lane = threadIdx.x % 32;
    for (long long k = 0; k < n; k += 32) {
        const bool zero = k + lane < n && is_zero(A[(k + lane) * (lda + 1)]);
        const unsigned found = __ballot_sync(0xffffffffu, zero);
        if (found) return static_cast<int>(k) + __ffs(found);
    }
    return 0;
}

// Undoes the scaling of R, of X, and of the rest of B, by a warp.
template <typename T>
__device__ __forceinline__ void taken_back(const Shifts &shifts, const Part<T> &R, const Part<T> &X,
                                           const Part<T> &left) {
    if (shifts.a == 0 && shifts.b == 0) return;
    __syncwarp(); // the diagonal has been read
    for (long long j = 0; j < R.columns; ++j)
        Part<T>{R.p + j * R.ld, R.ld, j + 1, 1}.template times_power<1>(-shifts.a, 0);
    X.template times_power<1>(shifts.a - shifts.b, 0);
    if (left.rows > 0) left.template times_power<1>(-shifts.b, 0);
}

// At the end: sets info, and undoes gels_scale for R, X, and the rest of B. A warp per matrix.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_finish(const GelsArgs &args) {
    constexpr int W = THREADS / 32;
    const long long warp = blockIdx.x * static_cast<long long>(W) + threadIdx.x / 32;
    for (long long i = warp; i < args.batch; i += gridDim.x * static_cast<long long>(W)) {
        const Shifts shifts = member_shifts<T>(args.shifts, i);
        if (args.info) {
            const int info = first_zero(member<T>(args.a, i), args.lda, args.n);
            if (threadIdx.x % 32 == 0) args.info[i] = info;
        }
        T *const B = member<T>(args.b, i);
        taken_back<T>(shifts, {member<T>(args.a, i), args.lda, args.n, args.transpose ? 0 : args.n},
                      {B, args.ldb, args.solution, args.nrhs},
                      {B + args.zero, args.ldb, args.rows - args.zero, args.nrhs});
    }
}

} // namespace tephra

#define TEPHRA_GELS_PREPARE(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsArgs, gels_prepare)
#define TEPHRA_GELS_SCALE(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsArgs, gels_scale)
#define TEPHRA_GELS_FINISH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsArgs, gels_finish)
