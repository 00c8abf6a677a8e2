// QR with column pivoting: the arguments of its launches, and the norms of columns. Source: LAPACK geqp3, laqp2.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../geqrf/columns.cuh"

namespace tephra {

// Mirrored in src/gpu/geqp3/steps.rs. The team, generic and stepped kernels also take variable-size batches.
struct Geqp3Args {
    Operand a, jpvt, tau;
    Operand norms; // per member 2 n real numbers and one integer, for kernels that keep norms in memory
    int *info;     // set to 0; may be null
    long long lda, batch;
    long long step; // the column of a launch that does one; -1: the launch before the first column
    int m, n;       // maxima over the members
    SizesArgs sizes;
    int each, pad; // 1: variable-size batch

    struct Own {
        int m, n;
        long long lda;
    };
    // The sizes of member i. m = 0: the launch has nothing to do for it. For members without elements, or with invalid
    // sizes, the launch for the smallest members writes info; of a plan's many launches for these, one `reports`.
    __device__ __forceinline__ Own of(long long i, bool reports = true) const {
        if (!each) return {m, n, lda};
        const Own own = {sizes.rows.of(i), sizes.columns.of(i), sizes.leading[i]};
        const int code = sizes.code(own.m, own.n, own.lda);
        const bool none = code != 0 || own.m == 0 || own.n == 0;
        if (none && reports && sizes.over == 0 && threadIdx.x == 0 && info) info[i] = code;
        return none || !sizes.is_for(own.m, own.n) ? Own{0, 0, 1} : own;
    }
};

// A NaN counts as larger than any number, so that it becomes a pivot and shows in all that follows.
template <typename R>
__device__ __forceinline__ bool larger_norm(R a, R b) {
    return !(a <= b) && b == b;
}

// A candidate for the largest norm; of equal norms, the first place wins. `id` orders places and identifies the column.
template <typename R>
struct Offer {
    R norm;
    int id;
    __device__ __forceinline__ void take(R other, int other_id) {
        const bool better = larger_norm(other, norm) || (!larger_norm(norm, other) && other_id < id);
        norm = better ? other : norm;
        id = better ? other_id : id;
    }
    // The best among the participating lanes of a warp, returned to all lanes; its norm is -1 if no lane takes part.
    // Norms are compared by their bits, of which NaNs have the largest.
    __device__ __forceinline__ static Offer best_of_warp(bool takes_part, R norm, int id) {
        constexpr unsigned all = 0xffffffffu, part = 1u << 31; // norms have no sign
        Offer best;
        unsigned most;
        if constexpr (sizeof(R) == 8) {
            const unsigned high = takes_part ? static_cast<unsigned>(__double2hiint(norm)) | part : 0;
            const unsigned low = static_cast<unsigned>(__double2loint(norm));
            most = __reduce_max_sync(all, high);
            takes_part = takes_part && high == most;
            const unsigned rest = __reduce_max_sync(all, takes_part ? low : 0);
            takes_part = takes_part && low == rest;
            best.norm = __hiloint2double(static_cast<int>(most & ~part), static_cast<int>(rest));
        } else {
            const unsigned bits = takes_part ? __float_as_uint(norm) | part : 0;
            most = __reduce_max_sync(all, bits);
            takes_part = takes_part && bits == most;
            best.norm = __uint_as_float(most & ~part);
        }
        best.id = static_cast<int>(__reduce_min_sync(all, takes_part ? static_cast<unsigned>(id) : ~part));
        if (most == 0) best.norm = R(-1);
        return best;
    }
    // The best over groups of LANES lanes.
    template <int LANES>
    __device__ __forceinline__ void best() {
#pragma unroll
        for (int s = LANES / 2; s > 0; s /= 2)
            take(__shfl_xor_sync(0xffffffffu, norm, s), __shfl_xor_sync(0xffffffffu, id, s));
    }
};

// Updates a column's norm after one of its elements has become R's (part_x, part_y). Returns true, and the norm must be
// summed again, if too little is left of the norm as it was last summed (`whole`). Source: LAPACK working note 176.
template <typename R>
__device__ __forceinline__ bool downdate(R &norm, R whole, R part_x, R part_y) {
    constexpr R limit = sizeof(R) == 8 ? R(0x1.6a09e667f3bcdp-27) : R(0x1p-12f); // the root of the unit roundoff
    if (norm == 0) return false;
    const R x = part_x / norm, y = part_y / norm;
    R left = R(1) - fma(x, x, y * y);
    left = left < 0 ? R(0) : left; // a NaN stays
    const R rest = norm / whole;
    if (left * rest * rest <= limit) return true;
    norm *= sqrt(left);
    return false;
}

// Whether a sum of squares has lost nothing by overflow or underflow.
template <typename R>
__device__ __forceinline__ bool safe_square(R sum) {
    return sum > SafeRange<R>::lo && sum < SafeRange<R>::hi;
}
// The norm from the results of the slow path: the largest part of an element, the sum of squares times 2^-2e, and the
// unscaled sum, which is NaN if an element is.
template <typename R>
__device__ __forceinline__ R guarded_norm(R largest, R scaled, int e, R raw) {
    return raw != raw ? raw : largest <= Limits<R>::max ? times_pow2(sqrt(scaled), e) : largest;
}

// The norm of rows first .. m - 1 of a column in memory; returned to all threads of the team.
template <typename T, typename Team>
__device__ __forceinline__ Real<T> column_norm(const T *x, long long first, long long m, Team team) {
    using R = Real<T>;
    R sum = 0;
    for (long long r = first + team.rank; r < m; r += Team::threads) sum = abs2_add(x[r], sum);
    sum = team.sum(sum);
    if (safe_square(sum)) return sqrt(sum);
    R largest = 0, scaled = 0;
    for (long long r = first + team.rank; r < m; r += Team::threads) largest = fmax(largest, abs_inf(x[r]));
    largest = team.max(largest);
    const Rescale<R> rescale(largest);
    for (long long r = first + team.rank; r < m; r += Team::threads) scaled = abs2_add(rescale(x[r]), scaled);
    return guarded_norm(largest, team.sum(scaled), rescale.e, sum);
}
template <typename T>
__device__ __forceinline__ Real<T> column_norm(const T *x, long long first, long long m) {
    return column_norm(x, first, m, WarpTeam());
}

} // namespace tephra
