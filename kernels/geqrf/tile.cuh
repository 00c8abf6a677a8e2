// A tile that is factored by Householder reflectors.
#pragma once
#include "../common/batch.cuh"
#include "../tile/tile.cuh"
#include "../tile/walk.cuh"
#include "column_scale.cuh"
#include "range.cuh"

namespace tephra {

// Of the columns that have been pivots: what turns them into v, applied when they are stored.
template <typename T, int CPT>
struct Factors {
    T factor[CPT];
};

template <typename T_, int PR_, int PC_, int RPT_, int CPT_, int W_>
struct QrTile : RangeWatch<T_>, Tile<T_, PR_, PC_, RPT_, CPT_, W_, Factors<T_, CPT_>> {
    using Base = Tile<T_, PR_, PC_, RPT_, CPT_, W_, Factors<T_, CPT_>>;
    using Base::a, Base::col, Base::CPT, Base::factor, Base::lane, Base::lr, Base::m, Base::n, Base::P, Base::PR,
        Base::row, Base::RPT;
    using typename Base::R;
    using typename Base::T;
    static constexpr int stride = 1; // walk looks for the last step before every so many

    int k_end; // steps; a real matrix's last row needs none (H = I)

    __device__ __forceinline__ QrTile(int m_, int n_) : Base(m_, n_) {
        const int rows = is_complex<T> ? m : m - 1;
        k_end = rows < n ? rows : n;
#pragma unroll
        for (int c = 0; c < CPT; ++c) factor[c] = make<T>(1);
    }
    // Whether this lane's columns are its own: it is not one of those left over.
    __device__ __forceinline__ bool has_columns() const { return true; }
    // Independent sums over that many rows for each of N columns: they hide the FMA's latency where there is little
    // else to do, but each is one addition more.
    static __host__ __device__ constexpr int chains_of(int N, int rows) {
        const int most = N >= 4 ? 1 : 4 / N;
        return rows < 4 ? 1 : rows < 8 && most > 2 ? 2 : most;
    }

    // What scale_columns has done, in the registers: R's columns, and those from `whole` on in all rows.
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
        asm volatile("" : "+l"(A), "+l"(lda)); // or the loads' addresses would stay in registers until here
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

    // A reflector for kernels that ask lost() afterwards: H = I is marked by factor = 0. So steps past the last one do
    // nothing.
    __device__ __forceinline__ Reflector<T> reflector(T alpha, R sum) {
        Reflector<T> h = this->reflect(alpha, sum);
        if (h.identity) {
            h.tau = h.factor = make<T>(0);
            h.beta = re(alpha);
        }
        return h;
    }
    // Whether a column of this lane was taken for zero that is not even negligible: its squares underflow. For all
    // lanes of the warp.
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

} // namespace tephra
