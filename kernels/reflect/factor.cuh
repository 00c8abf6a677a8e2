// The second and third launches: sums over chunks, and X := -T^H V^H C (or -T V^H C) in place of V^H C.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "../geqrf/form_s.cuh"
#include "args.cuh"
#include "box.cuh"

namespace tephra {

// Adds up the chunks' sums, in order, in place of the first chunk's. One thread per element.
template <typename T, int THREADS>
__device__ __forceinline__ void reflect_sum(const ReflectArgs &args) {
    const long long part = args.part(), blocks = (part + THREADS - 1) / THREADS;
    for (long long job = blockIdx.x; job < blocks * args.batch; job += gridDim.x) {
        const long long i = job / blocks, e = (job - i * blocks) * THREADS + threadIdx.x;
        if (e >= part || e % args.pitch >= args.columns() || args.done(i)) continue;
        T *const sums = args.template sums_of<T>(i, 0) + e;
        T sum = sums[0];
#pragma unroll 8
        for (long long chunk = 1; chunk < args.chunks; ++chunk) sum = add(sum, sums[chunk * part]);
        sums[0] = sum;
    }
}

// Shared memory of the following kernels: S = -conj(T), and a strip of V^H C.
template <typename T, int NB, int NT>
struct ReflectFactor {
    static constexpr int ld = NB + 1;
    T s[NB][ld];
    T w[NB][NT]; // also the workspace of form_s

    // Forms the diagonal blocks of order BLOCK of S from V^H V, which is at `gram`, and tau; conj(V^H V) is above them.
    template <int THREADS, int BLOCK>
    __device__ __forceinline__ void form(const T *gram, long long pitch, const T *tau, int k) {
        for (int e = threadIdx.x; e < NB * NB; e += THREADS) {
            const int i = e / NB, j = e % NB;
            T x = make<T>(0);
            if (i < j && j < k) x = conj(gram[i * pitch + j]);
            if (i == j && j < k) x = scale(conj(tau[j]), Real<T>(-1));
            s[i][j] = x;
        }
        __syncthreads();
        form_s<NB, THREADS, BLOCK>(s, &w[0][0]);
    }
    // Adds terms begin .. end - 1 of S^T W, or of conj(S) W, to rows row .. row + R - 1 of a column.
    template <int R>
    __device__ __forceinline__ void add_terms(T (&x)[R], int row, int begin, int end, int column, bool adjoint) const {
#pragma unroll 4
        for (int l = begin; l < end; ++l) {
            const T y = w[l][column];
#pragma unroll
            for (int r = 0; r < R; ++r) x[r] = adjoint ? fma_(s[l][row + r], y, x[r]) : cfma_(s[row + r][l], y, x[r]);
        }
    }
};

// Element (l, j) of V^H C if C's column j is one of the identity's.
template <typename T>
__device__ __forceinline__ T of_identity(const ReflectArgs &args, long long i, int l, long long j) {
    const long long row = args.diagonal + j;
    const bool below = row > l && row < args.m;
    return conj(unit_lower(row, l, below ? args.template reflectors<T>(i)[l * args.ldv + row] : make<T>(0)));
}

// Replaces V^H C by X. A block has strips of NT columns of a member, and forms S itself. At most NB reflectors, in
// blocks of 32, in the order in which they act: the change of C by the previous blocks is V^H V times their rows of X,
// so that only diagonal blocks of S are needed.
template <typename T, int NB, int NT, int THREADS>
__device__ __forceinline__ void reflect_factor(const ReflectArgs &args) {
    using Factor = ReflectFactor<T, NB, NT>;
    constexpr int BLOCK = 32, R = BLOCK * NT / THREADS;
    static_assert(NT * 4 >= BLOCK && THREADS % NT == 0 && BLOCK * NT % THREADS == 0 && THREADS >= NB, "whole turns");
    Factor &f = *reinterpret_cast<Factor *>(dynamic_shared());
    const int k = args.k, column = threadIdx.x % NT, team = threadIdx.x / NT;
    const bool adjoint = args.adjoint;
    const long long strips = (args.n + NT - 1) / NT;
    for (long long job = blockIdx.x; job < strips * args.batch; job += gridDim.x) {
        const long long i = job / strips, first = (job - i * strips) * NT;
        if (args.done(i)) continue;
        T *const sums = args.template sums_of<T>(i, 0);
        const T *const tau = member<T>(args.tau, i) + args.tau0;
        __syncthreads(); // the previous strip has been used
        f.template form<THREADS, BLOCK>(sums + args.gram, args.pitch, tau, k);
        T *const mine = sums + first + column;
        const bool there = first + column < args.n;
        for (int l = team; l < NB; l += THREADS / NT) {
            T x = make<T>(0);
            if (there && l < k)
                x = first + column < args.identity ? of_identity<T>(args, i, l, first + column) : mine[l * args.pitch];
            f.w[l][column] = x;
        }
        __syncthreads();
#pragma unroll 1
        for (int turn = 0; turn < NB; turn += BLOCK) {
            const int block = adjoint ? turn : NB - BLOCK - turn, row = block + team * R;
            T x[R];
            if (turn > 0) {
#pragma unroll
                for (int r = 0; r < R; ++r) x[r] = f.w[row + r][column];
                f.add_terms(x, row, adjoint ? 0 : block + BLOCK, adjoint ? block : NB, column, adjoint);
#pragma unroll
                for (int r = 0; r < R; ++r) f.w[row + r][column] = x[r];
                __syncthreads();
            }
#pragma unroll
            for (int r = 0; r < R; ++r) x[r] = make<T>(0);
            f.add_terms(x, row, block, block + BLOCK, column, adjoint);
            __syncthreads();
#pragma unroll
            for (int r = 0; r < R; ++r) {
                f.w[row + r][column] = x[r];
                if (there && row + r < k) mine[(row + r) * args.pitch] = x[r];
            }
            __syncthreads();
        }
    }
}

// Computes T itself, k x k with zeros below its diagonal, where C would begin. One block per member.
template <typename T, int NB, int NT, int THREADS>
__device__ __forceinline__ void reflect_larft(const ReflectArgs &args) {
    using Factor = ReflectFactor<T, NB, NT>;
    Factor &f = *reinterpret_cast<Factor *>(dynamic_shared());
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        __syncthreads();
        const T *const gram = args.template sums_of<T>(i, 0) + args.gram, *const tau =
                                                                              member<T>(args.tau, i) + args.tau0;
        if (args.k <= 32)
            f.template form<THREADS, 32>(gram, args.pitch, tau, args.k);
        else
            f.template form<THREADS, NB>(gram, args.pitch, tau, args.k);
        T *const t = member<T>(args.t, i) + args.c0;
        for (int e = threadIdx.x; e < args.k * args.k; e += THREADS) {
            const int row = e % args.k, j = e / args.k;
            t[j * args.ldt + row] = row <= j ? scale(conj(f.s[row][j]), Real<T>(-1)) : make<T>(0);
        }
    }
}

} // namespace tephra

#define TEPHRA_REFLECT_SUM(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ReflectArgs, reflect_sum)
#define TEPHRA_REFLECT_FACTOR(NAME, T, NB, NT, THREADS)                                                                \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(NB, NT).needs(sizeof(ReflectFactor<letter::T, NB, NT>)),                \
                 __launch_bounds__(THREADS), ReflectArgs, reflect_factor<letter::T, NB, NT, THREADS>)
#define TEPHRA_REFLECT_LARFT(NAME, T, NB, NT, THREADS)                                                                 \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(NB, NT).needs(sizeof(ReflectFactor<letter::T, NB, NT>)),                \
                 __launch_bounds__(THREADS), ReflectArgs, reflect_larft<letter::T, NB, NT, THREADS>)
