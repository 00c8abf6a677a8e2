// Factors a level's blocks, each by the kernel for a tall matrix that fits a multiprocessor, and copies their R to the
// level above.
#pragma once
#include "../geqrf/tall.cuh"
#include "args.cuh"

namespace tephra {

// The place where block j of member i is factored.
template <typename T>
__device__ __forceinline__ Place<T> tsqr_place(const TsqrArgs &args, long long i, long long j) {
    if (args.flags & TsqrArgs::SLOTS && j > 0)
        return {static_cast<T *>(args.slots) + blockIdx.x * args.level.rows * args.n, args.level.rows};
    return {args.level.block<T>(i, j, args.n), args.level.lda};
}

// Copies block b's R to the level above.
template <typename T>
__device__ __noinline__ void tsqr_raise_call(const TsqrArgs &args, long long b) {
    const long long i = b / args.level.blocks, j = b % args.level.blocks;
    put_r_call(tsqr_place<T>(args, i, j), Place<T>{args.above<T>(i, j), args.up_ld}, args.level.height(j, args.n),
               args.n, args.n);
}

template <typename T, int... SHAPE>
__device__ __forceinline__ void tsqr_panel(const TsqrArgs &args) {
    using K = TallQr<T, SHAPE...>;
    TEPHRA_DYNAMIC_SHARED(raw);
    __shared__ GeqrfArgs one; // in shared memory: the steps need all registers
#pragma unroll 1
    for (unsigned b = blockIdx.x; b < args.blocks; b += gridDim.x) {
        const unsigned of_member = static_cast<unsigned>(args.level.blocks), i = b / of_member;
        if (cholqr_done(args.states, i)) {
            if (args.batch == 1) return;
            continue;
        }
        if (threadIdx.x == 0) {
            const unsigned j = b - i * of_member;
            const Place<T> place = tsqr_place<T>(args, i, j);
            one = {};
            one.flags = GeqrfArgs::FROM;
            one.a = one.from.p = place.p;
            one.lda = one.ld_from = place.ld;
            if (args.flags & TsqrArgs::FROM) {
                one.from.p = member<T>(args.from, i) + args.level.first(j, args.n);
                one.ld_from = args.ld_from;
            }
            one.tau = args.level.taus<T>(i, j, args.n);
            one.batch = 1;
            one.m = args.level.height(j, args.n);
            one.n = args.n;
        }
        __syncthreads();
        K k(one.m, one.n, *reinterpret_cast<typename K::Memory *>(raw));
        k.template run<false>(one);
        if (args.level.blocks > 1) tsqr_raise_call<T>(args, b);
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TSQR_PANEL(NAME, T, N, NB, PC, G, RPT, W, MIN_BLOCKS, PLACES)                                           \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .holds(32 / PC * W * RPT, N)                                                                      \
                     .by_warps(W)                                                                                      \
                     .at_once(MIN_BLOCKS)                                                                              \
                     .needs(sizeof(TallQr<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>::Memory)),                       \
                 __launch_bounds__(32 * W, MIN_BLOCKS), TsqrArgs,                                                      \
                 tsqr_panel<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>)
