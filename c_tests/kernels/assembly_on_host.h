// In place of the kernels' inline assembly, plain forms: the tensor instructions of FP64 and FP16, and copies to shared
// memory.
#pragma once
#include "cuda_on_host.h"

inline unsigned __cvta_generic_to_shared(const void *p) {
    return static_cast<unsigned>(static_cast<const unsigned char *>(p) - host::shared_memory.data());
}
inline unsigned long long __cvta_generic_to_global(const void *) { return 0; }
inline void *__cvta_global_to_generic(size_t) { return nullptr; }
inline void *__cvta_shared_to_generic(size_t) { return nullptr; }
inline int __all_sync(unsigned mask, int value) { return __reduce_min_sync(mask, value != 0); }
inline double __hiloint2double(int high, int low) {
    const uint64_t bits = static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
inline float __uint_as_float(unsigned bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
struct float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// The headers' own functions keep other names, and are never called.
#define mma_f64 mma_f64_of_the_device
#define mma_f16 mma_f16_of_the_device
#define halve halve_of_the_device
#define copy_async copy_async_of_the_device
#define copy_async_at copy_async_at_of_the_device
#define copy_async_part copy_async_part_of_the_device
#define copies_done copies_done_of_the_device
#define copies_done_but copies_done_but_of_the_device
#define copies_sent copies_sent_of_the_device
#define global global_of_the_device
#define gemv_policy gemv_policy_of_the_device
#define gemv_load gemv_load_of_the_device
#define cluster_rank cluster_rank_of_the_device
#define cluster_sync cluster_sync_of_the_device
#define gemm_shared gemm_shared_of_the_device
#define gemm_there gemm_there_of_the_device
#include "common/async.cuh"
#include "common/global.cuh"
#include "gemm/part.cuh"
#include "gemm/shared.cuh"
#include "gemv/load.cuh"
#include "geqrf/mma.cuh"
#include "geqrf/update_team.cuh"
#include "reflect/half.cuh"
#undef mma_f64
#undef mma_f16
#undef halve
#undef copy_async
#undef copy_async_at
#undef copy_async_part
#undef copies_done
#undef copies_done_but
#undef copies_sent
#undef global
#undef gemv_policy
#undef gemv_load
#undef cluster_rank
#undef cluster_sync
#undef gemm_shared
#undef gemm_there
#include "common/stage.cuh" // copies_sent and copies_done_but, as they are on the host

namespace tephra {

template <typename T>
T *global(T *p) {
    return p;
}
inline unsigned long long gemv_policy(bool) { return 0; }
template <typename V>
void gemv_load(V &to, const V *p, bool there, unsigned long long) {
    if (there)
        to = *p;
    else
        memset(&to, 0, sizeof to);
}

inline void mma_f64(double (&acc)[4], double a0, double a1, double b) {
    const unsigned g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    struct Pair {
        double upper, lower;
    };
    host::meet(host::full_warp, Pair{a0, a1}, [&](auto of_a) {
        double left[2][4];
        for (unsigned k = 0; k < 4; ++k) left[0][k] = of_a(4 * g + k).upper, left[1][k] = of_a(4 * g + k).lower;
        return host::meet(host::full_warp, b, [&](auto of_b) {
            for (unsigned h = 0; h < 2; ++h)
                for (unsigned e = 0; e < 2; ++e)
                    for (unsigned k = 0; k < 4; ++k)
                        acc[2 * h + e] = fma(left[h][k], of_b(4 * (2 * q + e) + k), acc[2 * h + e]);
            return 0;
        });
    });
}

// Two FP16 numbers in a word.
union HalfWord {
    unsigned word;
    _Float16 x[2];
};

inline HalfPairs halve(float x, float y) {
    HalfWord high, low;
    high.x[0] = x, high.x[1] = y;
    low.x[0] = x - static_cast<float>(high.x[0]), low.x[1] = y - static_cast<float>(high.x[1]);
    return {high.word, low.word};
}

template <bool FRESH>
void mma_f16(float (&acc)[4], const uint4 &a, const unsigned (&b)[2]) {
    const unsigned g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    if (FRESH)
        for (float &x : acc) x = 0;
    // A word at a time: two columns of A, two rows of B.
    for (unsigned half = 0; half < 2; ++half) {
        struct Rows {
            HalfWord upper, lower;
        };
        host::meet(host::full_warp, half ? Rows{{a.z}, {a.w}} : Rows{{a.x}, {a.y}}, [&](auto of_a) {
            Rows left[4];
            for (unsigned k = 0; k < 4; ++k) left[k] = of_a(4 * g + k);
            return host::meet(host::full_warp, HalfWord{b[half]}, [&](auto of_b) {
                for (unsigned e = 0; e < 2; ++e)
                    for (unsigned k = 0; k < 4; ++k) {
                        const HalfWord right = of_b(4 * (2 * q + e) + k);
                        for (unsigned i = 0; i < 2; ++i) {
                            const float r = right.x[i];
                            acc[e] = fma(static_cast<float>(left[k].upper.x[i]), r, acc[e]);
                            acc[2 + e] = fma(static_cast<float>(left[k].lower.x[i]), r, acc[2 + e]);
                        }
                    }
                return 0;
            });
        });
    }
}

// At once; what is read too early on a device is not noticed.
template <int BYTES>
void copy_async(void *to, const void *from, bool valid) {
    if (valid)
        memcpy(to, from, BYTES);
    else
        memset(to, 0, BYTES);
}
template <int BYTES>
void copy_async_at(unsigned to, const void *from) {
    host::stage(host::shared_memory.data() + to, from, BYTES, BYTES);
}
inline void copy_async_part(void *to, const void *from, int bytes) { host::stage(to, from, 16, bytes); }
inline void copies_done() {}

inline unsigned cluster_rank() { return host::block->me().rank; }
inline void cluster_sync() {
    const unsigned step = ++host::block->me().cluster_steps;
    host::wait([&] {
        for (const host::Thread &t : host::block->threads)
            if (t.cluster_steps < step) return false;
        return true;
    });
}

// Of a cluster's blocks each has its own, of the launch's dynamic shared memory.
template <typename S>
S &gemm_shared() {
    static S alone;
    if (host::block->cluster == 1) return alone;
    if (sizeof(S) > host::shared_share()) abort();
    return *reinterpret_cast<S *>(host::dynamic_shared());
}
template <typename T>
const T *gemm_there(const T *p, unsigned rank) {
    const long long blocks = static_cast<long long>(rank) - host::block->me().rank;
    return reinterpret_cast<const T *>(reinterpret_cast<const unsigned char *>(p) +
                                       blocks * static_cast<long long>(host::shared_share()));
}

} // namespace tephra
