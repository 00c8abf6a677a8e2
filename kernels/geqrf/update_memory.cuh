// How the trailing update's V and C come on chip.
#pragma once
#include "../common/async.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Whether all columns of a matrix from p on start at a multiple of 16 bytes.
template <typename T>
__device__ __forceinline__ bool aligned16(const T *p, long long ld) {
    return ((reinterpret_cast<unsigned long long>(p) | ld * sizeof(T)) & 15) == 0;
}

// Rows first.. of V, zero above the diagonal and past the end, one on the diagonal, up to `filled` rows, to v, whose
// leading dimension is LDV, by all THREADS of a block; they are there after copies_done and a barrier.
template <int NB, int LDV, int THREADS, typename T>
__device__ __forceinline__ void load_reflectors(T *v, const T *V, long long lda, long long first, int rows, int filled,
                                                int k) {
    constexpr int at_once = 16 / sizeof(T);
    const bool aligned = aligned16(V, lda);
    for (int j = threadIdx.x / 32; j < NB; j += THREADS / 32) {
        const T *p = V + j * lda + first;
        for (int r = threadIdx.x % 32 * at_once; r < filled; r += 32 * at_once) {
            T *to = v + j * LDV + r;
            const long long i = first + r;
            if (j < k && i > j && r + at_once <= rows && aligned) {
                copy_async<16>(to, p + r, true);
                continue;
            }
#pragma unroll
            for (int e = 0; e < at_once; ++e)
                if (j < k && r + e < rows && i + e > j)
                    copy_async<sizeof(T)>(to + e, p + r + e, true);
                else
                    to[e] = make<T>(j < k && i + e == j ? 1 : 0);
        }
    }
}

// Sets the lines of a column of C on their way to the L2 cache.
template <typename T>
__device__ __forceinline__ void prefetch_column(const T *C, int rows) {
#if __CUDA_ARCH__ >= 900
    const unsigned long long p = reinterpret_cast<unsigned long long>(C), first = p & ~15ull;
    const unsigned bytes = (static_cast<unsigned>(p - first) + rows * static_cast<unsigned>(sizeof(T)) + 15) & ~15u;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(bytes));
#else
    constexpr int line = 128 / sizeof(T);
    for (int r = 0; r < rows; r += line) asm volatile("prefetch.global.L2 [%0];" ::"l"(C + r));
#endif
}

} // namespace tephra
