// What QR's kernels have of reflectors (common/householder.cuh), on the host: plain numbers in place of its estimates'
// assembly.
#pragma once
#include "assembly_on_host.h"

inline float __int_as_float(int bits) { return __uint_as_float(static_cast<unsigned>(bits)); }
inline double __longlong_as_double(long long bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The estimates' instructions: of `q` a root, of `d` a quotient; a function that has no such argument has these.
namespace tephra {
constexpr float q = 1, d = 1;
template <typename Q, typename D>
auto estimate(const char *instruction, Q q, D d) {
    return strstr(instruction, "rsqrt") ? 1 / sqrt(q) * (1 + 0x1p-21) : 1 / d * (1 - 0x1p-21);
}
} // namespace tephra
#define asm(...) y = estimate(#__VA_ARGS__, q, d)
#include "common/householder.cuh"
#undef asm
