// A matrix (or panel) in the registers of a team of W warps, and the walk over its columns.
//
// In each warp PR x PC lanes share a matrix's rows and columns cyclically:
//   lane (lr, lc) of warp w holds rows i = r PR + lr, r < RPT, of columns j = (c PC + lc) W + w, c < CPT,
// so that every column belongs to PR lanes of one warp. With W = 1 a warp holds 32 / (PR PC) matrices.
// Sizes below the compiled ones are masked: elements outside are zero and never stored.
#pragma once
#include "../common/batch.cuh"
#include "column_scale.cuh"
#include "range.cuh"

#include <type_traits>

namespace tephra {

// The same number, but unknown to the compiler, which would otherwise keep the comparisons of all steps in registers.
__device__ __forceinline__ int opaque(int i) {
    forget(i);
    return i;
}

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_>
struct Tile : RangeWatch<T_> {
    using T = T_;
    using R = Real<T>;
    static constexpr int stride = 1; // `walk` tests for the last step before every `stride` steps
    static constexpr int PR = PR_, PC = PC_, RPT = RPT_, CPT = CPT_, W = W_;
    static constexpr int lanes = PR * PC;   // of a matrix in one warp
    static constexpr int mats = 32 / lanes; // matrices of a warp
    static constexpr int P = PC * W;        // columns that share a register index c
    static constexpr int max_m = PR * RPT, max_n = P * CPT;
    static constexpr int max_k = max_m < max_n ? max_m : max_n;
    static_assert(lanes <= 32 && (W == 1 || lanes == 32), "a team of several warps uses whole warps");

    T a[RPT][CPT];
    T factor[CPT]; // of previous pivots: turns them into v when they are stored
    int lane, lr, lc, w, m, n;
    int k_end; // steps; a real matrix's last row needs none (H = I)

    __device__ __forceinline__ Tile(int m_, int n_) : m(m_), n(n_) {
        lane = threadIdx.x % 32;
        lr = lane % PR;
        lc = lane % lanes / PR;
        w = threadIdx.x / 32 % W;
        const int rows = is_complex<T> ? m : m - 1;
        k_end = rows < n ? rows : n;
#pragma unroll
        for (int c = 0; c < CPT; ++c) factor[c] = make<T>(1);
    }
    __device__ __forceinline__ int row(int r) const { return r * PR + lr; }
    __device__ __forceinline__ int col(int c) const { return (c * PC + lc) * W + w; }
    __device__ __forceinline__ bool owns(int c, int k) const { return col(c) == k; }
    // Register rows by which scale_columns judges columns: this one and the next.
    static constexpr int looked_at = 0;
    __device__ __forceinline__ bool has_column(int j) const { return j < n; }
    // Whether this lane has columns of its own, and is not one of those left over.
    __device__ __forceinline__ bool has_columns() const { return true; }
    // Number of independent sums over `rows` rows for each of N columns. They hide the FMA's latency where there is
    // little else to do, but each costs one more addition.
    static __host__ __device__ constexpr int chains_of(int N, int rows) {
        const int most = N >= 4 ? 1 : 4 / N;
        return rows < 4 ? 1 : rows < 8 && most > 2 ? 2 : most;
    }
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
    // Undoes scale_columns in the registers: for R's columns, and for columns from `whole` on in all rows.
    template <typename Scales>
    __device__ __forceinline__ void unscale(const Scales &scales, int whole) {
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            const R factor = pow2(scales.exponent[col(c)], R());
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (row(r) <= col(c) || col(c) >= whole) a[r][c] = scale(a[r][c], factor);
        }
    }
    __device__ __forceinline__ void store(T *A, long long lda) const {
        forget(A, lda); // or the loads' addresses would stay in registers until here
#pragma unroll
        for (int c = 0; c < CPT; ++c) {
            T *p = A + col(c) * lda + lr;
            const int rows = col(c) < n ? m - lr : 0;
#pragma unroll
            for (int r = 0; r < RPT; ++r) {
                const bool never = (r + 1) * PR <= c * P, always = r * PR >= (c + 1) * P; // below the diagonal
                const T x = never || !(always || row(r) > col(c)) ? a[r][c] : mul(a[r][c], factor[c]);
                if (r * PR < rows) p[r * PR] = x;
            }
        }
    }

    // The reflector for kernels that call lost() afterwards. H = I is marked by factor = 0, so that steps past the last
    // one do nothing.
    __device__ __forceinline__ Reflector<T> reflector(T alpha, R sum) {
        Reflector<T> h = this->reflect(alpha, sum);
        if (h.identity) {
            h.tau = h.factor = make<T>(0);
            h.beta = re(alpha);
        }
        return h;
    }
    // Whether a column of this lane was taken for zero without even being negligible: its squares underflow. Called by
    // all lanes of the warp.
    __device__ __forceinline__ bool lost() const {
        bool zero = false, nonzero = false;
#pragma unroll
        for (int c = 0; c < CPT; ++c) zero |= is_zero(factor[c]);
        if (__any_sync(0xffffffffu, zero)) {
            const int first = opaque(col(0) - lr);
#pragma unroll
            for (int c = 0; c < CPT; ++c) {
                bool below = false;
                R largest = 0;
#pragma unroll
                for (int r = 0; r < RPT; ++r) {
                    below |= r * PR > first + c * P && !is_zero(a[r][c]);
                    largest = r * PR >= first + c * P ? fmax(largest, abs_inf(a[r][c])) : largest;
                }
                largest = lanes_max<PR>(largest);
                nonzero |= is_zero(factor[c]) && below && largest * largest > NegligibleSquare<R>::limit;
            }
        }
        return nonzero;
    }
};

// Calls step<c, r>(k) for every step, where c = k / P and r = k / PR are compile-time constants, and over(c) after the
// last step whose pivot is in register column c.
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
