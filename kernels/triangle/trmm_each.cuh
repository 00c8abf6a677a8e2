// Products with triangles for members with their own sizes: one team per member and tile of columns.
#pragma once
#include "../trsm/each_args.cuh"
#include "trmm.cuh"

namespace tephra {

// As `trmm` (trmm.cuh), but with a single team per block: there, the teams of a block have the same number of tiles,
// and members of different sizes would wait for each other.
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trmm_each(const TrsmEachArgs &args) {
    using Own = Team<T, SIDE, trmm_each_thread>;
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
        if (own.idle() || first >= own.nrhs) continue;                                        // uniform in the block
        const long long nrhs = own.nrhs, order = own.order, rows = (order + SIDE - 1) / SIDE; // of tiles
        const Strides<T> B{member<T>(args.b, i) + own.b0, own.brs, own.bcs};
        const Strides<T> A{zero ? nullptr : member<T>(args.a, i) + own.a0, own.ars, own.acs};
        trmm_columns<T, SIDE>(args, team, t, b, A, B, rows, order, first, nrhs, alpha, scaled, zero);
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TRMM_EACH(NAME, T, SIDE, THREADS)                                                                       \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), TrsmEachArgs,                  \
                 trmm_each<letter::T, SIDE, THREADS>)
