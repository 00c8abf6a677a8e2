// What the triangular solves, and products with triangles, are launched with.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/leading.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// One launch of the triangular solve in its canonical form T X = alpha B, T lower triangular: T(i, j) is at
// a0 + i ars + j acs of a member of A, B(i, j) at b0 + i brs + j bcs of a member of B. Sides, triangles and transposes
// are strides, negative ones where the order of the unknowns is reversed (mirrored in src/backend/cuda/args.rs).
struct TrsmArgs {
    Operand a, b;
    const void *alpha; // where the factor is, or null
    double alpha_re, alpha_im;
    long long a0, ars, acs;
    long long b0, brs, bcs;
    long long order, nrhs, batch;
    long long tiles; // of right-hand sides: jobs of a matrix
    int conj, unit;

    static constexpr bool each = false; // whether members have sizes of their own
};

// The same for members with sizes of their own: those of the launch are the largest. Strides are those of triangles and
// unknowns that are not reversed; 0 is the member's leading dimension. a0 and b0 are rows of the matrices as they are
// stored, behind which columns come.
struct TrsmEachArgs : TrsmArgs {
    static constexpr bool each = true;
    Extent orders, sides;
    const int *a_leading, *b_leading;
    int a_columns, b_columns;
    int order_before, sides_before; // of a member's unknowns and right-hand sides, those of the launch
    int reversed;                   // unknowns are counted from the last
    int pad_each;

    struct Own : TrsmArgs {
        __device__ __forceinline__ bool idle() const { return order <= 0 || nrhs <= 0; }
    };
    // Of a member whose sizes are not valid nothing is solved.
    __device__ __forceinline__ Own of(long long i) const {
        Own own = {*this};
        const int unknowns = orders.of(i), all = sides.of(i), lda = a_leading[i], ldb = b_leading[i];
        const bool valid = orders.allows(unknowns) && sides.allows(all) && leads(lda, unknowns) &&
                           leads(ldb, brs == 1 ? unknowns : all);
        const int height = valid ? unknowns - order_before : 0, width = all - sides_before;
        own.order = height < order ? height : order, own.nrhs = width < nrhs ? width : nrhs;
        own.ars = ars ? ars : lda, own.acs = acs ? acs : lda;
        own.brs = brs ? brs : ldb, own.bcs = bcs ? bcs : ldb;
        own.a0 += static_cast<long long>(a_columns) * lda;
        own.b0 += static_cast<long long>(b_columns) * ldb;
        if (reversed) {
            own.a0 += (own.order - 1) * (own.ars + own.acs), own.b0 += (own.order - 1) * own.brs;
            own.ars = -own.ars, own.acs = -own.acs, own.brs = -own.brs;
        }
        return own;
    }
};

// Conjugated when `conjugate` says so.
template <typename T>
__device__ __forceinline__ T conj_if(T a, bool conjugate) {
    if constexpr (is_complex<T>)
        return {a.x, conjugate ? -a.y : a.y};
    else
        return a;
}

} // namespace tephra
