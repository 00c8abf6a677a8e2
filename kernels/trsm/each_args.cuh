// Arguments of triangular solves for members with their own sizes (mirrored in src/gpu/args/solve.rs).
#pragma once
#include "../common/extent.cuh"
#include "args.cuh"

namespace tephra {

// A triangular solve of members with their own sizes, of which the launch's are the largest. Strides are given before
// any reversal; 0 stands for the member's leading dimension. a0 and b0 count rows of the stored matrices; a_columns and
// b_columns are added in columns.
struct TrsmEachArgs : TrsmArgs {
    Extent orders, sides;
    const int *a_leading, *b_leading;
    int a_columns, b_columns;
    int order_before, sides_before; // a member's unknowns and right-hand sides before those of the launch
    int reversed;                   // 1: unknowns are counted from the last
    int vectors;                    // 1: b_leading holds increments of vectors; negative: last element first

    struct Own : TrsmArgs {
        __device__ __forceinline__ bool idle() const { return order <= 0 || nrhs <= 0; }
    };
    // Nothing is solved for an invalid member.
    __device__ __forceinline__ Own of(long long i) const {
        Own own = {*this};
        const int unknowns = orders.of(i), all = vectors ? 1 : sides.of(i), lda = a_leading[i], ldb = b_leading[i];
        const bool valid = orders.allows(unknowns) && sides.allows(all) && leads(lda, unknowns) &&
                           (vectors ? ldb != 0 : leads(ldb, brs == 1 ? unknowns : all));
        const bool from_last = vectors && ldb < 0;
        const int height = valid ? unknowns - order_before : 0, width = all - sides_before;
        own.order = height < order ? height : order, own.nrhs = width < nrhs ? width : nrhs;
        own.ars = ars ? ars : lda, own.acs = acs ? acs : lda;
        own.brs = brs ? brs : from_last ? -static_cast<long long>(ldb) : ldb, own.bcs = bcs ? bcs : ldb;
        own.a0 += static_cast<long long>(a_columns) * lda;
        own.b0 += static_cast<long long>(b_columns) * ldb;
        if (reversed) {
            own.a0 += (own.order - 1) * (own.ars + own.acs);
            own.ars = -own.ars, own.acs = -own.acs;
        }
        if ((reversed != 0) != from_last) own.b0 += (own.order - 1) * own.brs, own.brs = -own.brs;
        return own;
    }
};

} // namespace tephra
