// Inverses of triangles, in place.
//
// The canonical form is that of the solves: T lower triangular, with strides. Small ones are inverted in registers, a
// row per lane; others by tiles, a block per matrix. From the last column of tiles on, the part B below the diagonal
// becomes -X B Y, with X the inverse of the triangle behind it and Y that of the diagonal tile; within a column it is
// computed in place from the last row up. Source: LAPACK trtri.
#pragma once
#include "../common/divide.cuh"
#include "tile.cuh"

namespace tephra {

// Mirrored in src/gpu/triangle/steps.rs.
struct TrtriArgs {
    Operand a;
    int *info; // may be null
    long long a0, ars, acs;
    long long order, batch;
    int unit;
    int pad;
};

constexpr int trtri_none = 0x7fffffff; // no zero

// info for a zero in row i of T: counted from 1 in the order of memory.
__device__ __forceinline__ int trtri_code(const TrtriArgs &args, long long i) {
    return static_cast<int>(args.ars < 0 ? args.order - i : i + 1);
}

// T of order up to G <= 32: G lanes per matrix.
template <typename T, int G, int WARPS>
__device__ __forceinline__ void trtri_small(const TrtriArgs &args) {
    constexpr long long per_block = 32 / G * WARPS;
    const int order = static_cast<int>(args.order), row = threadIdx.x % G, first = threadIdx.x % 32 & ~(G - 1);
    // Whole warps stay together: their shuffles need all lanes.
    for (long long base = blockIdx.x * per_block; base < args.batch; base += gridDim.x * per_block) {
        const long long i = base + threadIdx.x / G;
        const bool live = i < args.batch && row < order;
        T *const A = live ? member<T>(args.a, i) + args.a0 + row * args.ars : nullptr;
        T x[G]; // row of T; in step k its column k becomes X's
#pragma unroll
        for (int k = 0; k < G; ++k) x[k] = live && k < row ? A[k * args.acs] : make<T>(0);
        const T d = live && !args.unit ? A[row * args.acs] : make<T>(1);
        constexpr unsigned group = G == 32 ? 0xffffffffu : (1u << G) - 1;
        const unsigned zeros = __ballot_sync(0xffffffffu, is_zero(d)) >> first & group;
        const T inverse = divide(make<T>(1), is_zero(d) ? make<T>(1) : d);
#pragma unroll
        for (int k = 0; k < G; ++k) {
            if (k >= order) break;
            const T multiplier = x[k];
#pragma unroll
            for (int j = 0; j <= k; ++j) {
                // Row k is final; the sums of the other rows get their sign later.
                T own = j == k ? inverse : mul(x[j], inverse);
                if (j < k) own = make<T>(-re(own), -im(own));
                const T theirs = shfl(own, first + k);
                if (row == k)
                    x[j] = own;
                else if (row > k)
                    x[j] = j == k ? mul(multiplier, theirs) : fma_(multiplier, theirs, x[j]);
            }
        }
        if (!live) continue;
        const int zero = args.ars < 0 ? 31 - __clz(zeros) : __ffs(zeros) - 1;
        if (row == 0 && args.info) args.info[i] = zeros ? trtri_code(args, zero) : 0;
        if (zeros) continue;
#pragma unroll
        for (int k = 0; k < G; ++k)
            if (k < row || (k == row && !args.unit)) A[k * args.acs] = x[k];
    }
}

// t := t^-1 for the first `rows` rows of a lower triangle, a column per thread of the team.
template <typename Team, typename T, int SIDE>
__device__ __forceinline__ void trtri_invert(T (&t)[SIDE][SIDE + 1], T (&x)[SIDE][SIDE + 1], int rows) {
    const int c = threadIdx.x % Team::threads;
    if (c < rows) {
#pragma unroll 1
        for (int i = 0; i < rows; ++i) {
            T sum = make<T>(i == c ? 1 : 0);
#pragma unroll 4
            for (int k = c; k < i; ++k) sum = fnma_(t[k][i], x[c][k], sum);
            x[c][i] = i < c ? make<T>(0) : divide(sum, t[i][i]);
        }
    }
}

template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trtri(const TrtriArgs &args) {
    constexpr int each = SIDE * SIDE / THREADS;
    using Own = Team<T, SIDE, each>;
    static_assert(Own::threads == THREADS, "a block is a team");
    __shared__ typename Own::Tile left, right, inverse;
    __shared__ int first_zero;
    const Own team;
    const long long order = args.order, tiles = (order + SIDE - 1) / SIDE;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        const Strides<T> A{member<T>(args.a, i) + args.a0, args.ars, args.acs};
        if (threadIdx.x == 0) first_zero = trtri_none;
        __syncthreads();
        for (long long r = threadIdx.x; r < order && !args.unit; r += THREADS)
            if (is_zero(*A.at(r, r))) atomicMin(&first_zero, trtri_code(args, r));
        __syncthreads();
        const int zero = first_zero;
        __syncthreads(); // before the next matrix resets it
        if (threadIdx.x == 0 && args.info) args.info[i] = zero == trtri_none ? 0 : zero;
        if (zero != trtri_none) continue;
#pragma unroll 1
        for (long long column = tiles - 1; column >= 0; --column) {
            const long long at = column * SIDE;
            const int size = static_cast<int>(order - at < SIDE ? order - at : SIDE);
            team.load_lower(left, A, at, at, order, false, args.unit);
            __syncthreads();
            trtri_invert<Own>(left, inverse, size);
            __syncthreads();
#pragma unroll 1
            for (long long row = tiles - 1; row > column; --row) {
                T sum[each] = {};
#pragma unroll 1
                for (long long k = column + 1; k <= row; ++k) {
                    team.load_lower(left, A, row * SIDE, k * SIDE, order, false, args.unit);
                    team.load(right, A, k * SIDE, at, order, at + size);
                    __syncthreads();
                    if (k < row)
                        team.template multiply<false, false>(sum, left, right);
                    else
                        team.template multiply<true, false>(sum, left, right);
                    __syncthreads(); // the tiles have been used
                }
#pragma unroll
                for (int u = 0; u < each; ++u) left[team.y + u * Own::height][team.x] = sum[u];
                __syncthreads();
                T product[each] = {};
                team.template multiply<false, true>(product, left, inverse);
                __syncthreads();
#pragma unroll
                for (int u = 0; u < each; ++u)
                    right[team.y + u * Own::height][team.x] = make<T>(-re(product[u]), -im(product[u]));
                __syncthreads();
                team.each(A.along_rows(), [&](int r, int c) {
                    if (row * SIDE + r < order) *A.at(row * SIDE + r, at + c) = right[c][r];
                });
                __syncthreads();
            }
            team.each(A.along_rows(), [&](int r, int c) {
                if (r < size && (c < r || (c == r && !args.unit))) *A.at(at + r, at + c) = inverse[c][r];
            });
            __syncthreads();
        }
    }
}

} // namespace tephra

#define TEPHRA_TRTRI_SMALL(NAME, T, G, WARPS)                                                                          \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(G, G).places(32 / G * WARPS), __launch_bounds__(32 * WARPS),         \
                 TrtriArgs, trtri_small<letter::T, G, WARPS>)
#define TEPHRA_TRTRI(NAME, T, SIDE, THREADS)                                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), TrtriArgs,                     \
                 trtri<letter::T, SIDE, THREADS>)
