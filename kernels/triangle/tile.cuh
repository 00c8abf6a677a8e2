// Square tiles of triangles and of what they are multiplied with, in shared memory, and their products.
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

// A team of SIDE * SIDE / EACH threads with a tile: a thread has its elements (x, y + u * height).
template <typename T, int SIDE, int EACH>
struct Team {
    static constexpr int height = SIDE / EACH, threads = SIDE * height;
    using Tile = T[SIDE][SIDE + 1]; // by columns; the row more keeps neighbours in banks of their own
    int x, y;

    __device__ __forceinline__ Team() : x(threadIdx.x % SIDE), y(threadIdx.x % threads / SIDE) {}

    // The elements of a tile: f(row, column, place in it), neighbours in memory by neighbouring threads.
    template <typename F>
    __device__ __forceinline__ void each(bool along_rows, F f) const {
#pragma unroll
        for (int u = 0; u < EACH; ++u) {
            const int other = y + u * height;
            f(along_rows ? x : other, along_rows ? other : x);
        }
    }
    // Rows from `row` on of columns from `column` on, conjugated or not; zeros outside of rows x columns.
    __device__ __forceinline__ void load(Tile &tile, const Strides<T> &of, long long row, long long column,
                                         long long rows, long long columns, bool conjugate = false) const {
        each(of.along_rows(), [&](int i, int j) {
            const bool in = row + i < rows && column + j < columns;
            tile[j][i] = in ? conj_if(*of.at(row + i, column + j), conjugate) : make<T>(0);
        });
    }
    // The same of a lower triangle of this order: zeros above its diagonal, on which are ones if it is unit.
    __device__ __forceinline__ void load_lower(Tile &tile, const Strides<T> &of, long long row, long long column,
                                               long long order, bool conjugate, bool unit) const {
        each(of.along_rows(), [&](int i, int j) {
            const long long r = row + i, c = column + j;
            T t = make<T>(0);
            if (r < order && c <= r) t = r == c && unit ? make<T>(1) : conj_if(*of.at(r, c), conjugate);
            tile[j][i] = t;
        });
    }
    // sum += A B. Terms from `first` to `last` of a row or column count; the others may be zero times a NaN.
    // LOWER_A: A is a lower triangle; LOWER_B: B is one.
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
