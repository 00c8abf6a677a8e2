// Least squares near the ends of the range: which power of two brings A and B away from there.
#pragma once
#include "../common/batch.cuh"
#include "../common/householder.cuh"
#include "../common/scalar.cuh"

#include <type_traits>

namespace tephra {

// Between 2^-end and 2^end the largest element of A, and of B, stays as it is, as in LAPACK (smlnum, bignum).
template <typename R>
struct Ordinary {
    static constexpr int end = sizeof(R) == 4 ? 103 : 970;
    static constexpr R low = sizeof(R) == 4 ? R(0x1p-103) : R(0x1p-970), high = 1 / low;
};

// The power of two, by its exponent, that brings the largest elements of A and B there, if one does: else X is beyond
// the range. 0 as well if they are not finite.
template <typename R>
__device__ __forceinline__ int common_shift(R of_a, R of_b) {
    constexpr int end = Ordinary<R>::end;
    if (!(of_a <= Limits<R>::max) || !(of_b <= Limits<R>::max)) return 0;
    int up = 0, down = 0, highest = -2 * end;
    const R both[2] = {of_a, of_b};
    for (R size : both) {
        if (size == 0) continue;
        const int e = exponent(size);
        up = -end - e > up ? -end - e : up;
        down = end - 1 - e < down ? end - 1 - e : down;
        highest = e > highest ? e : highest;
    }
    if (down < 0) return down;
    const int room = end - 1 - highest; // what is large already must not become too large
    return up < room ? up : room;
}

// Part of a matrix in memory, on which warp number w of W works with the others.
template <typename T>
struct Part {
    using R = Real<std::remove_const_t<T>>;
    T *p;
    long long ld, rows, columns;

    // f(element) for this lane's share.
    template <int W, typename F>
    __device__ __forceinline__ void each(int w, F f) const {
        for (long long j = w; j < columns; j += W)
            for (long long r = threadIdx.x % 32; r < rows; r += 32) f(p[j * ld + r]);
    }
    // Of this lane's share; NaNs are not seen.
    template <int W>
    __device__ __forceinline__ R largest(int w) const {
        R most = 0;
        each<W>(w, [&](const T &x) { most = fmax(most, abs_inf(x)); });
        return most;
    }
    // By a power of which the reciprocal is a normal number, too.
    template <int W>
    __device__ __forceinline__ void times_power(int e, int w) const {
        const R factor = times_pow2(R(1), e);
        each<W>(w, [&](T &x) { x = scale(x, factor); });
    }
    // The largest of an element of each column, and of at least as many as a warp has lanes, in all of them.
    __device__ __forceinline__ R largest_sample() const {
        constexpr unsigned most_rows = 1u << 30;
        const unsigned height = rows < most_rows ? static_cast<unsigned>(rows) : most_rows;
        const unsigned width = static_cast<unsigned>(columns),
                       turns = width < 32 && width > 0 ? (31 + width) / width : 1;
        const unsigned step = height / turns > 0 ? height / turns : 1;
        R most = 0;
        for (unsigned e = threadIdx.x % 32; e < width * turns && height > 0; e += 32) {
            const unsigned j = e % width, r = (j + e / width * step) % height;
            most = fmax(most, abs_inf(p[j * ld + r]));
        }
        return lanes_max<32>(most);
    }
};

// Whether A and B are as most are, by a warp: no sample is near the upper end of the range, and one is not near the
// lower. Right-hand sides may have many zeros.
template <typename T>
__device__ __forceinline__ bool looks_ordinary(const Part<T> &A, const Part<T> &B) {
    using O = Ordinary<typename Part<T>::R>;
    const auto of_a = A.largest_sample();
    auto of_b = B.largest_sample();
    if (of_b == 0) of_b = lanes_max<32>(B.template largest<1>(0));
    return of_a >= O::low && of_a < O::high && (of_b == 0 || of_b >= O::low) && of_b < O::high;
}

template <typename T>
__device__ __forceinline__ int *member_shift(const Operand &shift, long long i) {
    return reinterpret_cast<int *>(member<T>(shift, i));
}

} // namespace tephra
