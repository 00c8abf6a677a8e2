// The rank of a triangle whose diagonal does not increase: the order of its largest leading part whose condition is
// below a bound, by incremental estimation. Source: Bischof, Incremental condition estimation (1990); LAPACK gelsy.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

// An extreme singular value of a triangle that has grown by a row and a column, and its vector (s x, c).
template <typename T>
struct Estimate {
    Real<T> value;
    Real<T> s;
    T c;
};

// Given x with |x^H R| = value, and alpha = x^H w for the new column w above its real diagonal element, extends the
// estimate: the norms are those of combinations of the rows (value, |alpha|) and (0, |diagonal|), which a rotation
// makes orthogonal.
template <typename T>
__device__ __forceinline__ Estimate<T> extended(Real<T> value, T alpha, Real<T> diagonal, bool largest) {
    using R = Real<T>;
    const R most = fmax(fmax(value, abs_inf(alpha)), fabs(diagonal));
    // fmax ignores NaNs; a NaN must end the search for the rank.
    const R sum = most + re(alpha) + im(alpha) + diagonal;
    if (!(most > 0) || !(most <= Limits<R>::max) || sum != sum) return {sum - sum + most * 0, R(1), make<T>(0)};
    const R ax = re(alpha) / most, ay = im(alpha) / most;
    const R f = value / most, g = sqrt(fma(ax, ax, ay * ay)), h = fabs(diagonal) / most;
    const R aa = fma(f, f, g * g), bb = h * h, p = g * h;
    R t = 0;
    if (p > 0) {
        const R zeta = (bb - aa) / (R(2) * p);
        t = copysign(R(1), zeta) / (fabs(zeta) + sqrt(fma(zeta, zeta, R(1))));
        if (!(fabs(zeta) <= Limits<R>::max)) t = 0;
    }
    // Rows cs a - sn b and sn a + cs b, with squares aa - t p and bb + t p.
    const R cs = R(1) / sqrt(fma(t, t, R(1))), sn = t * cs;
    const bool first = aa - t * p >= bb + t * p;
    const R great = sqrt(first ? aa - t * p : bb + t * p);
    const bool take_first = first == largest;
    const R of_a = take_first ? cs : sn, of_b = take_first ? -sn : cs;
    // b's part is rotated by alpha's phase and the diagonal's sign.
    const R sign = copysign(R(1), diagonal);
    const T phase = g > 0 ? make<T>(ax / g, -ay / g) : make<T>(1);
    return {most * (largest ? great : f * (h / great)), of_a, scale(phase, of_b * sign)};
}

} // namespace tephra
