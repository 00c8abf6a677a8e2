// Precisions by their BLAS letter, for the entry points' macros.
#pragma once
#include "common/scalar.cuh"

namespace tephra {
using s = float;
using d = double;
using c = Complex<float>;
using z = Complex<double>;
} // namespace tephra
