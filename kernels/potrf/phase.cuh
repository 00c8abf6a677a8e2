// Makes an element of a factor's diagonal real.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// |d|, and conj(d) / |d|, by which its column is multiplied: the product of the factor with its adjoint stays the same.
template <typename T>
struct Phase {
    using R = Real<T>;
    R size;
    T turn;

    __device__ __forceinline__ explicit Phase(T d) {
        const R most = abs_inf(d), x = re(d) / most, y = im(d) / most, length = sqrt(x * x + y * y);
        size = most * length;
        turn = make<T>(x / length, -y / length);
    }
};

} // namespace tephra
