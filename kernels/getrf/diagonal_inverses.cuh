// The inverses of the diagonal blocks of LU or Cholesky factors, for the strips of an inverse (strip_inverse.cuh): once
// per matrix rather than once per strip. A warp inverts a block of 32 x 32: both triangles of LU factors; of a Cholesky
// factor the upper triangle, or the transpose of the lower one, followed by a copy into the other triangle.
#pragma once
#include "../common/instance.cuh"
#include "triangle_inverse.cuh"

namespace tephra {

// Mirrored in src/gpu/plan/parts/diagonals.rs.
struct DiagonalInversesArgs {
    Operand a, to; // to: blocks of 32 x 32 elements, which follow one another
    long long lda, batch;
    int n, blocks; // blocks: per matrix
    int cholesky;  // 0: LU factors; 1: a lower Cholesky factor, or any lower triangle; 2: an upper one
    int unit;      // 1: that has a unit diagonal, which is not stored
};

template <typename T, int THREADS>
__device__ __forceinline__ void diagonal_inverses(const DiagonalInversesArgs &args) {
    constexpr int NB = 32, W = THREADS / 32, LD = NB + (is_complex<T> ? 2 : 4);
    __shared__ __align__(16) unsigned char room[W * NB * LD * sizeof(T)];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    const long long block = static_cast<long long>(blockIdx.x) * W + w, i = block / args.blocks;
    if (i >= args.batch) return;
    const int b = static_cast<int>(block - i * args.blocks), left = args.n - b * NB;
    T *const tile = reinterpret_cast<T *>(room) + w * NB * LD;
    const T *const from = member<T>(args.a, i) + b * NB * (args.lda + 1);
    const bool turned = args.cholesky == 1;
    // The other triangle is not the caller's factor, and not read.
    const auto stored = [&](int k) {
        const bool own = args.cholesky == 0 || (turned ? lane >= k : lane <= k);
        return own && lane < left && k < left;
    };
#pragma unroll 8
    for (int k = 0; k < NB; ++k)
        tile[turned ? lane * LD + k : k * LD + lane] = args.unit && k == lane ? make<T>(1)
                                                       : stored(k)            ? from[k * args.lda + lane]
                                                                              : make<T>(0);
    __syncwarp();
#pragma unroll 1
    for (int upper = args.cholesky ? 1 : 0; upper < 2; ++upper) TriangleInverse<T, LD>{tile, left}.run(upper == 1);
    if (args.cholesky) {
        // 8 rows of 4 columns at a time: few bank conflicts on either side.
#pragma unroll 4
        for (int e = lane; e < NB * NB; e += 32) {
            const int r = e / 32 % 4 * 8 + e % 8, c = e / 128 * 4 + e / 8 % 4;
            if (r > c) tile[c * LD + r] = tile[r * LD + c];
        }
        __syncwarp();
    }
    T *const to = member<T>(args.to, i) + b * NB * NB;
#pragma unroll 8
    for (int k = 0; k < NB; ++k) to[k * NB + lane] = tile[k * LD + lane];
}

} // namespace tephra

#define TEPHRA_DIAGONAL_INVERSES(NAME, T, THREADS)                                                                     \
    TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, DiagonalInversesArgs, diagonal_inverses)
