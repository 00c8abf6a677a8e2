// Shuffles within a part of a warp, and choices among registers.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// What a lane of this one's group of LANES neighbours has.
template <int LANES, typename T>
__device__ __forceinline__ T of_lane(T a, int lane) {
    if constexpr (is_complex<T>)
        return {of_lane<LANES>(a.x, lane), of_lane<LANES>(a.y, lane)};
    else
        return __shfl_sync(0xffffffffu, a, lane, LANES);
}

// yes ? a : b. Of a choice among registers the compiler makes an array in memory, but not of this one.
__device__ __forceinline__ float choose(bool yes, float a, float b) {
#ifdef __CUDA_ARCH__
    float x;
    asm("{ .reg .pred p; setp.ne.s32 p, %3, 0; selp.f32 %0, %1, %2, p; }"
        : "=f"(x)
        : "f"(a), "f"(b), "r"(static_cast<int>(yes)));
    return x;
#else
    return yes ? a : b;
#endif
}
__device__ __forceinline__ double choose(bool yes, double a, double b) {
#ifdef __CUDA_ARCH__
    double x;
    asm("{ .reg .pred p; setp.ne.s32 p, %3, 0; selp.f64 %0, %1, %2, p; }"
        : "=d"(x)
        : "d"(a), "d"(b), "r"(static_cast<int>(yes)));
    return x;
#else
    return yes ? a : b;
#endif
}
template <typename R>
__device__ __forceinline__ Complex<R> choose(bool yes, Complex<R> a, Complex<R> b) {
    return {choose(yes, a.x, b.x), choose(yes, a.y, b.y)};
}

} // namespace tephra
