// Applies the interchanges of later outer panels to the columns of earlier ones, all at once after the factorisation.
//
// Each column is read once, into shared memory, and written once, in its final order.
#pragma once
#include "strip.cuh"

namespace tephra {

// Mirrored in src/gpu/getrf/steps.rs.
struct LeftExchangesArgs {
    GetrfArgs
        lu; // columns: interchanges; first: columns in outer panels of width `wide`; later panels are half as wide
    int wide, strips; // strips: blocks per matrix
    int together;     // columns in shared memory at a time
    int pad;
};

// Shared memory of a block: columns, and row origins in whole warps.
template <typename T>
constexpr size_t left_exchanges_bytes(int rows, int together) {
    return together * rows * sizeof(T) + (rows + 32) * sizeof(unsigned short);
}

template <typename T, int NT, int THREADS>
__device__ __forceinline__ void left_exchanges(const LeftExchangesArgs &args) {
    const GetrfArgs &lu = args.lu;
    const long long i = blockIdx.x / args.strips;
    const int first = static_cast<int>(blockIdx.x - i * args.strips) * NT; // a strip is within one outer panel
    const int width = first < lu.first ? args.wide : args.wide / 2;
    const int begin = first - (first - (first < lu.first ? 0 : lu.first)) % width + width; // end of that panel
    const int lane = threadIdx.x % 32, rows = lu.m - begin;
    T *const columns = reinterpret_cast<T *>(dynamic_shared());
    auto *const origin = reinterpret_cast<unsigned short *>(columns + args.together * rows);
    T *const A = lu.matrix<T>(i) + begin + first * lu.lda;
    const int *const ipiv = member<int>(lu.ipiv, i) + begin;
    const int left = lu.columns - begin; // interchanges
#pragma unroll 1
    for (int c = 0; c < NT; c += args.together) {
        const int count = NT - c < args.together ? NT - c : args.together;
        if (c > 0) __syncthreads(); // the previous columns have been written
#pragma unroll 1
        for (int j = 0; j < count; ++j)
            for (int r = threadIdx.x; r < rows; r += THREADS)
                stage<sizeof(T)>(columns + j * rows + r, A + r + (c + j) * lu.lda, sizeof(T), true);
        copies_sent();
        if (c == 0 && threadIdx.x < 32)
            trace_origins(origin, ipiv, lane < left ? ipiv[lane] : 0, left, lane, rows, begin);
        copies_done_but<0>();
        __syncthreads();
#pragma unroll 1
        for (int j = 0; j < count; ++j)
#pragma unroll 4
            for (int r = threadIdx.x; r < rows; r += THREADS) A[r + (c + j) * lu.lda] = columns[j * rows + origin[r]];
    }
}

} // namespace tephra

#define TEPHRA_LEFT_EXCHANGES(NAME, T, NT, THREADS)                                                                    \
    TEPHRA_ENTRY(NAME, (Instance(THREADS).holds(0, NT).needs(left_exchanges_bytes<letter::T>, Count(), Count())),      \
                 __launch_bounds__(THREADS), LeftExchangesArgs, left_exchanges<letter::T, NT, THREADS>)
