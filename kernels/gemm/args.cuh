// What the matrix products are launched with (mirrored in src/gpu/gemm/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"

namespace tephra {

// alpha and beta of a product.
struct GemmFactors {
    const void *alpha, *beta; // where they are, or null
    double alpha_re, alpha_im, beta_re, beta_im;
};

// C := alpha op(A) op(B) + beta C. What op is, strides and conjugations say: op(A)(i, l) is at a0 + i ars + l acs of a
// member of A, op(B)(l, j) at b0 + l brs + j bcs of one of B, C(i, j) at c0 + i + j ldc. Of a square C, a triangle may
// be all that is computed: the rest is neither read nor written.
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
    int triangle;      // what of C is stored
    int real_diagonal; // 1: imaginary parts on C's diagonal are not read, and become zero
    int halvings;      // of the terms: they are shared out among a cluster of 2^halvings blocks

    static constexpr bool each = false; // whether members have sizes of their own

    // The launch, as it is for a member.
    __device__ __forceinline__ const GemmArgs &of(long long) const { return *this; }
    __device__ __forceinline__ constexpr bool idle() const { return false; }
};

// The same for members with sizes of their own: those of the launch are the largest. A stride of 0 is the member's
// leading dimension, and a0, b0 and c0 are rows of the matrices as they are stored, behind which columns come.
struct GemmEachArgs : GemmArgs {
    static constexpr bool each = true;
    Extent rows, columns, terms; // terms: all members' are the launch's, if null
    const int *a_leading, *b_leading, *c_leading;
    int a_columns, b_columns, c_columns;
    int rows_before, columns_before; // of a member's, the block that is computed
    int pad_each;

    struct Own : GemmArgs {
        __device__ __forceinline__ bool idle() const { return m <= 0 || n <= 0; }
    };
    // Of a member whose sizes are not valid nothing is computed.
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

// Tiles of BM x BN that hold a part of C. A triangle's come in groups of R = BM / BN, of which each has one tile a
// member more than the one before: rows of tiles, or of an upper triangle R columns.
template <int BM, int BN>
struct GemmTiles {
    static constexpr int R =
        BM > BN ? BM / BN : 1; // of tiles for triangles, whose rows are a multiple of their columns
    int down, across, triangle;

    __device__ __forceinline__ explicit GemmTiles(const GemmArgs &args)
        : down((args.m + BM - 1) / BM), across((args.n + BN - 1) / BN), triangle(args.triangle) {}

    // Of a member, where these are the largest one's.
    __device__ __forceinline__ const GemmTiles &of(const GemmArgs &) const { return *this; }
    __device__ __forceinline__ GemmTiles of(const GemmEachArgs::Own &args) const { return GemmTiles(args); }

    __device__ __forceinline__ long long count() const {
        const long long last = down - 1, rest = across - R * last;
        if (triangle == GemmArgs::FULL) return static_cast<long long>(down) * across;
        const long long before = R * (last * (last + 1) / 2); // of the groups before the last
        return before + (triangle == GemmArgs::LOWER ? across : rest * (last + 1));
    }
    // Of tile t: its first row and column.
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

// What of a tile is stored: it has rows x columns, in which those elements count whose row less column is from `low` to
// `high`. Of a triangle, or all of it.
struct GemmStored {
    int rows, columns, low, high;
    int diagonal; // row less column of C's diagonal, if that is to be real; else what no element has

    // Of the tile at (row, column).
    __device__ __forceinline__ GemmStored(const GemmArgs &args, int row, int column)
        : rows(args.m - row), columns(args.n - column), low(-nowhere), high(nowhere), diagonal(nowhere) {
        if (args.triangle == GemmArgs::LOWER) low = column - row;
        if (args.triangle == GemmArgs::UPPER) high = column - row;
        if (args.real_diagonal) diagonal = column - row;
    }
    __device__ __forceinline__ bool has(int row, int column) const {
        return row < rows && column < columns && row - column >= low && row - column <= high;
    }
    // All of `count` rows from `row` on.
    __device__ __forceinline__ bool has(int row, int column, int count) const {
        return row + count <= rows && column < columns && row - column >= low && row + count - 1 - column <= high;
    }
    __device__ __forceinline__ bool on_diagonal(int row, int column) const { return row - column == diagonal; }

  private:
    static constexpr int nowhere = 1 << 30; // no tile has so many rows
};

} // namespace tephra
