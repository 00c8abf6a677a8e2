// Arguments of the matrix products (mirrored in src/gpu/gemm/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"

namespace tephra {

// alpha and beta of a product.
struct GemmFactors {
    const void *alpha, *beta; // in device memory, or null
    double alpha_re, alpha_im, beta_re, beta_im;
};

// Whether member i of an operand exists: an array of pointers may contain null.
__device__ __forceinline__ bool exists(const Operand &o, long long i) {
    return !o.pointers || static_cast<void *const *>(o.p)[i];
}

// Which matrices of a member exist.
struct GemmFound {
    bool c, factors; // C; A and B

    // Whether these are all that a product of `terms` terms needs.
    __device__ __forceinline__ constexpr bool all(int terms) const { return c && (factors || terms <= 0); }
};

// C := alpha op(A) op(B) + beta C. Strides and conjugations express op: op(A)(i, l) is at a0 + i ars + l acs of a
// member of A, op(B)(l, j) at b0 + l brs + j bcs of one of B, C(i, j) at c0 + i + j ldc. If C is square, the product
// may be restricted to one of its triangles; the other is neither read nor written.
struct GemmArgs {
    static constexpr int FULL = 0, LOWER = 1, UPPER = 2; // `triangle`

    Operand a, b, c;
    GemmFactors factors;
    long long a0, ars, acs;
    long long b0, brs, bcs;
    long long c0, ldc;
    long long batch;
    int m, n, k; // op(A): m x k, op(B): k x n
    int conj_a, conj_b;
    int triangle;      // the part of C that is computed
    int real_diagonal; // 1: imaginary parts on C's diagonal are ignored, and set to zero
    int halvings;      // terms are shared out among a cluster of 2^halvings blocks

    static constexpr bool each = false; // whether members have their own sizes

    // The launch as one member sees it.
    __device__ __forceinline__ const GemmArgs &of(long long) const { return *this; }
    __device__ __forceinline__ constexpr GemmFound found(long long, bool) const { return {true, true}; }
    __device__ __forceinline__ constexpr bool idle() const { return false; }
};

// The same for members with their own sizes, of which the launch's are the largest. A stride of 0 stands for the
// member's leading dimension. a0, b0 and c0 count rows of the stored matrices; a_columns etc. are added in columns.
struct GemmEachArgs : GemmArgs {
    static constexpr bool each = true;
    Extent rows, columns, terms; // terms: if null, all members have the launch's k
    const int *a_leading, *b_leading, *c_leading;
    int a_columns, b_columns, c_columns;
    int rows_before, columns_before; // rows and columns of the member before the computed block
    int pad_each;

    struct Own : GemmArgs {
        __device__ __forceinline__ bool idle() const { return m <= 0 || n <= 0; }
    };
    // `reads`: whether A and B may be read. All pointers are loaded at once, and beside the sizes: waiting for one
    // after the other took a tenth of a small product's time.
    __device__ __forceinline__ GemmFound found(long long i, bool reads) const {
        return {exists(c, i), !reads || (exists(a, i) & exists(b, i))};
    }
    // Nothing is computed for an invalid member.
    __device__ __forceinline__ Own of(long long i) const {
        Own own = {*this};
        const int all_rows = rows.of(i), all_columns = columns.of(i), all_terms = terms.each ? terms.of(i) : k;
        const int lda = a_leading[i], ldb = b_leading[i], ld = c_leading[i];
        const bool valid = rows.allows(all_rows) && columns.allows(all_columns) &&
                           (!terms.each || terms.allows(all_terms)) && leads(lda, ars == 1 ? all_rows : all_terms) &&
                           leads(ldb, brs == 1 ? all_terms : all_columns) && leads(ld, all_rows);
        const int height = valid ? all_rows - rows_before : 0, width = all_columns - columns_before;
        own.m = height < m ? height : m, own.n = width < n ? width : n, own.k = all_terms;
        own.a0 += static_cast<long long>(a_columns) * lda;
        own.b0 += static_cast<long long>(b_columns) * ldb;
        own.c0 += static_cast<long long>(c_columns) * ld;
        own.ars = ars ? ars : lda, own.acs = acs ? acs : lda;
        own.brs = brs ? brs : ldb, own.bcs = bcs ? bcs : ldb;
        own.ldc = ld;
        return own;
    }
};

// Tiles of BM x BN that cover a part of C. With R = BM / BN, those of a triangle come in groups: group g has R (g + 1)
// tiles, which are a row of tiles (lower), or R columns of tiles (upper).
template <int BM, int BN>
struct GemmTiles {
    static constexpr int R =
        BM > BN ? BM / BN : 1; // BM must be a multiple of BN wherever only a triangle of C is computed
    int down, across, triangle;

    __device__ __forceinline__ explicit GemmTiles(const GemmArgs &args)
        : down((args.m + BM - 1) / BM), across((args.n + BN - 1) / BN), triangle(args.triangle) {}

    // The tiles of one member; these are the largest one's.
    __device__ __forceinline__ const GemmTiles &of(const GemmArgs &) const { return *this; }
    __device__ __forceinline__ GemmTiles of(const GemmEachArgs::Own &args) const { return GemmTiles(args); }

    __device__ __forceinline__ long long count() const {
        const long long last = down - 1, rest = across - R * last;
        if (triangle == GemmArgs::FULL) return static_cast<long long>(down) * across;
        const long long before = R * (last * (last + 1) / 2); // in the groups before the last
        return before + (triangle == GemmArgs::LOWER ? across : rest * (last + 1));
    }
    // First row and column of tile t.
    __device__ __forceinline__ void place(int t, int &row, int &column) const {
        if (triangle == GemmArgs::FULL) {
            row = t % down * BM, column = t / down * BN;
            return;
        }
        int group = static_cast<int>((sqrtf(8.0f * (t / R) + 1) - 1) / 2); // to within one
        while (group > 0 && R * (group * (group + 1LL) / 2) > t) --group;
        while (R * ((group + 1LL) * (group + 2) / 2) <= t) ++group;
        const int left = static_cast<int>(t - R * (group * (group + 1LL) / 2));
        if (triangle == GemmArgs::LOWER) {
            row = group * BM, column = left * BN;
        } else {
            row = left % (group + 1) * BM, column = (group * R + left / (group + 1)) * BN;
        }
    }
};

// The part of a tile that is stored: the elements within rows x columns for which row - column is between `low` and
// `high`.
struct GemmStored {
    int rows, columns, low, high;
    int diagonal; // row - column of C's diagonal if it is to be real; else a value that no element has

    // For the tile at (row, column).
    __device__ __forceinline__ GemmStored(const GemmArgs &args, int row, int column)
        : rows(args.m - row), columns(args.n - column), low(-nowhere), high(nowhere), diagonal(nowhere) {
        if (args.triangle == GemmArgs::LOWER) low = column - row;
        if (args.triangle == GemmArgs::UPPER) high = column - row;
        if (args.real_diagonal) diagonal = column - row;
    }
    __device__ __forceinline__ bool has(int row, int column) const {
        return row < rows && column < columns && row - column >= low && row - column <= high;
    }
    // Whether all of `count` rows from `row` on are stored.
    __device__ __forceinline__ bool has(int row, int column, int count) const {
        return row + count <= rows && column < columns && row - column >= low && row + count - 1 - column <= high;
    }
    __device__ __forceinline__ bool on_diagonal(int row, int column) const { return row - column == diagonal; }

  private:
    static constexpr int nowhere = 1 << 30; // no tile has so many rows
};

} // namespace tephra
