// The diagonal blocks of a triangular solve: 16 unknowns of every right-hand side, one right-hand side per lane.
#pragma once
#include "../common/divide.cuh"
#include "../common/householder.cuh"
#include "tile.cuh"

namespace tephra {

// Range within which the product of an element and a reciprocal does not overflow or underflow, and neither does |d|^2.
template <typename R>
struct Moderate;
template <>
struct Moderate<double> {
    static constexpr double lo = 1e-145, hi = 1e145;
};
template <>
struct Moderate<float> {
    static constexpr float lo = 1e-17f, hi = 1e17f;
};
template <typename T>
__device__ __forceinline__ bool is_moderate(T a) {
    return abs_inf(a) < Moderate<Real<T>>::hi && re(a) == re(a) && im(a) == im(a);
}
template <typename T>
__device__ __forceinline__ bool reciprocal_is_safe(T d) {
    return is_moderate(d) && abs_inf(d) > Moderate<Real<T>>::lo;
}
template <typename T>
__device__ __forceinline__ T reciprocal(T d) {
    if constexpr (is_complex<T>) {
        const Real<T> q = fma(d.x, d.x, d.y * d.y), g = rcp_refined(q, rcp_estimate(q));
        return {d.x * g, -d.y * g};
    } else {
        return rcp_refined(d, rcp_estimate(d));
    }
}
// A diagonal block: column k starts at element 16 k. Rows are scaled to a unit diagonal, whose reciprocals are stored
// in its place, so that a step of the solve is one multiply-add. Where that would lose accuracy, the block is left as
// it was.
template <typename T>
struct Diagonal {
    static constexpr int NB = trsm_nb, per_load = 16 / sizeof(T);
    struct alignas(16) Pack {
        T v[per_load];
    };
    Pack packs[NB * NB / per_load];

    __device__ __forceinline__ T *elements() { return packs[0].v; }
    __device__ __forceinline__ const T *elements() const { return packs[0].v; }

    // Loads `rows` rows of the block at p, by a warp; elements outside are the identity's. Returns whether rows are
    // scaled.
    __device__ __forceinline__ bool load(const T *p, long long rows, const TrsmArgs &args, int lane) {
        const bool along_rows = args.ars == 1 || args.ars == -1;
        bool safe = true;
        T x[NB * NB / 32];
#pragma unroll
        for (int e = 0; e < NB * NB / 32; ++e) {
            const int fast = lane % NB, slow = lane / NB + 2 * e;
            const int i = along_rows ? fast : slow, j = along_rows ? slow : fast;
            x[e] = make<T>(i == j ? 1 : 0);
            if (i < rows && (i > j || (i == j && !args.unit))) x[e] = p[i * args.ars + j * args.acs];
        }
#pragma unroll
        for (int e = 0; e < NB * NB / 32; ++e) {
            const int fast = lane % NB, slow = lane / NB + 2 * e;
            safe = safe && is_moderate(x[e]);
            elements()[along_rows ? slow * NB + fast : fast * NB + slow] = conj_if(x[e], args.conj);
        }
        __syncwarp();
        const int i = lane % NB; // two lanes per row
        const T d = elements()[i * (NB + 1)];
        safe = __all_sync(0xffffffffu, safe && reciprocal_is_safe(d));
        __syncwarp(); // both lanes have read it
        if (safe) {
            const T r = reciprocal(d);
#pragma unroll
            for (int e = 0; e < NB / 2; ++e) {
                T *x = elements() + (2 * e + lane / NB) * NB + i;
                *x = 2 * e + lane / NB == i ? r : mul(r, *x);
            }
        }
        __syncwarp();
        return safe;
    }

    // x := T^-1 x for the lane's column of X, whose rows are ldx apart.
    __device__ __forceinline__ void solve(T *column, int ldx) const {
        T x[NB];
#pragma unroll
        for (int i = 0; i < NB; ++i) x[i] = mul(elements()[i * (NB + 1)], column[i * ldx]);
        Pack below[2][NB / per_load]; // a column of the block, and the next, which is loaded ahead
#pragma unroll
        for (int i = 0; i < NB / per_load; ++i) below[0][i] = packs[i];
#pragma unroll
        for (int k = 0; k < NB; ++k) {
#pragma unroll
            for (int i = (k + 1) / per_load; i < NB / per_load; ++i)
                if (k + 1 < NB) below[(k + 1) & 1][i] = packs[(k + 1) * (NB / per_load) + i];
            keep_order(); // read no further ahead, or registers run out
            const auto &l = below[k & 1];
#pragma unroll
            for (int i = k + 1; i < NB; ++i) x[i] = fnma_(l[i / per_load].v[i % per_load], x[k], x[i]);
        }
#pragma unroll
        for (int i = 0; i < NB; ++i) column[i * ldx] = x[i];
    }
};

// The same with divisions, for a diagonal whose reciprocals would lose accuracy. In place, since speed does not matter.
template <typename T>
__device__ __forceinline__ void solve_by_division(const T *d, T *column, int ldx, int rows) {
#pragma unroll 1
    for (int k = 0; k < rows; ++k) {
        const T x = divide(column[k * ldx], d[k * trsm_nb + k]);
        column[k * ldx] = x;
#pragma unroll 1
        for (int i = k + 1; i < rows; ++i) column[i * ldx] = fnma_(d[k * trsm_nb + i], x, column[i * ldx]);
    }
}

} // namespace tephra
