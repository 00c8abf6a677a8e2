// The same of more columns, whose Gram matrix is made by the kernels of least squares by iteration (iterative/gram.cuh). In
// double precision Q takes A's place before R is made again.
#pragma once
#include "../common/instance.cuh"
#include "../common/stage.cuh"
#include "finish.cuh"

namespace tephra {

// A block a member.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_wide_finish(const CholqrArgs &args) {
    using Factor = CholqrFactor<T, N, THREADS>;
    using W = Wide<T>;
    const long long i = blockIdx.x;
    const int n = args.n;
    if (args.again && *args.state(i) != CholqrArgs::AGAIN) return;
    auto &factor = *reinterpret_cast<Factor *>(dynamic_shared());
    const W *const gram = static_cast<const W *>(args.sums) + i * args.sums_stride;
    const double *const scales = args.scales + 2 * i * n;
    typename Factor::Matrix x;
    factor.each([&](int a, int b, int row, int column) {
        const bool there = row <= column && column < n;
        x[a][b] = there ? scale(scale(gram[column * n + row], 1 / scales[row]), 1 / scales[column]) : make<W>(0);
    });
    cholqr_finish<T, N, THREADS, true>(args, i, factor, x, args.again);
}

// The panel's rows, but those at its head, times what its factors gave.
template <typename T, int N, int THREADS, int BYTES>
__device__ __forceinline__ void cholqr_wide_rows(const CholqrArgs &args) {
    using Tile = CholqrTile<T, N, BYTES>;
    const long long i = blockIdx.x / args.parts;
    const int p = static_cast<int>(blockIdx.x - i * args.parts), n = args.n;
    if (*args.state(i) != args.when) return;
    Wide<T> *const f = reinterpret_cast<Wide<T> *>(dynamic_shared());
    cholqr_take<T, N, THREADS>(args, i, f);
    const T *const A = member<T>(args.a, i) + args.a0;
    T *const to = member<T>(args.to, i) + args.to0;
    const bool packs = aligned<BYTES>(A, args.lda), packed = aligned<BYTES>(to, args.ldto);
    const long long end = args.m < (p + 1) * args.chunk ? args.m : (p + 1) * args.chunk;
#pragma unroll 1
    for (long long row = p * args.chunk + threadIdx.x / 32 * Tile::ROWS; row < end; row += THREADS / 32 * Tile::ROWS) {
        typename Tile::Product q;
        q.form(A + row, args.lda, n, end - row, packs, f);
        __syncwarp(); // they may be in the same place
        q.store(to + row, args.ldto, n, args.head - row, end - row, packed);
    }
}

} // namespace tephra

#define TEPHRA_CHOLQR_WIDE_FINISH(NAME, T, N, THREADS)                                                                 \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(0, N).needs(sizeof(CholqrFactor<letter::T, N, THREADS>)),               \
                 __launch_bounds__(THREADS, 1), CholqrArgs, cholqr_wide_finish<letter::T, N, THREADS>)
#define TEPHRA_CHOLQR_WIDE_ROWS(NAME, T, N, THREADS, BYTES, MIN_BLOCKS)                                                \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(THREADS)                                                                                     \
                     .holds(0, N)                                                                                      \
                     .needs(CholqrTile<letter::T, N>::FACTOR * sizeof(Wide<letter::T>))                                \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(THREADS, MIN_BLOCKS), CholqrArgs, cholqr_wide_rows<letter::T, N, THREADS, BYTES>)
