// Elements as long doubles, in which tests compute the expected results.
#pragma once
#include <complex>

#include "cuda_on_host.h"

#include "common/scalar.cuh"

using Exact = std::complex<long double>;
template <typename T>
Exact exact(T x) {
    return {tephra::re(x), tephra::im(x)};
}
