// The trailing update (update.cuh) of matrices with sizes of their own.
#pragma once
#include "../common/stage.cuh"
#include "each.cuh"
#include "update.cuh"

namespace tephra {

// `k`: the most reflectors of any panel, which is at (at, at).
struct LarfbEachArgs : LarfbArgs {
    static constexpr bool each = true; // for for_jobs
    SizesArgs sizes;
    int at, pad;

    // Of a member alone, what the update reads. n = 0: it has nothing to do.
    template <typename T>
    __device__ __forceinline__ LarfbArgs of(long long i) const {
        const MemberSizes member = sizes.of<T>(i);
        const int left = member.here ? member.steps - at : 0, panel = left < k ? left : static_cast<int>(k);
        LarfbArgs own = *this;
        own.m = member.m - at, own.k = panel;
        own.n = panel > 0 ? member.n - at - panel : 0;
        own.ldv = own.ldc = member.lda;
        own.tau0 = at, own.v0 = at * (member.lda + 1), own.c0 = own.v0 + panel * member.lda;
        return own;
    }
};

template <typename T, int NB, int NT, int W, int U, int G>
struct UpdateEach : Update<T, NB, NT, W, U, G, 1, false> {
    LarfbArgs own; // in shared memory, where it costs no registers
};

// Jobs are shares of members, launch.tiles of each.
template <typename T, int NB, int NT, int W, int U, int G>
__device__ __forceinline__ void geqrf_update_each(const LarfbEachArgs &launch) {
    using K = UpdateEach<T, NB, NT, W, U, G>;
    K &k = *reinterpret_cast<K *>(dynamic_shared());
    const int shares = static_cast<int>(launch.tiles);
    for_jobs(launch, launch.batch * shares, [&](unsigned job) {
        const long long i = job / shares;
        if (threadIdx.x == 0) k.own = launch.of<T>(i);
        __syncthreads();
        const LarfbArgs &args = k.own;
        const int rounds = static_cast<int>((args.n + K::round - 1) / K::round);
        const typename K::Rounds mine = {0, rounds - 1 - static_cast<int>(job % shares), shares};
        if (mine.last < 0) return;
        T *const A = member<T>(args.v, i), *const C = A + args.c0;
        unsigned turn = 0;
        k.run(args, A + args.v0, member<T>(args.tau, i) + args.tau0, nullptr, C, {C, args.ldc}, {C, args.ldc}, mine,
              turn);
    });
}

} // namespace tephra

#define TEPHRA_UPDATE_EACH(NAME, T, NB, NT, W, U, G, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, (Instance(32 * W * G).applies<UpdateEach<letter::T, NB, NT, W, U, G>>(NB, NT, G).at_once(MIN_BLOCKS)),   \
        __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbEachArgs, geqrf_update_each<letter::T, NB, NT, W, U, G>)
