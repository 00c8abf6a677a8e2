// Plain forms of cuda.cuh's assembly in C++ and warp shuffles, for architectures without better ones. hip.cuh uses
// them, and so does the host's emulation (c_tests/kernels), which tests them.
#pragma once

namespace tephra {

// ---- optimisation barriers: none

template <typename T>
__device__ __forceinline__ void forget(T &) {}
template <typename T, typename U>
__device__ __forceinline__ void forget(T &, U &) {}
__device__ __forceinline__ void keep_order() {}
template <typename T>
__device__ __forceinline__ T *global(T *p) {
    return p;
}
template <int ALIGN, typename T>
__device__ __forceinline__ T *pinned(T *p) {
    return p;
}
__device__ __forceinline__ long long again(long long x) { return x; }

// ---- numbers

__device__ __forceinline__ float max_or_nan(float x, float y) { return x > y || x != x ? x : y; }
template <typename R>
__device__ __forceinline__ R choose(bool yes, R a, R b) {
    return yes ? a : b;
}

// ---- warps

template <int LANES, typename R>
__device__ __forceinline__ R shfl_group(R a, int lane) {
    return __shfl_sync(0xffffffffu, a, lane, LANES);
}
__device__ __forceinline__ int warp_slot() { return static_cast<int>(threadIdx.x / 32); }

// ---- loads, stores, copies: synchronous

__device__ __forceinline__ void prefetch(const void *) {}
__device__ __forceinline__ uint4 read_now(const void *from) { return *static_cast<const uint4 *>(from); }
template <typename R>
__device__ __forceinline__ void store_if(bool yes, void *to, const R *x) {
    if (yes) memcpy(to, x, 16);
}
__device__ __forceinline__ unsigned long long read_policy(bool) { return 0; }
template <int BYTES>
__device__ __forceinline__ void load_if(unsigned (&r)[BYTES / 4], const void *from, bool there, unsigned long long) {
    if (there) memcpy(r, from, BYTES);
}

// ---- tensor instructions

#ifndef TEPHRA_OF_WARP // else the host's, in which all lanes exchange values at once
// A value of each lane of the warp, by lane number.
template <typename T>
struct OfWarp {
    T own;
    __device__ __forceinline__ T operator[](int lane) const { return __shfl_sync(0xffffffffu, own, lane); }
};
#endif

// Computes the sums in the order of k. Each lane reads its rows of A and columns of B from the lanes that hold them.
__device__ __forceinline__ void mma_f64(double (&acc)[4], double a0, double a1, double b) {
    const int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    const OfWarp<double> above{a0}, below{a1}, of_b{b};
    for (int k = 0; k < 4; ++k) {
        const double upper = above[4 * g + k], lower = below[4 * g + k];
        const double left = of_b[8 * q + k], right = of_b[8 * q + 4 + k];
        acc[0] = fma(upper, left, acc[0]), acc[1] = fma(upper, right, acc[1]);
        acc[2] = fma(lower, left, acc[2]), acc[3] = fma(lower, right, acc[3]);
    }
}
__device__ __forceinline__ float tf32(float x) {
    const unsigned bits = __float_as_uint(x);
    return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}
__device__ __forceinline__ void mma_tf32(float (&acc)[4], float a0, float a1, float a2, float a3, float b0, float b1) {
    const int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    for (int half = 0; half < 2; ++half) {
        const OfWarp<float> above{half ? a2 : a0}, below{half ? a3 : a1}, of_b{half ? b1 : b0};
        for (int k = 0; k < 4; ++k) {
            const float upper = above[4 * g + k], lower = below[4 * g + k];
            const float left = of_b[8 * q + k], right = of_b[8 * q + 4 + k];
            acc[0] = fma(upper, left, acc[0]), acc[1] = fma(upper, right, acc[1]);
            acc[2] = fma(lower, left, acc[2]), acc[3] = fma(lower, right, acc[3]);
        }
    }
}
__device__ __forceinline__ unsigned short half_of(float x) {
    const _Float16 y = static_cast<_Float16>(x);
    unsigned short h;
    memcpy(&h, &y, sizeof h);
    return h;
}
__device__ __forceinline__ float from_half(unsigned short h) {
    _Float16 x;
    memcpy(&x, &h, sizeof x);
    return x;
}
// Two FP16 numbers in a word.
union HalfWord {
    unsigned word;
    _Float16 x[2];
};
__device__ __forceinline__ unsigned halves_of(float x, float y) {
    HalfWord w;
    w.x[0] = static_cast<_Float16>(x), w.x[1] = static_cast<_Float16>(y);
    return w.word;
}
__device__ __forceinline__ void from_halves(unsigned word, float &x, float &y) {
    HalfWord w;
    w.word = word;
    x = static_cast<float>(w.x[0]), y = static_cast<float>(w.x[1]);
}
template <bool FRESH>
__device__ __forceinline__ void mma_f16(float (&acc)[4], const uint4 &a, const unsigned (&b)[2]) {
    const int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    if (FRESH)
        for (float &x : acc) x = 0;
    for (int half = 0; half < 2; ++half) {
        const OfWarp<unsigned> above{half ? a.z : a.x}, below{half ? a.w : a.y}, of_b{b[half]};
        for (int k = 0; k < 4; ++k) {
            float upper[2], lower[2], left[2], right[2];
            from_halves(above[4 * g + k], upper[0], upper[1]);
            from_halves(below[4 * g + k], lower[0], lower[1]);
            from_halves(of_b[8 * q + k], left[0], left[1]);
            from_halves(of_b[8 * q + 4 + k], right[0], right[1]);
            for (int i = 0; i < 2; ++i) {
                acc[0] = fma(upper[i], left[i], acc[0]), acc[1] = fma(upper[i], right[i], acc[1]);
                acc[2] = fma(lower[i], left[i], acc[2]), acc[3] = fma(lower[i], right[i], acc[3]);
            }
        }
    }
}

} // namespace tephra
