// Triangles of products of small order: syrk, herk and one half of syr2k, her2k. A team of threads has the whole of a
// matrix C; what the arguments mean is gemm's (gemm/args.cuh). Source: BLAS syrk, herk.
#pragma once
#include "../gemm/stage.cuh"
#include "tile.cuh"

namespace tephra {

template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void rank_small(const GemmArgs &args) {
    constexpr int each = 4;
    using Own = Team<T, SIDE, each>;
    constexpr int teams = THREADS / Own::threads;
    static_assert(SIDE % each == 0 && THREADS % Own::threads == 0, "whole teams");
    __shared__ typename Own::Tile lefts[teams], rights[teams];
    const Own team;
    typename Own::Tile &left = lefts[threadIdx.x / Own::threads], &right = rights[threadIdx.x / Own::threads];
    const GemmScales<T> scales(args);
    const GemmStored stored(args, 0, 0);
    const long long step = static_cast<long long>(gridDim.x) * teams, terms = scales.nothing() ? 0 : args.k;
    for (long long base = blockIdx.x * static_cast<long long>(teams); base < args.batch; base += step) {
        const long long i = base + threadIdx.x / Own::threads;
        const bool live = i < args.batch;
        // Factors that are not read may be missing.
        const bool reads = live && terms > 0;
        const Strides<T> A{reads ? member<T>(args.a, i) + args.a0 : nullptr, args.ars, args.acs};
        const Strides<T> B{reads ? member<T>(args.b, i) + args.b0 : nullptr, args.brs, args.bcs};
        const long long n = live ? args.n : 0;
        T sum[each] = {};
#pragma unroll 1
        for (long long l = 0; l < terms; l += SIDE) {
            __syncthreads(); // the tiles before have been used
            team.load(left, A, 0, l, n, terms, args.conj_a);
            team.load(right, B, l, 0, terms, n, args.conj_b);
            __syncthreads();
            team.template multiply<false, false>(sum, left, right);
        }
        if (!live) continue;
        T *const C = member<T>(args.c, i) + args.c0 + team.x;
#pragma unroll
        for (int u = 0; u < each; ++u) {
            const int column = team.y + u * Own::height;
            if (!stored.has(team.x, column)) continue;
            const bool real = stored.on_diagonal(team.x, column);
            const T product = scales.turns ? mul(scales.alpha, sum[u]) : sum[u];
            T value = scales.of(product);
            if (scales.reads) {
                T was = C[column * args.ldc];
                if (real) was = make<T>(re(was));
                value = scales.of(product, was);
            }
            C[column * args.ldc] = real ? make<T>(re(value)) : value;
        }
    }
}

} // namespace tephra

#define TEPHRA_RANK_SMALL(NAME, T, SIDE, THREADS)                                                                      \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE).places(THREADS / (SIDE * SIDE / 4)),                        \
                 __launch_bounds__(THREADS), GemmArgs, rank_small<letter::T, SIDE, THREADS>)
