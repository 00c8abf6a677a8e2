// Sums of matrices or their transposes, and products with diagonal matrices, element by element: C := alpha op(A) D +
// beta op(B). Source: cuBLAS geam, dgmm.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Mirrored in src/gpu/data_movement/steps.rs.
struct GeamArgs {
    static constexpr int PLAIN = 0, TRANSPOSE = 1, ADJOINT = 2; // op_a, op_b
    static constexpr int NONE = 0, ROWS = 1, COLUMNS = 2;       // `diagonal`: what it scales

    Operand a, b, c, x;
    const void *alpha, *beta; // alpha and beta in device memory, or null
    double alpha_re, alpha_im, beta_re, beta_im;
    long long lda, ldb, ldc, x0, incx, batch;
    long long rows, columns; // of C
    int op_a, op_b, diagonal;
    int pad;
};

template <typename T>
__device__ __forceinline__ T geam_factor(const void *place, double re, double im) {
    return place ? *static_cast<const T *>(place) : make<T>(static_cast<Real<T>>(re), static_cast<Real<T>>(im));
}

// One term: the thread's elements (x, y + u * HEIGHT) of a tile of op(X). If op transposes, they pass through shared
// memory, so that reads are coalesced, too. All threads of a block must call this together.
template <typename T, int SIDE, int EACH>
struct GeamTerm {
    static constexpr int height = SIDE / EACH;
    T (&tile)[SIDE][SIDE + 1];
    int x, y;
    bool mine; // whether the thread has a tile

    __device__ __forceinline__ void load(T (&values)[EACH], const Operand &of, long long i, long long ld, int op,
                                         long long row, long long column, const GeamArgs &args) const {
        const bool turned = op != GeamArgs::PLAIN;
        const long long first = turned ? column : row, other = turned ? row : column;
        const long long rows = turned ? args.columns : args.rows, columns = turned ? args.rows : args.columns;
#pragma unroll
        for (int u = 0; u < EACH; ++u) values[u] = make<T>(0);
        if (mine && first + x < rows) {
            const T *const p = member<T>(of, i) + first + x;
#pragma unroll
            for (int u = 0; u < EACH; ++u)
                if (const long long j = other + y + u * height; j < columns) values[u] = p[j * ld];
        }
        if (!turned) return;
        __syncthreads(); // the previous term has been read
#pragma unroll
        for (int u = 0; u < EACH; ++u) tile[y + u * height][x] = op == GeamArgs::ADJOINT ? conj(values[u]) : values[u];
        __syncthreads();
#pragma unroll
        for (int u = 0; u < EACH; ++u) values[u] = tile[x][y + u * height];
    }
};

// Tiles and teams are those of the transposes (transpose.cuh).
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void geam(const GeamArgs &args) {
    constexpr int each = 4, height = SIDE / each, team = SIDE * height, teams = THREADS / team;
    static_assert(SIDE % each == 0 && THREADS % team == 0, "whole teams");
    __shared__ T tiles[teams][SIDE][SIDE + 1];
    const int own = threadIdx.x / team, x = threadIdx.x % SIDE, y = threadIdx.x % team / SIDE;
    const T alpha = geam_factor<T>(args.alpha, args.alpha_re, args.alpha_im);
    const T beta = geam_factor<T>(args.beta, args.beta_re, args.beta_im);
    // A factor of one is not multiplied by; with a factor of zero the matrix is not read.
    const bool one_alpha = re(alpha) == 1 && im(alpha) == 0, one_beta = re(beta) == 1 && im(beta) == 0;
    const bool has_a = !is_zero(alpha), has_b = !is_zero(beta);
    const long long down = (args.rows + SIDE - 1) / SIDE, right = (args.columns + SIDE - 1) / SIDE;
    const long long jobs = args.batch * down * right, step = static_cast<long long>(gridDim.x) * teams;
    for (long long first = blockIdx.x * static_cast<long long>(teams); first < jobs; first += step) {
        const long long job = first + own, i = job / (down * right), place = job % (down * right);
        const long long row = place % down * SIDE, column = place / down * SIDE;
        const GeamTerm<T, SIDE, each> term{tiles[own], x, y, job < jobs};
        T sum[each], other[each];
        if (has_a) {
            term.load(sum, args.a, i, args.lda, args.op_a, row, column, args);
#pragma unroll
            for (int u = 0; u < each; ++u)
                if (!one_alpha) sum[u] = mul(alpha, sum[u]);
        }
        if (has_b) {
            term.load(other, args.b, i, args.ldb, args.op_b, row, column, args);
#pragma unroll
            for (int u = 0; u < each; ++u) {
                if (!one_beta) other[u] = mul(beta, other[u]);
                sum[u] = has_a ? add(sum[u], other[u]) : other[u];
            }
        }
        if (!term.mine || row + x >= args.rows) continue;
        T *const C = member<T>(args.c, i) + row + x;
        const T *const X = args.diagonal == GeamArgs::NONE ? nullptr : member<T>(args.x, i) + args.x0;
#pragma unroll
        for (int u = 0; u < each; ++u) {
            const long long j = column + y + u * height;
            if (j >= args.columns) continue;
            T value = has_a || has_b ? sum[u] : make<T>(0);
            if (X) value = mul(X[(args.diagonal == GeamArgs::ROWS ? row + x : j) * args.incx], value);
            C[j * args.ldc] = value;
        }
    }
}

} // namespace tephra

#define TEPHRA_GEAM(NAME, T, SIDE, THREADS)                                                                            \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE).places(THREADS / (SIDE * SIDE / 4)),                        \
                 __launch_bounds__(THREADS), GeamArgs, geam<letter::T, SIDE, THREADS>)
