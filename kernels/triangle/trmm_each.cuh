// Products with triangles, of members with sizes of their own: one team for each member and tile of columns.
#pragma once
#include "../trsm/each_args.cuh"
#include "tile.cuh"

namespace tephra {

// As `trmm` (trmm.cuh), whose teams have the same rows of tiles to make; members of several sizes would wait for each
// other.
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trmm_each(const TrsmEachArgs &args) {
    constexpr int each = 4;
    using Own = Team<T, SIDE, each>;
    static_assert(THREADS == Own::threads, "one team");
    __shared__ typename Own::Tile t, b;
    const Own team;
    T alpha = make<T>(static_cast<Real<T>>(args.alpha_re), static_cast<Real<T>>(args.alpha_im));
    if (args.alpha) alpha = *static_cast<const T *>(args.alpha);
    const bool scaled = !(re(alpha) == 1 && im(alpha) == 0), zero = is_zero(alpha);
    const long long jobs = args.batch * args.tiles;
    for (long long job = blockIdx.x; job < jobs; job += gridDim.x) {
        const long long i = job / args.tiles, first = job % args.tiles * SIDE;
        const auto own = args.of(i);
        if (own.idle() || first >= own.nrhs) continue;                                        // for all threads
        const long long nrhs = own.nrhs, order = own.order, rows = (order + SIDE - 1) / SIDE; // of tiles
        const Strides<T> B{member<T>(args.b, i) + own.b0, own.brs, own.bcs};
        const Strides<T> A{zero ? nullptr : member<T>(args.a, i) + own.a0, own.ars, own.acs};
#pragma unroll 1
        for (long long row = rows - 1; row >= 0; --row) {
            T sum[each] = {};
#pragma unroll 1
            for (long long k = 0; k <= row && !zero; ++k) {
                __syncthreads(); // the tiles before have been used
                team.load_lower(t, A, row * SIDE, k * SIDE, order, args.conj, args.unit);
                team.load(b, B, k * SIDE, first, order, nrhs);
                __syncthreads();
                if (k < row)
                    team.template multiply<false, false>(sum, t, b);
                else
                    team.template multiply<true, false>(sum, t, b);
            }
            __syncthreads();
#pragma unroll
            for (int u = 0; u < each; ++u) b[team.y + u * Own::height][team.x] = scaled ? mul(alpha, sum[u]) : sum[u];
            __syncthreads();
            team.each(B.along_rows(), [&](int r, int c) {
                if (row * SIDE + r < order && first + c < nrhs)
                    *B.at(row * SIDE + r, first + c) = zero ? make<T>(0) : b[c][r];
            });
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TRMM_EACH(NAME, T, SIDE, THREADS)                                                                       \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), TrsmEachArgs,                  \
                 trmm_each<letter::T, SIDE, THREADS>)
