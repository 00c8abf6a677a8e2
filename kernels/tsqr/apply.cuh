// Applies the implicit Q of a tree: a level's blocks H = I - V T V^H, or their adjoints, to their rows of D. The rows
// of a higher level are the first n rows of each block below, wherever these are, so that D stays in place. D is C, or
// C^T, or the conjugate of either.
//
// A thread block keeps V and computes T once, then takes columns of D a few at a time: W = V^H D, M = op(T) W, D - V M.
#pragma once
#include "block.cuh"

namespace tephra {

struct TsqrApplyArgs {
    static constexpr int most = 12;

    TsqrLevel level;
    Operand c;
    long long rs, cs; // strides between rows, and between columns, of D
    long long columns;
    long long groups; // thread blocks that share the columns of a block of rows
    long long batch;
    int n, below;            // reflectors of a block; number of levels below
    int adjoint;             // 1: H^H D, 0: H D
    int conjugate;           // D is the conjugate of C
    long long heights[most]; // rows of the matrices of the levels below

    // The row of D that corresponds to a row of the level's matrix.
    __device__ __forceinline__ long long row(long long r) const {
#pragma unroll 1
        for (int k = below - 1; k >= 0; --k) {
            const long long j = r / n, first = j * level.rows;
            r = (j > 0 && heights[k] - first <= n ? first - 32 : first) + r % n;
        }
        return r;
    }
};

template <typename T, int N, int THREADS, int CB>
struct TsqrApply : TsqrBlock<T, N, THREADS> {
    using Base = TsqrBlock<T, N, THREADS>;
    using Base::E, Base::W, Base::NP, Base::IN;
    using Base::v, Base::tau, Base::gram, Base::c, Base::product, Base::ld, Base::n, Base::rows;
    static constexpr int JB = CB / 4;                                  // of a lane's tile of W: columns
    static constexpr int ROWS = is_complex<T> ? 1 : 2;                 // rows that a thread handles at a time
    static constexpr bool inside = W * CB <= (Base::buffers - 1) * NP; // whether the warps' parts of W fit where G was
                                                                       // summed
    static_assert(N * N / 4 <= THREADS && CB % 4 == 0 && CB * sizeof(T) % 16 == 0 && 2 * CB <= NP && N * CB <= THREADS);

    static __host__ __device__ constexpr size_t bytes(int rows) {
        return Base::bytes(rows) +
               (static_cast<size_t>(CB) * Base::padded(rows) + (inside ? 0 : W * N * CB)) * sizeof(T);
    }

    T *const tile; // columns of D, as far apart as V's
    T *const parts;

    __device__ __forceinline__ TsqrApply(void *memory, int n_, int rows_, int most)
        : Base(memory, n_, rows_), tile(tau + N), parts(inside ? c : tile + CB * Base::padded(most)) {}

    // Forms T on and above the diagonal, with G below it: of two halves with T1 and T2, T12 = -T1 G12 T2, from single
    // reflectors up to all of them. Ends with a barrier.
    __device__ __forceinline__ void form_factor() {
        const int t = threadIdx.x;
        if (t < N) gram[t * NP + t] = tau[t];
        __syncthreads();
#pragma unroll 1
        for (int half = 1; half < N; half *= 2) {
            // Each thread has one element of all pairs' T12.
            const bool mine = t < N * half / 2;
            const int r = t / half % half, j = t % half, begin = t / (half * half) * 2 * half;
            T *const own = gram + begin * (NP + 1), *const left = c + t - r * half; // own: of this pair
            T x = make<T>(0);
            if (mine) {
#pragma unroll 1
                for (int l = 0; l <= j; ++l) x = fma_(own[(half + l) * NP + r], own[(half + l) * NP + half + j], x);
                c[t] = x;
            }
            __syncthreads();
            if (mine) {
                x = make<T>(0);
#pragma unroll 1
                for (int l = r; l < half; ++l) x = fnma_(own[r * NP + l], left[l * half], x);
                own[r * NP + half + j] = x;
            }
            __syncthreads();
        }
    }

    // Loads columns `col` and following of D into the tile, with zeros after the last column and the last row. Ends
    // with a barrier.
    template <typename Row>
    __device__ __forceinline__ void take(const TsqrApplyArgs &args, const T *D, int columns, Row row) const {
        const int filled = (rows + E - 1) / E * E;
#pragma unroll 1
        for (int r = threadIdx.x; r < filled; r += THREADS) {
            const T *const p = D + (r < rows ? row(r) * args.rs : 0);
            T x[CB];
#pragma unroll
            for (int j = 0; j < CB; ++j) x[j] = r < rows && j < columns ? p[j * args.cs] : make<T>(0);
#pragma unroll
            for (int j = 0; j < CB; ++j) tile[j * ld + r] = args.conjugate ? conj(x[j]) : x[j];
        }
        __syncthreads();
    }

    // Computes M = op(T) V^H D by rows of CB elements, and returns its address. Ends with a barrier.
    __device__ __forceinline__ const T *multiply(bool adjoint) const {
        const int t = threadIdx.x, warp = t / 32, lane = t % 32;
        T s[IN][JB];
#pragma unroll
        for (int a = 0; a < IN; ++a)
#pragma unroll
            for (int b = 0; b < JB; ++b) s[a][b] = make<T>(0);
        const T *const left = v + lane % 8 * ld, *const right = tile + lane / 8 * ld;
#pragma unroll 1
        for (int r = warp * E; r < rows; r += W * E) {
            Chunk<T> x[IN];
#pragma unroll
            for (int a = 0; a < IN; ++a) x[a] = *reinterpret_cast<const Chunk<T> *>(left + a * 8 * ld + r);
#pragma unroll
            for (int b = 0; b < JB; ++b) {
                const Chunk<T> y = *reinterpret_cast<const Chunk<T> *>(right + b * 4 * ld + r);
#pragma unroll
                for (int a = 0; a < IN; ++a)
#pragma unroll
                    for (int e = 0; e < E; ++e) s[a][b] = cfma_(x[a].e[e], y.e[e], s[a][b]);
            }
        }
#pragma unroll
        for (int a = 0; a < IN; ++a)
#pragma unroll
            for (int b = 0; b < JB; ++b) parts[(warp * N + lane % 8 + a * 8) * CB + lane / 8 + b * 4] = s[a][b];
        __syncthreads();
        const bool mine = t < N * CB;
        const int i = t / CB, j = t % CB;
        T sum = make<T>(0);
        if (mine) {
#pragma unroll
            for (int w = 0; w < W; ++w) sum = add(sum, parts[w * N * CB + t]);
        }
        __syncthreads();
        T *const dots = c, *const m = c + N * CB;
        if (mine) dots[t] = sum;
        __syncthreads();
        if (mine) {
            T y = make<T>(0);
            if (adjoint) {
#pragma unroll 1
                for (int l = 0; l <= i; ++l) y = cfma_(gram[l * NP + i], dots[l * CB + j], y);
            } else {
#pragma unroll 1
                for (int l = i; l < N; ++l) y = fma_(gram[i * NP + l], dots[l * CB + j], y);
            }
            m[t] = y;
        }
        __syncthreads();
        return m;
    }

    // Stores D - V M where D came from.
    template <typename Row>
    __device__ __forceinline__ void give(const TsqrApplyArgs &args, T *D, int columns, const T *m, Row row) const {
#pragma unroll 1
        for (int r0 = threadIdx.x; r0 < rows; r0 += ROWS * THREADS) {
            int r[ROWS];
            T x[ROWS][CB];
#pragma unroll
            for (int q = 0; q < ROWS; ++q) {
                r[q] = r0 + q * THREADS < rows ? r0 + q * THREADS : r0; // if the last does not exist, repeat the first
#pragma unroll
                for (int j = 0; j < CB; ++j) x[q][j] = tile[j * ld + r[q]];
            }
#pragma unroll 4
            for (int l = 0; l < n; ++l) {
                T y[ROWS];
#pragma unroll
                for (int q = 0; q < ROWS; ++q) y[q] = v[l * ld + r[q]];
#pragma unroll
                for (int j = 0; j < CB; j += E) {
                    const Chunk<T> z = *reinterpret_cast<const Chunk<T> *>(m + l * CB + j);
#pragma unroll
                    for (int e = 0; e < E; ++e)
#pragma unroll
                        for (int q = 0; q < ROWS; ++q) x[q][j + e] = fnma_(y[q], z.e[e], x[q][j + e]);
                }
            }
#pragma unroll
            for (int q = 0; q < ROWS; ++q) {
                if (q > 0 && r[q] == r0) continue;
                T *const p = D + row(r[q]) * args.rs;
#pragma unroll
                for (int j = 0; j < CB; ++j)
                    if (j < columns) p[j * args.cs] = args.conjugate ? conj(x[q][j]) : x[q][j];
            }
        }
    }
};

template <typename T, int N, int THREADS, int ROWS, int CB>
__device__ __forceinline__ void tsqr_apply(const TsqrApplyArgs &args) {
    const TsqrLevel &level = args.level;
    const long long items = level.blocks * args.groups * args.batch;
#pragma unroll 1
    for (long long item = blockIdx.x; item < items; item += gridDim.x) {
        const long long group = item % args.groups, j = item / args.groups % level.blocks;
        const long long i = item / args.groups / level.blocks;
        const long long from = level.first(j, args.n);
        TsqrApply<T, N, THREADS, CB> block(dynamic_shared(), args.n, level.height(j, args.n), ROWS);
        const auto row = [&](int r) { return args.below > 0 ? args.row(from + r) : from + r; };
        __syncthreads(); // the previous item's data are no longer read
        block.load(level.block<T>(i, j, args.n), level.lda, level.taus<T>(i, j, args.n));
        block.form_gram();
        block.form_factor();
#pragma unroll 1
        for (long long col = group * CB; col < args.columns; col += args.groups * CB) {
            T *const D = member<T>(args.c, i) + col * args.cs;
            const int columns = static_cast<int>(args.columns - col < CB ? args.columns - col : CB);
            block.take(args, D, columns, row);
            const T *const m = block.multiply(args.adjoint);
            block.give(args, D, columns, m, row);
            __syncthreads();
        }
    }
}

} // namespace tephra

#define TEPHRA_TSQR_APPLY(NAME, T, N, THREADS, ROWS, CB, MIN_BLOCKS)                                                   \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(THREADS)                                                                                     \
                     .holds(ROWS, N)                                                                                   \
                     .places(CB)                                                                                       \
                     .at_once(MIN_BLOCKS)                                                                              \
                     .needs(TsqrApply<letter::T, N, THREADS, CB>::bytes(ROWS)),                                        \
                 __launch_bounds__(THREADS, MIN_BLOCKS), TsqrApplyArgs, tsqr_apply<letter::T, N, THREADS, ROWS, CB>)
