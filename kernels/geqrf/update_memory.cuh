// Loads V and C of the trailing update into shared memory and the L2 cache.
#pragma once
#include "../arch/arch.cuh"
#include "../common/chunk.cuh"

#include <type_traits>

namespace tephra {

// Starts copies of V's rows from `first` on to v, whose leading dimension is LDV, up to `filled` rows: zeros above the
// diagonal and past the end, ones on the diagonal. Called by all THREADS of a block; complete after copies_done and a
// barrier. Row i of these goes to slot(i), which is i if `in_order`. Its loops are not unrolled, since it is inlined
// where C takes nearly all registers.
template <int NB, int LDV, int THREADS, typename T, typename Slot>
__device__ __forceinline__ void load_reflectors(T *v, const T *V, long long lda, long long first, int rows, int filled,
                                                int k, bool in_order, Slot slot) {
    constexpr int chunk = 16 / sizeof(T), lanes_of_line = 8;
    static_assert(NB % (chunk * lanes_of_line) == 0 && THREADS % 32 == 0);
    const int t = threadIdx.x, below = first < NB ? NB - static_cast<int>(first) : 0; // rows of the triangle
    // The rows after the triangle, E elements at a time, by LANES threads per column.
    const auto copy = [&](auto elements, auto lanes) {
        constexpr int E = elements.value, LANES = lanes.value;
        const T *p = V + t / LANES * lda + first;
#pragma unroll 1
        for (int j = t / LANES; j < NB; j += THREADS / LANES, p += THREADS / LANES * lda) {
            const int end = j < k ? rows : 0;
#pragma unroll 1
            for (int r = below + t % LANES * E; r < filled; r += LANES * E)
                copy_async<E * sizeof(T)>(v + j * LDV + (E > 1 ? r : slot(r)), p + r, r < end);
        }
    };
    if (in_order && aligned<16>(V, lda) && rows % chunk == 0)
        copy(std::integral_constant<int, chunk>(), std::integral_constant<int, lanes_of_line>());
    else
        copy(std::integral_constant<int, 1>(), std::integral_constant<int, 32>());
    if (below == 0) return;
    static_assert(THREADS % NB == 0);
    constexpr int step = THREADS / NB; // columns at a time
    const int r = t % NB, i = static_cast<int>(first) + r;
    if (r >= below) return;
    const T *p = V + t / NB * lda + i;
    const int last = (r < rows ? i < k ? i : k : 0) - t / NB; // columns before this one come from memory
    const int diagonal = (i < k ? i : -1) - t / NB;
    v += t / NB * LDV + slot(r);
#pragma unroll 4
    for (int j = 0; j < NB; j += step, p += step * lda) {
        if (j < last)
            copy_async(v + j * LDV, p);
        else
            v[j * LDV] = make<T>(j == diagonal ? 1 : 0);
    }
}

// Prefetches a column of C into the L2 cache.
template <typename T>
__device__ __forceinline__ void prefetch_column(const T *C, int rows) {
    if constexpr (bulk_copies) {
        const unsigned long long p = reinterpret_cast<unsigned long long>(C), first = p & ~15ull;
        const unsigned bytes = (static_cast<unsigned>(p - first) + rows * static_cast<unsigned>(sizeof(T)) + 15) & ~15u;
        prefetch_bulk(first, bytes);
    } else {
        constexpr int line = 128 / sizeof(T);
        for (int r = 0; r < rows; r += line) prefetch(C + r);
    }
}

// The same for COLUMNS columns from C on, by THREADS threads that handle one line each at a time. This takes more
// requests, but bulk prefetches are issued for one thread after another.
template <int COLUMNS, int THREADS, typename T>
__device__ __forceinline__ void prefetch_tile(const T *C, long long ldc, int rows, int t) {
    constexpr int line = 128 / sizeof(T), step = THREADS / COLUMNS * line;
    static_assert(THREADS % COLUMNS == 0);
    const T *p = C + t % COLUMNS * ldc;
#pragma unroll 4
    for (int r = t / COLUMNS * line; r < rows; r += step) prefetch(p + r);
}

} // namespace tephra
