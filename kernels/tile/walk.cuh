// The walk over a tile's columns.
#pragma once
#include <type_traits>

namespace tephra {

// Calls step<c, r>(k) for every step, where c = k / P and r = k / PR are compile-time constants, and over(c) after the
// last one with register column c's pivots.
template <int K0 = 0, typename K, typename F>
__device__ __forceinline__ void walk(K &kernel, F &&over) {
    if constexpr (K0 < K::max_k) {
        constexpr int c = K0 / K::P, r = K0 / K::PR;
        constexpr int next_c = (c + 1) * K::P, next_r = (r + 1) * K::PR, next = next_c < next_r ? next_c : next_r;
        if (K0 % K::stride != 0 || K0 < kernel.k_end) {
            if constexpr (next == K0 + 1) {
                kernel.template step<c, r>(K0);
            } else {
                const int last = next < kernel.k_end ? next : kernel.k_end;
#pragma unroll 1
                for (int k = K0; k < last; ++k) kernel.template step<c, r>(k);
            }
            if constexpr (next == next_c) over(std::integral_constant<int, c>());
            walk<next>(kernel, over);
        }
    }
}
template <typename K>
__device__ __forceinline__ void walk(K &kernel) {
    walk(kernel, [](auto) {});
}

} // namespace tephra
