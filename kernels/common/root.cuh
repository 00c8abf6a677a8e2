// Reciprocals and reciprocal roots, by the hardware's estimates.
#pragma once

namespace tephra {

// 1/sqrt(q) and 1/d in the safe range: hardware estimates, and one Newton step (third order for double) that takes any
// estimate as good as those.
__device__ __forceinline__ double rsqrt_estimate(double q) {
#ifdef __CUDACC__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(q));
    return y;
#else
    return fabs(q) < 0x1p-1022 ? HUGE_VAL : (1 + 0x1p-20) / sqrt(q); // as rough, where kernels run on the host
#endif
}
__device__ __forceinline__ float rsqrt_estimate(float q) {
#ifdef __CUDACC__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(q));
    return y;
#else
    return fabsf(q) < 0x1p-126f ? HUGE_VALF : 1 / sqrtf(q);
#endif
}
__device__ __forceinline__ double rcp_estimate(double d) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
    return y;
}
__device__ __forceinline__ float rcp_estimate(float d) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(d));
    return y;
}
__device__ __forceinline__ double rsqrt_refined(double q, double y) {
    const double e = fma(-q * y, y, 1.0);
    return fma(y * e, fma(0.375, e, 0.5), y);
}
__device__ __forceinline__ float rsqrt_refined(float q, float y) {
    const float e = fmaf(-q * y, y, 1.0f);
    return fmaf(0.5f * y, e, y);
}
__device__ __forceinline__ double rcp_refined(double d, double y) {
    const double e = fma(-d, y, 1.0);
    return fma(y, fma(e, e, e), y);
}
__device__ __forceinline__ float rcp_refined(float d, float y) { return fmaf(y, fmaf(-d, y, 1.0f), y); }

} // namespace tephra
