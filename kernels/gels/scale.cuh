// Least squares near the ends of the range: powers of two that bring A and B away from there.
#pragma once
#include "../common/batch.cuh"
#include "../common/householder.cuh"
#include "../common/scalar.cuh"

#include <type_traits>

namespace tephra {

// A member whose largest elements, of A and of B, are within these bounds is not scaled, as in LAPACK (smlnum, bignum).
template <typename R>
struct Ordinary {
    static constexpr int bound = sizeof(R) == 4 ? 103 : 970;
    static constexpr R low = sizeof(R) == 4 ? R(0x1p-103) : R(0x1p-970), high = 1 / low; // 2^-bound and 2^bound
    static constexpr int top = sizeof(R) == 4 ? 126 : 1022; // 2^top and 2^-top are normal numbers
};

// The exponents of the powers of two by which A and B of a member have been multiplied. Stored in the place of one
// element.
struct Shifts {
    short a, b;
};

// The shifts that bring the largest elements of A and B to the bound that they exceed, as in LAPACK, if they are near
// an end of the range. A larger shift would push what is small beside them, such as another right-hand side, out of the
// range at the other end. No shifts if either element is not finite.
template <typename R>
__device__ __forceinline__ Shifts shifts_into_range(R of_a, R of_b) {
    using O = Ordinary<R>;
    const bool finite = of_a <= Limits<R>::max && of_b <= Limits<R>::max;
    const auto shift = [&](R size) {
        const int to = size < O::low ? -O::bound : O::bound - 1;
        const bool odd = size != 0 && (size < O::low || size >= O::high);
        return static_cast<short>(finite && odd ? to - exponent(size) : 0);
    };
    return {shift(of_a), shift(of_b)};
}

// A part of a matrix in memory, on which warp number w works together with W - 1 others.
template <typename T>
struct Part {
    using R = Real<std::remove_const_t<T>>;
    T *p;
    long long ld, rows, columns;

    // Calls f(element) for this lane's share.
    template <int W, typename F>
    __device__ __forceinline__ void each(int w, F f) const {
        for (long long j = w; j < columns; j += W)
            for (long long r = threadIdx.x % 32; r < rows; r += 32) f(p[j * ld + r]);
    }
    // The largest magnitude in this lane's share; ignores NaNs.
    template <int W>
    __device__ __forceinline__ R largest(int w) const {
        R most = 0;
        each<W>(w, [&](const T &x) { most = fmax(most, abs_inf(x)); });
        return most;
    }
    // Multiplies by 2^e in two steps, because 2^e need not be representable.
    template <int W>
    __device__ __forceinline__ void times_power(int e, int w) const {
        constexpr int most = 2 * Ordinary<R>::top;
        e = e < -most ? -most : e > most ? most : e;
        const R first = times_pow2(R(1), e / 2), second = times_pow2(R(1), e - e / 2);
        each<W>(w, [&](T &x) { x = scale(scale(x, first), second); });
    }
    // The largest magnitude in a sample of at least one element of each column, and of at least as many elements as a
    // warp has lanes; in all lanes.
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

// Whether A and B look ordinary, by a warp: the largest sample of each is near neither end of the range. B may have
// many zeros, so a sample of zeros makes the warp read all of it.
template <typename T>
__device__ __forceinline__ bool looks_ordinary(const Part<T> &A, const Part<T> &B) {
    using O = Ordinary<typename Part<T>::R>;
    const auto of_a = A.largest_sample();
    auto of_b = B.largest_sample();
    if (of_b == 0) of_b = lanes_max<32>(B.template largest<1>(0));
    return of_a >= O::low && of_a < O::high && (of_b == 0 || of_b >= O::low) && of_b < O::high;
}

template <typename T>
__device__ __forceinline__ Shifts &member_shifts(const Operand &shifts, long long i) {
    return *reinterpret_cast<Shifts *>(member<T>(shifts, i));
}

} // namespace tephra
