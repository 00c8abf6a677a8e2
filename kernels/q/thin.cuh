// Few columns of D under many reflectors: D := H_k^H ... H_1^H D or H_1 ... H_k D, one reflector at a time.
//
// A group of NR columns stays in the registers of W warps, with rows dealt to their lanes. V is streamed: the next
// reflector is loaded while the sums of the current one are formed. There is no T and no Gram matrix, which cost more
// than they save if columns are few. Takes the LarfbArgs of larfb_fused with any number of reflectors, but supports
// neither `given` nor `identity`.
// Source: LAPACK orm2r.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

template <typename T, int RPT, int NR, int W>
struct Thin {
    static constexpr int threads = 32 * W, capacity = RPT * threads;
    T d[RPT][NR];
    int t; // thread's number in the team

    __device__ __forceinline__ int row(int r) const { return r * threads + t; }

    __device__ __forceinline__ void load_v(const LarfbArgs &args, const T *V, int j, T (&v)[RPT]) const {
        const T *p = V + j * args.ldv + t;
#pragma unroll
        for (int r = 0; r < RPT; ++r) {
            const bool below = row(r) > j && row(r) < args.m;
            v[r] = below ? p[r * threads] : make<T>(row(r) == j ? 1 : 0);
        }
    }
    // Calls f(element of C, value of D) for the rows and the `cols` columns that exist.
    template <typename F>
    __device__ __forceinline__ void each(const LarfbArgs &args, T *C, int cols, F f) {
        const long long down = args.transposed ? args.ldc : 1, right = args.transposed ? 1 : args.ldc;
#pragma unroll
        for (int c = 0; c < NR; ++c)
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                if (row(r) < args.m && c < cols) f(C[row(r) * down + c * right], d[r][c]);
    }

    // Transforms `cols` columns at C. scratch: 2 W NR elements in shared memory if W > 1.
    __device__ __forceinline__ void run(const LarfbArgs &args, const T *V, const T *tau, T *C, int cols, T *scratch) {
        const bool flip = is_complex<T> && args.conjugate;
        const int k = static_cast<int>(args.k);
#pragma unroll
        for (int r = 0; r < RPT; ++r)
#pragma unroll
            for (int c = 0; c < NR; ++c) d[r][c] = make<T>(0);
        each(args, C, cols, [&](const T &from, T &x) { x = flip ? conj(from) : from; });
        T next[RPT], tau_next = make<T>(0);
        const auto fetch = [&](int step) {
            const int j = args.adjoint ? step : k - 1 - step;
            load_v(args, V, j, next);
            tau_next = args.adjoint ? conj(tau[j]) : tau[j];
        };
        fetch(0);
#pragma unroll 1
        for (int step = 0; step < k; ++step) {
            T v[RPT], dot[NR];
            const T tau_j = tau_next;
#pragma unroll
            for (int r = 0; r < RPT; ++r) v[r] = next[r];
            if (step + 1 < k) fetch(step + 1);
#pragma unroll
            for (int c = 0; c < NR; ++c) {
                dot[c] = make<T>(0);
#pragma unroll
                for (int r = 0; r < RPT; ++r) dot[c] = cfma_(v[r], d[r][c], dot[c]);
            }
#pragma unroll
            for (int c = 0; c < NR; ++c) dot[c] = lanes_sum<32>(dot[c]);
            if constexpr (W > 1) {
                T *box = scratch + (step & 1) * W * NR; // double buffer: one barrier per step
                if (t % 32 == 0)
#pragma unroll
                    for (int c = 0; c < NR; ++c) box[t / 32 * NR + c] = dot[c];
                __syncthreads();
#pragma unroll
                for (int c = 0; c < NR; ++c) {
                    dot[c] = box[c];
#pragma unroll
                    for (int w = 1; w < W; ++w) dot[c] = add(dot[c], box[w * NR + c]);
                }
            }
#pragma unroll
            for (int c = 0; c < NR; ++c) {
                const T x = mul(tau_j, dot[c]);
#pragma unroll
                for (int r = 0; r < RPT; ++r) d[r][c] = fnma_(v[r], x, d[r][c]);
            }
        }
        each(args, C, cols, [&](T &to, const T &x) { to = flip ? conj(x) : x; });
        if constexpr (W > 1) __syncthreads(); // scratch may still be read
    }
};

// args.tiles: groups of NR columns. TEAMS: matrices or groups per block (W = 1).
template <typename T, int RPT, int NR, int W, int TEAMS>
__device__ __forceinline__ void thin(const LarfbArgs &args) {
    using K = Thin<T, RPT, NR, W>;
    static_assert(W == 1 || TEAMS == 1);
    __shared__ T scratch[W > 1 ? 2 * W * NR : 1];
    K k;
    k.t = threadIdx.x % K::threads;
    const long long all = args.batch * args.tiles;
    for (long long job = blockIdx.x * (long long)TEAMS + threadIdx.x / K::threads; job < all;
         job += gridDim.x * (long long)TEAMS) {
        const long long i = job / args.tiles, first = job % args.tiles * NR, left = args.n - first;
        T *C = member<T>(args.c, i) + args.c0 + first * (args.transposed ? 1 : args.ldc);
        k.run(args, member<T>(args.v, i) + args.v0, member<T>(args.tau, i) + args.tau0, C,
              static_cast<int>(left < NR ? left : NR), scratch);
    }
}

} // namespace tephra

#define TEPHRA_THIN(NAME, T, RPT, NR, W, TEAMS)                                                                        \
    TEPHRA_ENTRY(NAME, Instance(32 * W * TEAMS).holds(32 * RPT * W, NR).places(TEAMS),                                 \
                 __launch_bounds__(32 * W * TEAMS), LarfbArgs, thin<letter::T, RPT, NR, W, TEAMS>)
