// Block reflectors of variable-size batches (update.cuh), one panel of all members per launch: geqrf's trailing update,
// Q in place of its reflectors (orgqr), and Q applied (ormqr).
#pragma once
#include "../arch/arch.cuh"
#include "each.cuh"
#include "update.cuh"

namespace tephra {

// One launch for a panel at (at, at). The sizes in the base are maxima over the members (mirrored in
// src/gpu/args/reflectors.rs).
struct LarfbEachArgs : LarfbArgs {
    enum Kind { beside, writes, left, right }; // for geqrf; for orgqr; for ormqr

    SizesArgs sizes;         // m, n and the leading dimension of the reflectors
    Extent reflectors;       // LAPACK's k; unused by geqrf, whose members have one per step
    const int *leading_of_c; // for ormqr
    int *info;               // for orgqr and ormqr; may be null
    int at;
    int kind;

    // A member's sizes.
    struct Member {
        int m, n, k, code;
        long long ldv, ldc;
    };
    template <typename T>
    __device__ __forceinline__ Member member_of(long long i) const {
        const MemberSizes own = member_sizes<T>(sizes, i);
        if (kind == beside) return {own.m, own.n, own.here ? own.steps : 0, 0, own.lda, own.lda};
        Member of = {own.m, own.n, reflectors.of(i), 0, own.lda, own.lda};
        const int order = kind == right ? of.n : of.m;
        const bool rows = !sizes.rows.allows(of.m), columns = !sizes.columns.allows(of.n),
                   count = !reflectors.allows(of.k);
        if (kind == writes) {
            of.code = rows                     ? -1
                      : columns || of.n > of.m ? -2
                      : count || of.k > of.n   ? -3
                      : !leads(of.ldv, of.m)   ? -5
                                               : 0;
        } else {
            of.ldc = leading_of_c[i];
            of.code = rows                    ? -3
                      : columns               ? -4
                      : count || of.k > order ? -5
                      : !leads(of.ldv, order) ? -7
                      : !leads(of.ldc, of.m)  ? -10
                                              : 0;
        }
        return of;
    }

    // The launch for member i alone, as far as the kernel reads it. n = 0: there is nothing to do. For the first panel
    // it also sets the member's info.
    template <typename T>
    __device__ __forceinline__ LarfbArgs of(long long i) const {
        const Member of = member_of<T>(i);
        LarfbArgs own = *this;
        own.n = 0;
        if (at == 0 && info) info[i] = of.code;
        const int here = of.k - at;
        // Even without reflectors, orgqr must write the identity's columns.
        if (of.code || here < 0 || (here == 0 && (kind != writes || at > 0))) return own;
        const int panel = here < k ? here : static_cast<int>(k);
        own.k = panel;
        own.m = (kind == right ? of.n : of.m) - at;
        own.ldv = of.ldv, own.ldc = of.ldc;
        own.tau0 = at, own.v0 = own.c0 = at * (of.ldv + 1);
        if (kind == beside) {
            own.n = of.n - at - panel;
            own.c0 += panel * of.ldc;
        } else if (kind == writes) {
            own.n = of.n - at;
            // The identity's columns to the right of the last reflectors are also written.
            own.identity = panel == here ? own.n : panel;
            own.zeros = panel;
        } else {
            own.n = kind == right ? of.m : of.n;
            own.c0 = at * (transposed ? of.ldc : 1);
        }
        return own;
    }
};

template <typename T, int NB, int NT, int W, int U, int G>
struct LarfbEach : Update<T, NB, NT, W, U, G, 1, true> {
    LarfbArgs own; // in shared memory, to save registers
};

// A job is a share of a member; each member has launch.tiles of them.
template <typename T, int NB, int NT, int W, int U, int G>
__device__ __forceinline__ void larfb_each(const LarfbEachArgs &launch) {
    using K = LarfbEach<T, NB, NT, W, U, G>;
    K &k = *reinterpret_cast<K *>(dynamic_shared());
    const int shares = static_cast<int>(launch.tiles);
    for_jobs(launch.batch * shares, [&](unsigned job) {
        const long long i = job / shares;
        if (threadIdx.x == 0) k.own = launch.of<T>(i);
        __syncthreads();
        const LarfbArgs &args = k.own;
        const int rounds = static_cast<int>((args.n + K::round - 1) / K::round);
        const typename K::Rounds mine = {0, rounds - 1 - static_cast<int>(job % shares), shares};
        if (mine.last < 0) return;
        T *const C = member<T>(args.c, i) + args.c0;
        unsigned turn = 0;
        k.run(args, member<T>(args.v, i) + args.v0, member<T>(args.tau, i) + args.tau0, nullptr, C, {C, args.ldc},
              {C, args.ldc}, mine, turn);
    });
}

} // namespace tephra

#define TEPHRA_LARFB_EACH(NAME, T, NB, NT, W, U, G, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W * G).applies<LarfbEach<letter::T, NB, NT, W, U, G>>(NB, NT, G).at_once(MIN_BLOCKS)), \
                 __launch_bounds__(32 * W * G, MIN_BLOCKS), LarfbEachArgs, larfb_each<letter::T, NB, NT, W, U, G>)
