// S = -conj(T), T a block reflector's triangular factor (LAPACK larft, paper 001), from the Gram matrix V^H V.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// Forms S in place from the conjugate of the Gram matrix above the diagonal and -conj(tau) on it, by all THREADS of a
// block: first diagonal blocks of order 8, row by row, then pairs of blocks: S12 = S1 conj(G12) S2. `x`: shared memory
// for NB * BLOCK / 4 elements. BLOCK: form only diagonal blocks of that many columns, side by side.
template <int NB, int THREADS, int BLOCK = NB, typename T, int LD>
__device__ __forceinline__ void form_s(T (*s)[LD], T *x) {
    const int t = threadIdx.x;
    if (t < NB) {
        const int b = t & ~7;
        T row[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            T sum = make<T>(0);
#pragma unroll
            for (int l = 0; l < j; ++l) sum = fma_(row[l], s[b + l][b + j], sum);
            const T diagonal = s[b + j][b + j];
            row[j] = b + j == t ? diagonal : b + j > t ? mul(diagonal, sum) : make<T>(0);
        }
        __syncwarp(NB >= 32 ? 0xffffffffu : (1u << (NB % 32)) - 1);
#pragma unroll
        for (int j = 0; j < 8; ++j) s[t][b + j] = row[j];
    }
#pragma unroll
    for (int h = 8; h < BLOCK; h *= 2) {
        __syncthreads();
        for (int e = t; e < NB * h / 2; e += THREADS) {
            const int i = e / h % h, j = e % h, b = e / (h * h) * 2 * h;
            T sum = make<T>(0);
#pragma unroll
            for (int l = 0; l < h; ++l) sum = fma_(s[b + i][b + l], s[b + l][b + h + j], sum);
            x[e] = sum;
        }
        __syncthreads();
        for (int e = t; e < NB * h / 2; e += THREADS) {
            const int i = e / h % h, j = e % h, b = e / (h * h) * 2 * h;
            T sum = make<T>(0);
#pragma unroll
            for (int l = 0; l < h; ++l) sum = fma_(x[e - j + l], s[b + h + l][b + h + j], sum);
            s[b + i][b + h + j] = sum;
        }
    }
    __syncthreads();
}

} // namespace tephra
