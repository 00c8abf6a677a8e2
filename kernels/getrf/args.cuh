// What the LU kernels are launched with (mirrored in src/gpu/getrf/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// One launch of an LU factorisation.
struct GetrfArgs {
    Operand a, ipiv; // ipiv: ints, min(m, n) a matrix; p null: no interchanges
    int *info;       // may be null
    long long lda, batch;
    int m, n;    // of the matrices
    int at;      // first row and column of the panel
    int columns; // of the panel
    int first;   // of the columns beside it that follow: first .. n - 1
    int strips;  // of a matrix, beside a panel: where members have sizes of their own

    static constexpr bool each = false; // whether they do

    __device__ __forceinline__ const GetrfArgs &of(long long) const { return *this; }
    // Whether it has nothing to do there. (What no member has the host does not launch.)
    __device__ __forceinline__ constexpr bool idle() const { return false; }

    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(a, i);
    }
    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
    // The interchanges from row `at` on.
    __device__ __forceinline__ int *interchanges(long long i) const { return member<int>(ipiv, i) + at; }
    // Below which a member's pivots are replaced: none are.
    template <typename T>
    __device__ __forceinline__ constexpr Real<T> least_pivot(long long) const {
        return 0;
    }
    // first: the first zero pivot of the panel, counted from 1; 0: none. An earlier panel's stays.
    __device__ __forceinline__ void set_info(long long i, int first) const {
        if (!info) return;
        if (at == 0)
            info[i] = first;
        else if (first > 0 && info[i] == 0)
            info[i] = at + first;
    }
    // The same where small pivots may be replaced: then it is how many of the panel were.
    __device__ __forceinline__ void set_info(long long i, int first, bool) const { set_info(i, first); }
};

// The same for members with sizes of their own: those of the launch are the largest.
struct GetrfEachArgs : GetrfArgs {
    static constexpr bool each = true;
    SizesArgs sizes;
    // Without interchanges, pivots that are smaller by |re| + |im| are replaced by this number, with the sign of their
    // real part, and counted in info: a number for each member, or where that is null one for all. 0: none are.
    const void *least_pivots; // of the real type
    double least_of_all;

    // The launch for a member alone, all of whose panels before this one have been factored.
    struct Own : GetrfArgs {
        static constexpr bool each = true;
        const void *least_pivots;
        double least_of_all;

        __device__ __forceinline__ bool idle() const { return columns <= 0; }
        template <typename T>
        __device__ __forceinline__ Real<T> least_pivot(long long i) const {
            if (pivots()) return 0;
            return least_pivots ? static_cast<const Real<T> *>(least_pivots)[i] : static_cast<Real<T>>(least_of_all);
        }
        __device__ __forceinline__ void set_info(long long i, int number, bool replaces) const {
            if (!replaces)
                GetrfArgs::set_info(i, number);
            else if (info)
                info[i] = at == 0 ? number : info[i] + number;
        }
    };
    // Of a member whose sizes are not valid nothing is touched but its code: the first that is not, by LAPACK's
    // numbers.
    __device__ __forceinline__ Own of(long long i) const {
        Own own = {*this, least_pivots, least_of_all};
        own.m = sizes.rows.of(i), own.n = sizes.columns.of(i), own.lda = sizes.leading[i];
        const int code = sizes.code(own.m, own.n, own.lda);
        int steps = code ? 0 : own.m < own.n ? own.m : own.n;
        if (steps == 0 && at == 0 && info) info[i] = code;
        if (!sizes.is_for(own.m, own.n)) steps = 0;
        if (steps == 0) own.m = own.n = 0;
        own.n = own.n < n ? own.n : n;
        own.columns = steps - at < columns ? steps - at : columns;
        return own;
    }
};

// Row interchanges of LAPACK's laswp: rows k1 .. k2 - 1, forwards or backwards, of all columns but some.
struct LaswpArgs {
    Operand a, ipiv;
    long long lda, batch, n;
    long long k1, k2;        // counted from 0
    long long first, stride; // of ipiv: that of row k1, and from one row's to the next's
    long long gap, after;    // columns gap .. after - 1 stay as they are
    int backwards;
    int pad;
};

// Systems of equations: B := op(A)^-1 B.
struct SolveArgs {
    Operand a, b, ipiv; // ipiv: n ints a matrix; p null: no interchanges
    int *info;          // of the factorisation; may be null
    long long lda, ldb, batch;
    int n, nrhs;
    int transposed, conjugate; // A^T or A^H in place of A
    int tiles;                 // of right-hand sides a matrix
    int pad;

    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
};

// The inverse of small matrices, or from their factors.
struct InverseArgs {
    Operand a, c;
    Operand ipiv; // of the factors; p null: no interchanges
    int *info;    // may be null
    long long lda, ldc, batch;
    int n;
    int pad;
};

} // namespace tephra
