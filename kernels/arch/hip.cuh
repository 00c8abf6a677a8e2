// AMD GPUs of the CDNA family (gfx90a), without HIP's own headers: CUDA C++'s names in terms of clang's builtins, and
// what arch.cuh promises. It is compiled (`make check-hip`) but has not been run: no backend launches such kernels.
//
// A wave has 64 threads and forms two warps of 32, which may diverge; votes and shuffles stay within a half. Whole
// waves meet at a block's barriers, so a block must have an even number of warps.
#pragma once
#define TEPHRA_ARCH "HIP"
#include <initializer_list> // for `for (x : {..})`

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define TEPHRA_BOUNDS_(THREADS, ...) __attribute__((amdgpu_flat_work_group_size(1, THREADS)))
#define __launch_bounds__(...) TEPHRA_BOUNDS_(__VA_ARGS__, 0)
#define TEPHRA_CLUSTER(CL) __attribute__((aligned(hip::of_cluster<CL>())))
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()

using size_t = decltype(sizeof 0);

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(8) int2 {
    int x, y;
};
struct alignas(8) uint2 {
    unsigned x, y;
};

namespace hip {

// Any valid alignment, for a single block; larger clusters do not compile.
template <int BLOCKS>
constexpr int of_cluster() {
    static_assert(BLOCKS == 1, "needs a cluster of blocks");
    return 256;
}

struct Index {
    unsigned x;
};
__device__ __forceinline__ Index thread_index() { return {__builtin_amdgcn_workitem_id_x()}; }
__device__ __forceinline__ Index block_index() { return {__builtin_amdgcn_workgroup_id_x()}; }
__device__ __forceinline__ Index block_size() { return {__builtin_amdgcn_workgroup_size_x()}; }
__device__ __forceinline__ Index grid_size() {
    return {__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()};
}

// This thread's lane in its wave.
__device__ __forceinline__ unsigned lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// The value of lane `from` of the wave, word by word.
template <typename V>
__device__ __forceinline__ V of_lane(V value, unsigned from) {
    int words[(sizeof(V) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(V));
    for (int &word : words) word = __builtin_amdgcn_ds_bpermute(static_cast<int>(4 * from), word);
    __builtin_memcpy(&value, words, sizeof(V));
    return value;
}

__device__ __forceinline__ void wave_barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

} // namespace hip

#define threadIdx hip::thread_index()
#define blockIdx hip::block_index()
#define blockDim hip::block_size()
#define gridDim hip::grid_size()

// ---- numbers; functions without a compiler builtin come from ROCm's device library (ocml)

extern "C" {
__device__ double __ocml_sqrt_f64(double);
__device__ float __ocml_sqrt_f32(float);
__device__ double __ocml_exp_f64(double);
__device__ float __ocml_exp_f32(float);
__device__ double __ocml_log2_f64(double);
__device__ float __ocml_log2_f32(float);
__device__ int __ocml_ilogb_f64(double);
__device__ int __ocml_ilogb_f32(float);
}

// Defines CUDA's function for double and float, and its second name for float, which ends in f.
#define TEPHRA_FUNCTION(RESULT, NAME, DOUBLE, FLOAT)                                                                   \
    __device__ __forceinline__ RESULT<double> NAME(double x) { return DOUBLE(x); }                                     \
    __device__ __forceinline__ RESULT<float> NAME(float x) { return FLOAT(x); }                                        \
    __device__ __forceinline__ RESULT<float> NAME##f(float x) { return FLOAT(x); }
#define TEPHRA_FUNCTION_OF_TWO(NAME, SECOND, DOUBLE, FLOAT)                                                            \
    __device__ __forceinline__ double NAME(double x, SECOND<double> y) { return DOUBLE(x, y); }                        \
    __device__ __forceinline__ float NAME(float x, SECOND<float> y) { return FLOAT(x, y); }                            \
    __device__ __forceinline__ float NAME##f(float x, SECOND<float> y) { return FLOAT(x, y); }
namespace hip {
template <typename R>
using Same = R;
template <typename R>
using Integer = int;
} // namespace hip
TEPHRA_FUNCTION(hip::Same, sqrt, __ocml_sqrt_f64, __ocml_sqrt_f32)
TEPHRA_FUNCTION(hip::Same, exp, __ocml_exp_f64, __ocml_exp_f32)
TEPHRA_FUNCTION(hip::Same, log2, __ocml_log2_f64, __ocml_log2_f32)
TEPHRA_FUNCTION(hip::Same, fabs, __builtin_fabs, __builtin_fabsf)
TEPHRA_FUNCTION(hip::Integer, ilogb, __ocml_ilogb_f64, __ocml_ilogb_f32)
TEPHRA_FUNCTION_OF_TWO(fmax, hip::Same, __builtin_fmax, __builtin_fmaxf)
TEPHRA_FUNCTION_OF_TWO(fmin, hip::Same, __builtin_fmin, __builtin_fminf)
TEPHRA_FUNCTION_OF_TWO(copysign, hip::Same, __builtin_copysign, __builtin_copysignf)
TEPHRA_FUNCTION_OF_TWO(scalbn, hip::Integer, __builtin_amdgcn_ldexp, __builtin_amdgcn_ldexpf)
TEPHRA_FUNCTION_OF_TWO(ldexp, hip::Integer, __builtin_amdgcn_ldexp, __builtin_amdgcn_ldexpf)
#undef TEPHRA_FUNCTION
#undef TEPHRA_FUNCTION_OF_TWO
__device__ __forceinline__ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ __forceinline__ float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ double frexp(double x, int *exponent) {
    *exponent = __builtin_amdgcn_frexp_exp(x);
    return __builtin_amdgcn_frexp_mant(x);
}
__device__ __forceinline__ float frexp(float x, int *exponent) {
    *exponent = __builtin_amdgcn_frexp_expf(x);
    return __builtin_amdgcn_frexp_mantf(x);
}
__device__ __forceinline__ int max(int a, int b) { return a > b ? a : b; }
__device__ __forceinline__ int min(int a, int b) { return a < b ? a : b; }
__device__ __forceinline__ float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// ---- bits

namespace hip {
template <typename To, typename From>
__device__ __forceinline__ To as(From from) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace hip
__device__ __forceinline__ unsigned __float_as_uint(float x) { return hip::as<unsigned>(x); }
__device__ __forceinline__ float __uint_as_float(unsigned x) { return hip::as<float>(x); }
__device__ __forceinline__ float __int_as_float(int x) { return hip::as<float>(x); }
__device__ __forceinline__ double __longlong_as_double(long long x) { return hip::as<double>(x); }
__device__ __forceinline__ int __double2hiint(double x) { return static_cast<int>(hip::as<long long>(x) >> 32); }
__device__ __forceinline__ int __double2loint(double x) { return static_cast<int>(hip::as<long long>(x)); }
__device__ __forceinline__ double __hiloint2double(int high, int low) {
    return hip::as<double>(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
__device__ __forceinline__ int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
__device__ __forceinline__ int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ __forceinline__ int __clz(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }
#define memcpy __builtin_memcpy

// ---- warps are halves of a wave

__device__ __forceinline__ void __syncwarp(unsigned = 0xffffffffu) { hip::wave_barrier(); }
template <typename V>
__device__ __forceinline__ V __shfl_sync(unsigned, V value, int from, int width = 32) {
    const unsigned lane = hip::lane(), group = width - 1;
    return hip::of_lane(value, (lane & ~group) | (static_cast<unsigned>(from) & group));
}
template <typename V>
__device__ __forceinline__ V __shfl_xor_sync(unsigned, V value, int bits) {
    return hip::of_lane(value, hip::lane() ^ static_cast<unsigned>(bits));
}
template <typename V>
__device__ __forceinline__ V __shfl_up_sync(unsigned, V value, int by) {
    const unsigned lane = hip::lane(), group = 31;
    return hip::of_lane(value, (lane & group) < static_cast<unsigned>(by) ? lane : lane - by);
}
__device__ __forceinline__ unsigned __ballot_sync(unsigned mask, bool value) {
    const unsigned long long all = __builtin_amdgcn_uicmp(static_cast<unsigned>(value), 0u, 33); // not equal
    return static_cast<unsigned>(all >> (hip::lane() & 32)) & mask;
}
__device__ __forceinline__ bool __any_sync(unsigned mask, bool value) { return __ballot_sync(mask, value) != 0; }
__device__ __forceinline__ bool __all_sync(unsigned mask, bool value) { return __ballot_sync(mask, !value) == 0; }
__device__ __forceinline__ unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    for (int s = 16; s > 0; s /= 2) {
        const unsigned other = __shfl_xor_sync(mask, value, s);
        value = value > other ? value : other;
    }
    return value;
}
__device__ __forceinline__ unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return ~__reduce_max_sync(mask, ~value);
}

// ---- blocks

__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ __forceinline__ int __syncthreads_or(int value) {
    __shared__ unsigned found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (value) __atomic_store_n(&found, 1u, __ATOMIC_RELAXED);
    __syncthreads();
    const unsigned any = found;
    __syncthreads();
    return any != 0;
}
__device__ __forceinline__ int __syncthreads_and(int value) { return !__syncthreads_or(!value); }
template <typename V>
__device__ __forceinline__ V __ldcg(const V *p) {
    return *static_cast<const volatile V *>(p);
}
template <typename V>
__device__ __forceinline__ V atomicAdd(V *p, V x) {
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}
__device__ __forceinline__ unsigned atomicOr(unsigned *p, unsigned x) {
    return __atomic_fetch_or(p, x, __ATOMIC_RELAXED);
}
__device__ __forceinline__ int atomicMin(int *p, int x) { return __atomic_fetch_min(p, x, __ATOMIC_RELAXED); }

#include "portable.cuh"

#define TEPHRA_DYNAMIC_SHARED(NAME) extern __shared__ __align__(16) unsigned char NAME[]

namespace tephra {

__device__ __forceinline__ unsigned char *dynamic_shared() {
    TEPHRA_DYNAMIC_SHARED(raw);
    return raw;
}
__device__ __forceinline__ unsigned shared_address(const void *p) {
    return static_cast<unsigned>(
        reinterpret_cast<size_t>((__attribute__((address_space(3))) const void *)p)); // a local address has 32 bits
}

__device__ __forceinline__ double rsqrt_estimate(double x) { return __builtin_amdgcn_rsq(x); }
__device__ __forceinline__ float rsqrt_estimate(float x) { return __builtin_amdgcn_rsqf(x); }
__device__ __forceinline__ double rcp_estimate(double x) { return __builtin_amdgcn_rcp(x); }
__device__ __forceinline__ float rcp_estimate(float x) { return __builtin_amdgcn_rcpf(x); }

// ---- copies to shared memory, through registers

template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from) {
    memcpy(__builtin_assume_aligned(to, BYTES), __builtin_assume_aligned(from, BYTES), BYTES);
}
template <int BYTES>
__device__ __forceinline__ void stage(void *to, const void *from, int valid, bool wanted) {
    if (!wanted) return;
    unsigned words[BYTES / 4];
    for (int i = 0; i < BYTES / 4; ++i) words[i] = 4 * i < valid ? static_cast<const unsigned *>(from)[i] : 0;
    stage<BYTES>(to, words);
}
template <int BYTES>
__device__ __forceinline__ void copy_async(void *to, const void *from, bool valid) {
    stage<BYTES>(to, from, valid ? BYTES : 0, true);
}
template <typename T>
__device__ __forceinline__ void copy_async(T *shared, const T *global) {
    *shared = *global;
}
template <int BYTES>
__device__ __forceinline__ void copy_async_at(unsigned shared, const void *global) {
    stage<BYTES>((void *)(__attribute__((address_space(3))) void *)static_cast<size_t>(shared), global);
}
__device__ __forceinline__ void copy_async_part(void *to, const void *from, int bytes) {
    stage<16>(to, from, bytes, true);
}
__device__ __forceinline__ void copies_sent() {}
__device__ __forceinline__ void copies_done() {}
template <int N>
__device__ __forceinline__ void copies_done_but() {}

// ---- missing features: kernels check `bulk_copies`, and instances with a cluster do not compile (TEPHRA_CLUSTER)

template <int THREADS>
__device__ __forceinline__ void named_barrier(int) {
    static_assert(THREADS < 0, "needs a barrier of a part of a block");
}
constexpr bool bulk_copies = false;
__device__ __forceinline__ void prefetch_bulk(unsigned long long, unsigned) { __builtin_trap(); }
__device__ __forceinline__ void barrier_init(unsigned, unsigned) { __builtin_trap(); }
__device__ __forceinline__ void barriers_initialised() { __builtin_trap(); }
__device__ __forceinline__ void barrier_expect(unsigned, unsigned) { __builtin_trap(); }
__device__ __forceinline__ bool barrier_over(unsigned, unsigned) { __builtin_trap(); }
__device__ __forceinline__ void bulk_load(void *, const void *, unsigned, unsigned) { __builtin_trap(); }
__device__ __forceinline__ void before_bulk_copies() { __builtin_trap(); }
__device__ __forceinline__ void bulk_store(void *, const void *, unsigned) { __builtin_trap(); }
__device__ __forceinline__ void bulk_stores_read() { __builtin_trap(); }
__device__ __forceinline__ void bulk_stores_done() { __builtin_trap(); }
__device__ __forceinline__ unsigned cluster_rank() { __builtin_trap(); }
__device__ __forceinline__ void cluster_sync() { __builtin_trap(); }
__device__ __forceinline__ unsigned in_block(unsigned, unsigned) { __builtin_trap(); }
template <typename... X>
__device__ __forceinline__ void store_there(unsigned, X...) {
    __builtin_trap();
}
__device__ __forceinline__ bool cluster_barrier_over(unsigned, unsigned) { __builtin_trap(); }

} // namespace tephra
