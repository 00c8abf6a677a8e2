// Arguments of the Cholesky kernels (mirrored in src/gpu/potrf/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"

namespace tephra {

// Hermitian matrices, of which one triangle is read and written, and right-hand sides.
struct CholeskyArgs {
    Operand a, b;
    int *info; // may be null
    long long lda, ldb, batch;
    int n, nrhs;
    int upper;   // 1: the upper triangle
    int at;      // first row and column of the part that the launch factors
    int tiles;   // per matrix: of right-hand sides, or of rows below a panel
    int shifted; // 1: systems: there is memory for shifted copies

    // The launch as one member sees it.
    __device__ __forceinline__ const CholeskyArgs &of(long long) const { return *this; }
    __device__ __forceinline__ constexpr bool idle() const { return false; }

    // info: the order of the part's first minor that is not positive definite, or 0. One of an earlier part takes
    // precedence.
    __device__ __forceinline__ void set_info(long long i, int first) const {
        if (!info) return;
        if (at == 0)
            info[i] = first;
        else if (first > 0 && info[i] == 0)
            info[i] = at + first;
    }
};

// A factorisation of members with their own orders, of which n is the largest.
struct CholeskyEachArgs : CholeskyArgs {
    Extent order;
    const int *leading;
    int over, upto; // the launch covers members with over < order <= upto

    struct Own : CholeskyArgs {
        __device__ __forceinline__ bool idle() const { return n == 0; }
    };
    // An invalid member is left untouched, except that its info becomes minus the position of its first invalid
    // argument, as in LAPACK.
    __device__ __forceinline__ Own of(long long i) const {
        Own own = {*this};
        const int all = order.of(i);
        own.lda = leading[i];
        const int code = !order.allows(all) ? -2 : leads(leading[i], all) ? 0 : -4;
        if ((code || all == 0) && at == 0 && info) info[i] = code;
        const int left = code || all < at || all <= over || all > upto ? 0 : all - at;
        own.n = left < n ? left : n;
        return own;
    }
};

} // namespace tephra
