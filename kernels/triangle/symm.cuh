// Products with symmetric and Hermitian matrices: a team of threads for each tile of C. One triangle of A is read;
// tiles of the other are mirror images. Source: BLAS symm, hemm.
#pragma once
#include "../common/extent.cuh"
#include "../gemm/args.cuh"
#include "tile.cuh"

namespace tephra {

// C := alpha A B + beta C, or with B A, all column-major. If `rows.each` is not null, members have their own sizes, of
// which m and n are the largest.
struct SymmArgs {
    Operand a, b, c;
    GemmFactors factors;
    long long lda, ldb, ldc, batch;
    Extent rows, columns;
    const int *a_leading, *b_leading, *c_leading;
    int m, n;
    int right; // 1: A is on the right
    int upper, hermitian;
    int pad;

    // The launch as one member sees it; without rows if it is invalid or lacks a matrix that it needs. `reads`: whether
    // alpha is not 0.
    __device__ __forceinline__ SymmArgs of(long long i, bool reads) const {
        SymmArgs own = *this;
        if (!rows.each) return own;
        // The pointers are loaded at once, and beside the sizes.
        const bool found = exists(c, i) & (!reads || (exists(a, i) & exists(b, i)));
        own.m = rows.of(i), own.n = columns.of(i);
        own.lda = a_leading[i], own.ldb = b_leading[i], own.ldc = c_leading[i];
        const bool valid = rows.allows(own.m) && columns.allows(own.n) && leads(own.lda, right ? own.n : own.m) &&
                           leads(own.ldb, own.m) && leads(own.ldc, own.m);
        if (!found || !valid) own.m = 0;
        return own;
    }
};

template <typename T>
__device__ __forceinline__ T symm_factor(const void *at, double real, double imaginary) {
    return at ? *static_cast<const T *>(at) : make<T>(static_cast<Real<T>>(real), static_cast<Real<T>>(imaginary));
}

// Loads the tile of A at (row, column), with zeros outside.
template <typename T, int SIDE, int EACH>
__device__ __forceinline__ void load_symmetric(const Team<T, SIDE, EACH> &team,
                                               typename Team<T, SIDE, EACH>::Tile &tile, const SymmArgs &args,
                                               const T *A, int row, int column, int order) {
    // Reads along the columns of the stored triangle.
    const bool mirrored = args.upper ? row > column : row < column;
    team.each(!mirrored, [&](int i, int j) {
        const int r = row + i, c = column + j;
        T x = make<T>(0);
        if (r < order && c < order) {
            const bool stored = args.upper ? r <= c : r >= c;
            x = stored ? A[r + c * args.lda] : conj_if(A[c + r * args.lda], args.hermitian != 0);
            if (args.hermitian && r == c) x = make<T>(re(x));
        }
        tile[j][i] = x;
    });
}

// Small tiles have several teams per block, which take part in the barriers of the largest order.
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void symm(const SymmArgs &args) {
    constexpr int each = 4;
    using Own = Team<T, SIDE, each>;
    constexpr int teams = THREADS / Own::threads;
    static_assert(THREADS % Own::threads == 0, "whole teams");
    __shared__ typename Own::Tile lefts[teams], rights[teams];
    const Own team;
    const int number = teams == 1 ? 0 : threadIdx.x / Own::threads;
    typename Own::Tile &left = lefts[number], &right = rights[number];
    const T alpha = symm_factor<T>(args.factors.alpha, args.factors.alpha_re, args.factors.alpha_im);
    const T beta = symm_factor<T>(args.factors.beta, args.factors.beta_re, args.factors.beta_im);
    const bool read = !is_zero(alpha), kept = !is_zero(beta);
    const long long down = (args.m + SIDE - 1) / SIDE, tiles = down * ((args.n + SIDE - 1) / SIDE);
    const long long jobs = args.batch * tiles, step = static_cast<long long>(gridDim.x) * teams;
    for (long long base = blockIdx.x * static_cast<long long>(teams); base < jobs; base += step) {
        const long long job = base + number, i = teams == 1 || job < jobs ? job / tiles : 0;
        SymmArgs own = args.of(i, read);
        const int row = static_cast<int>(job % tiles % down) * SIDE,
                  column = static_cast<int>(job % tiles / down) * SIDE;
        const bool none = (teams > 1 && job >= jobs) || row >= own.m || column >= own.n;
        if (teams == 1 && none) continue; // uniform in the block
        if (teams > 1 && none) own.m = own.n = 0;
        const int order = own.right ? own.n : own.m, most = teams == 1 ? order : args.right ? args.n : args.m;
        const T *const A = read ? member<T>(args.a, i) : nullptr;
        const Strides<T> B{read ? member<T>(args.b, i) : nullptr, 1, own.ldb};
        T sum[each] = {};
#pragma unroll 1
        for (int k = 0; k < most && read; k += SIDE) {
            __syncthreads(); // the previous tiles have been used
            if (own.right) {
                team.load(left, B, row, k, own.m, order);
                load_symmetric(team, right, own, A, k, column, order);
            } else {
                load_symmetric(team, left, own, A, row, k, order);
                team.load(right, B, k, column, order, own.n);
            }
            __syncthreads();
            team.template multiply<false, false>(sum, left, right);
        }
        T *const C = member<T>(args.c, i);
#pragma unroll
        for (int u = 0; u < each; ++u) {
            const int r = row + team.x, c = column + team.y + u * Own::height;
            if (r >= own.m || c >= own.n) continue;
            T &to = C[r + c * own.ldc];
            T x = read ? mul(alpha, sum[u]) : make<T>(0);
            if (kept) x = add(x, mul(beta, to));
            to = x;
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_SYMM(NAME, T, SIDE, THREADS)                                                                            \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE).places(THREADS / (SIDE * SIDE / 4)),                        \
                 __launch_bounds__(THREADS, 4), SymmArgs, symm<letter::T, SIDE, THREADS>)
