// Tiles of the trailing update for double and complex double: products on the FP64 tensor instruction.
//
// A warp keeps 8 U rows of NT columns of C as accumulators of C^T: lane (g = lane / 4, q = lane % 4) holds, of a block
// of 8 rows, rows q and q + 4 of columns g and g + 8. Sums may run in any order, so the same registers are also the
// A operand of W^T = C^T conj(V), and W's own accumulators the A operand of X^T = W^T S: only V, S and sums over the
// warps go through shared memory. The orders in which reflectors are dealt to lanes (first_of, second_of) are those
// that read V without bank conflicts for this leading dimension.
#pragma once
#include "mma.cuh"

namespace tephra {

// -x without the FP64 pipe
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
    static constexpr int MT = NT / 16, JT = NB / 8;
    static constexpr int JH = JT < 4 / MT ? JT : 4 / MT;   // tiles of W^T that are in registers at a time
    static constexpr int size = NB * NT;                   // elements of W and of X
    static constexpr int CPA = 32 / group, RAW = NT / CPA; // columns of an access to C, accesses per group
    static constexpr int LDS = group + 4;                  // leading dimension of `stage`
    static_assert(NT % 16 == 0 && NB % 8 == 0 && capacity % 16 == 0 && U % BPG == 0 && LDS * NT <= size);

    Accumulator<T> c[U][MT];
    int warp, lane, g, q;

    __device__ __forceinline__ TensorTile()
        : warp(threadIdx.x / 32), lane(threadIdx.x % 32), g(lane / 4), q(lane % 4) {}

    // First row of the warp's block u.
    __device__ __forceinline__ int row_of(int u) const { return (u / BPG * W + warp) * group + u % BPG * 8; }
    // Place of a row of V in a column of shared memory.
    static __device__ __forceinline__ int place(int row) { return row; }

    // The reflector that column x of tile j of W^T stands for, and column x of tile j of X^T.
    static __device__ __forceinline__ int first_of(int j, int x) {
        return 8 * j + (is_complex<T> ? (x >> 1) + 4 * (x & 1) : 2 * (x & 3) + (x >> 2));
    }
    static __device__ __forceinline__ int second_of(int j, int x) {
        const int y = x >> 1, e = x & 1;
        return 8 * j + (is_complex<T> ? y + 4 * e : (y & 1) + 4 * (y >> 1) + 2 * e);
    }
    // Reflector and column of an element of W as `dots` leaves it.
    static __device__ __forceinline__ void decode(int e, int &reflector, int &col) {
        const int l = e % 32, r = e / 32 % 4, j = e / 128 % JT, t = e / 128 / JT;
        reflector = first_of(j, 2 * (l % 4) + (r & 1));
        col = 16 * t + l / 4 + 8 * (r >> 1);
    }

    // Rows of C from p on, `rows` of them in this matrix, `cols` columns: whole lines of 128 bytes, dealt to the lanes
    // through `stage`, this warp's shared memory.
    __device__ __forceinline__ void load(const T *p, long long lda, int rows, int cols, T *stage) {
        T raw[groups][RAW];
        const T *x = p + lane / group * lda + warp * group + lane % group;
        const int left = rows - warp * group - lane % group;
#pragma unroll
        for (int i = 0; i < RAW; ++i) {
            const int mine = i * CPA + lane / group < cols ? left : 0;
#pragma unroll
            for (int u = 0; u < groups; ++u) raw[u][i] = u * W * group < mine ? x[u * W * group] : make<T>(0);
            x += CPA * lda;
        }
#pragma unroll
        for (int u = 0; u < groups; ++u) {
            __syncwarp();
#pragma unroll
            for (int i = 0; i < RAW; ++i) stage[(i * CPA + lane / group) * LDS + lane % group] = raw[u][i];
            __syncwarp();
            each([&](int b, int t, int r, int at) { c[u * BPG + b][t].set(r, stage[at]); });
        }
        __syncwarp();
    }
    __device__ __forceinline__ void store(T *p, long long lda, int rows, int cols, T *stage) const {
        const int left = rows - warp * group - lane % group;
#pragma unroll
        for (int u = 0; u < groups; ++u) {
            __syncwarp();
            each([&](int b, int t, int r, int at) { stage[at] = c[u * BPG + b][t].get(r); });
            __syncwarp();
            T *x = p + lane / group * lda + (u * W + warp) * group + lane % group;
#pragma unroll
            for (int i = 0; i < RAW; ++i) {
                if (u * W * group < left && i * CPA + lane / group < cols)
                    *x = stage[(i * CPA + lane / group) * LDS + lane % group];
                x += CPA * lda;
            }
        }
        __syncwarp();
    }
    // The accumulators of a group of rows and where they are in `stage`.
    template <typename F>
    __device__ __forceinline__ void each(F f) const {
        const int at = g * LDS + q;
#pragma unroll
        for (int b = 0; b < BPG; ++b)
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int r = 0; r < 4; ++r) f(b, t, r, at + (16 * t + 8 * (r >> 1)) * LDS + 8 * b + 4 * (r & 1));
    }
    // Every element by its row and column in this block's chunk.
    template <typename F>
    __device__ __forceinline__ void fill(F f) {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int r = 0; r < 4; ++r) c[u][t].set(r, f(row_of(u) + q + 4 * (r & 1), 16 * t + g + 8 * (r >> 1)));
    }
    template <typename F>
    __device__ __forceinline__ void fill_from(F f) {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int r = 0; r < 4; ++r) c[u][t].set(r, f(row_of(u) + q + 4 * (r & 1), c[u][t].get(r)));
    }
    template <typename F>
    __device__ __forceinline__ void visit(F f) const {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int r = 0; r < 4; ++r) f(row_of(u) + q + 4 * (r & 1), 16 * t + g + 8 * (r >> 1), c[u][t].get(r));
    }
    // The columns of V from `first` on in place of C, for the Gram matrix.
    __device__ __forceinline__ void load_v(const T *v, int first) {
#pragma unroll
        for (int t = 0; t < MT; ++t)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const T *x = v + (first + 16 * t + 8 * h + g) * ldv + q;
#pragma unroll
                for (int u = 0; u < U; ++u)
#pragma unroll
                    for (int e = 0; e < 2; ++e) c[u][t].set(2 * h + e, x[row_of(u) + 4 * e]);
            }
    }

    // This warp's part of W = V^H C, over its first N blocks of rows.
    template <int N>
    __device__ __forceinline__ void dots(const T *v, T *part) {
#pragma unroll 1
        for (int first = 0; first < JT; first += JH) {
            Accumulator<T> acc[MT][JH];
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int j = 0; j < JH; ++j) acc[t][j].clear();
            const T *x = v + (8 * first + first_of(0, g)) * ldv + q;
#pragma unroll
            for (int u = 0; u < N; ++u)
#pragma unroll
                for (int e = 0; e < 2; ++e)
#pragma unroll
                    for (int j = 0; j < JH; ++j) {
                        const T b = x[8 * j * ldv + row_of(u) + 4 * e];
#pragma unroll
                        for (int t = 0; t < MT; ++t) acc[t][j].fma_conj(c[u][t].get(e), c[u][t].get(2 + e), b);
                    }
#pragma unroll
            for (int t = 0; t < MT; ++t)
#pragma unroll
                for (int j = 0; j < JH; ++j)
#pragma unroll
                    for (int r = 0; r < 4; ++r) part[((t * JT + first + j) * 4 + r) * 32 + lane] = acc[t][j].get(r);
        }
    }

    // X = S^T W in place of W, S upper or lower triangular.
    __device__ __forceinline__ void expand(const T (*s)[NB + 1], T *x, bool upper) {
        constexpr int tiles = MT * JT, mine = (tiles + W - 1) / W;
        Accumulator<T> acc[mine];
#pragma unroll
        for (int i = 0; i < mine; ++i) {
            const int tile = i * W + warp, t = tile % MT, to = tile / MT;
            acc[i].clear();
            if (tile < tiles)
                for (int j = upper ? 0 : to; j <= (upper ? to : JT - 1); ++j)
#pragma unroll
                    for (int e = 0; e < 2; ++e) {
                        const T *a = x + ((t * JT + j) * 4 + e) * 32 + lane;
                        acc[i].fma(a[0], a[64], s[first_of(j, 2 * q + e)][second_of(to, g)]);
                    }
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < mine; ++i) {
            const int tile = i * W + warp, t = tile % MT, to = tile / MT;
            if (tile < tiles)
#pragma unroll
                for (int r = 0; r < 4; ++r) x[((t * JT + to) * 4 + r) * 32 + lane] = acc[i].get(r);
        }
    }

    // C += V X, over the first N blocks of rows.
    template <int N>
    __device__ __forceinline__ void update(const T *v, const T *x) {
        const T *y = v + (g >> 1) + 4 * (g & 1);
#pragma unroll
        for (int j = 0; j < JT; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                T a0[MT], a1[MT];
#pragma unroll
                for (int t = 0; t < MT; ++t) {
                    const T *a = x + ((t * JT + j) * 4 + e) * 32 + lane;
                    a0[t] = a[0];
                    a1[t] = a[64];
                }
                const T *col = y + second_of(j, 2 * q + e) * ldv;
#pragma unroll
                for (int u = 0; u < N; ++u) {
                    const T b = col[row_of(u)];
#pragma unroll
                    for (int t = 0; t < MT; ++t) c[u][t].fma(a0[t], a1[t], b);
                }
            }
    }
};

} // namespace tephra
