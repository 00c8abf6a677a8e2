// Arguments of the LU kernels (mirrored in src/gpu/getrf/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// One launch of an LU factorisation.
struct GetrfArgs {
    Operand a, ipiv; // ipiv: ints, min(m, n) per matrix; p null: no interchanges
    int *info;       // may be null
    long long lda, batch;
    int m, n;    // size of the matrices
    int at;      // first row and column of the panel
    int columns; // of the panel
    int first;   // columns first .. n - 1, beside the panel, are exchanged or updated
    int strips;  // per matrix, beside a panel; used if members have their own sizes

    static constexpr bool each = false; // whether members have their own sizes

    __device__ __forceinline__ const GetrfArgs &of(long long) const { return *this; }
    // Whether the kernel has nothing to do for the member. (The host does not launch what no member needs.)
    __device__ __forceinline__ constexpr bool idle() const { return false; }

    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(a, i);
    }
    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
    // The pivot indices from row `at` on.
    __device__ __forceinline__ int *interchanges(long long i) const { return member<int>(ipiv, i) + at; }
    // Pivots of a member below this magnitude are replaced; 0: none are.
    template <typename T>
    __device__ __forceinline__ constexpr Real<T> least_pivot(long long) const {
        return 0;
    }
    // first: the panel's first zero pivot, counted from 1; 0: none. One of an earlier panel takes precedence.
    __device__ __forceinline__ void set_info(long long i, int first) const {
        if (!info) return;
        if (at == 0)
            info[i] = first;
        else if (first > 0 && info[i] == 0)
            info[i] = at + first;
    }
    // The overload for members whose small pivots may be replaced: there the number counts the panel's replaced pivots.
    __device__ __forceinline__ void set_info(long long i, int first, bool) const { set_info(i, first); }
};

// The same for members with their own sizes, of which m, n and lda are the largest.
struct GetrfEachArgs : GetrfArgs {
    static constexpr bool each = true;
    SizesArgs sizes;
    // Without interchanges, pivots smaller than this number by |re| + |im| are replaced by it, with the sign of their
    // real part, and counted in info. One number per member, or `least_of_all` for all if null. 0: none are replaced.
    const void *least_pivots; // of the real type
    double least_of_all;

    // The launch as one member sees it; all of the member's panels before this one have been factored.
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
    // An invalid member is left untouched, except that its info becomes minus the position of its first invalid
    // argument, as in LAPACK.
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

// Row interchanges as in LAPACK's laswp: rows k1 .. k2 - 1, forwards or backwards, in all columns outside a gap.
struct LaswpArgs {
    Operand a, ipiv;
    long long lda, batch, n;
    long long k1, k2;        // counted from 0
    long long first, stride; // of ipiv: index of row k1's entry, and distance to the next row's
    long long gap, after;    // columns gap .. after - 1 are left alone
    int backwards;
    int pad;
};

// Solves systems of equations: B := op(A)^-1 B.
struct SolveArgs {
    Operand a, b, ipiv; // ipiv: n ints per matrix; p null: no interchanges
    int *info;          // of the factorisation; may be null
    long long lda, ldb, batch;
    int n, nrhs;
    int transposed, conjugate; // A^T or A^H in place of A
    int tiles;                 // tiles of right-hand sides per matrix
    int shifted;               // 1: two triangles at once: there is memory for shifted copies

    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
};

// Inverts small matrices, given as they are or by their LU factors.
struct InverseArgs {
    Operand a, c;
    Operand ipiv; // of the factors; p null: no interchanges
    int *info;    // may be null
    long long lda, ldc, batch;
    int n;
    int pad;
};

} // namespace tephra
