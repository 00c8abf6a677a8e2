// Square tiles in shared memory of triangles and of the matrices that they are multiplied with, and their products.
#pragma once
#include "../common/instance.cuh"
#include "../common/scalar.cuh"
#include "../trsm/args.cuh"

namespace tephra {

// A matrix whose element (i, j) is at p + i * rs + j * cs.
template <typename T>
struct Strides {
    T *p;
    long long rs, cs;

    __device__ __forceinline__ T *at(long long i, long long j) const { return p + i * rs + j * cs; }
    __device__ __forceinline__ bool along_rows() const { return rs == 1 || rs == -1; }
};

// A team of SIDE * SIDE / EACH threads with a tile; a thread has its elements (x, y + u * height).
template <typename T, int SIDE, int EACH>
struct Team {
    static constexpr int height = SIDE / EACH, threads = SIDE * height;
    using Tile = T[SIDE][SIDE + 1]; // by columns; padded so that rows and columns are free of bank conflicts
    int x, y;

    __device__ __forceinline__ Team() : x(threadIdx.x % SIDE), y(threadIdx.x % threads / SIDE) {}

    // Calls f(row, column) for a thread's elements of a tile, so that adjacent threads have elements adjacent in
    // memory.
    template <typename F>
    __device__ __forceinline__ void each(bool along_rows, F f) const {
#pragma unroll
        for (int u = 0; u < EACH; ++u) {
            const int other = y + u * height;
            f(along_rows ? x : other, along_rows ? other : x);
        }
    }
    // Loads a tile from (`row`, `column`) on, conjugated if `conjugate`, with zeros outside of rows x columns.
    __device__ __forceinline__ void load(Tile &tile, const Strides<T> &of, long long row, long long column,
                                         long long rows, long long columns, bool conjugate = false) const {
        each(of.along_rows(), [&](int i, int j) {
            const bool in = row + i < rows && column + j < columns;
            tile[j][i] = in ? conj_if(*of.at(row + i, column + j), conjugate) : make<T>(0);
        });
    }
    // The same for a lower triangle of this order: zeros above the diagonal, and ones on it if `unit`.
    __device__ __forceinline__ void load_lower(Tile &tile, const Strides<T> &of, long long row, long long column,
                                               long long order, bool conjugate, bool unit) const {
        each(of.along_rows(), [&](int i, int j) {
            const long long r = row + i, c = column + j;
            T t = make<T>(0);
            if (r < order && c <= r) t = r == c && unit ? make<T>(1) : conj_if(*of.at(r, c), conjugate);
            tile[j][i] = t;
        });
    }
    // sum += A B. LOWER_A, LOWER_B: that operand is a lower triangle, whose zeros are skipped, because zero times NaN
    // would not be zero.
    template <bool LOWER_A, bool LOWER_B>
    __device__ __forceinline__ void multiply(T (&sum)[EACH], const Tile &a, const Tile &b) const {
#pragma unroll 8
        for (int k = 0; k < SIDE; ++k) {
            const T factor = a[k][x];
#pragma unroll
            for (int u = 0; u < EACH; ++u) {
                const int j = y + u * height;
                if ((LOWER_A && k > x) || (LOWER_B && k < j)) continue;
                sum[u] = fma_(factor, b[j][k], sum[u]);
            }
        }
    }
};

} // namespace tephra
