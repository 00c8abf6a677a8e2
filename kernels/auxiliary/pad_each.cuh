// Copies of matrices with their own sizes, padded to one size, and back: the kernels and plans of uniform batches then
// serve a few large members.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Mirrored in src/gpu/plan/parts/pad.rs.
struct PadEachArgs {
    Operand each, padded;
    const int *checked;  // per member; negative: it has no elements
    const int *rows;     // of each member
    const int *rows_too; // null, or a second bound on them
    const int *columns;  // null: one
    const int *nonzero;  // null, or increments: a member whose increment is 0 is invalid
    const int *leading;  // null for a single column; an increment of a row may be negative, with the last element first
    long long most_rows, most_columns, ld; // of the padded matrices
    long long batch;
    long long row_tiles, column_tiles;
    int back;     // 1: from the padded matrices to the members
    int identity; // 1: what is not copied is that of the identity
    int triangle; // 1, 2: only the lower or upper triangle is copied
    int unit;     // 1: without its diagonal
};

// A thread takes one row of a tile, so that the accesses of a warp are coalesced, and loads COLUMNS elements before it
// stores the first.
template <typename T, int COLUMNS, int THREADS>
__device__ __forceinline__ void pad_each(const PadEachArgs &args) {
    const long long tiles = args.row_tiles * args.column_tiles;
    for (long long job = blockIdx.x; job < args.batch * tiles; job += gridDim.x) {
        const long long i = job / tiles, tile = job % tiles;
        const long long r = tile % args.row_tiles * THREADS + threadIdx.x, first = tile / args.row_tiles * COLUMNS;
        const bool none = args.checked[i] < 0;
        long long rows = none ? 0 : args.rows ? args.rows[i] : 1, ld = args.leading ? args.leading[i] : args.ld;
        if (args.rows_too && args.rows_too[i] < rows) rows = args.rows_too[i];
        const long long columns = args.columns ? args.columns[i] : 1;
        if (args.nonzero && args.nonzero[i] == 0) rows = 0;
        T *const member_at = rows > 0 ? member<T>(args.each, i) + (ld < 0 ? (1 - columns) * ld : 0) : nullptr;
        T *const padded_at = member<T>(args.padded, i);
        T x[COLUMNS];
#pragma unroll
        for (int u = 0; u < COLUMNS; ++u) {
            const long long c = first + u;
            const bool stored = args.triangle == 0 || (args.triangle == 1 ? r > c : r < c) || (r == c && !args.unit);
            const bool own = r < rows && c < columns && stored;
            x[u] = make<T>(args.identity && r == c ? 1 : 0);
            if (own) x[u] = args.back ? padded_at[c * args.ld + r] : member_at[c * ld + r];
        }
#pragma unroll
        for (int u = 0; u < COLUMNS; ++u) {
            const long long c = first + u;
            if (args.back) {
                if (r < rows && c < columns) member_at[c * ld + r] = x[u];
            } else if (r < args.most_rows && c < args.most_columns) {
                padded_at[c * args.ld + r] = x[u];
            }
        }
    }
}

} // namespace tephra

#define TEPHRA_PAD_EACH(NAME, T, COLUMNS, THREADS)                                                                     \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(THREADS, COLUMNS), __launch_bounds__(THREADS), PadEachArgs,             \
                 pad_each<letter::T, COLUMNS, THREADS>)
