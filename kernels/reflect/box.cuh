// A box (tile) of a factor in shared memory: how it is copied there, and how V's unit triangle is filled in.
#pragma once
#include "../arch/arch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// OUTER lines of INNER adjacent elements each, PITCH apart in shared memory, dealt to THREADS threads.
template <typename T, int INNER, int OUTER, int PITCH, int THREADS>
struct ReflectBox {
    static constexpr int P = 16 / sizeof(T), size = OUTER * PITCH;
    static_assert(INNER % P == 0 && PITCH * sizeof(T) % 16 == 0, "whole packs");

    // Calls f(line, element) for the first of each W elements of this thread.
    template <int W, typename F>
    static __device__ __forceinline__ void each(F f) {
        constexpr int per = INNER / W, turns = (per * OUTER + THREADS - 1) / THREADS;
#pragma unroll(W > 1 || P == 1 ? 2 : 1)
        for (int turn = 0; turn < turns; ++turn) {
            const int e = turn * THREADS + threadIdx.x;
            if (per * OUTER % THREADS == 0 || e < per * OUTER) f(e / per, e % per * W);
        }
    }
    // Copies the first `inner` elements of the first `outer` lines from line(o), with zeros elsewhere. `packs`: all
    // lines start at a multiple of 16 bytes.
    template <typename Line>
    static __device__ __forceinline__ void copy(T *shared, Line line, long long inner, long long outer, bool packs) {
        if (packs) {
            each<P>([&](int o, int i) {
                const bool there = o < outer && i < inner;
                const int bytes = there ? (inner - i < P ? static_cast<int>(inner - i) : P) * int(sizeof(T)) : 0;
                stage<16>(shared + o * PITCH + i, there ? line(o) + i : line(0), bytes, true);
            });
        } else {
            each<1>([&](int o, int i) {
                const bool there = o < outer && i < inner;
                const int bytes = there ? int(sizeof(T)) : 0;
                stage<sizeof(T)>(shared + o * PITCH + i, there ? line(o) + i : line(0), bytes, true);
            });
        }
    }
    // For complete boxes, whose lines are `ld` apart and start at multiples of 16 bytes: `mine` is the offset of this
    // thread's first pack, and copy_whole copies all its packs from there.
    static constexpr int packs = INNER / P, reach = THREADS / packs;
    static constexpr bool even = THREADS % packs == 0 && OUTER % reach == 0;
    static __device__ __forceinline__ long long mine(long long ld) {
        return threadIdx.x / packs * ld + threadIdx.x % packs * P;
    }
    static __device__ __forceinline__ void copy_whole(T *shared, const T *from, long long ld) {
        static_assert(even, "all threads have as much");
        T *const to = shared + mine(PITCH);
#pragma unroll
        for (int o = 0; o < OUTER; o += reach) stage<16>(to + o * PITCH, from + o * ld);
    }
    // Replaces each element x by value(line, element, x), on the thread that has copied it.
    template <typename Value>
    static __device__ __forceinline__ void change(T *shared, bool packs, Value value) {
        const auto at = [&](int o, int i) {
            T *const x = shared + o * PITCH + i;
            *x = value(o, i, *x);
        };
        if (packs) {
            each<P>([&](int o, int i) {
#pragma unroll
                for (int p = 0; p < P; ++p) at(o, i + p);
            });
        } else {
            each<1>(at);
        }
    }
};

// Element (row, reflector) of V, given that memory holds x.
template <typename T>
__device__ __forceinline__ T unit_lower(long long row, int reflector, T x) {
    return row > reflector ? x : make<T>(row == reflector ? 1 : 0);
}

} // namespace tephra
