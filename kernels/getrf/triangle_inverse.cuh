// Inverts the two triangles of a 32 x 32 tile of LU factors in place in shared memory, each by a warp.
#pragma once
#include "block_row.cuh"
#include "pivot.cuh"

namespace tephra {

// LD: leading dimension of the tile. L has a unit diagonal, which is not stored. A zero on U's diagonal counts as one;
// it only occurs beyond the matrix, or in singular matrices, whose result is not used.
template <typename T, int LD>
struct TriangleInverse {
    using R = Real<T>;
    static constexpr bool by_halves = sizeof(T) > 4, tensor = sizeof(R) == 8;
    static constexpr int N = by_halves ? 16 : 32;
    static constexpr int ahead = sizeof(T) == 16 ? 1 : 3; // steps whose elements may be read ahead into registers
    T *tile;
    int order; // of the part of the tile inside the matrix
    int lane = threadIdx.x % 32, column = lane % N;

    // A column of the inverse in each lane; if by halves, columns of the second half in lanes 16 and up.
    __device__ __forceinline__ void columns(bool upper) {
        T *const corner = tile + lane / N * N * (LD + 1);
        T v[N];
#pragma unroll
        for (int i = 0; i < N; ++i) v[i] = make<T>(i == column ? 1 : 0);
        if (upper) {
            const T diagonal = corner[column * (LD + 1)];
            Divisor<T> by(is_zero(diagonal) ? make<T>(1) : diagonal);
            const Divisor<T> own = by;
#pragma unroll
            for (int k = N - 1; k >= 0; --k) {
                if (k >= order) continue;
                if (k % ahead == 0) __syncwarp();
                by.lift = of_lane<N>(own.lift, k), by.reciprocal = of_lane<N>(own.reciprocal, k);
                v[k] = by.of(v[k]);
#pragma unroll
                for (int i = 0; i < k; ++i) v[i] = fnma_(corner[k * LD + i], v[k], v[i]);
            }
        } else {
#pragma unroll
            for (int k = 0; k < N; ++k) {
                if (k >= order) continue;
                if (k % ahead == 0) __syncwarp();
#pragma unroll
                for (int i = k + 1; i < N; ++i) v[i] = fnma_(corner[k * LD + i], v[k], v[i]);
            }
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (upper ? i <= column : i > column) corner[column * LD + i] = v[i];
        __syncwarp();
    }

    // 16 x 16 elements at `to`: sign a b, where a and b are functions of row and column.
    template <typename A, typename B>
    __device__ __forceinline__ void product(T *to, R sign, A a, B b) {
        if constexpr (tensor) {
            const int g = lane / 4, q = lane % 4;
            Accumulator<T> c[2];
            c[0].clear(), c[1].clear();
#pragma unroll
            for (int k = q; k < 16; k += 4) {
                const T upper = a(g, k), lower = a(g + 8, k);
                c[0].fma(upper, lower, b(k, g));
                c[1].fma(upper, lower, b(k, g + 8));
            }
            __syncwarp();
#pragma unroll
            for (int j = 0; j < 2; ++j)
#pragma unroll
                for (int r = 0; r < 4; ++r) to[(8 * j + 2 * q + r % 2) * LD + g + r / 2 * 8] = scale(c[j].get(r), sign);
        } else {
            const int first = lane / 16 * 8, column = lane % 16;
            T c[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) c[i] = make<T>(0);
#pragma unroll 4
            for (int k = 0; k < 16; ++k) {
                const T x = b(k, column);
#pragma unroll
                for (int i = 0; i < 8; ++i) c[i] = fma_(a(first + i, k), x, c[i]);
            }
            __syncwarp();
#pragma unroll
            for (int i = 0; i < 8; ++i) to[column * LD + first + i] = scale(c[i], sign);
        }
        __syncwarp();
    }

    __device__ __forceinline__ void run(bool upper) {
        columns(upper);
        if (by_halves && order > N) {
            T *const first = tile, *const second = tile + N * (LD + 1), *const beside = tile + (upper ? N * LD : N);
            const auto here = [&](int r, int c) { return beside[c * LD + r]; };
            T *const right = upper ? second : first, *const left = upper ? first : second;
            const Triangle part{upper};
            product(beside, 1, here, [&](int r, int c) { return part(right[c * LD + r], r, c); });
            product(beside, -1, [&](int r, int c) { return part(left[c * LD + r], r, c); }, here);
        }
    }
};

} // namespace tephra
