// QR of small matrices of different sizes, several in a warp: as warp.cuh, but all of them go through the steps of the
// largest. Each matrix lies in the last rows and columns of the tile, so that a small one takes part in the tile's last
// steps, which touch only what is left of it. A step before a matrix's first or beyond its last meets a column of
// zeros, for which H = I.
#pragma once
#include "each.cuh"
#include "warp.cuh"

namespace tephra {

// skip: rows and columns of the tile before the matrix's first. m and n count the tile's up to the matrix's last.
template <typename T, int PR, int PC, int RPT, int CPT>
struct WarpEachQr : WarpQr<T, PR, PC, RPT, CPT> {
    using Base = WarpQr<T, PR, PC, RPT, CPT>;
    using Base::a, Base::factor, Base::lr, Base::m, Base::n;
    int skip;

    static __device__ __forceinline__ int skipped(int m, int n) {
        return Base::max_m - m < Base::max_n - n ? Base::max_m - m : Base::max_n - n;
    }
    __device__ __forceinline__ WarpEachQr(int m, int n, T *tau)
        : Base(m + skipped(m, n), n + skipped(m, n), tau, nullptr), skip(skipped(m, n)) {}

    // Calls f(c, offset of this lane's first element in register column c, rows from that element on).
    template <typename F>
    __device__ __forceinline__ void columns(long long lda, bool live, F f) const {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const int j = this->col(c);
            f(c, (j - skip) * lda + (lr - skip), live && j >= skip && j < n ? m - lr : 0);
        }
    }
    template <typename Scales>
    __device__ __forceinline__ void load(const T *A, long long lda, bool live, Scales &scales, unsigned char &any) {
        const int first = skip - lr;
        columns(lda, live, [&](int c, long long at, int rows) {
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = r * PR >= first && r * PR < rows ? A[at + r * PR] : make<T>(0);
        });
        scale_columns(*this, scales, any);
    }
    __device__ __forceinline__ void store(T *A, long long lda, bool ok) const {
        forget(A, lda); // or the loads' addresses would stay in registers until here
        const int first = skip - lr;
        columns(lda, ok, [&](int c, long long at, int rows) {
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const T x = this->row(r) > this->col(c) ? mul(a[r][c], factor[c]) : a[r][c];
                if (r * PR >= first && r * PR < rows) A[at + r * PR] = x;
            }
        });
    }
    // The steps from `start` on.
    template <int K0 = 0>
    __device__ __forceinline__ void walk_from(int start) {
        if constexpr (K0 < Base::max_k) {
            constexpr int c = K0 / PC, r = K0 / PR, next_c = (c + 1) * PC, next_r = (r + 1) * PR;
            constexpr int next = next_c < next_r ? next_c : next_r;
            if (K0 >= this->k_end) return;
            const int last = next < this->k_end ? next : this->k_end;
#pragma unroll 1
            for (int k = K0 < start ? start : K0; k < last; ++k) this->template step<c, r>(k);
            walk_from<next>(start);
        }
    }
};

template <typename T, int PR, int PC, int RPT, int CPT, int WARPS>
__device__ __forceinline__ void geqrf_warp_each(const GeqrfEachArgs &launch) {
    static_assert(PR > 1, "lanes with columns to themselves count on equal sizes");
    using K = WarpEachQr<T, PR, PC, RPT, CPT>;
    // Steps store their taus here, including those of steps that do not belong to the matrix.
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
    K k(m, n, taus);
    scales[0].begin();
    k.load(A, own.lda, live, scales[slot], scales[0].any[0]);
    const int steps = k.k_end, start = k.skip;
    k.k_end = static_cast<int>(warp_largest(live && steps > 0 ? steps : 0));
    k.walk_from(K::max_k - static_cast<int>(warp_largest(live ? K::max_k - start : 0)));
    // A matrix has failed if one of its lanes has.
    const unsigned failed = __ballot_sync(0xffffffffu, k.failed());
    const bool ok = live && !(failed << (32 - K::lanes - lane + rank) >> (32 - K::lanes));
    k.store(A, own.lda, ok);
    if (ok && steps < m + start && m <= n && rank == 0) taus[m + start - 1] = make<T>(0); // a real matrix's last row
    __syncwarp();
    if (ok)
        for (int j = rank; j < reflectors; j += K::lanes) static_cast<T *>(own.tau)[j] = taus[j + start];
    const bool scaled = scales[0].any[0];
    // One matrix at a time: scales R's columns back, or factors the original in memory where the short formulas failed.
    for (unsigned left = __ballot_sync(0xffffffffu, live && rank == 0 && (scaled || !ok)); left; left &= left - 1) {
        const int from = __ffs(left) - 1, there = from / K::lanes;
        const bool good = __shfl_sync(0xffffffffu, ok, from);
        const GeqrfArgs that = launch.of<T>(first + there);
        T *const matrix = static_cast<T *>(that.a);
        if (good)
            unscale_r_call(matrix, that.lda, that.m, -K::skipped(that.m, that.n), that.n + K::skipped(that.m, that.n),
                           &scales[there], 0);
        else
            geqrf_columns_call(matrix, that.lda, static_cast<T *>(that.tau), that.m, that.n, WarpTeam());
    }
}

} // namespace tephra
