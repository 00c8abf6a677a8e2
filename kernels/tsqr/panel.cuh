// A level's blocks factored, each by the kernel of a tall matrix that fits a multiprocessor; their R to the level
// above.
#pragma once
#include "../geqrf/tall.cuh"
#include "args.cuh"

namespace tephra {

template <typename T, int... SHAPE>
__device__ __forceinline__ void tsqr_panel(const TsqrArgs &args) {
    using K = TallQr<T, SHAPE...>;
    extern __shared__ __align__(16) unsigned char raw[];
    const long long i = blockIdx.x / args.level.blocks, j = blockIdx.x % args.level.blocks;
    GeqrfArgs one = {};
    one.a = args.level.block<T>(i, j, args.n);
    one.tau = args.level.taus<T>(i, j, args.n);
    one.lda = args.level.lda;
    one.batch = 1;
    one.m = args.level.height(j, args.n);
    one.n = args.n;
    K k(one.m, one.n, *reinterpret_cast<typename K::Memory *>(raw));
    k.template run<false>(one);
    if (args.level.blocks > 1)
        put_r_call(Place<T>{args.level.block<T>(i, j, args.n), args.level.lda},
                   Place<T>{args.above<T>(i, j), args.up_ld}, args.level.height(j, args.n), args.n, args.n);
}

} // namespace tephra

#define TEPHRA_TSQR_PANEL(NAME, T, N, NB, PC, G, RPT, W, MIN_BLOCKS, PLACES)                                           \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .holds(32 / PC * W * RPT, N)                                                                      \
                     .by_warps(W)                                                                                      \
                     .needs(sizeof(TallQr<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>::Memory)),                       \
                 __launch_bounds__(32 * W, MIN_BLOCKS), TsqrArgs,                                                      \
                 tsqr_panel<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>)
