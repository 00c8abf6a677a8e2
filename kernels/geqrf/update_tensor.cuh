// Tiles of the trailing update in double and complex double precision: products on the FP64 tensor cores.
//
// A warp keeps 8 U rows of 16 columns of C as accumulators of C^T: of each block of 8 rows, lane (g = lane / 4, q =
// lane % 4) holds rows q and q + 4 of columns g and g + 8. Since sums may run in any order, the same registers serve as
// the A operand of W^T = C^T conj(V), and W's accumulators as the A operand of X^T = W^T S. Only V, S and the sums over
// the warps go through shared memory. X is linear in W, so each warp turns its own part of W into a part of X, and a
// single barrier separates the two products. Reflectors are dealt to lanes in orders (first_of, second_of) that read V
// without bank conflicts for this leading dimension.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

// -x without use of the FP64 pipe.
__device__ __forceinline__ double flip(double x) {
    return __hiloint2double(__double2hiint(x) ^ 0x80000000, __double2loint(x));
}

template <typename T>
struct Accumulator {
    double re[4], im[is_complex<T> ? 4 : 1];

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int r = 0; r < 4; ++r) set(r, make<T>(0));
    }
    __device__ __forceinline__ T get(int r) const {
        if constexpr (is_complex<T>)
            return {re[r], im[r]};
        else
            return re[r];
    }
    __device__ __forceinline__ void set(int r, T x) {
        re[r] = tephra::re(x);
        if constexpr (is_complex<T>) im[r] = x.y;
    }
    // += A B
    __device__ __forceinline__ void fma(T a0, T a1, T b) {
        mma_f64(re, tephra::re(a0), tephra::re(a1), tephra::re(b));
        if constexpr (is_complex<T>) {
            mma_f64(im, a0.y, a1.y, b.x);
            mma_f64(re, flip(a0.y), flip(a1.y), b.y);
            mma_f64(im, a0.x, a1.x, b.y);
        }
    }
    // += A conj(B)
    __device__ __forceinline__ void fma_conj(T a0, T a1, T b) {
        mma_f64(re, tephra::re(a0), tephra::re(a1), tephra::re(b));
        if constexpr (is_complex<T>) {
            mma_f64(im, a0.y, a1.y, b.x);
            mma_f64(re, a0.y, a1.y, b.y);
            mma_f64(im, a0.x, a1.x, flip(b.y));
        }
    }
};

template <typename T, int NB, int NT, int W, int U>
struct TensorTile {
    static constexpr int group = 128 / sizeof(T);           // rows dealt to a warp at a time: a line of C
    static constexpr int BPG = group / 8, groups = U / BPG; // blocks of 8 rows in a group, groups of a warp
    static constexpr int capacity = 8 * U * W;              // rows of a block
    static constexpr int ldv = capacity + (is_complex<T> ? 1 : 2);
    static constexpr int JT = NB / 8;                      // tiles of W^T
    static constexpr int size = NB * NT;                   // elements of W and of X
    static constexpr int CPA = 32 / group, RAW = NT / CPA; // columns of an access to C, accesses per group
    static constexpr int fits = size / (NT * group), SG = fits < groups ? fits : groups; // groups of `stage`
    static constexpr bool tight = U * sizeof(Accumulator<T>) >= 512; // C takes half of the registers
    static_assert(NT == 16 && NB % 8 == 0 && U % BPG == 0 && SG >= 1 && groups % SG == 0);

    Accumulator<T> c[U];
    int warp, lane, g, q;

    __device__ __forceinline__ TensorTile()
        : warp(threadIdx.x / 32 % W), lane(threadIdx.x % 32), g(lane / 4), q(lane % 4) {}

    __device__ __forceinline__ void arrange(long long) {}
    static constexpr bool strided = false; // rows of V are stored in their order
    static __device__ __forceinline__ int slot(int r) { return r; }

    // First row of the warp's block u.
    __device__ __forceinline__ int row_of(int u) const { return (u / BPG * W + warp) * group + u % BPG * 8; }

    // The reflectors that belong to column x of tile j of W^T, and to column x of tile j of X^T.
    static __device__ __forceinline__ int first_of(int j, int x) {
        return 8 * j + (is_complex<T> ? (x >> 1) + 4 * (x & 1) : 2 * (x & 3) + (x >> 2));
    }
    static __device__ __forceinline__ int second_of(int j, int x) {
        const int y = x >> 1, e = x & 1;
        return 8 * j + (is_complex<T> ? y + 4 * e : (y & 1) + 4 * (y >> 1) + 2 * e);
    }
    // The reflector and the column of an element of W, as `dots` stores it.
    static __device__ __forceinline__ void decode(int e, int &reflector, int &col) {
        const int l = e % 32, r = e / 32 % 4, j = e / 128;
        reflector = first_of(j, 2 * (l % 4) + (r & 1));
        col = l / 4 + 8 * (r >> 1);
    }

    // Index of an element in a group of `stage`: one line per column, with rows swapped in blocks of 4 to avoid bank
    // conflicts.
    static __device__ __forceinline__ int staged(int row, int col) {
        return col * group + (row ^ 4 * (col & (group / 4 - 1)));
    }
    // Calls f(b, accumulator, its index in `stage`) for each block b of a group.
    template <typename F>
    __device__ __forceinline__ void each(F f) const {
#pragma unroll
        for (int b = 0; b < BPG; ++b)
#pragma unroll
            for (int r = 0; r < 4; ++r) f(b, r, staged(8 * b + 4 * (r & 1) + q, g) + 8 * (r >> 1) * group);
    }
    // Loads `rows` rows and `cols` columns of C from p on, in whole lines of 128 bytes, which are dealt to the lanes
    // through `stage`, this warp's shared memory.
    __device__ __forceinline__ void load(const T *p, long long lda, int rows, int cols, T *stage) {
        T raw[groups][RAW];
        const int column = lane / group, row = lane % group, left = rows - warp * group - row;
        const T *x = p + column * lda + warp * group + row;
#pragma unroll
        for (int i = 0; i < RAW; ++i) {
            const int mine = i * CPA + column < cols ? left : 0;
#pragma unroll
            for (int u = 0; u < groups; ++u) raw[u][i] = u * W * group < mine ? x[u * W * group] : make<T>(0);
            x += CPA * lda;
        }
#pragma unroll
        for (int first = 0; first < groups; first += SG) {
            __syncwarp();
#pragma unroll
            for (int u = 0; u < SG; ++u)
#pragma unroll
                for (int i = 0; i < RAW; ++i) stage[u * NT * group + staged(row, i * CPA + column)] = raw[first + u][i];
            __syncwarp();
#pragma unroll
            for (int u = 0; u < SG; ++u)
                each([&](int b, int r, int at) { c[(first + u) * BPG + b].set(r, stage[u * NT * group + at]); });
        }
        __syncwarp();
    }
    __device__ __forceinline__ void store(T *p, long long lda, int rows, int cols, T *stage) const {
        const int column = lane / group, row = lane % group, left = rows - warp * group - row;
#pragma unroll
        for (int first = 0; first < groups; first += SG) {
            __syncwarp();
#pragma unroll
            for (int u = 0; u < SG; ++u)
                each([&](int b, int r, int at) { stage[u * NT * group + at] = c[(first + u) * BPG + b].get(r); });
            __syncwarp();
            T *x = p + column * lda + (first * W + warp) * group + row;
#pragma unroll
            for (int i = 0; i < RAW; ++i) {
                const int mine = i * CPA + column < cols ? left : 0;
#pragma unroll
                for (int u = 0; u < SG; ++u)
                    if ((first + u) * W * group < mine)
                        x[u * W * group] = stage[u * NT * group + staged(row, i * CPA + column)];
                x += CPA * lda;
            }
        }
        __syncwarp();
    }
    // Sets every element to f(row, column), with indices in this block's chunk. `fill_from` passes (row, value);
    // `visit` only reads.
    template <typename F>
    __device__ __forceinline__ void fill(F f) {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int r = 0; r < 4; ++r) c[u].set(r, f(row_of(u) + q + 4 * (r & 1), g + 8 * (r >> 1)));
    }
    template <typename F>
    __device__ __forceinline__ void fill_from(F f) {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int r = 0; r < 4; ++r) c[u].set(r, f(row_of(u) + q + 4 * (r & 1), c[u].get(r)));
    }
    template <typename F>
    __device__ __forceinline__ void visit(F f) const {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int r = 0; r < 4; ++r) f(row_of(u) + q + 4 * (r & 1), g + 8 * (r >> 1), c[u].get(r));
    }
    // Loads columns of V from `first` on in place of C, for the Gram matrix.
    __device__ __forceinline__ void load_v(const T *v, int first) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const T *x = v + (first + 8 * h + g) * ldv + q;
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int e = 0; e < 2; ++e) c[u].set(2 * h + e, x[row_of(u) + 4 * e]);
        }
    }

    // Computes this warp's part of W = V^H C, over its first N blocks of rows.
    template <int N>
    __device__ __forceinline__ void dots(const T *v, Accumulator<T> (&w)[JT]) const {
#pragma unroll
        for (int j = 0; j < JT; ++j) w[j].clear();
        const T *x = v + first_of(0, g) * ldv + q;
#pragma unroll
        for (int u = 0; u < N; ++u)
#pragma unroll
            for (int e = 0; e < 2; ++e)
#pragma unroll
                for (int j = 0; j < JT; ++j)
                    w[j].fma_conj(c[u].get(e), c[u].get(2 + e), x[8 * j * ldv + row_of(u) + 4 * e]);
    }
    __device__ __forceinline__ void put(const Accumulator<T> (&w)[JT], T *part) const {
#pragma unroll
        for (int j = 0; j < JT; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r) part[(4 * j + r) * 32 + lane] = w[j].get(r);
    }
    // Stores the part of X = S^T W instead, where S is upper or lower triangular.
    __device__ __forceinline__ void put_expanded(const Accumulator<T> (&w)[JT], const T (*s)[NB + 1], bool upper,
                                                 T *part) const {
#pragma unroll
        for (int to = 0; to < JT; ++to) {
            Accumulator<T> x;
            x.clear();
#pragma unroll
            for (int j = 0; j < JT; ++j)
                if (j == to || (j < to) == upper)
#pragma unroll
                    for (int e = 0; e < 2; ++e)
                        x.fma(w[j].get(e), w[j].get(2 + e), s[first_of(j, 2 * q + e)][second_of(to, g)]);
#pragma unroll
            for (int r = 0; r < 4; ++r) part[(4 * to + r) * 32 + lane] = x.get(r);
        }
    }

    // C += V X over the first N blocks of rows, where X is the sum of PARTS arrays.
    template <int N, int PARTS>
    __device__ __forceinline__ void update(const T *v, const T (*x)[size]) {
        const T *y = v + (g >> 1) + 4 * (g & 1);
#pragma unroll
        for (int j = 0; j < JT; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                if (tight && j + e > 0) __syncwarp(); // or more of X would be loaded ahead than registers hold
                const int at = (4 * j + e) * 32 + lane;
                T a0 = x[0][at], a1 = x[0][at + 64];
#pragma unroll
                for (int i = 1; i < PARTS; ++i) {
                    a0 = add(a0, x[i][at]);
                    a1 = add(a1, x[i][at + 64]);
                }
                const T *col = y + second_of(j, 2 * q + e) * ldv;
#pragma unroll
                for (int u = 0; u < N; ++u) c[u].fma(a0, a1, col[row_of(u)]);
            }
    }
};

} // namespace tephra
