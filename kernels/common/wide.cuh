// Conversion of numbers of either precision to double precision and back.
#pragma once
#include "scalar.cuh"

namespace tephra {

template <typename T>
struct WideOf {
    using Type = double;
};
template <typename R>
struct WideOf<Complex<R>> {
    using Type = Complex<double>;
};
template <typename T>
using Wide = typename WideOf<T>::Type;

template <typename T>
__device__ __forceinline__ Wide<T> widen(T x) {
    if constexpr (is_complex<T>)
        return {static_cast<double>(x.x), static_cast<double>(x.y)};
    else
        return static_cast<double>(x);
}
template <typename T>
__device__ __forceinline__ T narrow(Wide<T> x) {
    if constexpr (is_complex<T>)
        return {static_cast<Real<T>>(x.x), static_cast<Real<T>>(x.y)};
    else
        return static_cast<T>(x);
}

} // namespace tephra
