// QR of small matrices with sizes of their own, several in a warp: as warp.cuh, with the steps of the largest one for
// all of them. A step beyond a matrix's last finds a column of zeros, for which H = I.
#pragma once
#include "each.cuh"
#include "warp.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int WARPS>
__device__ __forceinline__ void geqrf_warp_each(const GeqrfEachArgs &launch) {
    static_assert(PR > 1, "lanes with columns to themselves count on equal sizes");
    using K = WarpQr<T, PR, PC, RPT, CPT>;
    // Steps store their taus, those beyond a matrix's last, too.
    __shared__ T all_taus[WARPS][K::mats][K::max_k];
    __shared__ ColumnScales<K::max_n> all_scales[WARPS][K::mats];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32, slot = lane / K::lanes, rank = lane % K::lanes;
    auto &scales = all_scales[w];
    T *const taus = all_taus[w][slot];
    const long long first = (blockIdx.x * (long long)WARPS + w) * K::mats, i = first + slot;
    const GeqrfArgs own = i < launch.batch ? launch.of<T>(i) : GeqrfArgs();
    const int m = own.m, n = own.n, reflectors = m < n ? m : n;
    const bool live = n > 0; // else there is nothing to load or store
    T *const A = static_cast<T *>(own.a);
    K k(m, n, taus, nullptr);
    scales[0].begin();
    k.load(A, own.lda, scales[slot], scales[0].any[0]);
    const int steps = k.k_end;
    k.k_end = static_cast<int>(warp_largest(steps > 0 ? steps : 0));
    walk(k);
    k.k_end = steps;
    // A lane that failed is a matrix that failed.
    const unsigned failed = __ballot_sync(0xffffffffu, k.failed());
    const bool ok = live && !(failed << (32 - K::lanes - lane + rank) >> (32 - K::lanes));
    k.store(A, own.lda, taus, ok);
    __syncwarp();
    if (ok)
        for (int j = rank; j < reflectors; j += K::lanes) static_cast<T *>(own.tau)[j] = taus[j];
    const bool scaled = scales[0].any[0];
    // Of others, one at a time: R's columns back, or all steps where the short formulas failed; those are as they were.
    for (unsigned left = __ballot_sync(0xffffffffu, live && rank == 0 && (scaled || !ok)); left; left &= left - 1) {
        const int from = __ffs(left) - 1, there = from / K::lanes;
        const bool good = __shfl_sync(0xffffffffu, ok, from);
        const GeqrfArgs that = launch.of<T>(first + there);
        T *const matrix = static_cast<T *>(that.a);
        if (good)
            unscale_r_call(matrix, that.lda, that.m, 0, that.n, &scales[there], 0);
        else
            geqrf_columns_call(matrix, that.lda, static_cast<T *>(that.tau), that.m, that.n, WarpTeam());
    }
}

} // namespace tephra
