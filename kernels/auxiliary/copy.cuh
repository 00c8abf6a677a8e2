// Copies matrices, or their upper triangles with zeros below.
#pragma once
#include "../common/batch.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Copies adjacent columns of a matrix, by a few chunks of BYTES per thread, all of which are loaded before the first is
// stored. Memory is the limit, and many outstanding loads keep it busy.
template <int BYTES, typename T, int THREADS, int AT_ONCE>
__device__ __forceinline__ void copy_columns(const CopyArgs &args, const T *from, T *to, long long first,
                                             unsigned columns) {
    using Piece = Chunk<T, BYTES>;
    const unsigned height = static_cast<unsigned>(args.rows / Piece::size), total = height * columns;
    for (unsigned base = threadIdx.x; base < total; base += THREADS * AT_ONCE) {
        Piece x[AT_ONCE];
        const auto each = [&](auto f) {
#pragma unroll
            for (int u = 0; u < AT_ONCE; ++u) {
                const unsigned e = base + u * THREADS, j = e / height, r = (e - j * height) * Piece::size;
                if (e < total) f(x[u], first + j, static_cast<long long>(r));
            }
        };
        each([&](Piece &p, long long j, long long r) {
            if (!args.triangle || r <= j) p = *reinterpret_cast<const Piece *>(from + j * args.ld_from + r);
        });
        each([&](Piece &p, long long j, long long r) {
            if (args.triangle)
#pragma unroll
                for (int i = 0; i < Piece::size; ++i)
                    if (r + i > j) p.e[i] = make<T>(0);
            *reinterpret_cast<Piece *>(to + j * args.ld_to + r) = p;
        });
    }
}

template <typename T, int THREADS>
__device__ __forceinline__ void copy(const CopyArgs &args) {
    constexpr int at_once = 4;
    constexpr long long turn = THREADS * at_once * 16 / sizeof(T);                            // elements
    const long long wide = args.rows > 0 ? turn / args.rows : 0, group = wide > 0 ? wide : 1; // columns per iteration
    const long long turns = (args.columns + group - 1) / group;
    for (long long job = blockIdx.x; job < args.batch * turns; job += gridDim.x) {
        const long long i = job / turns, first = job % turns * group, left = args.columns - first;
        const T *from = member<T>(args.from, i);
        T *to = member<T>(args.to, i);
        const unsigned columns = static_cast<unsigned>(left < group ? left : group);
        if (aligned<16>(from, args.ld_from | args.rows) && aligned<16>(to, args.ld_to))
            copy_columns<16, T, THREADS, at_once>(args, from, to, first, columns);
        else
            copy_columns<sizeof(T), T, THREADS, at_once>(args, from, to, first, columns);
    }
}

} // namespace tephra

#define TEPHRA_COPY(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, CopyArgs, copy)
