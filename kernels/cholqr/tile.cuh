// A warp's rows of a panel, and products with them on the FP64 tensor cores, in double precision for panels of any
// precision.
//
// A lane takes chunks of at most 16 bytes down a column. Of 8 chunks of rows, lane 4 g + q has:
//   for sums over rows: of columns g, g + 8, ... chunks q and q + 4 (an operand's line is a column, its term a row);
//   for products: of columns q, q + 4, ... chunk g / 2, or four further if g is odd (a line is a row, a term a column).
//   A product is formed transposed, so that the lane has chunks q and q + 4 of its columns g, g + 8, ..., as sums need.
#pragma once
#include "../common/chunk.cuh"
#include "../common/wide.cuh"
#include "../geqrf/update_tensor.cuh"

namespace tephra {

// BYTES: size of a chunk.
template <typename T_, int N_, int BYTES = 16>
struct CholqrTile {
    using T = T_;
    using W = Wide<T>;
    using Piece = Chunk<T, BYTES>;
    static constexpr int N = N_, E = BYTES / sizeof(T), ROWS = 8 * E;
    static constexpr int HALVES = N / 16,
                         TILES = HALVES * (HALVES + 1);        // of the Gram matrix: 16 x 8, above its diagonal
    static constexpr int PART = TILES * 128;                   // its elements, in the order of the lanes
    static constexpr int FACTOR = HALVES * (HALVES + 1) * 128; // elements of a triangular factor, in the order of the
                                                               // lanes
    static_assert(N % 16 == 0 && FACTOR <= N * N);
    using Rows = Piece[N / 4];

    // Reads a chunk of a column, which has `left` more rows.
    static __device__ __forceinline__ Piece chunk(const T *p, long long left, bool packs) {
        Piece x;
        if (packs && left >= E) return *reinterpret_cast<const Piece *>(p);
#pragma unroll
        for (int e = 0; e < E; ++e) x.e[e] = e < left ? p[e] : make<T>(0);
        return x;
    }
    // Reads rows for sums, and for products. p: the tile's first row in column 0. left: number of rows from there on.
    static __device__ __forceinline__ void columns(Rows &x, const T *p, long long ld, int n, long long left,
                                                   bool packs) {
        const int g = threadIdx.x % 32 / 4, r = threadIdx.x % 4 * E;
#pragma unroll
        for (int c = 0; c < N / 8; ++c)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int j = g + 8 * c, row = r + 4 * E * h;
                x[2 * c + h] = chunk(p + j * ld + row, j < n ? left - row : 0, packs);
            }
    }
    static __device__ __forceinline__ void rows(Rows &x, const T *p, long long ld, int n, long long left, bool packs) {
        const int g = threadIdx.x % 32 / 4, row = (g / 2 + g % 2 * 4) * E, q = threadIdx.x % 4;
#pragma unroll
        for (int s = 0; s < N / 4; ++s) {
            const int j = q + 4 * s;
            x[s] = chunk(p + j * ld + row, j < n ? left - row : 0, packs);
        }
    }

    // The Gram matrix: tile (i, j) has rows 16 i and columns 8 j onward.
    struct Gram {
        Accumulator<W> c[TILES];

        __device__ __forceinline__ void clear() {
#pragma unroll
            for (int i = 0; i < TILES; ++i) c[i].clear();
        }
        // Adds four rows, of which the lane has one: its elements in columns g, g + 8, ...
        __device__ __forceinline__ void add(const W (&x)[N / 8]) {
            int at = 0;
#pragma unroll
            for (int i = 0; i < HALVES; ++i)
#pragma unroll
                for (int j = 2 * i; j < N / 8; ++j) c[at++].fma(conj(x[2 * i]), conj(x[2 * i + 1]), x[j]);
        }
        __device__ __forceinline__ void add(const Rows &x) {
#pragma unroll
            for (int h = 0; h < 2; ++h)
#pragma unroll
                for (int e = 0; e < E; ++e) {
                    W y[N / 8];
#pragma unroll
                    for (int c = 0; c < N / 8; ++c) y[c] = widen(x[2 * c + h].e[e]);
                    add(y);
                }
        }
    };

    // The transpose of X F, where X consists of rows and F is upper triangular: all columns, or those of one half of
    // the blocks of 16, chosen such that both halves have equally many terms.
    template <int HALF>
    struct Columns {
        static constexpr int BLOCKS = HALF < 0 ? HALVES : HALVES / 2;
        static __device__ __forceinline__ constexpr int block(int u) {
            return HALF < 0 ? u : u / 2 * 4 + (HALF == 0 ? u % 2 * 3 : 1 + u % 2);
        }
        Accumulator<W> c[BLOCKS][E];

        __device__ __forceinline__ void clear() {
#pragma unroll
            for (int u = 0; u < BLOCKS; ++u)
#pragma unroll
                for (int e = 0; e < E; ++e) c[u][e].clear();
        }
        // Adds the terms of columns q + 4 s. f: F, with each element at its `place`.
        __device__ __forceinline__ void add(const Piece &x, int s, const W *f) {
            const int lane = threadIdx.x % 32;
            W y[E];
#pragma unroll
            for (int e = 0; e < E; ++e) y[e] = widen(x.e[e]);
#pragma unroll
            for (int u = 0; u < BLOCKS; ++u) {
                const int t = block(u);
                if (t < s / 4) continue;
                const W *const l = f + ((t * (t + 1) * 2 + s) * 32 + lane) * 2;
                const W l0 = l[0], l1 = l[1];
#pragma unroll
                for (int e = 0; e < E; ++e) c[u][e].fma(l0, l1, y[e]);
            }
        }
        __device__ __forceinline__ void form(const Rows &x, const W *f) {
            clear();
#pragma unroll
            for (int s = 0; s < N / 4; ++s) add(x[s], s, f);
        }
        // Stores the rows from `head` on of a tile whose first row is at p; `left` as above.
        __device__ __forceinline__ void store(T *p, long long ld, int n, long long head, long long left,
                                              bool packs) const {
            const int g = threadIdx.x % 32 / 4, first = threadIdx.x % 4 * E;
            const bool whole = packs && first >= head && first + 5 * E <= left;
#pragma unroll
            for (int k = 0; k < 2 * BLOCKS; ++k) {
                const int column = 16 * block(k / 2) + k % 2 * 8 + g;
                if (column >= n) continue;
                T *const line = p + column * ld;
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int at = first + h * 4 * E;
                    Piece v;
#pragma unroll
                    for (int e = 0; e < E; ++e) v.e[e] = narrow<T>(get(k, h * E + e));
                    if (whole) {
                        *reinterpret_cast<Piece *>(line + at) = v;
                    } else {
#pragma unroll
                        for (int e = 0; e < E; ++e)
                            if (at + e >= head && at + e < left) line[at + e] = v.e[e];
                    }
                }
            }
        }
        // Element u of the lane's two chunks in the k-th of its columns: those of each block are g and g + 8.
        __device__ __forceinline__ W get(int k, int u) const { return c[k / 2][u % E].get(k % 2 * 2 + u / E); }
    };
    using Product = Columns<-1>;
    // Index of F's element (row, column) for `Product`, row <= column.
    static __device__ __forceinline__ int place(int row, int column) {
        const int t = column / 16, s = row / 4;
        return ((t * (t + 1) * 2 + s) * 32 + column % 8 * 4 + row % 4) * 2 + column % 16 / 8;
    }
    // Row and column of element `number` in a Gram matrix as lanes have it.
    struct At {
        int row, column;
    };
    static __device__ __forceinline__ At at(int number) {
        const int lane = number % 32, r = number / 32 % 4;
        int tile = number / 128, i = 0;
        while (tile >= N / 8 - 2 * i) tile -= N / 8 - 2 * i++;
        return {16 * i + lane / 4 + r / 2 * 8, 8 * (2 * i + tile) + lane % 4 * 2 + r % 2};
    }
};

} // namespace tephra
