// A matrix (or panel) in the registers of a team of W warps.
//
// In each warp PR x PC lanes share a matrix's rows and columns cyclically:
//   lane (lr, lc) of warp w holds rows i = r PR + lr, r < RPT, of columns j = (c PC + lc) W + w, c < CPT,
// so that every column belongs to PR lanes of one warp. With W = 1 a warp holds 32 / (PR PC) matrices.
// Sizes below the compiled ones are masked: what is outside is zero and never stored.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// The same number, unknown to the compiler: it would keep the comparisons of every step in registers for later use.
__device__ __forceinline__ int opaque(int i) {
    asm volatile("" : "+r"(i));
    return i;
}

template <typename T, int RPT, int CPT>
struct Elements {
    T a[RPT][CPT];
};
struct Nothing {};

// Beside: what an algorithm keeps with the elements. It lies between these and the rest, as the compiler takes
// registers in that order.
template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_, typename Beside = Nothing>
struct Tile : Elements<T_, RPT_, CPT_>, Beside {
    using Elements<T_, RPT_, CPT_>::a;
    using T = T_;
    using R = Real<T>;
    static constexpr int PR = PR_, PC = PC_, RPT = RPT_, CPT = CPT_, W = W_;
    static constexpr int lanes = PR * PC;   // of a matrix in one warp
    static constexpr int mats = 32 / lanes; // matrices of a warp
    static constexpr int P = PC * W;        // columns that share a register index c
    static constexpr int max_m = PR * RPT, max_n = P * CPT;
    static constexpr int max_k = max_m < max_n ? max_m : max_n;
    static_assert(lanes <= 32 && (W == 1 || lanes == 32), "a team of several warps uses whole warps");

    int lane, lr, lc, w, m, n;

    __device__ __forceinline__ Tile(int m_, int n_) : m(m_), n(n_) {
        lane = threadIdx.x % 32;
        lr = lane % PR;
        lc = lane % lanes / PR;
        w = threadIdx.x / 32 % W;
    }
    __device__ __forceinline__ int row(int r) const { return r * PR + lr; }
    __device__ __forceinline__ int col(int c) const { return (c * PC + lc) * W + w; }
    __device__ __forceinline__ bool owns(int c, int k) const { return col(c) == k; }
    // The lane of this one's row group that holds row k.
    __device__ __forceinline__ int row_lane(int k) const { return (lane & ~(PR - 1)) | (k % PR); }

    __device__ __forceinline__ void load(const T *A, long long lda) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const T *p = A + col(c) * lda + lr;
            const int rows = col(c) < n ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) a[r][c] = r * PR < rows ? p[r * PR] : make<T>(0);
        }
    }
};

} // namespace tephra
