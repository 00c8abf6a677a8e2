// Least squares for members with their own sizes: the steps around QR, the application of Q, and the triangular solves,
// for each member's shape. Source: LAPACK gels.
#pragma once
#include "steps.cuh"

namespace tephra {

// Mirrored in src/gpu/gels/each.rs.
struct GelsEachArgs {
    Operand a, b;
    Operand w;                           // receives A^H for members with more columns than rows, without gaps
    Operand shifts;                      // Shifts of each member, stored in the place of one element
    const int *m, *n, *nrhs, *lda, *ldb; // m is -1 for an invalid member
    // What the other steps need to know about F, the tall one of A and its copy A^H. rows is -1 for an invalid member.
    void **factored;
    int *rows, *columns, *leading;
    int *least, *shortest; // nrhs of members with least squares, and with minimum-norm solutions; else 0
    int *info;             // may be null
    long long batch;
    int transposed; // 1: op(A) is A^H
    int pad;

    template <typename T>
    struct Own {
        T *f, *b;
        long long ldf, ldb, rows, columns, nrhs;
        bool copied, least_squares;
        // Rows of B that are given, and rows of X.
        __device__ __forceinline__ long long given() const { return least_squares ? rows : columns; }
        __device__ __forceinline__ long long solution() const { return least_squares ? columns : rows; }
    };
    // For a valid member.
    template <typename T>
    __device__ __forceinline__ Own<T> of(long long i) const {
        Own<T> own;
        own.copied = m[i] < n[i];
        own.rows = own.copied ? n[i] : m[i], own.columns = own.copied ? m[i] : n[i], own.nrhs = nrhs[i];
        own.f = member<T>(own.copied ? w : a, i), own.ldf = own.copied ? n[i] : lda[i];
        own.b = member<T>(b, i), own.ldb = ldb[i];
        own.least_squares = own.copied == (transposed != 0);
        return own;
    }
};

// As gels_prepare and gels_scale (steps.cuh), and sets the shapes for the other steps. A block per member.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_prepare_each(const GelsEachArgs &args) {
    constexpr int W = THREADS / 32, side = 32;
    __shared__ AdjointTile<T, side> tile;
    __shared__ Real<T> largest[2][W];
    const bool first = threadIdx.x == 0;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        if (args.m[i] < 0) { // uniform in the block
            if (first) args.rows[i] = -1, args.columns[i] = 0, args.least[i] = args.shortest[i] = 0;
            continue;
        }
        const auto own = args.of<T>(i);
        if (first) {
            args.factored[i] = own.f, args.leading[i] = static_cast<int>(own.ldf);
            args.rows[i] = static_cast<int>(own.rows), args.columns[i] = static_cast<int>(own.columns);
            args.least[i] = own.least_squares ? static_cast<int>(own.nrhs) : 0;
            args.shortest[i] = own.least_squares ? 0 : static_cast<int>(own.nrhs);
        }
        if (own.given() < own.rows) clear<THREADS>(own.b + own.given(), own.ldb, own.rows - own.given(), own.nrhs);
        Shifts shifts = {0, 0};
        if (own.columns > 0) {
            if (own.copied) {
                const T *A = member<T>(args.a, i);
                const long long lda = args.lda[i];
                for (long long j = 0; j < own.rows; j += side)
                    adjoint_strip<T, side, THREADS>(A + j * lda, lda, own.columns, own.rows - j, own.f + j, own.ldf,
                                                    tile);
            }
            const Part<T> F = {own.f, own.ldf, own.rows, own.columns}, B = {own.b, own.ldb, own.given(), own.nrhs};
            const Part<const T> of_f = {F.p, F.ld, F.rows, F.columns}, of_b = {B.p, B.ld, B.rows, B.columns};
            if (__syncthreads_or(threadIdx.x < 32 && !looks_ordinary(of_f, of_b)))
                shifts = brought_into_range<W>(F, B, largest);
        }
        if (first) member_shifts<T>(args.shifts, i) = shifts;
    }
}

// As gels_finish. A warp per member; info of invalid members is set elsewhere.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_finish_each(const GelsEachArgs &args) {
    constexpr int W = THREADS / 32;
    const long long warp = blockIdx.x * static_cast<long long>(W) + threadIdx.x / 32;
    for (long long i = warp; i < args.batch; i += gridDim.x * static_cast<long long>(W)) {
        if (args.m[i] < 0) continue;
        const auto own = args.of<T>(i);
        const int info = first_zero(own.f, own.ldf, own.columns);
        if (args.info && threadIdx.x % 32 == 0) args.info[i] = info;
        const Part<T> R = {own.f, own.ldf, own.columns, own.copied ? 0 : own.columns};
        const Part<T> left = {own.b + own.columns, own.ldb, own.given() - own.columns, own.nrhs};
        taken_back<T>(member_shifts<T>(args.shifts, i), R, {own.b, own.ldb, own.solution(), own.nrhs}, left);
    }
}

} // namespace tephra

#define TEPHRA_GELS_PREPARE_EACH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsEachArgs, gels_prepare_each)
#define TEPHRA_GELS_FINISH_EACH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsEachArgs, gels_finish_each)
