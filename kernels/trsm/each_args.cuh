// What triangular solves of members with sizes of their own are launched with (mirrored in
// src/gpu/args/solve.rs).
#pragma once
#include "../common/extent.cuh"
#include "args.cuh"

namespace tephra {

// A triangular solve of members with sizes of their own: those of the launch are the largest. Strides are those of
// triangles and unknowns that are not reversed; 0 is the member's leading dimension. a0 and b0 are rows of the matrices
// as they are stored, behind which columns come.
struct TrsmEachArgs : TrsmArgs {
    Extent orders, sides;
    const int *a_leading, *b_leading;
    int a_columns, b_columns;
    int order_before, sides_before; // of a member's unknowns and right-hand sides, those of the launch
    int reversed;                   // unknowns are counted from the last
    int vectors;                    // b_leading are the increments of vectors: below zero a member begins with its last

    struct Own : TrsmArgs {
        __device__ __forceinline__ bool idle() const { return order <= 0 || nrhs <= 0; }
    };
    // Of a member whose sizes are not valid nothing is solved.
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
