// Pivot search and reciprocals of pivots. Source: LAPACK's getf2 and i?amax.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// Magnitudes, compared as unsigned words with the high one first: |x|, for complex numbers |re| + |im|. NaN counts as
// zero; none() is below every candidate.
template <typename R>
struct Size;
template <>
struct Size<float> {
    unsigned high;

    static __device__ __forceinline__ Size none() { return {0}; }
    static __device__ __forceinline__ Size of(float x) { return {__float_as_uint(fmaxf(fabsf(x), 0.0f)) + 1}; }
    __device__ __forceinline__ bool operator==(Size o) const { return high == o.high; }
    __device__ __forceinline__ bool operator>(Size o) const { return high > o.high; }
    __device__ __forceinline__ Size from(int mask) const { return {__shfl_xor_sync(0xffffffffu, high, mask)}; }
    __device__ __forceinline__ Size warp_max() const { return {__reduce_max_sync(0xffffffffu, high)}; }
};
template <>
struct Size<double> {
    unsigned high, low;

    static __device__ __forceinline__ Size none() { return {0, 0}; }
    static __device__ __forceinline__ Size of(double x) {
        const Size here = {static_cast<unsigned>(__double2hiint(x)) & 0x7fffffffu,
                           static_cast<unsigned>(__double2loint(x))};
        const bool number = here.word() <= 0x7ff0000000000000ull;
        return {number ? here.high + 1 : 1, number ? here.low : 0};
    }
    __device__ __forceinline__ unsigned long long word() const {
        return static_cast<unsigned long long>(high) << 32 | low;
    }
    __device__ __forceinline__ bool operator==(Size o) const { return word() == o.word(); }
    __device__ __forceinline__ bool operator>(Size o) const { return word() > o.word(); }
    __device__ __forceinline__ Size from(int mask) const {
        return {__shfl_xor_sync(0xffffffffu, high, mask), __shfl_xor_sync(0xffffffffu, low, mask)};
    }
    __device__ __forceinline__ Size warp_max() const {
        const unsigned h = __reduce_max_sync(0xffffffffu, high);
        return {h, __reduce_max_sync(0xffffffffu, high == h ? low : 0)};
    }
};

template <typename T>
__device__ __forceinline__ Size<Real<T>> pivot_size(T a) {
    if constexpr (is_complex<T>)
        return Size<Real<T>>::of(fabs(a.x) + fabs(a.y));
    else
        return Size<T>::of(a);
}

// A candidate for the pivot. Among equal sizes the row at the first position wins, in the current order of the rows.
template <typename R>
struct Candidate {
    Size<R> size;
    unsigned id; // position << 16 | row, as the matrix was loaded

    static __device__ __forceinline__ Candidate none() { return {Size<R>::none(), 0xffffffffu}; }
    __device__ __forceinline__ void take(const Candidate &o) {
        const bool better = o.size > size || (o.size == size && o.id < id);
        size.high = better ? o.size.high : size.high;
        if constexpr (sizeof(R) == 8) size.low = better ? o.size.low : size.low;
        id = better ? o.id : id;
    }
    __device__ __forceinline__ int row() const { return static_cast<int>(id & 0xffffu); }
    __device__ __forceinline__ int position() const { return static_cast<int>(id >> 16); }

    // The best of LANES adjacent lanes, in all of them.
    template <int LANES>
    __device__ __forceinline__ Candidate best() const {
        if constexpr (LANES == 32) {
            const Size<R> largest = size.warp_max();
            return {largest, __reduce_min_sync(0xffffffffu, size == largest ? id : 0xffffffffu)};
        } else {
            Candidate c = *this;
#pragma unroll
            for (int s = LANES / 2; s > 0; s /= 2) c.take({c.size.from(s), __shfl_xor_sync(0xffffffffu, c.id, s)});
            return c;
        }
    }
};

// Replaces a pivot whose |re| + |im| is below `least` by `least`, with the sign of its real part; returns whether it
// did. NaN stays. Source: MAGMA's getrf_nopiv_expert_vbatched.
template <typename T>
__device__ __forceinline__ bool replace_small(T &pivot, Real<T> least) {
    const bool small = fabs(re(pivot)) + fabs(im(pivot)) < least;
    if (small) pivot = make<T>(re(pivot) < 0 ? -least : least);
    return small;
}

// The least magnitude of a member's pivots where they are not searched for; EACH: members have their own sizes.
template <typename R, bool EACH>
struct LeastPivot {
    static constexpr R least = 0;
};
template <typename R>
struct LeastPivot<R, true> {
    R least;
};

// Outside [least, most] a pivot has no normal reciprocal; the factors `lift` and `lower` bring it inside.
template <typename R>
struct Normal;
template <>
struct Normal<float> {
    static constexpr float least = 0x1p-126f, most = 0x1p125f, lift = 0x1p64f, lower = 0x1p-64f;
};
template <>
struct Normal<double> {
    static constexpr double least = 0x1p-1022, most = 0x1p1021, lift = 0x1p128, lower = 0x1p-128;
};

// Whether a pivot is a number within these bounds and, if complex, far enough inside that its square is, too.
__device__ __forceinline__ bool is_usual(float x) {
    return (__float_as_uint(x) & 0x7fffffffu) - 0x00800000u < 0x7e000000u - 0x00800000u;
}
__device__ __forceinline__ bool is_usual(double x) {
    return (static_cast<unsigned>(__double2hiint(x)) & 0x7fffffffu) - 0x00100000u < 0x7fc00000u - 0x00100000u;
}
__device__ __forceinline__ unsigned exponent_of(float x) { return __float_as_uint(x) >> 23 & 0xffu; }
__device__ __forceinline__ unsigned exponent_of(double x) {
    return static_cast<unsigned>(__double2hiint(x)) >> 20 & 0x7ffu;
}
// The larger part decides: its square is in the middle of the range, where the square of the other part may underflow
// harmlessly.
template <typename R>
__device__ __forceinline__ bool is_usual(Complex<R> x) {
    constexpr unsigned one = sizeof(R) == 4 ? 127 : 1023, side = sizeof(R) == 4 ? 40 : 400;
    const unsigned re = exponent_of(x.x), im = exponent_of(x.y), larger = re > im ? re : im;
    return larger - (one - side) <= 2 * side;
}

// 1 / x to within about one unit in the last place: the hardware's estimate, refined. A division would contain a
// branch, and could not overlap with a search that waits for other lanes.
template <typename R>
__device__ __forceinline__ R rough_reciprocal(R x) {
    return rcp_estimate(x);
}
__device__ __forceinline__ float refined(float x, float y) { return fma(y, fma(-x, y, 1.0f), y); }
__device__ __forceinline__ double refined(double x, double y) {
    const double e = fma(-x, y, 1.0), z = fma(y, fma(e, e, e), y);
    return fma(z, fma(-x, z, 1.0), z);
}
// For numbers that are usual.
template <typename R>
__device__ __forceinline__ R usual_reciprocal(R x) {
    return refined(x, rough_reciprocal(x));
}
// Also for infinity and zero.
template <typename R>
__device__ __forceinline__ R reciprocal_of(R x) {
    const R y = rough_reciprocal(x), better = refined(x, y);
    return fabs(x) <= Normal<R>::most ? better : y;
}

// Divides a column by its pivot, by two factors: `lift`, which is one unless the pivot is outside the bounds, and the
// reciprocal.
template <typename T>
struct Divisor {
    using R = Real<T>;
    R lift;
    T reciprocal;

    __device__ __forceinline__ Divisor(R lift_, T reciprocal_) : lift(lift_), reciprocal(reciprocal_) {}
    // For a pivot that is usual.
    static __device__ __forceinline__ Divisor of_usual(T pivot) {
        if constexpr (is_complex<T>) {
            const R inverse = usual_reciprocal(fma(pivot.x, pivot.x, pivot.y * pivot.y));
            return {R(1), {pivot.x * inverse, -pivot.y * inverse}};
        } else {
            return {R(1), usual_reciprocal(pivot)};
        }
    }
    // For any pivot.
    __device__ __forceinline__ explicit Divisor(T pivot) {
        using Bounds = Normal<R>;
        const R largest = abs_inf(pivot);
        lift = largest < Bounds::least ? Bounds::lift : largest > Bounds::most ? Bounds::lower : R(1);
        pivot = scale(pivot, lift);
        if constexpr (is_complex<T>) {
            // (x, y) / max(|x|, |y|): no square overflows or underflows.
            const R inverse = reciprocal_of(largest * lift);
            const T unit = scale(pivot, inverse);
            const R square = reciprocal_of(fma(unit.x, unit.x, unit.y * unit.y));
            reciprocal = {unit.x * square * inverse, -unit.y * square * inverse};
        } else {
            reciprocal = reciprocal_of(pivot);
        }
    }
    __device__ __forceinline__ T of(T x) const { return mul(scale(x, lift), reciprocal); }
    // Divides x[0 .. N - 1] in this lane; the first factor is nearly always one.
    template <int N>
    __device__ __forceinline__ void divide(T *x) const {
        if (lift != R(1)) {
#pragma unroll
            for (int j = 0; j < N; ++j) x[j] = scale(x[j], lift);
        }
#pragma unroll
        for (int j = 0; j < N; ++j) x[j] = mul(x[j], reciprocal);
    }
};

} // namespace tephra
