// The search for a pivot, and its reciprocal. Source: LAPACK getf2, i?amax.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// Numbers that are compared as unsigned words, the high one first: |x|, for complex numbers |re| + |im|. NaN counts as
// zero; what is no candidate is below everything.
template <typename R>
struct Size;
template <>
struct Size<float> {
    unsigned high;

    static __device__ __forceinline__ Size none() { return {0}; }
    static __device__ __forceinline__ Size of(float x) { return {__float_as_uint(fmaxf(x, 0.0f)) + 1}; }
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
        const unsigned high = static_cast<unsigned>(__double2hiint(x));
        const unsigned low = static_cast<unsigned>(__double2loint(x));
        const bool number = high < 0x7ff00000u || (high == 0x7ff00000u && low == 0);
        return {number ? high + 1 : 1, number ? low : 0};
    }
    __device__ __forceinline__ bool operator==(Size o) const { return high == o.high && low == o.low; }
    __device__ __forceinline__ bool operator>(Size o) const { return high > o.high || (high == o.high && low > o.low); }
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
        return Size<T>::of(fabs(a));
}

// A candidate: of two that are as large the first row's is taken, as the rows are by now.
template <typename R>
struct Candidate {
    Size<R> size;
    unsigned id; // (position) << 16 | (row, as the matrix was)

    static __device__ __forceinline__ Candidate none() { return {Size<R>::none(), 0xffffffffu}; }
    __device__ __forceinline__ void take(const Candidate &o) {
        const bool better = o.size > size || (o.size == size && o.id < id);
        size.high = better ? o.size.high : size.high;
        if constexpr (sizeof(R) == 8) size.low = better ? o.size.low : size.low;
        id = better ? o.id : id;
    }
    __device__ __forceinline__ int row() const { return static_cast<int>(id & 0xffffu); }
    __device__ __forceinline__ int position() const { return static_cast<int>(id >> 16); }

    // The best of LANES neighbouring lanes, in all of them.
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

template <typename R>
struct Smallest; // whose reciprocal is finite, and what brings smaller ones there
template <>
struct Smallest<float> {
    static constexpr float normal = 0x1p-126f, lift = 0x1p64f;
};
template <>
struct Smallest<double> {
    static constexpr double normal = 0x1p-1022, lift = 0x1p128;
};

// What a column is multiplied by to be divided by its pivot: in two factors, of which the first is one unless the
// pivot's reciprocal would overflow.
template <typename T>
struct Divisor {
    using R = Real<T>;
    R lift;
    T reciprocal;

    __device__ __forceinline__ explicit Divisor(T pivot) {
        const R largest = abs_inf(pivot);
        lift = largest < Smallest<R>::normal ? Smallest<R>::lift : R(1);
        pivot = scale(pivot, lift);
        if constexpr (is_complex<T>) {
            // (x, y) / max(|x|, |y|), so that no square leaves the range.
            const R inverse = R(1) / (largest * lift);
            const T unit = scale(pivot, inverse);
            const R square = R(1) / fma(unit.x, unit.x, unit.y * unit.y);
            reciprocal = {unit.x * square * inverse, -unit.y * square * inverse};
        } else {
            reciprocal = R(1) / pivot;
        }
    }
    __device__ __forceinline__ T of(T x) const { return mul(scale(x, lift), reciprocal); }
};

} // namespace tephra
