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

// What a thread block works on, in shared memory, since the steps need all registers.
struct TsqrTurn {
    GeqrfArgs one;
    long long b;
};

// Factors one block. Not inlined: nothing of the loop around it then takes a register.
template <typename K>
__device__ __noinline__ void tsqr_factor_call(const TsqrTurn &turn, void *memory) {
    K k(turn.one.m, turn.one.n, *static_cast<typename K::Memory *>(memory));
    k.template run<false>(turn.one);
}

template <typename T, int... SHAPE>
__device__ __forceinline__ void tsqr_panel(const TsqrArgs &args) {
    using K = TallQr<T, SHAPE...>;
    TEPHRA_DYNAMIC_SHARED(raw);
    __shared__ TsqrTurn turn;
    GeqrfArgs &one = turn.one;
    long long &b = turn.b;
    if (threadIdx.x == 0) b = args.unfinished(blockIdx.x);
    __syncthreads();
#pragma unroll 1
    while (b < args.blocks) {
        if (threadIdx.x == 0) {
            const long long i = b / args.level.blocks, j = b % args.level.blocks;
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
        tsqr_factor_call<K>(turn, raw);
        if (args.level.blocks > 1) tsqr_raise_call<T>(args, b);
        __syncthreads();
        if (threadIdx.x == 0) b = args.unfinished(b + gridDim.x);
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
