// The scalars of LAPACK's larfg, from alpha and the sum of squares below it.
#pragma once
#include "../arch/arch.cuh"
#include "scalar.cuh"

namespace tephra {

template <typename R>
struct Limits;
template <>
struct Limits<double> {
    static constexpr double max = 1.7976931348623157e308;
    static __device__ double inf() { return __longlong_as_double(0x7ff0000000000000ll); }
};
template <>
struct Limits<float> {
    static constexpr float max = 3.4028234664e38f;
    static __device__ float inf() { return __int_as_float(0x7f800000); }
};

// A sum of squares inside (lo, hi) has lost nothing to underflow, and the formulas below do not overflow for it.
template <typename R>
struct SafeRange;
template <>
struct SafeRange<double> {
    static constexpr double lo = 1e-280, hi = 1e300;
};
template <>
struct SafeRange<float> {
    static constexpr float lo = 1e-30f, hi = 1e36f;
};

// For matrices whose columns have norms near one: a column with q <= limit from the diagonal on is negligible (rounding
// errors of rounding errors). Adding `floor` to a q above the limit does not change it.
template <typename R>
struct NegligibleSquare;
template <>
struct NegligibleSquare<double> {
    static constexpr double floor = 0x1p-1000, limit = 0x1p-900;
};
template <>
struct NegligibleSquare<float> {
    static constexpr float floor = 0x1p-126f, limit = 0x1p-100f;
};

// 1/sqrt(q) and 1/d in the safe range, from the hardware's estimates y and one Newton step (third order for double).
// The step suits any estimate that is at least as accurate.
__device__ __forceinline__ double rsqrt_refined(double q, double y) {
    const double e = fma(-q * y, y, 1.0);
    return fma(y * e, fma(0.375, e, 0.5), y);
}
__device__ __forceinline__ float rsqrt_refined(float q, float y) {
    const float e = fmaf(-q * y, y, 1.0f);
    return fmaf(0.5f * y, e, y);
}
__device__ __forceinline__ double rcp_refined(double d, double y) {
    const double e = fma(-d, y, 1.0);
    return fma(y, fma(e, e, e), y);
}
__device__ __forceinline__ float rcp_refined(float d, float y) { return fmaf(y, fmaf(-d, y, 1.0f), y); }

// Upper limit of q for kernels that use the column below alpha unscaled: products of two such columns must not overflow
// either.
template <typename R>
struct ProductRange;
template <>
struct ProductRange<double> {
    static constexpr double hi = 1e200;
};
template <>
struct ProductRange<float> {
    static constexpr float hi = 1e26f;
};

// beta, tau, and the factor that turns the column below alpha into v; reflector_fast also sets `inverse`, 1 / |beta|.
// `identity` is set by kernels that do not check each column's range, where H = I (geqrf/range.cuh).
template <typename T>
struct Reflector {
    T tau, factor;
    Real<T> beta, inverse;
    bool identity = false;
};

// larfg's formulas for sums of squares in the safe range:
//   beta = -sign(re alpha) sqrt(|alpha|^2 + sum), tau = (beta - alpha) / beta, factor = 1 / (alpha - beta)
template <typename T>
__device__ __forceinline__ Reflector<T> reflector_exact(T alpha, Real<T> sum) {
    using R = Real<T>;
    const R beta = -copysign(sqrt(abs2_add(alpha, sum)), re(alpha));
    const R d = re(alpha) - beta;
    Reflector<T> h;
    h.beta = beta;
    if constexpr (is_complex<T>) {
        h.tau = {-d / beta, -alpha.y / beta};
        const R g = R(1) / fma(d, d, alpha.y * alpha.y);
        h.factor = {d * g, -alpha.y * g};
    } else {
        h.tau = -d / beta;
        h.factor = R(1) / d;
    }
    return h;
}

// The same with a shorter dependency chain, from one estimate of 1 / sqrt(q), with q = |alpha|^2 + sum. With s the sign
// of re alpha, so that beta = -s sqrt(q):
//   tau = (beta - alpha) / beta = 1 + |re alpha| / sqrt(q) + i s im alpha / sqrt(q)
//   factor from 1 / |alpha - beta|^2 (complex) or 1 / |alpha - beta| (real)
// The estimate of the reciprocal starts from the unrefined root. no_factor: makes `factor` zero (complex only).
template <typename T>
__device__ __forceinline__ Reflector<T> reflector_fast(T alpha, Real<T> q, bool no_factor = false) {
    using R = Real<T>;
    const R estimate = rsqrt_estimate(q);
    R ri = rsqrt_refined(q, estimate);
    R norm = q * ri;
    const R s = copysign(R(1), re(alpha));
    Reflector<T> h;
    if constexpr (is_complex<T>) {
        norm = fma(fma(-norm, norm, q), R(0.5) * ri, norm); // the last bits of sqrt(q) and of its reciprocal
        ri = fma(fma(-norm, ri, R(1)), ri, ri);
        const R d = fabs(alpha.x) + norm; // |re(alpha - beta)|
        const R near = fma(q, estimate, fabs(alpha.x)), y2 = alpha.y * alpha.y;
        const R g = rcp_refined(fma(d, d, y2), rcp_estimate(fma(near, near, no_factor ? Limits<R>::inf() : y2)));
        h.tau = {fma(fabs(alpha.x), ri, R(1)), s * alpha.y * ri};
        h.factor = {s * d * g, -alpha.y * g};
    } else {
        h.tau = fma(fabs(alpha), ri, R(1));
        h.factor = copysign(rcp_refined(fabs(alpha) + norm, rcp_estimate(fma(q, estimate, fabs(alpha)))), alpha);
    }
    h.beta = copysign(norm, -re(alpha));
    h.inverse = ri;
    return h;
}

// For columns that stay unscaled, u = (d, x): H^H = I - g u u^H with d = alpha - beta and g = -1 / (beta d).
template <typename T>
struct UnscaledReflector {
    T d, g;
    Real<T> beta;
    bool identity; // H = I: g is zero, and d and beta are meaningless
};

// The same formulas; with s the sign of re alpha,
//   g = s conj(d) / (sqrt(q) |d|^2), for real numbers 1 / (q + |alpha| sqrt(q))
// Making g zero for the identity does not lengthen the dependency chain: the reciprocal's estimate is taken of
// infinity.
template <typename T>
__device__ __forceinline__ UnscaledReflector<T> unscaled_fast(T alpha, Real<T> q, bool identity) {
    using R = Real<T>;
    UnscaledReflector<T> h;
    h.identity = identity;
    if constexpr (is_complex<T>) {
        const Reflector<T> f = reflector_fast(alpha, q, identity);
        h.beta = f.beta;
        h.g = scale(f.factor, copysign(f.inverse, alpha.x));
    } else {
        const R size = fabs(alpha), estimate = rsqrt_estimate(q), root = q * estimate;
        const R e = fma(-root, estimate, R(1)); // twice root's relative error
        R norm;
        if constexpr (sizeof(R) == 8)
            norm = fma(root * e, fma(0.375, e, 0.5), root);
        else
            norm = fma(R(0.5) * root, e, root);
        h.g = rcp_refined(fma(size, norm, q), rcp_estimate(fma(identity ? Limits<R>::inf() : size, root, q)));
        h.beta = -copysign(norm, alpha);
    }
    h.d = add(alpha, make<T>(-h.beta));
    return h;
}

// 1 / a for a in the range of the fast formulas, and 0 for 0.
template <typename T>
__device__ __forceinline__ T reciprocal_or_zero(T a) {
    using R = Real<T>;
    if constexpr (is_complex<T>) {
        const R g = reciprocal_or_zero(abs2_add(a, R(0)));
        return {a.x * g, -a.y * g};
    } else {
        return a == 0 ? R(0) : rcp_refined(a, rcp_estimate(a));
    }
}

__device__ __forceinline__ int exponent(double a) { return a == 0 ? 0 : ilogb(a); }
__device__ __forceinline__ int exponent(float a) { return a == 0 ? 0 : ilogbf(a); }
__device__ __forceinline__ double times_pow2(double a, int e) { return scalbn(a, e); }
__device__ __forceinline__ float times_pow2(float a, int e) { return scalbnf(a, e); }

// Scaling of the guarded path: brings the largest magnitude to [1, 2). Two factors, because 2^-e alone overflows for
// subnormal columns.
template <typename R>
struct Rescale {
    R first, second;
    int e;
    __device__ explicit Rescale(R largest) {
        e = largest <= Limits<R>::max ? exponent(largest) : 0;
        const int h = -e / 2;
        first = times_pow2(R(1), h);
        second = times_pow2(R(1), -e - h);
    }
    template <typename T>
    __device__ T operator()(T a) const {
        return scale(scale(a, first), second);
    }
};

// The guarded path, for columns outside the safe range. `alpha` and `sum` belong to the scaled column, to which
// `factor` is also to be applied; `beta` is scaled back. below: largest magnitude below alpha. raw: any quantity that
// is NaN if the column holds a NaN.
template <typename T>
__device__ Reflector<T> reflector_guarded(T alpha, Real<T> sum, Real<T> below, Real<T> largest, int e, Real<T> raw) {
    using R = Real<T>;
    Reflector<T> h;
    if (!(largest <= Limits<R>::max) || raw != raw) {
        const R nan = R(0) * Limits<R>::inf();
        h.tau = make<T>(nan, nan);
        h.factor = make<T>(nan, nan);
        h.beta = nan;
    } else if (below == 0 && im(alpha) == 0) {
        h.tau = make<T>(0);
        h.factor = make<T>(0);
        h.beta = times_pow2(re(alpha), e);
    } else {
        h = reflector_exact(alpha, sum);
        h.beta = times_pow2(h.beta, e);
    }
    return h;
}

} // namespace tephra
